//! Writing a certificate; `crate::certificate` reads and checks it, and knows nothing of solutions.

use super::{Solution, StateEquilibrium};
use crate::certificate::{MAGIC, VERSION};
use crate::game::codec::GameHeader;

impl Solution {
    /// Everything needed to prove the bounds without trusting the solver; see [`certificate`](crate::certificate).
    pub fn certificate(&self) -> Vec<u8> {
        let order = self.tables.order;
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        GameHeader { rules: *self.rules(), points: self.points(), mirrored: order.mirrored }.write(&mut out);
        // Mirror images follow from the others.
        for state in (1..=order.space.layers()).flat_map(|total| order.solved(total)) {
            write_state(&mut out, &self.certain_equilibrium(state));
        }
        let checksum = crc32fast::hash(&out);
        out.extend(checksum.to_le_bytes());
        out
    }
}

fn write_state(out: &mut Vec<u8>, equilibrium: &StateEquilibrium) {
    for strategy in [&equilibrium.a, &equilibrium.b] {
        out.extend((strategy.support_size() as u16).to_le_bytes());
        for (index, (bid, weight)) in strategy.weights().enumerate() {
            out.extend((bid as u16).to_le_bytes());
            // The last weight follows from the others: they sum to the whole.
            if index + 1 < strategy.support_size() {
                out.extend(weight.to_le_bytes());
            }
        }
    }
}

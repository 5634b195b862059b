//! Writes certificates; `crate::certificate` reads and checks them, independently of solutions.

use super::{Solution, StateEquilibrium};
use crate::certificate::{MAGIC, version_of};
use crate::game::codec::GameHeader;
use crate::sealed::seal;
use crate::work::{Stop, Watch, WorkError};

impl Solution {
    /// Everything needed to prove the bounds without trusting the solver; see [`certificate`](crate::certificate).
    pub fn certificate(&self) -> Vec<u8> {
        self.certificate_unless(&|_| false)
    }

    /// As [`Self::certificate`], with a callback that hears the progress and may cancel: strategies that were not kept are
    /// recomputed.
    pub fn certificate_watched(&self, watch: &mut Watch<'_>) -> Result<Vec<u8>, WorkError> {
        let stop = Stop::new(watch);
        let bytes = self.certificate_unless(&|share| stop.tell(share).is_break());
        if stop.is_asked() { Err(WorkError::Cancelled) } else { Ok(bytes) }
    }

    /// The certificate, truncated where `stop` says so.
    fn certificate_unless(&self, stop: &dyn Fn(f64) -> bool) -> Vec<u8> {
        let order = self.tables.order;
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(version_of(self.rules()).to_le_bytes());
        GameHeader { rules: *self.rules(), points: self.points(), mirrored: order.mirrored }.write(&mut out);
        // Mirror images are derived.
        let all = self.len() as f64 / if order.mirrored { 2.0 } else { 1.0 };
        for (place, state) in (1..=order.space.layers()).flat_map(|total| order.solved(total)).enumerate() {
            if stop((place as f64 / all).min(1.0)) {
                return out;
            }
            write_state(&mut out, &self.certain_equilibrium(state));
        }
        seal(out)
    }
}

fn write_state(out: &mut Vec<u8>, equilibrium: &StateEquilibrium) {
    for strategy in [&equilibrium.a, &equilibrium.b] {
        out.extend((strategy.support_size() as u16).to_le_bytes());
        for (index, (bid, weight)) in strategy.weights().enumerate() {
            out.extend((bid as u16).to_le_bytes());
            // The last weight follows from the sum.
            if index + 1 < strategy.support_size() {
                out.extend(weight.to_le_bytes());
            }
        }
    }
}

//! Writes certificates; `crate::certificate` reads and checks them, independently of solutions.

use super::bid_strategy::LastWeight;
use super::{BidStrategy, Solution, StateEquilibrium};
use crate::certificate::{MAGIC, Proof, version_of};
use crate::game::codec::GameHeader;
use crate::work::{Parts, Watch, WorkError};
use stochastic_game::internal::sealed::seal;

impl Solution {
    /// Everything needed to prove the bounds without trusting the solver; see
    /// [`certificate`](crate::certificate). Strategies that were not kept are recomputed.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub fn certificate(&self, watch: &mut Watch<'_>) -> Result<Vec<u8>, WorkError> {
        let order = self.tables.order;
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(version_of(self.rules()).to_le_bytes());
        GameHeader { rules: *self.rules(), points: self.points(), mirrored: order.mirrored }
            .write(&mut out);
        // Mirror images are derived.
        let mut parts =
            Parts::new(watch, self.states().len() as f64 / if order.mirrored { 2.0 } else { 1.0 });
        for state in order.solved_up_to(order.space.layers()) {
            let StateEquilibrium { a, b, .. } = self.certain_equilibrium(state);
            BidStrategy::write(&[a, b], &mut out, LastWeight::LeftOut);
            parts.done(1.0)?;
        }
        Ok(seal(out))
    }

    /// Whether a certificate that was checked is of this game, and proves exactly these bounds.
    /// Otherwise the file that was read is not the one that was to be written. Bounds that are not
    /// [proved](Self::is_proved) are not compared.
    pub fn agrees_with(&self, proof: &Proof) -> bool {
        let is_of_this_game = (proof.rules(), proof.points()) == (self.rules(), self.points());
        let is_same = |state| self.enclosure(state).ok() == proof.enclosure(state).ok();
        is_of_this_game && (!self.is_proved() || proof.iter().all(|(state, _)| is_same(state)))
    }
}

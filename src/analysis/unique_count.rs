//! The number of states with unique optimal strategies.

use crate::error::Error;
use crate::game::{ByPlayer, State};
use crate::matrix_game::Uniqueness;
use crate::solution::Solution;
use crate::work::{Parts, Watch};

/// The numbers of states by uniqueness of the optimal strategy; they sum to the number of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct UniqueCount {
    pub unique: usize,
    pub several: usize,
    pub unknown: usize,
}

impl UniqueCount {
    /// Counts over all states, which takes seconds where exact numbers are known; the callback
    /// hears the progress and may cancel.
    pub fn of_all(solution: &Solution, watch: &mut Watch<'_>) -> Result<ByPlayer<Self>, Error> {
        let mut counts = ByPlayer::<Self>::default();
        let first = -solution.rules().field();
        // Exact or not, every state takes a linear system.
        let work = |state: State| {
            f64::from(state.a + 1) * f64::from(state.b + 1) * f64::from(state.a.min(state.b) + 1)
        };
        let accounts = solution.states().filter(|state| state.ball.position() == first);
        let mut parts = Parts::new(watch, accounts.map(work).sum());
        let order = solution.tables().order;
        for state in solution.states() {
            if state.ball.position() == first {
                parts.done(work(state))?;
            }
            if order.representative(state) != state {
                continue;
            }
            let [a, b] = solution.uniqueness(state)?;
            counts.a.add(a);
            counts.b.add(b);
            // The mirror image exchanges the players.
            if order.image_count(state) > 1 {
                counts.a.add(b);
                counts.b.add(a);
            }
        }
        Ok(counts)
    }

    fn add(&mut self, uniqueness: Uniqueness) {
        *match uniqueness {
            Uniqueness::Unique => &mut self.unique,
            Uniqueness::Several => &mut self.several,
            Uniqueness::Unknown => &mut self.unknown,
        } += 1;
    }
}

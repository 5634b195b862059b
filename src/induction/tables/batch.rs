use std::time::Duration;

use super::exact_tier::ExactResult;
use super::strategies::Packed;
use super::systems::KeptSystem;
use crate::game::{Secured, State};

/// The solutions of a few neighbouring states of a layer, in their order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) solved: Vec<SolvedState>,
    pub(crate) strategies: Packed,
    /// As [`bases::pack`](super::bases::pack) writes them.
    pub(crate) bases: Vec<u16>,
    pub(crate) systems: Vec<(State, KeptSystem)>,
    pub(crate) exact: Vec<(State, ExactResult)>,
}

/// A state, its security levels, and the offsets of its strategies and its basis in the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) secured: Secured,
    pub(crate) strategies: u64,
    pub(crate) randomised: bool,
    pub(crate) basis: usize,
    /// The time for strategies and proofs, by the driver's clock.
    pub(crate) solving: Duration,
    pub(crate) certifying: Duration,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.solved.clear();
        self.strategies.clear();
        self.bases.clear();
        self.systems.clear();
        self.exact.clear();
    }
}

//! The solutions of some states of a layer, on their way into the tables.

use std::time::Duration;

use super::exact_tier::ExactResult;
use super::strategies::Packed;
use super::systems::KeptSystem;
use crate::game::{Secured, State};

/// The solutions of a few neighbouring states, in their order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) solved: Vec<SolvedState>,
    pub(crate) strategies: Packed,
    /// Bases as [`bases::pack`](super::bases::pack) writes them.
    pub(crate) bases: Vec<u16>,
    /// The factorised systems from which later layers may start.
    pub(crate) systems: Vec<(State, KeptSystem)>,
    /// What is known exactly, of those states of which anything is.
    pub(crate) exact: Vec<(State, ExactResult)>,
}

/// A state, what A and B secure, and where its strategies and its basis begin in the lists of the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) secured: Secured,
    pub(crate) strategies: u64,
    pub(crate) randomised: bool,
    pub(crate) basis: usize,
    /// The time that finding the strategies and proving the bounds took, by the driver's clock.
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

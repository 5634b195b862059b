//! The strategies of all states in one array.

use std::time::Duration;

use super::exact_tier::ExactResult;
use super::systems::KeptSystem;
use crate::bounds::Bounds;
use crate::game::State;
use crate::matrix_game::DyadicStrategy;

/// Both strategies of every solved state, packed: supports only, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Strategies {
    /// The offset of a state's strategies in the packed lists; [`Strategies::NONE`] for a state
    /// without its own.
    starts: Vec<u64>,
    /// A's and B's strategies in turn: the size of a support, then its bids. `weights` has a filler
    /// at the index of the size.
    bids: Vec<u16>,
    weights: Vec<u64>,
}

impl Strategies {
    const NONE: u64 = u64::MAX;

    pub(crate) fn new(states: usize) -> Self {
        Self { starts: vec![Self::NONE; states], bids: Vec::new(), weights: Vec::new() }
    }

    /// Stores A's and B's strategies, as bids and weights.
    pub(crate) fn set(
        &mut self,
        state: usize,
        pair: [impl ExactSizeIterator<Item = (u32, u64)>; 2],
    ) {
        self.starts[state] = self.bids.len() as u64;
        for support in pair {
            self.bids.push(support.len() as u16);
            self.weights.push(0);
            for (bid, weight) in support {
                self.bids.push(bid as u16);
                self.weights.push(weight);
            }
        }
    }

    /// A's and B's strategies as bids and weights, or `None` for a state that was not solved
    /// itself.
    pub(crate) fn get(&self, state: usize) -> Option<[(&[u16], &[u64]); 2]> {
        let start = self.starts[state];
        if start == Self::NONE {
            return None;
        }
        let strategy = |start: usize| {
            let support = start + 1..start + 1 + usize::from(self.bids[start]);
            (&self.bids[support.clone()], &self.weights[support])
        };
        let a = strategy(start as usize);
        Some([a, strategy(start as usize + 1 + a.0.len())])
    }
}

/// The solution of a state, with what its neighbours start from.
#[derive(Debug)]
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) bounds: Bounds,
    /// Over the rows and over the columns of the stage game, if the sweep
    /// [finds](super::Tables::finds_strategies) strategies.
    pub(crate) strategies: Option<[DyadicStrategy; 2]>,
    pub(crate) randomised: bool,
    /// A's bids, then as many of B, for neighbours to start from; linear programmes and states that
    /// repeat leave none.
    pub(crate) basis: Vec<u16>,
    /// The system of the basis, if later states can start from it and it is worth the memory.
    pub(crate) system: Option<KeptSystem>,
    pub(crate) exact: Option<ExactResult>,
    /// The time for strategies and proofs, by the driver's clock.
    pub(crate) solving: Duration,
    pub(crate) certifying: Duration,
}

#[cfg(any(test, feature = "mpi"))]
impl SolvedState {
    pub(crate) fn time(&self) -> Duration {
        self.solving + self.certifying
    }
}

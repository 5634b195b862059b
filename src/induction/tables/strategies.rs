use std::time::Duration;

use super::exact_tier::ExactResult;
use super::systems::KeptSystem;
use crate::game::{Secured, State};
use crate::matrix_game::{Basis, DyadicStrategy};

/// Both strategies of every solved state, packed: supports only, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strategies {
    /// The offset of a state's strategies in the packed lists; [`Strategies::NONE`] for a state without its own.
    starts: Vec<u64>,
    packed: Packed,
}

/// A run of strategies, A's and B's in turn, each preceded by the size of its support.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    /// The size of a support, then its bids; `weights` has a filler at the index of the size.
    bids: Vec<u16>,
    weights: Vec<u64>,
}

impl Packed {
    /// Appends the strategies of a state, A's first, and returns their offset.
    pub(crate) fn push_pair(&mut self, pair: [&DyadicStrategy; 2], lowest_bids: [usize; 2]) -> u64 {
        let [start, _] = [0, 1].map(|player| {
            let (support, lowest) = (pair[player].support(), lowest_bids[player] as u32);
            self.push(support.iter().map(|&(index, weight)| (index + lowest, weight)))
        });
        start
    }

    /// Appends a strategy given by bids and weights, and returns its offset.
    pub(crate) fn push(&mut self, support: impl ExactSizeIterator<Item = (u32, u64)>) -> u64 {
        let start = self.bids.len() as u64;
        self.bids.push(support.len() as u16);
        self.weights.push(0);
        for (bid, weight) in support {
            self.bids.push(bid as u16);
            self.weights.push(weight);
        }
        start
    }

    /// The strategies of a state at `start` as bids and weights, A's first.
    pub(crate) fn pair(&self, start: u64) -> [(&[u16], &[u64]); 2] {
        let (bids_a, weights_a, next) = self.get(start as usize);
        let (bids_b, weights_b, _) = self.get(next);
        [(bids_a, weights_a), (bids_b, weights_b)]
    }

    /// The strategy at `start` as bids and weights, and the offset of the next.
    fn get(&self, start: usize) -> (&[u16], &[u64], usize) {
        let size = usize::from(self.bids[start]);
        let first = start + 1;
        (&self.bids[first..][..size], &self.weights[first..][..size], first + size)
    }

    pub(crate) fn clear(&mut self) {
        self.bids.clear();
        self.weights.clear();
    }
}

impl Strategies {
    const NONE: u64 = u64::MAX;

    pub(crate) fn new(states: usize) -> Self {
        Self { starts: vec![Self::NONE; states], packed: Packed::default() }
    }

    /// Appends a run of strategies and returns the shift of its offsets.
    pub(crate) fn append(&mut self, packed: &Packed) -> u64 {
        let shift = self.packed.bids.len() as u64;
        self.packed.bids.extend_from_slice(&packed.bids);
        self.packed.weights.extend_from_slice(&packed.weights);
        shift
    }

    pub(crate) fn set(&mut self, state: usize, start: u64) {
        self.starts[state] = start;
    }

    /// A's and B's strategies as bids and weights, or `None` for a state that was not solved itself.
    pub(crate) fn get(&self, state: usize) -> Option<[(&[u16], &[u64]); 2]> {
        let start = self.starts[state];
        if start == Self::NONE {
            return None;
        }
        Some(self.packed.pair(start))
    }
}

/// The solutions of a few neighbouring states of a layer, in their order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) solved: Vec<SolvedState>,
    pub(crate) strategies: Packed,
}

#[derive(Debug)]
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) secured: Secured,
    /// The offset of its strategies in the batch.
    pub(crate) strategies: u64,
    pub(crate) randomised: bool,
    /// In bids, for neighbours to start from; linear programmes and states that repeat leave none.
    pub(crate) basis: Basis,
    /// The system of the basis, if later states can start from it and it is worth the memory.
    pub(crate) system: Option<KeptSystem>,
    pub(crate) exact: Option<ExactResult>,
    /// The time for strategies and proofs, by the driver's clock.
    pub(crate) solving: Duration,
    pub(crate) certifying: Duration,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.solved.clear();
        self.strategies.clear();
    }
}

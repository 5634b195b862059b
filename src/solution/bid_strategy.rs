//! How a player bids at one state.

use std::ops::RangeInclusive;

use crate::matrix_game::DyadicStrategy;

/// A mixed strategy over bids, in integer weights that sum to 2⁶².
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidStrategy {
    /// Bids, rising, with their weights.
    support: Vec<(u32, u64)>,
}

/// Whether the last weight of a strategy is written, which follows from the sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastWeight {
    Written,
    LeftOut,
}

impl BidStrategy {
    pub(super) fn pure(bid: u32) -> Self {
        Self { support: vec![(bid, DyadicStrategy::WHOLE)] }
    }

    pub(super) fn new(bids: &[u16], weights: &[u64]) -> Self {
        Self {
            support: bids.iter().map(|&bid| u32::from(bid)).zip(weights.iter().copied()).collect(),
        }
    }

    /// A strategy of rising legal bids whose weights are positive and sum to the whole.
    pub(crate) fn checked(support: Vec<(u32, u64)>, legal: RangeInclusive<u32>) -> Option<Self> {
        let sum: u128 = support.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let possible = sum == u128::from(DyadicStrategy::WHOLE)
            && support.iter().all(|(bid, weight)| legal.contains(bid) && *weight > 0)
            && support.is_sorted_by(|lower, higher| lower.0 < higher.0);
        possible.then_some(Self { support })
    }

    pub(crate) fn from_dyadic(strategy: &DyadicStrategy, lowest: u32) -> Self {
        Self {
            support: strategy
                .support()
                .iter()
                .map(|&(index, weight)| (index + lowest, weight))
                .collect(),
        }
    }

    /// Appends the sizes of the supports, and the bids with their weights.
    pub(super) fn write(pair: &[Self; 2], out: &mut Vec<u8>, last: LastWeight) {
        for Self { support } in pair {
            out.extend((support.len() as u16).to_le_bytes());
            for (&(bid, weight), count) in support.iter().zip(1..) {
                out.extend((bid as u16).to_le_bytes());
                if last == LastWeight::Written || count < support.len() {
                    out.extend(weight.to_le_bytes());
                }
            }
        }
    }

    /// The strategy over the rows of its owner's stage game, of which `lowest` is the first.
    pub(crate) fn dyadic(&self, lowest: u32) -> DyadicStrategy {
        let mut dyadic = DyadicStrategy::default();
        dyadic.assign(self.weights().map(|(bid, weight)| (bid - lowest, weight as i64)));
        dyadic
    }

    /// The bids with positive probability, rising, and their probabilities.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = (u32, f64)> {
        self.weights().map(|(bid, weight)| (bid, weight as f64 / DyadicStrategy::WHOLE as f64))
    }

    /// As [`Self::probabilities`], with weights out of [`DyadicStrategy::WHOLE`].
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (u32, u64)> {
        self.support.iter().copied()
    }

    pub fn probability(&self, bid: u32) -> f64 {
        let index = self.support.binary_search_by_key(&bid, |&(played, _)| played);
        index.map_or(0.0, |index| self.support[index].1 as f64 / DyadicStrategy::WHOLE as f64)
    }

    pub fn mean(&self) -> f64 {
        self.probabilities().map(|(bid, probability)| f64::from(bid) * probability).sum()
    }
}

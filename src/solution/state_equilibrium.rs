//! The solution of one state.

use crate::bounds::Enclosure;
use crate::game::{Player, State};
use crate::matrix_game::DyadicStrategy;

/// A mixed strategy over bids.
///
/// Weights are integers that sum to 2⁶² exactly; [`probabilities`](Self::probabilities) gives them as floating-point numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidStrategy {
    bids: Vec<u16>,
    weights: Vec<u64>,
}

impl BidStrategy {
    pub(crate) fn new(bids: &[u16], weights: &[u64]) -> Self {
        Self { bids: bids.to_vec(), weights: weights.to_vec() }
    }

    /// The strategy over bids whose lowest is at index 0.
    pub(crate) fn from_dyadic(strategy: &DyadicStrategy, lowest: u32) -> Self {
        let (bids, weights) = strategy.support().iter().map(|&(index, weight)| ((index + lowest) as u16, weight)).unzip();
        Self { bids, weights }
    }

    /// The strategy over the rows of its owner's stage game, the first of which is the `lowest` bid.
    pub(crate) fn dyadic(&self, lowest: u32) -> DyadicStrategy {
        let mut dyadic = DyadicStrategy::default();
        dyadic.assign(self.weights().map(|(bid, weight)| (bid - lowest, weight as i64)));
        dyadic
    }

    /// The bids that are made with positive probability, rising, and these probabilities.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = (u32, f64)> {
        self.weights().map(|(bid, weight)| (bid, weight as f64 / DyadicStrategy::WHOLE as f64))
    }

    /// The same with weights out of [`DyadicStrategy::WHOLE`].
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (u32, u64)> {
        self.bids.iter().map(|&bid| u32::from(bid)).zip(self.weights.iter().copied())
    }

    /// The probability of one bid.
    pub fn probability(&self, bid: u32) -> f64 {
        let place = u16::try_from(bid).ok().and_then(|bid| self.bids.binary_search(&bid).ok());
        place.map_or(0.0, |place| self.weights[place] as f64 / DyadicStrategy::WHOLE as f64)
    }

    /// The mean bid.
    pub fn mean(&self) -> f64 {
        self.probabilities().map(|(bid, probability)| f64::from(bid) * probability).sum()
    }

    /// The number of bids with positive probability.
    pub fn support_size(&self) -> usize {
        self.bids.len()
    }

    /// Whether one bid is made for certain.
    pub fn is_pure(&self) -> bool {
        self.bids.len() == 1
    }
}

/// An equilibrium of one state: what it is worth and how to play it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateEquilibrium {
    /// The state.
    pub state: State,
    /// The value to A.
    pub value: f64,
    /// Bounds that the two strategies prove.
    pub enclosure: Enclosure,
    /// A's strategy.
    pub a: BidStrategy,
    /// B's strategy.
    pub b: BidStrategy,
}

impl StateEquilibrium {
    /// The strategy of one player.
    pub const fn strategy(&self, player: Player) -> &BidStrategy {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }

    /// Whether either player randomises here.
    pub fn is_randomised(&self) -> bool {
        !(self.a.is_pure() && self.b.is_pure())
    }
}

use crate::bounds::Enclosure;
use crate::game::{Player, State};
use crate::matrix_game::DyadicStrategy;

/// A mixed strategy over bids, in integer weights that sum to 2⁶².
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidStrategy {
    bids: Vec<u16>,
    weights: Vec<u64>,
}

impl BidStrategy {
    pub(crate) fn new(bids: &[u16], weights: &[u64]) -> Self {
        Self { bids: bids.to_vec(), weights: weights.to_vec() }
    }

    pub(crate) fn from_dyadic(strategy: &DyadicStrategy, lowest: u32) -> Self {
        let (bids, weights) = strategy.support().iter().map(|&(index, weight)| ((index + lowest) as u16, weight)).unzip();
        Self { bids, weights }
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
        self.bids.iter().map(|&bid| u32::from(bid)).zip(self.weights.iter().copied())
    }

    pub fn probability(&self, bid: u32) -> f64 {
        let place = u16::try_from(bid).ok().and_then(|bid| self.bids.binary_search(&bid).ok());
        place.map_or(0.0, |place| self.weights[place] as f64 / DyadicStrategy::WHOLE as f64)
    }

    pub fn mean(&self) -> f64 {
        self.probabilities().map(|(bid, probability)| f64::from(bid) * probability).sum()
    }

    pub fn support_size(&self) -> usize {
        self.bids.len()
    }

    pub fn is_pure(&self) -> bool {
        self.bids.len() == 1
    }
}

/// An equilibrium of one state: its value to A, both strategies, and the bounds that they prove.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateEquilibrium {
    pub state: State,
    pub value: f64,
    pub enclosure: Enclosure,
    pub a: BidStrategy,
    pub b: BidStrategy,
}

impl StateEquilibrium {
    pub const fn strategy(&self, player: Player) -> &BidStrategy {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }

    pub fn is_randomised(&self) -> bool {
        !(self.a.is_pure() && self.b.is_pure())
    }
}

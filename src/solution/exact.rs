//! Exact values and strategies.

use dashu_ratio::RBig;
use num_rational::BigRational;

use crate::matrix_game::exact::{ExactEquilibrium, ExactStrategy, big_rational};

/// An equilibrium in rationals, proved.
///
/// Probabilities are positive and sum to 1; against every bid of the opponent each strategy secures exactly `value` or more for
/// its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact {
    /// The value to A.
    pub value: BigRational,
    /// A's bids, rising, with their probabilities.
    pub a: Vec<(u32, BigRational)>,
    /// B's bids, rising, with their probabilities.
    pub b: Vec<(u32, BigRational)>,
}

impl Exact {
    pub(crate) fn new(value: &RBig, equilibrium: &ExactEquilibrium, [lowest_a, lowest_b]: [u32; 2]) -> Self {
        let strategy = |strategy: &ExactStrategy, lowest: u32| {
            strategy.probabilities().map(|(index, probability)| (index as u32 + lowest, big_rational(&probability))).collect()
        };
        Self { value: big_rational(value), a: strategy(&equilibrium.row, lowest_a), b: strategy(&equilibrium.column, lowest_b) }
    }

    /// The same as the other player sees it.
    pub(crate) fn mirrored(self) -> Self {
        Self { value: -self.value, a: self.b, b: self.a }
    }
}

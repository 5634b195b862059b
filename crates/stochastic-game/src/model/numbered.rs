//! The indexed game graph that the solvers work on.

use std::ops::Range;

use num_rational::BigRational;

use super::game::drawn;
use super::kind::Kind;
use super::nature::UncertainCell;
use super::numbered_state::NumberedState;
use super::rules::Node;
use super::scale::Scale;
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};

/// A possible successor with its weight; packed, since large games have millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, packed(4))]
pub struct Outcome {
    /// Its probability times the denominator of the cell.
    pub weight: u64,
    pub state: u32,
}

/// The outcome of a pair of actions: a reward now, and a distribution over successors.
///
/// Where weights sum to less than the denominator, play ends with the remaining probability and
/// pays nothing, which represents a discount.
#[derive(Clone, Copy, Debug)]
pub struct CellView<'g> {
    pub outcomes: &'g [Outcome],
    /// At most 2⁶².
    pub denominator: u64,
    /// The reward times the denominator.
    pub reward: i128,
    /// The limits of the weights, where nature chooses them; `outcomes` has one possible choice.
    pub(crate) uncertain: Option<UncertainCell<'g>>,
}

/// A denominator has at most this many bits, so that a sum of weights times bounds fits an `i128`.
pub(crate) const DENOMINATOR_BITS: u64 = 62;

impl CellView<'_> {
    /// A's reward, rounded twice.
    pub fn rounded_reward(&self) -> f64 {
        self.reward as f64 / self.denominator as f64
    }

    /// The number of the successor that 64 random bits draw.
    pub fn draw(&self, bits: u64) -> usize {
        let sum: u64 = self.outcomes.iter().map(|outcome| outcome.weight).sum();
        drawn(self.outcomes.iter().map(|outcome| (outcome.state, outcome.weight)), sum, bits)
            as usize
    }

    /// Bounds of the cell's value, by those of its successors; in units of 2^−`exponent`, with one
    /// rounding.
    ///
    /// Bounds and rewards are within ±2⁶¹ units and weights sum to at most 2⁶², so that nothing
    /// overflows.
    #[inline]
    pub(crate) fn bounds(&self, exponent: u32, of: impl Fn(u32) -> Bounds) -> Bounds {
        let paid = self.reward << exponent;
        if let ([certain], 1) = (self.outcomes, self.denominator) {
            let Bounds { lower, upper } = of(certain.state);
            return Bounds::new(lower + paid as i64, upper + paid as i64);
        }
        let (mut lower, mut upper) = (paid, paid);
        if self.uncertain.is_some() {
            for &Outcome { weight, state } in &*self.outcomes_by_nature(|state| of(state).lower) {
                lower += i128::from(weight) * i128::from(of(state).lower);
            }
            for &Outcome { weight, state } in &*self.outcomes_by_nature(|state| of(state).upper) {
                upper += i128::from(weight) * i128::from(of(state).upper);
            }
        } else {
            for &Outcome { weight, state } in self.outcomes {
                let bounds = of(state);
                lower += i128::from(weight) * i128::from(bounds.lower);
                upper += i128::from(weight) * i128::from(bounds.upper);
            }
        }
        if self.denominator.is_power_of_two() {
            let shift = self.denominator.trailing_zeros();
            return Bounds::new((lower >> shift) as i64, -((-upper) >> shift) as i64);
        }
        let denominator = i128::from(self.denominator);
        Bounds::new(lower.div_euclid(denominator) as i64, -(-upper).div_euclid(denominator) as i64)
    }

    /// The size of the reward, rounded up.
    #[inline]
    pub(crate) fn reward_size(&self) -> f64 {
        match (self.reward, self.denominator) {
            (0, _) => 0.0,
            // Avoids the slow conversion of long integers.
            (reward, 1) if i64::try_from(reward).is_ok() => {
                (reward as i64).unsigned_abs() as f64 * (1.0 + 1e-12)
            }
            (reward, denominator) => {
                reward.unsigned_abs() as f64 / denominator as f64 * (1.0 + 1e-12)
            }
        }
    }
}

/// States that are numbered from 0, and their successors.
pub(crate) trait Graph {
    fn states(&self) -> usize;

    fn edges(&self, state: usize) -> Range<usize>;

    fn target(&self, edge: usize) -> usize;
}

/// The indexed game that solvers, checks and proofs work on: a written game reads its cells, an
/// explored one asks its rules.
pub(crate) trait NumberedGame: Sync {
    /// The buffers for a row of cells.
    type Row: Default + Send;

    fn kind(&self) -> Kind;

    /// One more than the largest number of a state.
    fn numbers(&self) -> usize;

    /// A state.
    fn node(&self, state: usize) -> Result<Node, StochasticGameError>;

    /// Visits the cells of a state that is no end, row by row.
    ///
    /// # Errors
    /// [`StochasticGameFault::Contradiction`] where rules answer inconsistently.
    fn cells(
        &self,
        state: usize,
        actions: [usize; 2],
        row: &mut Self::Row,
        visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<(), StochasticGameError>;

    /// The state of an outcome.
    fn successor(outcome: u32) -> NumberedState;

    /// A's payoff of infinite plays through a state.
    fn endless(&self, state: usize) -> BigRational;

    /// A digest that identifies the game of a checkpoint; names do not count.
    fn digest(&self, scale: Scale) -> u64;

    fn name_of(&self, state: usize) -> String;

    fn refuse(&self, state: usize, fault: StochasticGameFault) -> StochasticGameError {
        StochasticGameError::from(fault).in_state(&self.name_of(state))
    }
}

/// The bounds of an outcome's state.
#[inline]
pub(crate) fn successor_bounds<N: NumberedGame>(outcome: u32, bounds: &[Bounds]) -> Bounds {
    N::successor(outcome).bounds_among(bounds)
}

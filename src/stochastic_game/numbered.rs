//! A game in numbers: all that solving asks of it.

use std::ops::Range;

use num_rational::BigRational;

use crate::bounds::Bounds;

/// A state that may follow, with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Its probability times the denominator of the cell.
    pub(super) weight: u64,
    pub(super) state: u32,
}

/// What follows a pair of actions: a reward now, and states by chance.
///
/// Where weights sum to less than the denominator, play ends with the rest of the probability and pays nothing: that is how a
/// discount is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellView<'g> {
    pub(super) outcomes: &'g [Outcome],
    /// At most 2^[`DENOMINATOR_BITS`].
    pub(super) denominator: u64,
    /// The reward times the denominator.
    pub(super) reward: i128,
}

/// A denominator has at most this many bits, so that a sum of weights times bounds fits an `i128`.
pub(super) const DENOMINATOR_BITS: u64 = 62;

impl CellView<'_> {
    /// Bounds of what the cell is worth, by those of its successors; in units of 2^−`exponent`, with one rounding.
    ///
    /// Bounds and rewards are within ±2⁶¹ units and weights sum to at most 2⁶², so that nothing overflows.
    #[inline]
    pub(super) fn bounds(&self, exponent: u32, of: impl Fn(u32) -> Bounds) -> Bounds {
        if let (&[Outcome { state, .. }], 1, 0) = (self.outcomes, self.denominator, self.reward) {
            return of(state);
        }
        let paid = self.reward << exponent;
        let (mut lower, mut upper) = (paid, paid);
        for &Outcome { weight, state } in self.outcomes {
            let bounds = of(state);
            lower += i128::from(weight) * i128::from(bounds.lower);
            upper += i128::from(weight) * i128::from(bounds.upper);
        }
        if self.denominator.is_power_of_two() {
            let shift = self.denominator.trailing_zeros();
            return Bounds::new((lower >> shift) as i64, -((-upper) >> shift) as i64);
        }
        let denominator = i128::from(self.denominator);
        Bounds::new(lower.div_euclid(denominator) as i64, -(-upper).div_euclid(denominator) as i64)
    }

    /// Whether some of the probability is lost to a discount.
    pub(super) fn leaks(&self) -> bool {
        self.outcomes.iter().map(|outcome| outcome.weight).sum::<u64>() < self.denominator
    }
}

/// A state of a game in numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeView<'g> {
    /// The game is over, and A receives this.
    Over(&'g BigRational),
    /// Both choose one of so many actions; play that goes on for ever here pays A this.
    Play { actions: [usize; 2], endless: &'g BigRational },
}

/// A game whose states are numbered from 0.
pub(super) trait NumberedGame: Sync {
    /// The number of states.
    fn states(&self) -> usize;

    /// A state.
    fn node(&self, state: usize) -> NodeView<'_>;

    /// A cell of a state that is not over.
    fn cell(&self, state: usize, a: usize, b: usize) -> CellView<'_>;

    /// The edges that leave a state.
    fn edges(&self, state: usize) -> Range<usize>;

    /// The state that an edge leads to.
    fn target(&self, edge: usize) -> usize;
}

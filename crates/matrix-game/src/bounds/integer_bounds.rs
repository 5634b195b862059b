//! Bounds as integers, in a unit that is known elsewhere.

/// A lower and an upper bound of A's payoff, as integers in a unit given elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    pub lower: i64,
    pub upper: i64,
}

impl Bounds {
    #[inline]
    pub const fn new(lower: i64, upper: i64) -> Self {
        Self { lower, upper }
    }

    #[doc(hidden)]
    pub const fn width(self) -> i64 {
        self.upper - self.lower
    }

    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn mirrored(self) -> Self {
        Self { lower: self.upper.wrapping_neg(), upper: self.lower.wrapping_neg() }
    }
}

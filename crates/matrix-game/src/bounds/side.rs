//! The two sides of bounds.

use super::{Bounds, Rounding};

/// A side of bounds of the payoff to the row player (A): the row player's security levels are lower
/// bounds, the column player's (B's) are upper bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Lower,
    Upper,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Lower, Self::Upper];

    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    #[inline]
    pub const fn is_upper(self) -> bool {
        matches!(self, Self::Upper)
    }

    /// The index of the side's player among both.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Rounding outward: down for lower bounds, up for upper ones.
    #[inline]
    pub const fn rounding(self) -> Rounding {
        match self {
            Self::Lower => Rounding::Down,
            Self::Upper => Rounding::Up,
        }
    }

    #[inline]
    pub const fn bound(self, bounds: Bounds) -> i64 {
        match self {
            Self::Lower => bounds.lower,
            Self::Upper => bounds.upper,
        }
    }

    #[inline]
    pub const fn bound_mut(self, bounds: &mut Bounds) -> &mut i64 {
        match self {
            Self::Lower => &mut bounds.lower,
            Self::Upper => &mut bounds.upper,
        }
    }

    /// Whether a bound of the side is closer to the value than another: a larger lower bound, a
    /// smaller upper one.
    #[inline]
    pub fn is_closer<T: PartialOrd>(self, bound: &T, other: &T) -> bool {
        match self {
            Self::Lower => bound > other,
            Self::Upper => bound < other,
        }
    }
}

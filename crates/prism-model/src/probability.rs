//! Probabilities that are known, and those of which only limits are.

use std::fmt;
use std::ops::{AddAssign, MulAssign};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

/// How far sums of probabilities are from 1 if they miss it by rounding alone: at most 1/100000,
/// PRISM's `-sumroundoff` unless it is told otherwise.
const ROUNDED_AWAY: i32 = 100_000;

/// Whether a sum of probabilities is 1, but for rounding: PRISM takes it for 1.
///
/// ```
/// let sum = num_rational::BigRational::new(999_999.into(), 1_000_000.into());
/// assert!(prism_model::is_nearly_one(&sum));
/// ```
pub fn is_nearly_one(sum: &BigRational) -> bool {
    (sum - BigRational::one()).abs() * BigInt::from(ROUNDED_AWAY) <= BigRational::one()
}

/// A probability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Probability {
    /// It is known.
    Known(BigRational),
    /// It lies between two numbers, the first above 0 and below the second: `[0.1,0.3]`.
    Between([BigRational; 2]),
}

impl Probability {
    /// The probability of what is certain.
    pub fn one() -> Self {
        Self::Known(BigRational::one())
    }

    /// A probability between two numbers, which is known if they are equal.
    pub fn between(least: BigRational, most: BigRational) -> Self {
        if least == most { Self::Known(least) } else { Self::Between([least, most]) }
    }

    /// The least number that it may be.
    pub fn least(&self) -> &BigRational {
        match self {
            Self::Known(probability) => probability,
            Self::Between([least, _]) => least,
        }
    }

    /// The largest number that it may be.
    pub fn most(&self) -> &BigRational {
        match self {
            Self::Known(probability) => probability,
            Self::Between([_, most]) => most,
        }
    }
}

/// The limits of both happening, independently.
impl MulAssign<&Self> for Probability {
    fn mul_assign(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Known(own), Self::Known(other)) => *own *= other,
            _ => *self = Self::between(self.least() * other.least(), self.most() * other.most()),
        }
    }
}

/// The limits of one of two happening that exclude each other.
impl AddAssign<&Self> for Probability {
    fn add_assign(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Known(own), Self::Known(other)) => *own += other,
            _ => {
                *self = Self::between(
                    self.least() + other.least(),
                    (self.most() + other.most()).min(BigRational::one()),
                );
            }
        }
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(probability) => probability.fmt(f),
            Self::Between([least, most]) => write!(f, "[{least},{most}]"),
        }
    }
}

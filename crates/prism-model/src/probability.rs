//! Probabilities that are known, and those of which only limits are.

use std::fmt;
use std::ops::{AddAssign, MulAssign};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

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

/// The most bits of the least common denominator of probabilities that are
/// [normalised]: games in whole numbers of 64 bits take no longer ones.
const MOST_BITS: u64 = 62;

/// Divides probabilities by their sum, if that [is 1 but for rounding](is_nearly_one); `None` of
/// others. Those whose least common denominator has more than 62 bits become positive multiples of
/// 2⁻⁶¹ with the sum 1, the largest one at most a multiple for each of the others from its number.
///
/// ```
/// use num_rational::BigRational;
///
/// let millionths = |number: i32| BigRational::new(number.into(), 1_000_000.into());
/// let shares = prism_model::normalised(&[millionths(333_333), millionths(666_666)]);
/// assert_eq!(shares.map(|shares| shares[0].to_string()), Some("1/3".to_owned()));
/// ```
pub fn normalised(probabilities: &[BigRational]) -> Option<Vec<BigRational>> {
    let sum: BigRational = probabilities.iter().sum();
    if !is_nearly_one(&sum) || probabilities.iter().any(Signed::is_negative) {
        return None;
    }
    let shares: Vec<BigRational> = probabilities.iter().map(|share| share / &sum).collect();
    let denominator = shares.iter().fold(BigInt::one(), |all, share| all.lcm(share.denom()));
    if denominator.bits() <= MOST_BITS {
        return Some(shares);
    }

    let all = BigInt::one() << (MOST_BITS - 1);
    let mut parts: Vec<BigInt> = shares
        .iter()
        .map(|share| (share * &all).to_integer())
        .zip(&shares)
        .map(|(part, share)| if share.is_zero() { part } else { part.max(BigInt::one()) })
        .collect();
    let missing = &all - parts.iter().sum::<BigInt>();
    if let Some(largest) = parts.iter_mut().max() {
        *largest += missing;
    }
    Some(parts.into_iter().map(|part| BigRational::new(part, all.clone())).collect())
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
            (Self::Known(product), Self::Known(factor)) => *product *= factor,
            _ => *self = Self::between(self.least() * other.least(), self.most() * other.most()),
        }
    }
}

/// The limits of one of two happening that exclude each other.
impl AddAssign<&Self> for Probability {
    fn add_assign(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Known(sum), Self::Known(term)) => *sum += term,
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

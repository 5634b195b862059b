//! Fractions that are small as long as their numbers are.

use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;

/// An exact number: a numerator and a denominator in lowest terms where they fit machine words, as
/// they nearly always do.
#[derive(Clone, Debug)]
pub struct Exact(pub(super) Parts);

#[derive(Clone, Debug)]
pub(super) enum Parts {
    Small(i64, u64),
    Large(Box<BigRational>),
}

impl Exact {
    pub fn to_rational(&self) -> BigRational {
        match &self.0 {
            &Parts::Small(numerator, denominator) => {
                BigRational::new_raw(numerator.into(), denominator.into())
            }
            Parts::Large(number) => (**number).clone(),
        }
    }
}

impl Default for Exact {
    fn default() -> Self {
        Self(Parts::Small(0, 1))
    }
}

impl From<i64> for Exact {
    fn from(number: i64) -> Self {
        Self(Parts::Small(number, 1))
    }
}

impl From<Ratio<i64>> for Exact {
    fn from(number: Ratio<i64>) -> Self {
        Self(Parts::Small(*number.numer(), number.denom().unsigned_abs()))
    }
}

impl From<&BigRational> for Exact {
    fn from(number: &BigRational) -> Self {
        Self(match (number.numer().to_i64(), number.denom().to_u64()) {
            (Some(numerator), Some(denominator)) => Parts::Small(numerator, denominator),
            _ => Parts::Large(Box::new(number.clone())),
        })
    }
}

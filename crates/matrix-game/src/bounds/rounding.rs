//! Rounding toward a side.

use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Shl, Shr};

use dashu_base::DivEuclid;
use dashu_int::IBig;

/// Rounding toward a side: down for lower bounds, up for upper ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Down,
    Up,
}

/// The integers of bounds while they are computed: of 128 bits, or of any length.
pub trait Integer:
    Clone
    + Ord
    + From<i128>
    + From<u64>
    + Add<Output = Self>
    + Mul<Output = Self>
    + Sum
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + DivEuclid<Output = Self>
    + Neg<Output = Self>
{
}

impl Integer for i128 {}
impl Integer for IBig {}

impl Rounding {
    #[inline]
    pub fn shift<N: Integer>(self, number: N, bits: usize) -> N {
        match self {
            // A shift of a negative number rounds toward minus infinity.
            Self::Down => number >> bits,
            Self::Up => -(-number >> bits),
        }
    }

    #[inline]
    pub fn quotient<N: Integer>(self, numerator: N, denominator: N) -> N {
        match self {
            Self::Down => numerator.div_euclid(denominator),
            Self::Up => -(-numerator).div_euclid(denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;
    use crate::bounds::Side;

    /// Checks that both roundings are the integers next to a fraction, by the arithmetic of
    /// fractions.
    fn check<N: ToString>(
        numerator: i128,
        denominator: BigInt,
        round: impl Fn(Rounding) -> N,
    ) -> Result<(), TestCaseError> {
        let fraction = BigRational::new(numerator.into(), denominator);
        prop_assert_eq!(round(Rounding::Down).to_string(), fraction.floor().to_string());
        prop_assert_eq!(round(Rounding::Up).to_string(), fraction.ceil().to_string());
        Ok(())
    }

    proptest! {
        #[test]
        fn shifts_and_quotients_are_the_integers_next_to_the_fraction(
            // All sizes alike, and whole multiples of the unit among them.
            (number, size, whole) in (-(1_i128 << 126)..1 << 126, 0_usize..126, any::<bool>()),
            bits in 0_usize..126,
            denominator in 1_i128..=i128::from(i64::MAX),
        ) {
            let number = number >> size;
            let [shifted, divided] =
                if whole { [number >> bits << bits, number / denominator * denominator] } else { [number; 2] };
            check(shifted, BigInt::from(1) << bits, |rounding| rounding.shift(shifted, bits))?;
            check(shifted, BigInt::from(1) << bits, |rounding| rounding.shift(IBig::from(shifted), bits))?;
            check(divided, denominator.into(), |rounding| rounding.quotient(divided, denominator))?;
            check(divided, denominator.into(), |rounding| rounding.quotient(IBig::from(divided), denominator.into()))?;
        }
    }

    #[test]
    fn lower_bounds_go_down_and_upper_ones_up() {
        assert_eq!(Side::BOTH.map(|side| side.rounding().shift(-3_i128, 1)), [-2, -1]);
    }
}

use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Shl, Shr};

use dashu_base::DivEuclid;
use dashu_int::IBig;

/// Rounding toward a side: down for lower bounds, up for upper ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Down,
    Up,
}

/// The integers of bounds while they are computed: of 128 bits, or of any length.
pub(crate) trait Integer:
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
    pub(crate) const fn of_bound(upper: bool) -> Self {
        if upper { Self::Up } else { Self::Down }
    }

    pub(crate) fn shift<N: Integer>(self, number: N, bits: usize) -> N {
        match self {
            // A shift of a negative number rounds toward minus infinity.
            Self::Down => number >> bits,
            Self::Up => -(-number >> bits),
        }
    }

    pub(crate) fn quotient<N: Integer>(self, numerator: N, denominator: N) -> N {
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

    /// Both roundings of a fraction, by the arithmetic of fractions.
    fn neighbours(numerator: i128, denominator: BigInt) -> [BigInt; 2] {
        let fraction = BigRational::new(numerator.into(), denominator);
        [fraction.floor(), fraction.ceil()].map(|integer| integer.to_integer())
    }

    fn text<N: ToString>(numbers: [N; 2]) -> [String; 2] {
        numbers.map(|number| number.to_string())
    }

    proptest! {
        #[test]
        fn shifts_are_the_integers_next_to_the_fraction(
            // All sizes alike, and whole multiples of the unit among them.
            (number, size, whole) in (-(1_i128 << 126)..1 << 126, 0_usize..126, any::<bool>()),
            bits in 0_usize..126,
        ) {
            let number = number >> size;
            let number = if whole { number >> bits << bits } else { number };
            let expected = neighbours(number, BigInt::from(1) << bits);
            let both = [Rounding::Down, Rounding::Up];
            prop_assert_eq!(text(both.map(|rounding| rounding.shift(number, bits))), text(expected.clone()));
            prop_assert_eq!(text(both.map(|rounding| rounding.shift(IBig::from(number), bits))), text(expected));
        }

        #[test]
        fn quotients_are_the_integers_next_to_the_fraction(
            (numerator, size, whole) in (-(1_i128 << 126)..1 << 126, 0_usize..126, any::<bool>()),
            denominator in 1_i128..=i128::from(i64::MAX),
        ) {
            let numerator = numerator >> size;
            let numerator = if whole { numerator / denominator * denominator } else { numerator };
            let expected = neighbours(numerator, denominator.into());
            let both = [Rounding::Down, Rounding::Up];
            prop_assert_eq!(text(both.map(|rounding| rounding.quotient(numerator, denominator))), text(expected.clone()));
            let big = both.map(|rounding| rounding.quotient(IBig::from(numerator), denominator.into()));
            prop_assert_eq!(text(big), text(expected));
        }
    }

    #[test]
    fn lower_bounds_go_down_and_upper_ones_up() {
        let rounded = |upper| Rounding::of_bound(upper).shift(-3_i128, 1);
        assert_eq!([rounded(false), rounded(true)], [-2, -1]);
    }
}

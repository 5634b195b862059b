//! The unit in which bounds are integers.

use num_rational::Ratio;

use super::{Bounds, Rounding};

/// The scale of bounds, `i64` multiples of 2^−exponent: the finest for which every payoff stays
/// within ±2⁶¹, so that a sum of two bounds fits an `i64` and a weight times a bound an `i128`. For
/// two-one scoring the exponent is 60.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPointScale {
    pub exponent: u32,
}

pub const BOUND_BITS: u32 = 61;

impl FixedPointScale {
    /// The finest unit for payoffs up to this size.
    #[inline]
    pub fn of(largest: Ratio<i64>) -> Self {
        let (numerator, bound) =
            (i128::from(*largest.numer()), i128::from(*largest.denom()) << BOUND_BITS);
        if numerator == 0 {
            return Self { exponent: BOUND_BITS };
        }
        // Terms are at most 2^60, so that neither side exceeds 2^122.
        let exponent =
            (1..127).take_while(|exponent| numerator << exponent <= bound).last().unwrap_or(0);
        Self { exponent }
    }

    #[inline]
    pub fn floor(self, payoff: Ratio<i64>) -> i64 {
        self.rounded(payoff, Rounding::Down)
    }

    #[inline]
    pub fn ceil(self, payoff: Ratio<i64>) -> i64 {
        self.rounded(payoff, Rounding::Up)
    }

    #[inline]
    pub fn rounded(self, payoff: Ratio<i64>, rounding: Rounding) -> i64 {
        rounding.quotient(i128::from(*payoff.numer()) << self.exponent, i128::from(*payoff.denom()))
            as i64
    }

    #[inline]
    pub fn middle(self, Bounds { lower, upper }: Bounds) -> f64 {
        // Converted with one rounding; scaling normal numbers by a power of two is exact.
        let sum = (i128::from(lower) + i128::from(upper)) as f64;
        let normal = self.exponent.min(Self::NORMAL);
        sum * (-f64::from(normal)).exp2() * (-f64::from(self.exponent - normal) - 1.0).exp2()
    }

    /// The middle as a share of 2^61 units: the scale of stage games for any unit of payoffs.
    #[inline]
    pub fn middle_share(Bounds { lower, upper }: Bounds) -> f64 {
        (lower + upper) as f64 * (-f64::from(BOUND_BITS + 1)).exp2()
    }

    /// The largest double not above a bound.
    #[inline]
    pub(crate) fn round_down(self, bound: i128) -> f64 {
        // A double has 53 bits; the shift to the right rounds down, and the conversion is exact.
        let surplus = (i128::BITS - bound.unsigned_abs().leading_zeros())
            .saturating_sub(f64::MANTISSA_DIGITS);
        let exact = ((bound >> surplus) << surplus) as f64;
        // Scaling by a power of two is exact as long as the result is a normal number.
        let normal = self.exponent.min(Self::NORMAL);
        let scaled = exact * (-f64::from(normal)).exp2();
        let rest = f64::from((self.exponent - normal).min(Self::NORMAL));
        let rounded = scaled * (-rest).exp2();
        if rounded * rest.exp2() > scaled { rounded.next_down() } else { rounded }
    }

    /// Numbers from 1 on stay normal divided by 2^this, and vanish divided by its square.
    const NORMAL: u32 = 900;
}

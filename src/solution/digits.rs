//! Bounds as decimal numbers of any length.

use dashu_base::DivEuclid;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::induction::BigBounds;

/// Guaranteed bounds as decimal strings.
///
/// The lower one is rounded down and the upper one up, both to a few decimals more than asked for. The first digits of the two
/// agree, as many as were asked for, unless the value happens to lie within their distance of a shorter decimal number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// A decimal number not above the value.
    pub lower: String,
    /// A decimal number not below the value.
    pub upper: String,
    /// An upper bound of log₁₀ of the difference of the two; `None` when they are equal.
    pub width_exponent: Option<i32>,
}

/// Decimals printed beyond those asked for.
const EXTRA: usize = 3;

impl Digits {
    /// The bits that so many decimals need.
    pub(crate) fn bits(digits: usize) -> usize {
        // log₂ 10 < 3.3220
        (digits + EXTRA) * 33_220 / 10_000 + 1
    }

    pub(crate) fn from_bounds(bounds: BigBounds, digits: usize) -> Self {
        let BigBounds { secured: [lower, minus_upper], payoff_bits } = bounds;
        let scale = power_of_ten(digits + EXTRA);
        // The shift rounds down; for the upper bound the same is done to its negative.
        let lower = (lower * &scale) >> payoff_bits;
        let upper = -((minus_upper * &scale) >> payoff_bits);
        Self::new(&lower, &upper, digits)
    }

    pub(crate) fn from_exact(value: &RBig, digits: usize) -> Self {
        let scaled = value.numerator() * power_of_ten(digits + EXTRA);
        let denominator = IBig::from(value.denominator().clone());
        let lower = (&scaled).div_euclid(&denominator);
        let upper = -(-scaled).div_euclid(denominator);
        Self::new(&lower, &upper, digits)
    }

    fn new(lower: &IBig, upper: &IBig, digits: usize) -> Self {
        let decimals = digits + EXTRA;
        let difference = upper - lower;
        let width_exponent = (!difference.is_zero()).then(|| difference.to_string().len() as i32 - decimals as i32);
        Self { lower: decimal(lower, decimals), upper: decimal(upper, decimals), width_exponent }
    }

    /// How many decimals behind the point the two bounds share.
    pub fn agreeing(&self) -> usize {
        let point = self.lower.find('.').unwrap_or(0);
        let common = self.lower.bytes().zip(self.upper.bytes()).take_while(|(lower, upper)| lower == upper).count();
        common.saturating_sub(point + 1)
    }
}

fn power_of_ten(exponent: usize) -> IBig {
    IBig::from(UBig::from(10_u8).pow(exponent))
}

/// `number` · 10^−decimals.
fn decimal(number: &IBig, decimals: usize) -> String {
    let (sign, magnitude) = number.clone().into_parts();
    let digits = format!("{:0>width$}", magnitude.to_string(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let sign = if sign == dashu_int::Sign::Negative { "-" } else { "" };
    format!("{sign}{whole}.{fraction}")
}

//! Values in any number of decimals, with both bounds.

use dashu_base::DivEuclid;
use dashu_int::IBig;
use dashu_ratio::RBig;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::Solution;
use crate::bounds::{Enclosure, Rounding, power_of_ten};
use crate::error::Error;
use crate::game::State;
use crate::induction::big_bounds;
use crate::matrix_game::exact::rational;
use crate::work::{Watch, WorkError};

/// Guaranteed decimal bounds, which differ in the last place unless the value is a decimal number
/// of this length. `value` is rounded to nearest, or `None` where the nearest decimal is uncertain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Digits {
    pub lower: String,
    pub value: Option<String>,
    pub upper: String,
    /// An upper bound of log₁₀ of the width; `None` for width 0.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub width_exponent: Option<i32>,
}

/// Guard digits: the nearest decimal is then uncertain once in some 10^9 cases.
const EXTRA: usize = 10;

impl Digits {
    /// The decimal expansion of a fraction.
    ///
    /// ```
    /// use pencil_tennis::{Digits, num_rational::BigRational};
    ///
    /// let digits = Digits::of_fraction(&BigRational::new(2.into(), 3.into()), 5)?;
    /// assert_eq!((&*digits.lower, digits.value.as_deref(), &*digits.upper), ("0.66666", Some("0.66667"), "0.66667"));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn of_fraction(value: &BigRational, digits: usize) -> Result<Self, WorkError> {
        check(digits)?;
        Ok(Self::from_exact(&rational(value), digits))
    }

    pub(crate) fn from_exact(value: &RBig, digits: usize) -> Self {
        Self::new([value.numerator(); 2], &value.denominator().clone().into(), digits)
    }

    /// Of a lower and an upper bound, in units of which there are `one` in 1.
    fn new(bounds: [&IBig; 2], one: &IBig, digits: usize) -> Self {
        let scale = power_of_ten(digits as u32);
        let [lower, upper] = bounds;
        let [nearest, other] =
            bounds.map(|bound| (bound * &scale * 2_u8 + one).div_euclid(one * 2_u8));
        let lower = Rounding::Down.quotient(lower * &scale, one.clone());
        let upper = Rounding::Up.quotient(upper * &scale, one.clone());
        let difference = &upper - &lower;
        Self {
            lower: decimal(&lower, digits),
            value: (nearest == other).then(|| decimal(&nearest, digits)),
            upper: decimal(&upper, digits),
            width_exponent: (!difference.is_zero())
                .then(|| difference.to_string().len() as i32 - digits as i32),
        }
    }

    /// Whether no number lies within both these bounds and others.
    ///
    /// ```
    /// use pencil_tennis::{Digits, num_rational::BigRational};
    ///
    /// let enclosure = pencil_tennis::solve(7)?.enclosure("7:6@1".parse()?)?; // of 46/41
    /// let [value, other] = [46, 47].map(|numerator| BigRational::new(numerator.into(), 41.into()));
    /// assert!(!Digits::of_fraction(&value, 5)?.contradicts(&enclosure));
    /// assert!(Digits::of_fraction(&other, 5)?.contradicts(&enclosure));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn contradicts(&self, enclosure: &Enclosure) -> bool {
        let [lower, upper] = [&self.lower, &self.upper].map(|decimal| {
            let decimals =
                decimal.len() - decimal.find('.').map_or(decimal.len(), |point| point + 1);
            let digits: String = decimal.chars().filter(|&character| character != '.').collect();
            let numerator: BigInt = digits.parse().unwrap_or_default();
            BigRational::new(numerator, BigInt::from(10).pow(decimals as u32))
        });
        let [least, most] = enclosure.fractions();
        upper < least || lower > most
    }

    /// The number of decimals in which the bounds agree.
    pub fn agreeing(&self) -> usize {
        let point = self.lower.find('.').unwrap_or(0);
        let common = self
            .lower
            .bytes()
            .zip(self.upper.bytes())
            .take_while(|(lower, upper)| lower == upper)
            .count();
        common.saturating_sub(point + 1)
    }
}

impl Solution {
    /// Guaranteed bounds to this many decimals: from the exact value if it is known, else by
    /// repeating the proof pass for all states below in long integers. At 50 points 100 digits take
    /// about a second, 1,000 digits six.
    ///
    /// ```
    /// use pencil_tennis::unwatched;
    ///
    /// let solution = pencil_tennis::solve(7)?;
    /// let digits = solution.digits("7:6@1".parse()?, 30, &mut unwatched)?; // 46/41
    /// assert_eq!(digits.value.as_deref(), Some("1.121951219512195121951219512195"));
    /// assert!(digits.lower <= digits.upper && digits.agreeing() >= 29);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn digits(
        &self,
        state: State,
        digits: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Digits, Error> {
        self.check(state)?;
        check(digits)?;
        if self.rules().is_even(state) {
            return Ok(Digits::from_exact(&RBig::ZERO, digits));
        }
        if let Some(value) = self.tables.exact_value(state) {
            return Ok(Digits::from_exact(value, digits));
        }
        // log₂ 10 < 3.3220
        let bits = ((digits + EXTRA) * 33_220 / 10_000 + 1).max(Self::LEAST_BITS);
        let threads = self.start_threads()?;
        let ([lower, upper], payoff_bits) = big_bounds(&self.tables, state, bits, &threads, watch)?;
        Ok(Digits::new([&lower, &upper], &(IBig::ONE << payoff_bits), digits))
    }

    pub const MOST_DIGITS: usize = 100_000;

    /// With fewer bits, refinement would have less precision than floating point.
    const LEAST_BITS: usize = 64;
}

fn check(digits: usize) -> Result<(), WorkError> {
    let most = Solution::MOST_DIGITS;
    if digits > most { Err(WorkError::TooManyDigits { digits, most }) } else { Ok(()) }
}

fn decimal(number: &IBig, decimals: usize) -> String {
    let (sign, magnitude) = number.clone().into_parts();
    let digits = magnitude.to_string();
    // A format's width is limited to 16 bits.
    let digits = "0".repeat((decimals + 1).saturating_sub(digits.len())) + &digits;
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let sign = if sign == dashu_int::Sign::Negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

//! Bounds as decimal numbers.

use std::fmt;

use dashu_base::BitTest;
use dashu_float::{DBig, Repr};
use dashu_int::{IBig, UBig};
use dashu_ratio::Relaxed;

use super::Bounds;

/// Bounds as decimal numbers, rounded outward.
///
/// Both have at least 18 significant digits, and enough for the interval to grow by at most 2 % of
/// its width; fewer if a bound is a shorter decimal. Numbers below 1e-5 are written with an
/// exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DecimalBounds {
    pub lower: String,
    /// The value in all digits that are certain (all numbers between the bounds round to it), at
    /// most those of a double. `None` if the bounds are farther apart than a millionth of the
    /// larger one and than 1e-12.
    pub value: Option<String>,
    pub upper: String,
}

/// The least significant digits of a bound: one more than any double needs.
const LEAST_DIGITS: i64 = 18;

/// Places of a decimal bound beyond the first one of the interval's width.
const WIDTH_DIGITS: i64 = 2;

/// Bounds closer than this share of the larger one are summarised by one number.
const CLOSE_PARTS: i128 = 1_000_000;

/// Bounds closer than this are summarised by 0.
const CLOSE: f64 = 1e-12;

/// Beyond this exponent a 64-bit number times 2^−exponent is smaller than any double.
const NO_DOUBLE: u32 = 2000;

/// Writes the nearest number, or the bounds if none of its digits is certain.
impl fmt::Display for DecimalBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => f.pad(value),
            None => f.pad(&format!("{} to {}", self.lower, self.upper)),
        }
    }
}

impl DecimalBounds {
    /// The decimals of the interval in units of 2^−`exponent`.
    pub(super) fn new(bounds: Bounds, exponent: u32, middle: f64) -> Self {
        let [low, high] = [bounds.lower, bounds.upper].map(|bound| dyadic(bound.into(), exponent));
        let width = &high - &low;
        let places = |bound: &Relaxed| {
            let exact = exact_places(bound);
            if width.is_zero() || bound.is_zero() {
                return exact;
            }
            let wanted =
                (LEAST_DIGITS - 1 - first_place(bound)).max(WIDTH_DIGITS - first_place(&width));
            wanted.clamp(0, exact.into()) as u32
        };
        let (low_places, high_places) = (places(&low), places(&high));
        Self {
            lower: written(floor(&low, low_places), low_places),
            value: is_close(bounds, exponent).then(|| Self::certain(&low, &high, middle)).flatten(),
            upper: written(ceil(&high, high_places), high_places),
        }
    }

    /// The middle as the shortest decimal between the printed bounds that reads back as the double
    /// `middle`; nothing if that double's own shortest decimal is one.
    pub(super) fn inside(
        Bounds { lower, upper }: Bounds,
        exponent: u32,
        middle: f64,
    ) -> Option<String> {
        let [low, high] = [lower, upper].map(|bound| dyadic(bound.into(), exponent));
        let exact = (&low + &high) / UBig::from(2_u8);
        let is_inside = |number: &IBig, places: u32| {
            ceil(&low, places) <= *number && *number <= floor(&high, places)
        };
        let (digits, power) = shortest(middle);
        let (first, digits) = if power < 0 {
            (-power as u32, digits)
        } else {
            (0, digits * power_of_ten(power as u32))
        };
        if exponent > NO_DOUBLE || is_inside(&digits, first) {
            return None;
        }
        // With all its places the decimal is the middle itself.
        (first..=exponent + 1).find_map(|places| {
            let number = nearest(&exact, places);
            is_inside(&number, places)
                .then(|| written(number, places))
                .filter(|text| text.parse() == Ok(middle))
        })
    }

    /// The decimal to which all numbers between two bounds round, with at most as many places as
    /// the shortest decimal of their middle.
    fn certain(low: &Relaxed, high: &Relaxed, middle: f64) -> Option<String> {
        let (_, exponent) = shortest(middle);
        let most = (-exponent).max(0) as u32;
        let certain = |&places: &u32| nearest(low, places) == nearest(high, places);
        (0..=most).rev().find(certain).map(|places| written(nearest(low, places), places))
    }
}

/// Whether one number represents the bounds.
fn is_close(bounds: Bounds, exponent: u32) -> bool {
    let [lower, upper] = [bounds.lower, bounds.upper].map(i128::from);
    let width = upper - lower;
    width * CLOSE_PARTS <= lower.abs().max(upper.abs())
        || width as f64 * (-f64::from(exponent)).exp2() <= CLOSE
}

/// A double not above `bound` · 2^−`exponent`, such that no decimal that reads back as this double
/// is above it either.
///
/// `double` is the largest one not above the bound. It is the result if it is a short decimal
/// itself, or if all numbers that round to it, up to the midpoint to the next double, lie below the
/// bound; otherwise the double before it is.
pub(super) fn printable_below(double: f64, bound: i128, exponent: u32) -> f64 {
    if exponent > NO_DOUBLE {
        return double;
    }
    let exact = exactly(double);
    let is_decimal = || {
        let (digits, power) = shortest(double);
        let ten = power_of_ten(power.unsigned_abs() as u32);
        if power < 0 { &exact * ten == digits.into() } else { exact == (digits * ten).into() }
    };
    if dyadic(2 * bound, exponent) >= &exact + exactly(double.next_up()) || is_decimal() {
        double
    } else {
        double.next_down()
    }
}

/// `numerator` · 2^−`exponent`, in lowest terms.
fn dyadic(numerator: i128, exponent: u32) -> Relaxed {
    Relaxed::from_parts(numerator.into(), UBig::ONE << exponent as usize)
}

fn exactly(double: f64) -> Relaxed {
    // Only numbers that are not finite have no fraction.
    Relaxed::try_from(double).unwrap_or_default()
}

/// The number of decimal places, which is that of the binary ones.
fn exact_places(dyadic: &Relaxed) -> u32 {
    dyadic.denominator().bit_len() as u32 - 1
}

/// The place of the first digit, or one less: 0 for units, −1 for tenths.
fn first_place(dyadic: &Relaxed) -> i64 {
    let log_2 = dyadic.numerator().bit_len() as i64 - dyadic.denominator().bit_len() as i64;
    // log₁₀ 2 = 0.30102999…: an underestimate for negative logarithms, and for positive ones up to
    // 2^63, the largest here.
    (log_2 * 30_103).div_euclid(100_000)
}

fn floor(dyadic: &Relaxed, places: u32) -> IBig {
    (dyadic.numerator() * power_of_ten(places)) >> exact_places(dyadic) as usize
}

fn ceil(dyadic: &Relaxed, places: u32) -> IBig {
    -((-dyadic.numerator() * power_of_ten(places)) >> exact_places(dyadic) as usize)
}

/// Halves are rounded up.
fn nearest(dyadic: &Relaxed, places: u32) -> IBig {
    let exact = exact_places(dyadic) as usize;
    (((dyadic.numerator() * power_of_ten(places)) << 1) + (IBig::ONE << exact)) >> (exact + 1)
}

pub fn power_of_ten(exponent: u32) -> IBig {
    UBig::from(10_u8).pow(exponent as usize).into()
}

/// A double's shortest decimal, such as `-1.25e-3`: its digits and its exponent of ten.
fn shortest(double: f64) -> (IBig, i64) {
    let decimal: DBig = format!("{double:e}").parse().unwrap_or_default();
    let (digits, exponent) = decimal.into_repr().into_parts();
    (digits, exponent as i64)
}

/// Writes `number` · 10^−places without trailing zeros.
fn written(number: IBig, places: u32) -> String {
    if number.is_zero() {
        // With one place, zero would be negative.
        return "0".to_owned();
    }
    let decimal = Repr::<10>::new(number, -(places as isize));
    let first_place = decimal.digits() as isize - 1 + decimal.exponent();
    if first_place < -5 { format!("{decimal:e}") } else { decimal.to_string() }
}

/// Writes a width in two significant digits, rounded up.
///
/// ```
/// assert_eq!(matrix_game::bounds::rounded_up(7.80625564189563e-18), "7.9e-18");
/// ```
pub fn rounded_up(width: f64) -> String {
    if width == 0.0 || !width.is_finite() {
        return width.to_string();
    }
    let exact = exactly(width);
    // The first place may be one too low, which would leave three digits.
    let digits = |places: i64| ceil(&exact, places.max(0) as u32);
    let places = 1 - first_place(&exact);
    let places = if digits(places) > IBig::from(100) { places - 1 } else { places }.max(0);
    written(digits(places), places as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign_and_no_places() {
        for places in 0..3 {
            assert_eq!(written(IBig::ZERO, places), "0");
        }
    }
}

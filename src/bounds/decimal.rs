use std::fmt;

use dashu_base::BitTest;
use dashu_int::{IBig, Sign, UBig};

/// Bounds as decimal numbers, rounded outward.
///
/// Both have at least 18 significant digits, and enough for the interval to grow by at most 2 % of its width; fewer if a bound is
/// a shorter decimal. Numbers below 1e-5 are written with an exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DecimalBounds {
    pub lower: String,
    /// The value in all digits that are certain (all numbers between the bounds round to it), at most those of a double. `None`
    /// if the bounds are farther apart than a millionth of the larger one and than 1e-12.
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
    pub(super) fn new(lower: i64, upper: i64, exponent: u32, middle: f64) -> Self {
        let [low, high] = [lower, upper].map(|bound| Dyadic::new(bound.into(), exponent));
        let width = Dyadic::new(i128::from(upper) - i128::from(lower), exponent);
        let places = |bound: &Dyadic| {
            let exact = bound.exact_places();
            if width.is_zero() || bound.is_zero() {
                return exact;
            }
            let wanted = (LEAST_DIGITS - 1 - bound.first_place()).max(WIDTH_DIGITS - width.first_place());
            wanted.clamp(0, exact.into()) as u32
        };
        let (low_places, high_places) = (places(&low), places(&high));
        Self {
            lower: written(&low.floor(low_places), low_places),
            value: is_close(lower, upper, exponent).then(|| Self::certain(&low, &high, middle)).flatten(),
            upper: written(&high.ceil(high_places), high_places),
        }
    }

    /// The middle as the shortest decimal between the printed bounds that reads back as the double `middle`; nothing if that
    /// double's own shortest decimal is one.
    #[cfg(any(feature = "report", test))]
    pub(super) fn inside(lower: i64, upper: i64, exponent: u32, middle: f64) -> Option<String> {
        let [low, high] = [lower, upper].map(|bound| Dyadic::new(bound.into(), exponent));
        let exact = Dyadic::new(i128::from(lower) + i128::from(upper), exponent + 1);
        let is_inside = |number: &IBig, places: u32| low.ceil(places) <= *number && *number <= high.floor(places);
        let (digits, power) = shortest(middle);
        let (first, digits) = if power < 0 { (-power as u32, digits) } else { (0, digits * power_of_ten(power as u32)) };
        if exponent > NO_DOUBLE || is_inside(&digits, first) {
            return None;
        }
        // With all its places the decimal is the middle itself.
        (first..=exponent + 1).find_map(|places| {
            let number = exact.nearest(places);
            is_inside(&number, places).then(|| written(&number, places)).filter(|text| text.parse() == Ok(middle))
        })
    }

    /// The decimal to which all numbers between two bounds round, with at most as many places as the shortest decimal of their
    /// middle.
    fn certain(low: &Dyadic, high: &Dyadic, middle: f64) -> Option<String> {
        let (_, exponent) = shortest(middle);
        let most = (-exponent).max(0) as u32;
        let certain = |&places: &u32| low.nearest(places) == high.nearest(places);
        (0..=most).rev().find(certain).map(|places| written(&low.nearest(places), places))
    }
}

/// Whether one number represents the bounds.
fn is_close(lower: i64, upper: i64, exponent: u32) -> bool {
    let [lower, upper] = [lower, upper].map(i128::from);
    let width = upper - lower;
    width * CLOSE_PARTS <= lower.abs().max(upper.abs()) || width as f64 * (-f64::from(exponent)).exp2() <= CLOSE
}

/// A double not above `bound` · 2^−`exponent`, such that no decimal that reads back as this double is above it either.
///
/// `double` is the largest one not above the bound. It is the result if it is a short decimal itself, or if all numbers that
/// round to it, up to the midpoint to the next double, lie below the bound; otherwise the double before it is.
pub(super) fn printable_below(double: f64, bound: i128, exponent: u32) -> f64 {
    if exponent > NO_DOUBLE {
        return double;
    }
    let [own, next] = [double, double.next_up()].map(Dyadic::of);
    if own.is_decimal(shortest(double)) || Dyadic::new(bound, exponent).is_at_least(&own.middle(&next)) {
        double
    } else {
        double.next_down()
    }
}

/// A multiple of a power of two: `numerator` · 2^−`exponent`.
struct Dyadic {
    numerator: IBig,
    exponent: u32,
}

impl Dyadic {
    fn new(numerator: i128, exponent: u32) -> Self {
        Self { numerator: numerator.into(), exponent }
    }

    fn of(double: f64) -> Self {
        let bits = double.to_bits();
        let (biased, fraction) = ((bits >> 52) as u32 & 0x7ff, bits & ((1 << 52) - 1));
        let magnitude = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let numerator = IBig::from(magnitude) * if double < 0.0 { Sign::Negative } else { Sign::Positive };
        // Units of 2^(biased − 1075); subnormal numbers have the unit of the smallest normal ones.
        let shift = biased.max(1);
        Self { numerator: numerator << shift.saturating_sub(1075) as usize, exponent: 1075_u32.saturating_sub(shift) }
    }

    fn middle(&self, other: &Self) -> Self {
        let exponent = self.exponent.max(other.exponent);
        let raised = |number: &Self| &number.numerator << (exponent - number.exponent) as usize;
        let sum = raised(self) + raised(other);
        Self { numerator: sum, exponent: exponent + 1 }
    }

    fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The number of decimal places, which is that of the binary ones.
    fn exact_places(&self) -> u32 {
        let even = self.numerator.trailing_zeros().unwrap_or(usize::MAX);
        (self.exponent as usize).saturating_sub(even) as u32
    }

    /// The place of the first digit, or one less: 0 for units, −1 for tenths.
    fn first_place(&self) -> i64 {
        let bits = self.numerator.clone().into_parts().1.bit_len();
        let log_2 = bits as i64 - 1 - i64::from(self.exponent);
        // log₁₀ 2 = 0.30102999…: an underestimate for negative logarithms, and for positive ones up to 2^63, the largest here.
        (log_2 * 30_103).div_euclid(100_000)
    }

    fn floor(&self, places: u32) -> IBig {
        (&self.numerator * power_of_ten(places)) >> self.exponent as usize
    }

    fn ceil(&self, places: u32) -> IBig {
        -((-&self.numerator * power_of_ten(places)) >> self.exponent as usize)
    }

    fn nearest(&self, places: u32) -> IBig {
        (((&self.numerator * power_of_ten(places)) << 1) + (IBig::ONE << self.exponent as usize)) >> (self.exponent as usize + 1)
    }

    fn is_at_least(&self, other: &Self) -> bool {
        &self.numerator << other.exponent as usize >= &other.numerator << self.exponent as usize
    }

    fn is_decimal(&self, (digits, exponent): (IBig, i64)) -> bool {
        let power = power_of_ten(exponent.unsigned_abs() as u32);
        if exponent < 0 {
            &self.numerator * power == digits << self.exponent as usize
        } else {
            self.numerator == (digits * power) << self.exponent as usize
        }
    }
}

pub(crate) fn power_of_ten(exponent: u32) -> IBig {
    UBig::from(10_u8).pow(exponent as usize).into()
}

/// A double's shortest decimal, such as `-1.25e-3`: its digits and its exponent of ten.
fn shortest(double: f64) -> (IBig, i64) {
    let text = format!("{double:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}").parse().unwrap_or_default();
    (digits, exponent.parse().unwrap_or(0) - fraction.len() as i64)
}

/// Writes `number` · 10^−places without trailing zeros.
fn written(number: &IBig, places: u32) -> String {
    if number.is_zero() {
        return "0".to_owned();
    }
    let (sign, magnitude) = number.clone().into_parts();
    let sign = if sign == Sign::Negative { "-" } else { "" };
    let digits = magnitude.to_string();
    let first_place = digits.len() as i64 - 1 - i64::from(places);
    let shown = digits.trim_end_matches('0');
    if first_place < -5 {
        let (first, rest) = shown.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e{first_place}");
    }
    if first_place < 0 {
        return format!("{sign}0.{}{shown}", "0".repeat((-first_place - 1) as usize));
    }
    let (whole, fraction) = digits.split_at(first_place as usize + 1);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// Writes a width in two significant digits, rounded up.
///
/// ```
/// assert_eq!(pencil_tennis::bounds::rounded_up(7.80625564189563e-18), "7.9e-18");
/// ```
pub fn rounded_up(width: f64) -> String {
    if width == 0.0 || !width.is_finite() {
        return width.to_string();
    }
    let exact = Dyadic::of(width);
    // The first place may be one too low, which would leave three digits.
    let digits = |places: i64| exact.ceil(places.max(0) as u32);
    let places = 1 - exact.first_place();
    let places = if digits(places) > IBig::from(100) { places - 1 } else { places }.max(0);
    written(&digits(places), places as u32)
}

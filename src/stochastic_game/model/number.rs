use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;
#[cfg(feature = "report")]
use {crate::error::StochasticGameFault, num_bigint::BigInt, num_traits::Zero};

/// An exact number: a numerator and a denominator in lowest terms where they fit machine words, as they nearly always do.
#[derive(Clone, Debug)]
pub struct Exact(pub(super) Parts);

#[derive(Clone, Debug)]
pub(super) enum Parts {
    Small(i64, u64),
    Large(Box<BigRational>),
}

impl Exact {
    pub(crate) fn to_rational(&self) -> BigRational {
        match &self.0 {
            &Parts::Small(numerator, denominator) => BigRational::new_raw(numerator.into(), denominator.into()),
            Parts::Large(number) => (**number).clone(),
        }
    }
}

impl Default for Exact {
    fn default() -> Self {
        Self(Parts::Small(0, 1))
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

/// The longest text of a number, in bytes.
#[cfg(feature = "report")]
const LONGEST: usize = 10_000;

/// The largest exponent of ten.
#[cfg(feature = "report")]
const LARGEST_EXPONENT: u64 = 1_000;

/// Reads a fraction such as `-7/8` or a decimal such as `0.125` or `1e-3`, exactly.
#[cfg(feature = "report")]
pub(crate) fn exact_number(text: &str) -> Result<Exact, StochasticGameFault> {
    if let Some(number) = short(text) {
        return Ok(number);
    }
    let number = parse(text.trim()).ok_or_else(|| StochasticGameFault::Number { text: text.to_owned() })?;
    Ok((&number).into())
}

/// A number of at most 18 digits, as most are: `-7/8`, `0.125`, `12`.
#[cfg(feature = "report")]
fn short(text: &str) -> Option<Exact> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    // The standard library reads a second sign, too.
    let whole = |digits: &str| if digits.starts_with(['+', '-']) { None } else { digits.parse::<i64>().ok() };
    let (numerator, denominator) = match (text.split_once('/'), text.split_once('.')) {
        _ if text.len() > 18 => return None,
        (Some((numerator, denominator)), _) => (whole(numerator)?, whole(denominator)?),
        (None, Some((before, after))) => {
            let power = 10_i64.pow(after.len() as u32);
            (whole(before)? * power + whole(after)?, power)
        }
        (None, None) => (whole(text)?, 1),
    };
    (denominator > 0).then(|| Ratio::new(sign * numerator, denominator).into())
}

#[cfg(feature = "report")]
fn parse(text: &str) -> Option<BigRational> {
    if text.len() > LONGEST || text.contains('_') {
        return None;
    }
    if let Some((numerator, denominator)) = text.split_once('/') {
        let is_positive = denominator.starts_with(|first: char| first.is_ascii_digit());
        let denominator = denominator.parse().ok().filter(|denominator: &BigInt| is_positive && !denominator.is_zero())?;
        return Some(BigRational::new(numerator.parse().ok()?, denominator));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if exponent.unsigned_abs() > LARGEST_EXPONENT || mantissa.ends_with('.') || fraction.starts_with(['+', '-']) {
        return None;
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let power = |exponent: i64| BigInt::from(10).pow(exponent.max(0) as u32);
    let places = fraction.len() as i64 - exponent;
    Some(BigRational::new(digits * power(-places), power(places)))
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        let fraction = |numerator: i64, denominator: i64| BigRational::new(numerator.into(), denominator.into());
        for (text, numerator, denominator) in [
            ("0", 0, 1),
            ("-0", 0, 1),
            ("7/8", 7, 8),
            ("-14/16", -7, 8),
            ("0.1", 1, 10),
            ("-.25", -1, 4),
            ("+3", 3, 1),
            ("1.5", 3, 2),
            ("18446744073709551618/9223372036854775809", 2, 1),
            ("12.000000000000000000", 12, 1),
            ("1e-3", 1, 1000),
            ("2.5E+2", 250, 1),
            (" 12 ", 12, 1),
        ] {
            assert_eq!(exact_number(text).map(|number| number.to_rational()), Ok(fraction(numerator, denominator)), "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "1.",
            "1/0",
            "1/-2",
            "1/2/3",
            "0x1",
            "1e",
            "1e2000",
            "NaN",
            "inf",
            "--1",
            "1 2",
            "1_000",
            "-/2",
            "1e+-3",
            "1e++3",
            ".-5",
            "1e-9223372036854775808",
        ] {
            assert!(exact_number(text).is_err(), "{text}");
        }
    }
}

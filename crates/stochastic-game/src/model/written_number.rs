//! Exact numbers as texts: fractions and decimals, of games' files and of policies.

use std::ops::Neg;
use std::str::FromStr;

use num_integer::Integer;
use num_rational::Ratio;

use super::number::Exact;
use crate::error::StochasticGameFault;

/// The longest text of a number, in bytes.
const LONGEST_NUMBER: usize = 10_000;

/// The largest exponent of ten.
const LARGEST_EXPONENT: u64 = 1_000;

/// Reads a fraction such as `-7/8` or a decimal such as `0.125` or `1e-3`, exactly.
pub fn exact_number(text: &str) -> Result<Exact, StochasticGameFault> {
    let trimmed = text.trim();
    // As most are.
    let is_short =
        trimmed.len() <= 18 && !trimmed.bytes().any(|byte| byte.eq_ignore_ascii_case(&b'e'));
    let number = if is_short {
        parse::<i64>(trimmed).map(Exact::from)
    } else {
        parse(trimmed).as_ref().map(Exact::from)
    };
    number.ok_or_else(|| StochasticGameFault::Number { text: text.to_owned() })
}

/// Reads a number in integers in which its digits fit.
fn parse<T: Clone + Integer + Neg<Output = T> + FromStr + From<u8>>(
    text: &str,
) -> Option<Ratio<T>> {
    if text.len() > LONGEST_NUMBER {
        return None;
    }
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let whole = |digits: &str| {
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            digits.parse::<T>().ok()
        } else {
            None
        }
    };
    let (numerator, denominator) = if let Some((numerator, denominator)) = text.split_once('/') {
        (whole(numerator)?, whole(denominator)?)
    } else {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if exponent.unsigned_abs() > LARGEST_EXPONENT || mantissa.ends_with('.') {
            return None;
        }
        let power = |exponent: i64| num_traits::pow(T::from(10), exponent.max(0) as usize);
        let digits = match (before, after) {
            (before, "") => whole(before)?,
            ("", after) => whole(after)?,
            (before, after) => whole(before)? * power(after.len() as i64) + whole(after)?,
        };
        let places = after.len() as i64 - exponent;
        (digits * power(-places), power(places))
    };
    let numerator = if is_negative { -numerator } else { numerator };
    (!denominator.is_zero()).then(|| Ratio::new(numerator, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        let pairs =
            "0=0 -0=0 7/8=7/8 -14/16=-7/8 0.1=1/10 -.25=-1/4 +3=3 1.5=3/2 1e-3=1/1000 2.5E+2=250 12.000000000000000000=12"
                .split(' ');
        let pairs = pairs.map(|pair| pair.split_once('=').expect("a pair"));
        for (text, number) in
            pairs.chain([("18446744073709551618/9223372036854775809", "2"), (" 12 ", "12")])
        {
            assert_eq!(
                exact_number(text).map(|number| number.to_rational().to_string()).as_deref(),
                Ok(number),
                "{text}"
            );
        }
        let malformed = "- . 1. 1/0 1/-2 1/2/3 0x1 1e 1e2000 NaN inf --1 1_000 -/2 1e+-3 1e++3 .-5 1e-9223372036854775808";
        for text in malformed.split(' ').chain(["", "1 2"]) {
            assert!(exact_number(text).is_err(), "{text}");
        }
    }
}

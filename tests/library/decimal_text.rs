//! Decimal numbers read as exact fractions by a few lines that know nothing of how they were
//! written.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed};

/// A decimal number as an exact fraction: `-1.25`, `3`, `7.9e-18`.
pub(crate) fn fraction(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{decimals}")
        .parse()
        .unwrap_or_else(|_| panic!("{text} is no decimal number"));
    let exponent: i32 = exponent.parse::<i32>().expect("an exponent") - decimals.len() as i32;
    BigRational::from_integer(digits) * BigRational::from_integer(10.into()).pow(exponent)
}

pub(crate) fn double(number: f64) -> BigRational {
    BigRational::from_float(number).expect("a finite number")
}

pub(crate) fn two_pow(exponent: u32) -> BigRational {
    BigRational::from_integer(BigInt::from(1) << exponent)
}

/// Whether all numbers between two bounds round to a value of so many places; where there is none,
/// whether they do not even round to one whole number, or are farther apart than a millionth of the
/// larger one and than 1e-12.
pub(crate) fn is_certain(value: Option<&str>, lower: &BigRational, upper: &BigRational) -> bool {
    let half = BigRational::new(1.into(), 2.into());
    let Some(value) = value else {
        let width = upper - lower;
        let far = &width * BigRational::from_integer(1_000_000.into())
            > lower.abs().max(upper.abs())
            && width * BigRational::from_integer(1_000_000_000_000_i64.into())
                > BigRational::from_integer(1.into());
        return far || (lower + &half).floor() != (upper + &half).floor();
    };
    let (mantissa, exponent) = value.split_once('e').unwrap_or((value, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, places)| places.len()) as i32
        - exponent.parse::<i32>().expect("an exponent");
    let half =
        BigRational::from_integer(10.into()).pow(-places) / BigRational::from_integer(2.into());
    let distance = |number: &BigRational| {
        let value = fraction(value);
        if *number < value { value - number } else { number - value }
    };
    distance(lower) <= half && distance(upper) <= half
}

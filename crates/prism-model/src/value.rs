//! Values of expressions: truth values and exact numbers.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// A number or a truth value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// Any other number: a fraction, or a whole number of more than 64 bits. Never a whole number
    /// that fits `Integer`.
    Fraction(Box<BigRational>),
    /// A truth value.
    Truth(bool),
}

impl Value {
    /// The value of a number.
    pub fn of_number(number: BigRational) -> Self {
        match number.numer().to_i64().filter(|_| number.is_integer()) {
            Some(whole) => Self::Integer(whole),
            None => Self::Fraction(Box::new(number)),
        }
    }

    /// The number; `None` of a truth value.
    pub fn number(&self) -> Option<BigRational> {
        match self {
            Self::Integer(whole) => Some(BigRational::from_integer((*whole).into())),
            Self::Fraction(number) => Some((**number).clone()),
            Self::Truth(_) => None,
        }
    }

    /// The truth value; `None` of a number.
    pub fn truth(&self) -> Option<bool> {
        if let Self::Truth(truth) = self { Some(*truth) } else { None }
    }

    /// The whole number; `None` of any other value.
    pub fn integer(&self) -> Option<i64> {
        if let Self::Integer(whole) = self { Some(*whole) } else { None }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(whole) => whole.fmt(f),
            Self::Fraction(number) => number.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
        }
    }
}

/// The integer at or below a number; `None` of a truth value.
pub(crate) fn floor(value: &Value) -> Option<Value> {
    value.number().map(|number| Value::of_number(number.floor()))
}

/// The integer at or above a number; `None` of a truth value.
pub(crate) fn ceil(value: &Value) -> Option<Value> {
    value.number().map(|number| Value::of_number(number.ceil()))
}

/// The nearest integer, the upper one of two; `None` of a truth value.
pub(crate) fn round(value: &Value) -> Option<Value> {
    let half = BigRational::new(1.into(), 2.into());
    value.number().map(|number| Value::of_number((number + half).floor()))
}

/// The remainder from 0 to below the divisor of whole numbers; `None` for a divisor that is not
/// positive.
pub(crate) fn modulo(value: &Value, divisor: &Value) -> Option<Value> {
    match (value, divisor) {
        (Value::Integer(value), Value::Integer(divisor)) if *divisor > 0 => {
            Some(Value::Integer(value.rem_euclid(*divisor)))
        }
        _ => None,
    }
}

/// Sums, products and powers have at most this many bits in numerator and denominator: no
/// probability or reward of a sensible model is near it, and reducing a fraction of so many bits
/// takes 20 ms.
pub(crate) const MOST_BITS: u64 = 50_000;

/// A power with a whole exponent, or an exact square root; `None` where the power is no fraction,
/// or too long.
pub(crate) fn power(base: &Value, exponent: &Value) -> Option<Value> {
    let base = base.number()?;
    let Some(exponent) = exponent.integer() else {
        let is_half = exponent.number()? == BigRational::new(1.into(), 2.into());
        return if is_half { square_root(&base) } else { None };
    };
    if base.is_zero() {
        return match exponent {
            0 => Some(Value::Integer(1)),
            1.. => Some(Value::Integer(0)),
            _ => None,
        };
    }
    let bits = base.numer().bits().max(base.denom().bits()) - 1;
    if bits.saturating_mul(exponent.unsigned_abs()) > MOST_BITS {
        return None;
    }
    // A base of 1 or -1 has powers of any exponent.
    let exponent = if bits == 0 && base.is_integer() { exponent % 2 } else { exponent };
    Some(Value::of_number(base.pow(i32::try_from(exponent).ok()?)))
}

fn square_root(square: &BigRational) -> Option<Value> {
    if square.is_negative() {
        return None;
    }
    let root = BigRational::new(square.numer().sqrt(), square.denom().sqrt());
    if &root * &root == *square { Some(Value::of_number(root)) } else { None }
}

/// The logarithm, where it is a whole number; `None` elsewhere, since it is no fraction then, or
/// rarely one.
pub(crate) fn logarithm(value: &Value, base: &Value) -> Option<Value> {
    let (value, base) = (value.number()?, base.number()?);
    let one = BigRational::from_integer(BigInt::from(1));
    if !value.is_positive() || base <= one {
        return None;
    }
    let mut exponent = 0;
    let mut rest = value;
    while rest >= base && exponent < 1_000 {
        rest /= &base;
        exponent += 1;
    }
    while rest < one && exponent > -1_000 {
        rest *= &base;
        exponent -= 1;
    }
    if rest == one { Some(Value::Integer(exponent)) } else { None }
}

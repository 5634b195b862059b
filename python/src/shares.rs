//! Probabilities as people have them: integer weights, or doubles that sum to 1 but for rounding.

use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, ToPrimitive, Zero};
use pyo3::prelude::*;

use crate::errors::Error;

/// The distance from 1 up to which a sum of doubles is taken for rounding.
///
/// Sums of a million doubles stray by some 1e-10, those of single precision by 1e-7: they are no
/// probabilities.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The bits behind the point of a normalised probability; the library's denominators have 62 bits.
pub(crate) const BITS: u32 = 60;

/// The bits in which shares are added and divided: 2^64 times 2^60 fits into an `i128`.
pub(crate) const FINE_BITS: u32 = 64;

/// Advice at the end of every refusal.
pub(crate) const ADVICE: &str = "expected exactly 1 of numbers such as Fraction(1, 3) or \"0.1\", 1 within 1e-9 of floats, or integer weights";

/// Advice where `exact=True` refuses.
pub(crate) const EXACTLY: &str = "exact=True does not divide floats by their sum; expected Fraction(1, 3), the text \"0.1\" or integer weights";

/// The bits behind the point of a normalised probability in a game with a discount, which takes
/// some of them.
pub(crate) fn bits_beside(discount: Option<&BigRational>) -> u32 {
    let taken = discount.map_or(0, |discount| discount.denom().bits() as u32);
    62_u32.saturating_sub(taken).min(BITS)
}

/// The multiple of 2^-64 next to a double from 0 to 2; one that is not 0 for one that is not 0.
pub(crate) fn fine_double(share: f64) -> i128 {
    let fine = (share * f64::from(FINE_BITS).exp2()).round() as i128;
    fine.max(i128::from(share > 0.0))
}

/// As `fine_double`, of a fraction.
pub(crate) fn fine_fraction(share: &BigRational) -> i128 {
    let scaled = share * BigRational::from_integer(num_bigint::BigInt::one() << FINE_BITS);
    let fine = scaled.round().to_integer().to_i128().unwrap_or(i128::MAX);
    fine.max(i128::from(share.is_positive()))
}

/// The shares divided by their sum, as multiples of 2^-`bits`; the largest takes the rest, so that
/// they sum to exactly 1.
///
/// They are given in units of 2^-64. `None` says that they do not sum to 1 within the tolerance.
///
/// # Errors
///
/// The index of a positive share that would be 0.
pub(crate) fn normalised(fine: &[i128], bits: u32) -> Option<Result<Vec<i64>, usize>> {
    let one = 1_i128 << FINE_BITS;
    let mut sum = 0_i128;
    for share in fine {
        sum = sum.saturating_add(*share);
    }
    if sum <= 0 || (sum - one).abs() as f64 > TOLERANCE * one as f64 {
        return None;
    }

    let mut parts = Vec::with_capacity(fine.len());
    for (index, &share) in fine.iter().enumerate() {
        let part = (((share << bits) + sum / 2) / sum) as i64;
        if share > 0 && part == 0 {
            return Some(Err(index));
        }
        parts.push(part);
    }
    let missing = (1_i64 << bits) - parts.iter().sum::<i64>();
    if let Some(largest) = parts.iter_mut().max() {
        *largest += missing;
    }
    Some(Ok(parts))
}

/// A multiple of 2^-`bits` in lowest terms.
pub(crate) fn dyadic(numerator: i64, bits: u32) -> Ratio<i64> {
    let shift = if numerator == 0 { bits } else { numerator.trailing_zeros().min(bits) };
    Ratio::new_raw(numerator >> shift, 1_i64 << (bits - shift))
}

/// Probabilities that sum to exactly 1, made of numbers as people have them, and whether floats
/// were divided by their sum.
///
/// The numbers are fractions; `floats` says whether one of them was a float, `whole` whether all of
/// them were integers.
#[pyfunction]
pub(crate) fn shares(
    numbers: Vec<BigRational>,
    floats: bool,
    whole: bool,
    exact: bool,
    what: &str,
) -> PyResult<(Vec<BigRational>, bool)> {
    let sum: BigRational = numbers.iter().sum();
    let is_negative = numbers.iter().any(Signed::is_negative);
    if sum.is_one() && !is_negative {
        return Ok((numbers, false));
    }
    if whole && !is_negative && sum.is_positive() {
        return Ok((numbers.iter().map(|number| number / &sum).collect(), false));
    }
    let near = sum.to_f64().is_some_and(|sum| (sum - 1.0).abs() <= TOLERANCE);
    if floats && near && !is_negative {
        if exact {
            return Err(Error::new_err(format!("{what} sum to {}; {EXACTLY}", near_one(&sum))));
        }
        return Ok((numbers.iter().map(|number| number / &sum).collect(), true));
    }
    Err(Error::new_err(format!("{what} sum to {}; {ADVICE}", near_one(&sum))))
}

/// A sum of probabilities for messages, also where it is too near to 1 for a double.
pub(crate) fn near_one(sum: &BigRational) -> String {
    let double = sum.to_f64().unwrap_or(f64::NAN);
    if double != 1.0 || sum.is_one() {
        return double.to_string();
    }
    let off = (sum - BigRational::one()).to_f64().unwrap_or(f64::NAN);
    format!("1 {} {:e}", if off < 0.0 { "-" } else { "+" }, off.abs())
}

/// Whether a fraction is a multiple of 2^-`bits`.
pub(crate) fn is_dyadic(number: &Ratio<i64>, bits: u32) -> bool {
    let denominator = *number.denom();
    denominator.count_ones() == 1 && denominator.trailing_zeros() <= bits || number.is_zero()
}

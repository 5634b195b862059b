//! A matrix of floating-point numbers taken at its word: every double is a fraction.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::Payoffs;
use super::basis::power_of_two_scale;
use super::exact::ExactPayoffs;

/// The entries of a matrix as the fractions that they are.
pub(crate) struct ExactDoubles {
    rows: usize,
    columns: usize,
    entries: Vec<RBig>,
    bounds: Vec<[i64; 2]>,
    exponent: u32,
}

/// Bounds stay within ±2^this.
const BOUND_BITS: i32 = 61;

impl ExactDoubles {
    /// Copies a matrix; `None` when an entry is not finite, or the entries are too large or too small for integer bounds.
    pub(crate) fn new(payoffs: &impl Payoffs) -> Option<Self> {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        let all = || (0..rows).flat_map(|row| (0..columns).map(move |column| payoffs.entry(row, column)));
        let largest = all().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        // Brought into [1, 2), and then 2^60 to 2^61.
        let exponent = u32::try_from(power_of_two_scale(largest).log2() as i32 + BOUND_BITS - 1).ok()?;
        let unit = f64::from(exponent).exp2();
        let entries = all().map(fraction).collect::<Option<Vec<_>>>()?;
        // Products with a power of two are exact, and so are floor and ceiling of what is below 2^61.
        let bounds = all().map(|entry| [(entry * unit).floor() as i64, (entry * unit).ceil() as i64]).collect();
        Some(Self { rows, columns, entries, bounds, exponent })
    }
}

impl ExactPayoffs for ExactDoubles {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        Some(&self.entries[row * self.columns + column])
    }

    fn bounds(&self, row: usize, column: usize) -> [i64; 2] {
        self.bounds[row * self.columns + column]
    }

    fn exponent(&self) -> u32 {
        self.exponent
    }
}

/// A finite double as a fraction.
fn fraction(number: f64) -> Option<RBig> {
    if !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let mantissa = bits & ((1 << 52) - 1);
    // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
    let (mantissa, exponent) = if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
    let mantissa = if number < 0.0 { -IBig::from(mantissa) } else { IBig::from(mantissa) };
    let shift = exponent.unsigned_abs() as usize;
    Some(if exponent < 0 { RBig::from_parts(mantissa, UBig::ONE << shift) } else { RBig::from(mantissa << shift) })
}

/// The double nearest to a fraction, for probabilities: numbers from 0 to 1.
pub(crate) fn nearest_probability(number: &RBig) -> f64 {
    // 2^-80 is far below what a probability in floating point is good for.
    let scaled = (number.numerator() << 80_usize) / IBig::from(number.denominator().clone());
    scaled.to_f64().value() * (-80.0_f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_fractions() {
        for (number, numerator, denominator) in [(0.75, 3, 4_u32), (-1.5, -3, 2), (0.0, 0, 1), (1024.0, 1024, 1)] {
            assert_eq!(fraction(number), Some(RBig::from_parts(numerator.into(), denominator.into())));
        }
        let tenth = fraction(0.1).unwrap();
        assert_eq!(tenth, RBig::from_parts(3_602_879_701_896_397_i64.into(), UBig::ONE << 55_usize));
        assert_eq!(nearest_probability(&tenth), 0.1);
        assert_eq!(fraction(f64::NAN), None);
        assert_eq!(fraction(f64::MIN_POSITIVE / 4.0), Some(RBig::from_parts(IBig::ONE, UBig::ONE << 1024_usize)));
    }
}

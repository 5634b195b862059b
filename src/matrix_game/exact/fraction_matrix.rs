use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use crate::bounds::Bounds;
use crate::matrix_game::basis::Basis;
use crate::matrix_game::{Matrix, Simplex};
use crate::work::Watch;

#[derive(Clone, Debug)]
pub(super) struct FractionMatrix {
    rows: Vec<Vec<RBig>>,
    largest: RBig,
}

impl FractionMatrix {
    pub(super) fn of(rows: &[Vec<RBig>]) -> Self {
        let size = |entry: &RBig| if *entry < RBig::ZERO { -entry.clone() } else { entry.clone() };
        let largest = rows.iter().flatten().map(size).max().filter(|largest| *largest > RBig::ZERO).unwrap_or(RBig::ONE);
        Self { rows: rows.iter().map(|row| row.iter().map(|entry| entry / &largest).collect()).collect(), largest }
    }

    /// The magnitude of the largest entry, by which all are divided; 1 where all are 0.
    pub(super) const fn largest(&self) -> &RBig {
        &self.largest
    }

    pub(super) fn entries(&self) -> &[Vec<RBig>] {
        &self.rows
    }

    pub(super) fn guess(&self, watch: &mut Watch<'_>) -> Option<Basis> {
        let share = |entry: &RBig| entry.to_f64().value();
        let approximate: Vec<Vec<f64>> = self.rows.iter().map(|row| row.iter().map(share).collect()).collect();
        Some(Simplex::new().find_watched(&Matrix::from_rows(&approximate).ok()?, watch).basis.clone())
    }
}

pub(super) struct Stoppable<'g> {
    pub(super) game: &'g FractionMatrix,
    pub(super) stop: &'g dyn Fn() -> bool,
}

impl ExactPayoffs for Stoppable<'_> {
    fn size(&self) -> [usize; 2] {
        [self.game.rows.len(), self.game.rows[0].len()]
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        Some(&self.game.rows[row][column])
    }

    /// Bounds so wide that they never decide.
    fn bounds(&self, _: usize, _: usize) -> Bounds {
        Bounds::new(-(1 << 61), 1 << 61)
    }

    fn exponent(&self) -> u32 {
        0
    }

    fn is_stopped(&self) -> bool {
        (self.stop)()
    }
}

pub(crate) trait ExactPayoffs {
    /// Rows and columns.
    fn size(&self) -> [usize; 2];
    fn exact(&self, row: usize, column: usize) -> Option<&RBig>;
    /// Bounds of an entry in units of 2^−[`exponent`](Self::exponent), within ±2⁶¹.
    fn bounds(&self, row: usize, column: usize) -> Bounds;
    fn exponent(&self) -> u32;
    /// Whether to give up, with [`Undecided`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A decisive entry is only known within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;

pub(crate) fn big_integer(number: &IBig) -> BigInt {
    let (sign, magnitude) = number.clone().into_parts();
    let magnitude = BigInt::from(BigUint::from_bytes_le(&magnitude.to_le_bytes()));
    if sign == Sign::Negative { -magnitude } else { magnitude }
}

pub(crate) fn big_rational(number: &RBig) -> BigRational {
    let numerator = big_integer(number.numerator());
    // In lowest terms already.
    BigRational::new_raw(numerator, BigUint::from_bytes_le(&number.denominator().to_le_bytes()).into())
}

pub(crate) fn integer(number: &BigInt) -> IBig {
    let sign = if number.sign() == num_bigint::Sign::Minus { Sign::Negative } else { Sign::Positive };
    IBig::from_parts(sign, UBig::from_le_bytes(&number.magnitude().to_bytes_le()))
}

/// The denominator is not 0.
pub(crate) fn rational(number: &BigRational) -> RBig {
    RBig::from_parts_signed(integer(number.numer()), integer(number.denom()))
}

/// A finite number as an integer and a power of two.
pub(super) fn decode(number: f64) -> Option<(i64, i32)> {
    if !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let mantissa = (bits & ((1 << 52) - 1)) as i64;
    // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
    let (mantissa, exponent) = if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
    let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
    Some(((mantissa >> zeros) * if number < 0.0 { -1 } else { 1 }, exponent + zeros as i32))
}

/// Finite numbers as integers in units of the last bit of any of them, and that unit's exponent.
pub(super) fn integers<'n>(numbers: impl Iterator<Item = &'n f64>) -> Option<(Vec<IBig>, i32)> {
    let decoded = numbers.map(|&number| decode(number)).collect::<Option<Vec<(i64, i32)>>>()?;
    let unit = decoded.iter().filter(|(mantissa, _)| *mantissa != 0).map(|&(_, exponent)| exponent).min().unwrap_or(0);
    let integer = |(mantissa, exponent): (i64, i32)| IBig::from(mantissa) << exponent.saturating_sub(unit).max(0) as usize;
    Some((decoded.into_iter().map(integer).collect(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_fractions() {
        let known =
            [(0.75, (3, -2)), (-1.5, (-3, -1)), (0.0, (0, -1074)), (1024.0, (1, 10)), (0.1, (3_602_879_701_896_397, -55))];
        for (number, parts) in known {
            assert_eq!(decode(number), Some(parts));
        }
        assert_eq!(decode(f64::MIN_POSITIVE / 4.0), Some((1, -1024)));
        assert_eq!(decode(f64::NAN), None);
    }
}

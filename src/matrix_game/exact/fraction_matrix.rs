use dashu_int::IBig;
use dashu_ratio::RBig;
use num_bigint::BigInt;
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
    BigInt::from_signed_bytes_le(&number.to_le_bytes())
}

pub(crate) fn big_rational(number: &RBig) -> BigRational {
    // In lowest terms already.
    BigRational::new_raw(big_integer(number.numerator()), big_integer(number.denominator().as_ibig()))
}

pub(crate) fn integer(number: &BigInt) -> IBig {
    IBig::from_le_bytes(&number.to_signed_bytes_le())
}

/// The denominator is not 0.
pub(crate) fn rational(number: &BigRational) -> RBig {
    RBig::from_parts_signed(integer(number.numer()), integer(number.denom()))
}

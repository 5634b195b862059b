//! Games in fractions, solved exactly.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::bounds::Bounds;

/// A game of fractions, until it is stopped.
pub(super) struct FractionMatrix<'g> {
    pub(super) rows: &'g [Vec<RBig>],
    pub(super) stop: &'g dyn Fn() -> bool,
}

impl ExactPayoffs for FractionMatrix<'_> {
    const BOUNDS_DECIDE: bool = false;

    fn size(&self) -> [usize; 2] {
        [self.rows.len(), self.rows[0].len()]
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        Some(&self.rows[row][column])
    }

    fn bounds(&self, _: usize, _: usize) -> Bounds {
        Bounds::default()
    }

    fn exponent(&self) -> u32 {
        0
    }

    fn is_stopped(&self) -> bool {
        (self.stop)()
    }
}

pub trait ExactPayoffs {
    /// Whether bounds of entries may decide, which is faster; known entries of any size have none.
    const BOUNDS_DECIDE: bool = true;
    /// Rows and columns.
    fn size(&self) -> [usize; 2];
    fn exact(&self, row: usize, column: usize) -> Option<&RBig>;
    /// Bounds of an entry in units of 2^−[`exponent`](Self::exponent), within ±2⁶¹.
    fn bounds(&self, row: usize, column: usize) -> Bounds;
    fn exponent(&self) -> u32;
    /// The fraction of this many units.
    fn units(&self, units: i64) -> RBig {
        RBig::from_parts(units.into(), UBig::ONE << self.exponent() as usize)
    }
    /// Whether to give up, with `Undecided`.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A decisive entry is only known within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided;

pub fn big_integer(number: &IBig) -> BigInt {
    BigInt::from_signed_bytes_le(&number.to_le_bytes())
}

pub fn big_rational(number: &RBig) -> BigRational {
    // In lowest terms already.
    BigRational::new_raw(
        big_integer(number.numerator()),
        big_integer(number.denominator().as_ibig()),
    )
}

pub fn integer(number: &BigInt) -> IBig {
    IBig::from_le_bytes(&number.to_signed_bytes_le())
}

/// The denominator is not 0.
pub fn rational(number: &BigRational) -> RBig {
    RBig::from_parts_signed(integer(number.numer()), integer(number.denom()))
}

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::matrix_game::dense::DoubleDouble;
use crate::matrix_game::tolerances::{
    DICTIONARY_ZERO, EQUAL_PRECISE_RATIOS, EQUAL_RATIOS, PRECISE_PIVOT, PRECISE_ZERO, TABLEAU_PIVOT,
};

/// A number of a tableau, with its tolerances of rounding.
pub(super) trait Real:
    Copy
    + From<f64>
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The share of a dictionary's largest number below which a number is 0.
    const ZERO: f64;
    /// The smallest pivot, as a share of the largest entry of its column.
    const PIVOT: f64;
    /// The relative difference up to which two ratios are equal.
    const EQUAL: f64;

    fn nearest(self) -> f64;
}

impl Real for f64 {
    const ZERO: f64 = DICTIONARY_ZERO;
    const PIVOT: f64 = TABLEAU_PIVOT;
    const EQUAL: f64 = EQUAL_RATIOS;

    #[inline]
    fn nearest(self) -> f64 {
        self
    }
}

impl Real for DoubleDouble {
    const ZERO: f64 = PRECISE_ZERO;
    const PIVOT: f64 = PRECISE_PIVOT;
    const EQUAL: f64 = EQUAL_PRECISE_RATIOS;

    #[inline]
    fn nearest(self) -> f64 {
        DoubleDouble::nearest(self)
    }
}

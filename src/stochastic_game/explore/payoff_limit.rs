//! The payoffs that rules promise.

use num_rational::BigRational;

use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::stochastic_game::model::{Scale, size};

/// The share by which sums of payoffs that were rounded up may exceed their bound: 2³¹ units of bounds, which have room for 2³⁴.
const ROUNDED: f64 = 1e-9;

/// The units by which the bounds of a state may exceed those of the largest payoff: a rounding or two a turn.
const ROUNDINGS: i64 = 1 << 33;

/// The size of payoffs that was promised, and the unit in which they are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayoffLimit {
    pub(crate) scale: Scale,
    /// Rounded up.
    largest: f64,
    /// `largest` in units, with a reserve for rounding.
    units: i64,
}

impl PayoffLimit {
    /// The limit for this bound of payoffs.
    pub(crate) fn new(payoffs: u64) -> Result<Self, StochasticGameError> {
        let largest = size(&BigRational::from_integer(payoffs.into()));
        let scale = Scale::of(largest)?;
        let units = (i128::from(payoffs) << scale.exponent.min(64)) as i64;
        Ok(Self { scale, largest: largest * (1.0 + ROUNDED), units: units + ROUNDINGS })
    }

    /// Whether payoffs of this size are within the promise.
    #[inline]
    pub(crate) fn allows(self, size: f64) -> bool {
        size <= self.largest
    }

    /// Whether bounds are those of payoffs that were promised.
    #[inline]
    pub(crate) const fn allows_bounds(self, Bounds { lower, upper }: Bounds) -> bool {
        -self.units <= lower && upper <= self.units
    }
}

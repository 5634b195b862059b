//! Proved numbers between bounds: their integers, their rounding, their decimals.

pub use ::matrix_game::bounds::{Bounds, DecimalBounds, Enclosure, rounded_up};

pub(crate) use ::matrix_game::internal::{
    BOUND_BITS, FixedPoint, FixedPointScale, Rounding, Side, power_of_ten, product,
};

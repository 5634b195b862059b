//! Proved numbers between bounds: their integers, their rounding, their decimals.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod decimal;
mod enclosure;
mod fixed_point;
mod fixed_point_scale;
mod integer_bounds;
mod product;
mod rounding;
mod side;

pub use decimal::power_of_ten;
pub use decimal::{DecimalBounds, rounded_up};
pub use enclosure::Enclosure;
pub use integer_bounds::Bounds;

pub use fixed_point::FixedPoint;
pub use fixed_point_scale::{BOUND_BITS, FixedPointScale};
pub use product::product;
pub use rounding::{Integer, Rounding};
pub use side::Side;

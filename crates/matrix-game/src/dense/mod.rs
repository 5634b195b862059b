//! Dense linear algebra in floating point: the one place for loops that are to run in wide vectors.

mod double_double;
mod kernels;
mod lu;

pub(crate) use double_double::DoubleDouble;
pub use kernels::dot;
pub(crate) use kernels::{add_scaled, add_two_scaled, power_of_two_scale, subtract_scaled};
pub(crate) use lu::{Lu, Orientation};

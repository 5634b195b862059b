//! Dense linear algebra in floating point.

mod kernels;

pub(crate) use kernels::{dot, power_of_two_scale, subtract_four, subtract_scaled};

//! Solving a matrix game in rationals, and what is decided only there.

mod criss_cross;
mod linear_system;
mod tableau;
mod uniqueness;

pub(crate) use criss_cross::{ExactEquilibrium, ExactPayoffs, solve};
#[cfg(test)]
pub(crate) use linear_system::solve as solve_rational_system;
pub(crate) use tableau::ExactTableau;
pub use uniqueness::Uniqueness;
pub(crate) use uniqueness::decide as decide_uniqueness;

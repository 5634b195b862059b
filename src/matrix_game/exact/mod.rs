//! Solving a matrix game in rationals, and what is decided only there.

mod basic_solution;
mod criss_cross;
mod exact_payoffs;
mod fraction;
mod fraction_matrix;
mod linear_system;
mod security_levels;
mod solution;
mod tableau;
mod uniqueness;

pub(crate) use basic_solution::{ExactEquilibrium, ExactStrategy, equalise};
pub(crate) use criss_cross::solve;
pub(crate) use exact_payoffs::ExactPayoffs;
pub(crate) use fraction::{big_rational, rational};
#[cfg(test)]
pub(crate) use linear_system::solve_bordered;
pub use solution::ExactSolution;
pub(crate) use tableau::ExactTableau;
pub use uniqueness::Uniqueness;
pub(crate) use uniqueness::decide as decide_uniqueness;

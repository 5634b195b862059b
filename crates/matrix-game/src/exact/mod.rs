//! Solves a matrix game in rationals, and decides uniqueness.

mod approximate;
mod basic_solution;
mod criss_cross;
mod dominance;
mod equilibrium_check;
mod fraction_matrix;
mod linear_system;
mod maximum_entropy;
mod optimal_set;
mod security_levels;
mod sensitivity;
mod solution;
mod solver;
mod tableau;
mod uniqueness;

pub use approximate::ApproximateSolution;
pub(crate) use basic_solution::equalise;
pub use basic_solution::{ExactEquilibrium, ExactStrategy};
pub use criss_cross::solve;
pub use dominance::{Action, Dominance, Elimination, Undominated};
pub use equilibrium_check::is_equilibrium;
pub use fraction_matrix::{ExactPayoffs, big_integer, big_rational, integer, rational};
#[cfg(test)]
pub(crate) use linear_system::solve_bordered;
pub use sensitivity::PayoffSensitivity;
pub use solution::ExactSolution;
pub use solver::solve_fractions;
pub(crate) use tableau::optimal_basis;
pub use uniqueness::Uniqueness;
pub use uniqueness::decide as decide_uniqueness;

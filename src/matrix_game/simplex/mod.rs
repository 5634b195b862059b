//! Solving a matrix game in floating point: from the start, from a basis, or as a linear programme.

#[cfg(feature = "lp")]
mod linear_programme;
mod self_dual;
mod solver;
mod tableau;
mod tie_breaking;

#[cfg(feature = "lp")]
pub use linear_programme::LinearProgramme;
pub(crate) use solver::Pivoted;
pub use solver::Simplex;

//! Solving a matrix game in floating point: from the start, from a basis, or as a linear programme.

mod cold;
#[cfg(feature = "lp")]
mod linear_programme;
mod precise;
mod real;
mod self_dual;
mod tableau;
mod tie_breaking;
mod warm;

pub use cold::Simplex;
#[cfg(feature = "lp")]
pub use linear_programme::LinearProgramme;
pub(crate) use precise::PreciseSimplex;
pub(crate) use tie_breaking::TieBreaking;
pub(crate) use warm::{Candidate, Judgement, Start};

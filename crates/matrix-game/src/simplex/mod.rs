//! Solving a matrix game in floating point: from the start, from a basis, or as a linear programme.

mod candidate;
mod cold;
#[cfg(feature = "lp")]
mod linear_programme;
mod precise;
mod self_dual;
mod tableau;
mod tie_breaking;
mod warm;

pub use candidate::Candidate;
pub use cold::Simplex;
#[cfg(feature = "lp")]
pub use linear_programme::LinearProgramme;
pub(crate) use precise::precise_basis;
pub use tie_breaking::TieBreaking;
pub use warm::{Judgement, Start};

use super::{Payoffs, StrategyPair};

#[cfg(feature = "lp")]
pub(crate) fn solve_programmes(game: &impl Payoffs, pair: &mut StrategyPair) -> bool {
    LinearProgramme::find(game, pair)
}

/// Without linear programmes, a table file's states that were solved by them are solved again by
/// the simplex.
#[cfg(not(feature = "lp"))]
pub(crate) const fn solve_programmes(_: &impl Payoffs, _: &mut StrategyPair) -> bool {
    false
}

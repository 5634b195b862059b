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

use super::{Payoffs, StrategyPair};

/// Finds a pair of strategies by linear programmes; `false` when they give up.
#[cfg(feature = "lp")]
pub(crate) fn solve_programmes(game: &impl Payoffs, pair: &mut StrategyPair) -> bool {
    LinearProgramme::find(game, pair)
}

/// Nothing: a state of a table file that was solved by linear programmes is solved again without them.
#[cfg(not(feature = "lp"))]
pub(crate) const fn solve_programmes(_: &impl Payoffs, _: &mut StrategyPair) -> bool {
    false
}

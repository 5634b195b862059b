//! Finders of strategies, in floating point, for any game in sequence form; blind Tennis has them,
//! too. Nothing they find is trusted.

pub(crate) mod best_strategy;
mod elimination;
mod factorization;
pub(crate) mod interior_point;
pub(super) mod lexicographic;
pub(super) mod merging;
pub(crate) mod payoff_matrix;
#[cfg(feature = "lp")]
pub(crate) mod programme;
pub(crate) mod regret;
mod residue;
pub(crate) mod schedule;
pub(crate) mod sequence_game;
pub(super) mod vertex;

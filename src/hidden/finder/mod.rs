//! Finders of strategies, in floating point, for any game in sequence form; blind Tennis has them, too. Nothing they find is trusted.

#[cfg(feature = "lp")]
pub(crate) mod programme;
pub(crate) mod regret;
pub(crate) mod schedule;
pub(crate) mod sequence_game;
#[cfg(feature = "lp")]
pub(super) mod vertex;

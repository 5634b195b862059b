//! Finders of strategies, in floating point. Nothing they find is trusted.

#[cfg(feature = "lp")]
pub(super) mod programme;
pub(super) mod regret;
#[cfg(feature = "lp")]
pub(super) mod vertex;

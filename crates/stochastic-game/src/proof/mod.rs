//! Proofs to keep: certificates, and checkpoints of interrupted solves.

#[cfg(feature = "files")]
mod approached;
#[cfg(feature = "files")]
mod certificate;
mod checkpoint;
mod resumption;
mod value_bound;

pub use checkpoint::StochasticCheckpoint;
pub use value_bound::{ValueBound, ValueComparison};

#[cfg(feature = "files")]
pub(crate) use certificate::digest;
pub(crate) use checkpoint::refusal;
pub(crate) use resumption::resumed;

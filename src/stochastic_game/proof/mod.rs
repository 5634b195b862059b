//! Proofs to keep: certificates, and checkpoints of interrupted solves.

#[cfg(feature = "report")]
mod certificate;
#[cfg(feature = "report")]
mod check;
mod checkpoint;
mod resumption;

#[cfg(feature = "report")]
pub use certificate::StochasticProof;
pub use checkpoint::StochasticCheckpoint;

#[cfg(feature = "report")]
pub(crate) use certificate::{digest, write_certificate};
pub(crate) use checkpoint::refusal;
pub(crate) use resumption::resumed;

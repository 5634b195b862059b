//! Proofs to keep: certificates, and checkpoints of solves that were interrupted.

#[cfg(feature = "report")]
mod certificate;
mod checkpoint;
mod game_checkpoint;
mod resumption;
#[cfg(feature = "report")]
mod rules_certificate;
mod sealed;

#[cfg(feature = "report")]
pub use certificate::StochasticProof;
pub use checkpoint::RulesCheckpoint;
pub use game_checkpoint::StochasticCheckpoint;
#[cfg(feature = "report")]
pub use rules_certificate::RulesProof;

pub(crate) use game_checkpoint::digest;
pub(crate) use resumption::resumed;
pub(crate) use sealed::refusal;

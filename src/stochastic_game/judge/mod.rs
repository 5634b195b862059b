//! Policies of a solved game, and their judgement.

mod judgement;
mod policy;

pub use judgement::PolicyJudgement;
pub use policy::StationaryPolicy;

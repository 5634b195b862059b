//! Policies of a solved game, and their judgement.

mod component;
mod judgement;
mod policy;

pub use judgement::PolicyJudgement;
pub use policy::StationaryPolicy;

//! Policies of a solved game, and what they are worth.

mod judgement;
mod policy;

pub use judgement::PolicyJudgement;
pub use policy::StationaryPolicy;

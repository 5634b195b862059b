//! Policies of a solved game, and their judgement.

mod component;
mod judgement;
mod policy;
mod state;

pub use judgement::{PolicyJudgement, StateJudgement};
pub use policy::{PolicyNumbers, StationaryPolicy};

//! Those who learn to play, and where they meet.

mod catalogue;
mod chance;
mod court;
mod curve;
mod learner;
mod local_rule;
mod memory;
mod no_regret;
mod options;
mod outcome_sampling;
mod reinforcement;
mod starts;
mod state_table;
mod training;
mod weight_table;

pub use catalogue::LearnerKind;
pub use curve::{CurvePoint, LearningCurve};
pub use learner::Learner;
pub use options::{LearnerOptions, Reward, Schedule};
pub use training::Training;

//! Those who learn to play, and where they meet.

mod catalogue;
mod chance;
mod court;
mod curve;
mod learner;
mod memory;
mod options;
mod reinforcement;
mod starts;
mod training;
mod weight_table;

pub use catalogue::LearnerKind;
pub use curve::{CurvePoint, LearningCurve};
pub use learner::Learner;
pub use options::{LearnerOptions, Reward, Schedule};
pub use training::Training;

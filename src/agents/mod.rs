//! Those who learn to play, and where they meet.

mod catalogue;
mod chance;
mod court;
mod curve;
mod duel;
mod evaluation;
mod learner;
mod local_rule;
mod lookahead;
mod memory;
mod no_regret;
mod options;
mod outcome_sampling;
mod reinforcement;
mod starts;
mod state_learner;
mod state_table;
mod training;
mod weight_table;
mod wilson;

pub use catalogue::LearnerKind;
pub use curve::{CurvePoint, LearningCurve};
pub use duel::Duel;
pub use evaluation::Evaluation;
pub use learner::Learner;
pub use lookahead::Lookahead;
pub use options::{LearnerOptions, Reward, Schedule};
pub use training::Training;
pub use wilson::wilson_interval;

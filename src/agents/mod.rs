//! Learners, players that search, and duels between players.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod catalogue;
mod counted_rng;
mod curve;
mod duel;
mod evaluation;
mod game_training;
mod hidden_training;
mod learner;
mod level;
mod local_learners;
mod local_rule;
mod lookahead;
mod options;
mod reinforcement;
mod repeated_stage;
mod sampled_mean;
mod session;
mod starts;
mod state_learner;
mod tally;
mod training;
mod weight_table;

pub use crate::error::AgentError;
pub use catalogue::LearnerKind;
pub use curve::{CurvePoint, LearningCurve};
pub use duel::{Duel, GameDuel, HiddenDuel, SampledPlays};
pub use evaluation::Evaluation;
pub use game_training::GameTraining;
pub use hidden_training::HiddenTraining;
pub use learner::{Learner, SweepLearner};
pub use level::Level;
pub use lookahead::Lookahead;
pub use options::{LearnerOptions, Reward, Schedule};
pub use tally::Tally;
pub use training::Training;

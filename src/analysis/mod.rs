//! Questions asked of a game, its solution, or a policy.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod best_response;
mod endgame;
mod exploitability;
mod forced;
mod frontier;
mod judged_game;
mod layers;
mod matchup;
mod policy_evaluation;
mod series;
mod state_analysis;
mod unique_count;

pub use crate::error::SeriesError;
pub use best_response::BestResponse;
pub use endgame::Endgame;
pub use exploitability::Exploitability;
pub use forced::{ForcedPlay, PureComparison};
pub use judged_game::{JudgedGame, JudgedTurn, Mistake, SampledGames};
pub use matchup::Matchup;
pub(crate) use matchup::value_between;
pub use policy_evaluation::{PolicyEvaluation, StateRegret};
pub use series::{Score, Series, SolvedScore};
pub use state_analysis::{BidPayoff, BidProbability, StateAnalysis};
pub use unique_count::UniqueCount;

//! Questions asked of a game, its solution, or a policy.

mod best_response;
mod endgame;
mod exploitability;
mod forced;
mod frontier;
mod layers;
mod matchup;
mod policy_evaluation;
mod sampled_games;
mod series;

pub use crate::error::SeriesError;
pub use best_response::BestResponse;
pub use endgame::Endgame;
pub use exploitability::Exploitability;
pub use forced::ForcedPlay;
pub use matchup::Matchup;
pub(crate) use matchup::value_between;
pub use policy_evaluation::{PolicyEvaluation, StateRegret};
pub use sampled_games::SampledGames;
pub use series::{Score, Series, SeriesChances, SeriesSolver};

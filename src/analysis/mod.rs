//! Questions asked of a game, its solution, or a policy.

mod best_response;
mod endgame;
mod exploitability;
mod fixed_point;
mod forced;
mod frontier;
mod judgement;
mod meeting;
#[cfg(feature = "sampling")]
mod sampled_games;
mod series;
mod series_solver;

pub use best_response::BestResponse;
pub use endgame::Endgame;
pub use exploitability::Exploitability;
pub use forced::ForcedPlay;
pub use judgement::{Habit, Judgement};
pub use meeting::Meeting;
#[cfg(feature = "agents")]
pub(crate) use meeting::value_between;
#[cfg(feature = "sampling")]
pub use sampled_games::SampledGames;
pub use series::{Score, Series};
pub use series_solver::{SeriesProgress, SeriesSolver};

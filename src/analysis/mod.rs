//! Questions asked of a game, its solution, or a policy.

mod best_response;
mod exploitability;
mod forced;
mod judgement;
mod meeting;
#[cfg(feature = "sampling")]
mod sampled_games;

pub use best_response::BestResponse;
pub use exploitability::Exploitability;
pub use forced::ForcedPlay;
pub use judgement::{Habit, Judgement};
pub use meeting::Meeting;
#[cfg(feature = "sampling")]
pub use sampled_games::SampledGames;

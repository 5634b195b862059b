//! The rules of the game, and nothing about solving it.

mod ball;
mod bid;
pub(crate) mod codec;
mod motion;
mod outcome;
mod player;
mod record;
mod rules;
mod scoring;
mod state;

pub use ball::Ball;
pub use bid::Bid;
pub use motion::Motion;
pub use outcome::Outcome;
pub use player::Player;
pub use record::{GameRecord, Turn};
pub use rules::Rules;
pub use scoring::{Payoff, Scoring};
pub use state::State;

//! The rules of the game, and nothing about solving it.

#![expect(missing_docs, reason = "plain accessors and fields are documented by their names and types")]

mod ball;
mod bid;
mod by_player;
pub(crate) mod codec;
mod error;
mod motion;
mod outcome;
mod payoff_ranks;
mod player;
mod record;
mod rules;
mod scoring;
mod secured;
mod state;
mod state_space;
mod view;

pub use ball::Ball;
pub use by_player::ByPlayer;
pub use error::GameError;
pub use motion::Motion;
pub use outcome::Outcome;
pub use player::Player;
pub use record::{GameRecord, Turn};
pub use rules::Rules;
pub use scoring::{Payoff, Scoring};
pub use state::State;

pub(crate) use bid::check_bid;
pub(crate) use payoff_ranks::PayoffRanks;
pub(crate) use scoring::{big_rational, nearest_double};
pub(crate) use secured::Secured;
pub(crate) use state_space::StateSpace;
pub(crate) use view::View;

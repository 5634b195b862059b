//! The rules of the game, and nothing about solving it.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod ball;
pub(crate) mod codec;
mod error;
mod outcome;
mod record;
mod rules;
mod scoring;
mod state;
mod state_space;

pub(crate) use ::stochastic_game::internal::SecuredBounds;
pub use ::stochastic_game::{ByPlayer, Player};
pub use ball::{Ball, Motion};
pub use error::{GameError, HeaderFault, RecordFault};
pub use outcome::Outcome;
pub use record::{GameRecord, Turn};
pub use rules::Rules;
pub use scoring::{Payoff, Scoring};
pub use state::State;

pub(crate) use rules::check_bid;
pub(crate) use scoring::{PayoffRanks, big_rational, nearest_double};
pub(crate) use state_space::StateSpace;

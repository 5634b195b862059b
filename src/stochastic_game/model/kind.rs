//! Kinds of games.

use crate::error::{StochasticGameError, StochasticGameFault};
use crate::written_as::written_as;

/// How a game comes to an end, or does not.
///
/// What is said of a game is verified, never trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// No state can come back.
    Acyclic,
    /// Of everything that follows a turn only a share counts: the discount.
    Discounted,
    /// States can come back, but whatever the players do, play ends with certainty.
    Stopping,
    /// Play may go on for ever, for a payoff; nothing is paid on the way (Everett 1957).
    Recursive,
}

written_as!(
    Kind { Acyclic => "acyclic", Discounted => "discounted", Stopping => "stopping", Recursive => "recursive" },
    |text| StochasticGameError::from(StochasticGameFault::Kind { text }) => StochasticGameError
);

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
    /// Total reward: all rewards have one sign, and play may go on for ever, for what it collects and a payoff. What can be collected
    /// is finite.
    Total,
    /// Total reward until an end: as [`Total`](Self::Total), but play that goes on for ever pays infinitely much, with the sign of the
    /// rewards (stochastic shortest paths; Patek and Bertsekas 1999).
    Target,
}

impl Kind {
    /// Whether play may go on for ever without a discount.
    pub(crate) const fn may_last(self) -> bool {
        matches!(self, Self::Recursive) || self.is_total()
    }

    pub(crate) const fn is_total(self) -> bool {
        matches!(self, Self::Total | Self::Target)
    }
}

written_as!(
    Kind {
        Acyclic => "acyclic", Discounted => "discounted", Stopping => "stopping", Recursive => "recursive", Total => "total",
        Target => "target",
    },
    |text| StochasticGameError::from(StochasticGameFault::Kind { text }) => StochasticGameError
);

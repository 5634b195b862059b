//! The kinds of games.

use crate::error::{StochasticGameError, StochasticGameFault};
use crate::written_as::written_as;

/// Whether and how a game ends. The kind is verified, never trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// No state can recur.
    Acyclic,
    /// A discount multiplies the value of every successor.
    Discounted,
    /// States can recur, but play ends with certainty for any strategies.
    Stopping,
    /// Play may be infinite, with a payoff; there are no rewards on the way (Everett 1957).
    Recursive,
    /// Total reward: all rewards have one sign, and play may go on for ever, for what it collects
    /// and a payoff. What can be collected is finite.
    Total,
    /// Total reward until an end: as [`Total`](Self::Total), but play that goes on for ever pays
    /// infinitely much, with the sign of the rewards (stochastic shortest paths; Patek and
    /// Bertsekas 1999).
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

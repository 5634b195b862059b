//! The numbers that both players' strategies prove about a state.

use super::{ByPlayer, Player};
use crate::bounds::Bounds;

/// The least that A and that B wins for certain, each counted as that player's own payoff, in units.
///
/// A's is a lower bound of the value, and B's is the negative of an upper bound: not to be mistaken for
/// [`Bounds`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Secured(ByPlayer<i64>);

impl Secured {
    /// The numbers that `secures` gives A and B.
    pub(crate) fn new(secures: impl FnMut(Player) -> i64) -> Self {
        Self(ByPlayer::new(secures))
    }

    /// The numbers that stand for bounds of the value.
    pub(crate) const fn from_bounds(Bounds { lower, upper }: Bounds) -> Self {
        Self(ByPlayer { a: lower, b: -upper })
    }

    /// The lower and the upper bound of the value to A.
    pub(crate) const fn bounds(self) -> Bounds {
        Bounds::new(self.0.a, -self.0.b)
    }

    /// The number of one player.
    pub(crate) fn by(self, player: Player) -> i64 {
        self.0[player]
    }

    /// The distance of the two bounds.
    pub(crate) const fn gap(self) -> i64 {
        -(self.0.a + self.0.b)
    }

    /// The same numbers at the mirror image of the state.
    #[must_use]
    pub(crate) fn mirrored(self) -> Self {
        Self(self.0.exchanged())
    }
}

use super::{ByPlayer, Player};
use crate::bounds::Bounds;

/// Proved security levels of A and of B, each as that player's own payoff, in units.
///
/// A's is a lower bound of the value, B's the negative of an upper bound, unlike in [`Bounds`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Secured(ByPlayer<i64>);

impl Secured {
    pub(crate) fn new(secures: impl FnMut(Player) -> i64) -> Self {
        Self(ByPlayer::new(secures))
    }

    /// The security levels that correspond to bounds of the value.
    pub(crate) const fn from_bounds(Bounds { lower, upper }: Bounds) -> Self {
        Self(ByPlayer { a: lower, b: -upper })
    }

    pub(crate) const fn bounds(self) -> Bounds {
        Bounds::new(self.0.a, -self.0.b)
    }

    pub(crate) fn by(self, player: Player) -> i64 {
        self.0[player]
    }

    pub(crate) const fn gap(self) -> i64 {
        -(self.0.a + self.0.b)
    }

    /// The security levels at the mirror image of the state.
    #[must_use]
    pub(crate) fn mirrored(self) -> Self {
        Self(self.0.exchanged())
    }
}

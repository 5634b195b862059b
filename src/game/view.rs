//! The game as one player sees it.

use super::{Outcome, Player, State};

/// A state as one player sees it: A's view of `(a, b, x)` is B's view of `(b, a, −x)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// The player's points.
    pub(crate) own: u32,
    /// The opponent's points.
    pub(crate) opponent: u32,
    /// The position of the ball, counted toward the opponent's end.
    pub(crate) position: i32,
}

impl State {
    /// The state as `player` sees it.
    pub(crate) const fn seen_by(self, player: Player) -> View {
        let (own, opponent) = (self.points(player), self.points(player.opponent()));
        View { own, opponent, position: self.ball.position() * player.direction() }
    }
}

impl Player {
    /// A's and B's thing as the own one and the opponent's.
    pub(crate) fn own_first<T>(self, [a, b]: [T; 2]) -> [T; 2] {
        match self {
            Self::A => [a, b],
            Self::B => [b, a],
        }
    }

    /// The ends with the ball out beyond the opponent's side and beyond the own one.
    pub(crate) const fn out_ends(self) -> [Outcome; 2] {
        match self {
            Self::A => [Outcome::OutByA, Outcome::OutByB],
            Self::B => [Outcome::OutByB, Outcome::OutByA],
        }
    }
}

use super::{Outcome, Player, State};

/// A state from one player's side: A's view of `(a, b, x)` is B's view of `(b, a, −x)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) own: u32,
    pub(crate) opponent: u32,
    /// Counted toward the opponent's end.
    pub(crate) position: i32,
}

impl State {
    pub(crate) const fn seen_by(self, player: Player) -> View {
        let (own, opponent) = (self.points(player), self.points(player.opponent()));
        View { own, opponent, position: self.ball.position() * player.direction() }
    }
}

impl Player {
    /// Orders A's and B's thing as the player's own and the opponent's.
    pub(crate) fn own_first<T>(self, [a, b]: [T; 2]) -> [T; 2] {
        match self {
            Self::A => [a, b],
            Self::B => [b, a],
        }
    }

    /// The outcomes with the ball out beyond the opponent's side and beyond the player's own.
    pub(crate) const fn out_ends(self) -> [Outcome; 2] {
        match self {
            Self::A => [Outcome::OutByA, Outcome::OutByB],
            Self::B => [Outcome::OutByB, Outcome::OutByA],
        }
    }
}

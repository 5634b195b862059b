//! The ends of a game of Tennis.

use super::{GameError, Player};
use crate::written_as::written_as;

/// The five outcomes of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// A hit the ball out of the field beyond B's side.
    OutByA,
    /// Both accounts are empty and the ball lies on B's side.
    LiesWithB,
    /// Both accounts are empty and the ball lies on the net.
    Draw,
    /// Both accounts are empty and the ball lies on A's side.
    LiesWithA,
    /// B hit the ball out of the field beyond A's side.
    OutByB,
}

impl Outcome {
    /// All outcomes in the order in which scorings are written, from A's best to B's best.
    pub const ALL: &[Self] = &Self::EACH;

    pub(crate) const EACH: [Self; 5] =
        [Self::OutByA, Self::LiesWithB, Self::Draw, Self::LiesWithA, Self::OutByB];

    /// The ball out beyond the opponent's side, and beyond the player's own.
    pub(crate) const fn out_ends(player: Player) -> [Self; 2] {
        match player {
            Player::A => [Self::OutByA, Self::OutByB],
            Player::B => [Self::OutByB, Self::OutByA],
        }
    }

    pub const fn index(self) -> usize {
        self as usize
    }

    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::EACH[Self::EACH.len() - 1 - self.index()]
    }
}

written_as!(
    Outcome {
        OutByA => "A hits the ball out",
        LiesWithB => "the ball lies on B's side",
        Draw => "draw",
        LiesWithA => "the ball lies on A's side",
        OutByB => "B hits the ball out",
    },
    |text| GameError::OutcomeUnknown { text } => GameError
);

//! The two players.

use std::fmt;
use std::str::FromStr;

use super::GameError;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// "Plus": hits toward the positive end, maximises the payoff, picks the row.
    A,
    /// "Minus": hits toward the negative end, minimises the payoff, picks the column.
    B,
}

impl Player {
    /// A, then B.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// The direction in which the player hits the ball: +1 for A, −1 for B.
    pub const fn direction(self) -> i32 {
        match self {
            Self::A => 1,
            Self::B => -1,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

impl FromStr for Player {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let player = Self::BOTH.into_iter().find(|player| player.to_string() == text);
        player.ok_or_else(|| GameError::PlayerUnknown { text: text.to_owned() })
    }
}

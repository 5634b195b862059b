use super::GameError;
use crate::written_as::written_as;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Hits toward the positive end, maximises the payoff, picks the row.
    A,
    /// Hits toward the negative end, minimises the payoff, picks the column.
    B,
}

impl Player {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

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

written_as!(
    Player {
        A => "A",
        B => "B",
    },
    |text| GameError::PlayerUnknown { text } => GameError
);

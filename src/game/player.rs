use std::ops::{Index, IndexMut};

use super::GameError;
use crate::bounds::Bounds;
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

/// A pair indexed by [`Player`].
///
/// ```
/// use pencil_tennis::{ByPlayer, Player};
///
/// let mut wins = ByPlayer { a: 3, b: 1 };
/// wins[Player::B] += 1;
/// assert_eq!(wins.map(|won| won * 10), ByPlayer::new(|player| if player == Player::A { 30 } else { 20 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct ByPlayer<T> {
    pub a: T,
    pub b: T,
}

impl<T> ByPlayer<T> {
    /// Calls `make` for A, then for B.
    pub fn new(mut make: impl FnMut(Player) -> T) -> Self {
        let a = make(Player::A);
        Self { a, b: make(Player::B) }
    }

    /// Applies `change` to both, A's first.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByPlayer<U> {
        let a = change(self.a);
        ByPlayer { a, b: change(self.b) }
    }

    pub const fn as_ref(&self) -> ByPlayer<&T> {
        ByPlayer { a: &self.a, b: &self.b }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        [&self.a, &self.b].into_iter()
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> + ExactSizeIterator {
        [&mut self.a, &mut self.b].into_iter()
    }

    pub fn into_array(self) -> [T; 2] {
        [self.a, self.b]
    }

    #[must_use]
    pub fn exchanged(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

impl<T> From<[T; 2]> for ByPlayer<T> {
    fn from([a, b]: [T; 2]) -> Self {
        Self { a, b }
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::A => &mut self.a,
            Player::B => &mut self.b,
        }
    }
}

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

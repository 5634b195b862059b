//! The two players, and values that each of them has.

use std::ops::{Index, IndexMut};

use crate::bounds::Bounds;
use crate::error::PlayerError;
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

    /// Orders A's and B's thing as the player's own and the opponent's; twice is the first order.
    #[inline]
    pub fn own_first<T>(self, pair: [T; 2]) -> [T; 2] {
        let [a, b] = pair;
        match self {
            Self::A => [a, b],
            Self::B => [b, a],
        }
    }
}

written_as!(
    Player {
        A => "A",
        B => "B",
    },
    |text| PlayerError { text } => PlayerError
);

#[cfg(feature = "serde")]
impl serde::Serialize for Player {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Player {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A pair indexed by [`Player`].
///
/// ```
/// use stochastic_game::{ByPlayer, Player};
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

/// Bounds as the players see them.
pub trait SecuredBounds {
    /// The bounds that the players' security levels prove, each as that player's own payoff.
    fn of_secured(secures: impl FnMut(Player) -> i64) -> Self;

    /// The player's own payoff that the bounds prove to be secured.
    fn secured_by(self, player: Player) -> i64;
}

impl SecuredBounds for Bounds {
    fn of_secured(mut secures: impl FnMut(Player) -> i64) -> Self {
        let lower = secures(Player::A);
        Self { lower, upper: -secures(Player::B) }
    }

    fn secured_by(self, player: Player) -> i64 {
        match player {
            Player::A => self.lower,
            Player::B => -self.upper,
        }
    }
}

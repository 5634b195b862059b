//! States of Tennis.

use std::fmt;
use std::str::FromStr;

use super::{Ball, GameError, Player};

/// A state of a game: both accounts and the ball.
///
/// It is written `POINTS_A:POINTS_B@BALL`, for example `50:50@0` or `4:3@-2`; a plus sign before
/// the ball is read and not printed.
///
/// ```
/// use pencil_tennis::State;
///
/// let state: State = "8:5@+1".parse()?;
/// assert_eq!((state.a, state.b, state.ball.position()), (8, 5, 1));
/// assert_eq!(state.to_string(), "8:5@1");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub a: u32,
    pub b: u32,
    /// Positive on B's side.
    pub ball: Ball,
}

impl State {
    pub const fn new(a: u32, b: u32, ball: Ball) -> Self {
        Self { a, b, ball }
    }

    pub const fn points(self, player: Player) -> u32 {
        match player {
            Player::A => self.a,
            Player::B => self.b,
        }
    }

    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a, ball: self.ball.mirrored() }
    }

    /// The state in a player's view, who is A there.
    pub(crate) const fn seen_by(self, player: Player) -> Self {
        match player {
            Player::A => self,
            Player::B => self.mirrored(),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}@{}", self.a, self.b, self.ball))
    }
}

impl FromStr for State {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let syntax = || GameError::StateSyntax { text: text.to_owned() };
        let (accounts, ball) = text.trim().split_once('@').ok_or_else(syntax)?;
        let (a, b) = accounts.split_once(':').ok_or_else(syntax)?;
        let points = |text: &str| text.parse::<u32>().map_err(|_| syntax());
        let ball: i32 = ball.parse().map_err(|_| syntax())?;
        Ok(Self::new(points(a)?, points(b)?, Ball::new(ball)?))
    }
}

//! The ball, and how bids move it.

use std::fmt;
use std::str::FromStr;

use super::{GameError, Player};
use crate::coded::coded;
use crate::written_as::written_as;

/// The position of the ball: 0 is the net, positive fields lie on B's side, negative ones on A's.
///
/// A positive ball is good for A. Which positions are *inside the field* depends on the
/// [`Rules`](crate::Rules); a `Ball` on its own is any position that some field could have.
///
/// ```
/// use pencil_tennis::Ball;
///
/// assert_eq!("+1".parse::<Ball>()?, Ball::new(1)?);
/// assert_eq!(Ball::new(-2)?.mirrored().to_string(), "2");
/// assert!(Ball::new(1000).is_err());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ball(i8);

impl Ball {
    pub const NET: Self = Self(0);

    /// The farthest position of any ball from the net.
    pub const FARTHEST: i32 = 100;

    /// A ball at `position`.
    ///
    /// # Errors
    /// [`GameError::BallOutside`] beyond [`Self::FARTHEST`].
    pub fn new(position: i32) -> Result<Self, GameError> {
        if position.unsigned_abs() > Self::FARTHEST.unsigned_abs() {
            return Err(GameError::BallOutside { ball: position, field: Self::FARTHEST });
        }
        Ok(Self(position as i8))
    }

    /// A position already checked to be inside a field.
    pub(crate) const fn at(position: i32) -> Self {
        Self(position as i8)
    }

    pub const fn position(self) -> i32 {
        self.0 as i32
    }

    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Ball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Ball {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let position: i32 =
            text.parse().map_err(|_| GameError::BallSyntax { text: text.to_owned() })?;
        Self::new(position)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Over the net: from the hitter's own side (or the net) to the first field across, else one
    /// field further. Tennis.
    #[default]
    Net,
    /// Always one field. Footsteps, Oshi-Zumo.
    Step,
}

impl Motion {
    /// The next position of the ball when `hitter` bids higher; it may be out of the field.
    ///
    /// ```
    /// use pencil_tennis::{Motion, Player};
    ///
    /// assert_eq!(Motion::Net.hit(-2, Player::A), 1);
    /// assert_eq!(Motion::Step.hit(-2, Player::A), -1);
    /// ```
    pub const fn hit(self, position: i32, hitter: Player) -> i32 {
        let direction = hitter.direction();
        match self {
            Self::Net if position * direction <= 0 => direction,
            Self::Net | Self::Step => position + direction,
        }
    }
}

coded!(Motion { Net = 0, Step = 1 });

written_as!(
    Motion {
        Net => "net",
        Step => "step",
    },
    |text| GameError::MotionUnknown { text } => GameError
);

//! The motion of the ball when it is hit.

use std::fmt;
use std::str::FromStr;

use super::{GameError, Player};

/// The distance that the higher bid moves the ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Over the net: from the hitter's own side (or the net) to the first field across, else one further. Tennis.
    #[default]
    Net,
    /// Always one field. Footsteps, Oshi-Zumo.
    Step,
}

impl Motion {
    /// The next position of a ball at `position` when `hitter` bids higher; it may be out of the field.
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

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Net => "net",
            Self::Step => "step",
        })
    }
}

impl FromStr for Motion {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        match text {
            "net" => Ok(Self::Net),
            "step" => Ok(Self::Step),
            _ => Err(GameError::MotionUnknown { text: text.to_owned() }),
        }
    }
}

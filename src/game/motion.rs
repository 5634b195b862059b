use super::{GameError, Player};
use crate::written_as::written_as;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Over the net: from the hitter's own side (or the net) to the first field across, else one field further. Tennis.
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

written_as!(
    Motion {
        Net => "net",
        Step => "step",
    },
    |text| GameError::MotionUnknown { text } => GameError
);

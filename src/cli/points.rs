//! The points that a game starts with, given in the same way to every command.

use std::str::FromStr;

use clap::Args;
use pencil_tennis::{GameError, Player, Solver};

use super::numbers;

/// The points both players start with: `50`, or `50:40` for A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Points {
    pub(super) a: u32,
    pub(super) b: u32,
}

impl Points {
    pub(super) const USUAL: Self = Self { a: 50, b: 50 };

    pub(super) const fn both(self) -> [u32; 2] {
        [self.a, self.b]
    }
}

impl From<[u32; 2]> for Points {
    fn from([a, b]: [u32; 2]) -> Self {
        Self { a, b }
    }
}

impl FromStr for Points {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (a, b) = text.split_once(':').unwrap_or((text, text));
        let points = |text: &str| -> Result<u32, String> {
            let number =
                numbers::whole(text).ok_or_else(|| "expected a number of points such as 50, or A:B such as 50:40".to_owned())?;
            // Up to there the solver says what is too much, in points or in memory.
            let most = super::grouped(Solver::MOST_POINTS as usize);
            u32::try_from(number).map_err(|_| format!("{number} points are too many; expected at most {most}"))
        };
        let points = Self { a: points(a)?, b: points(b)? };
        for (player, own) in Player::BOTH.into_iter().zip(points.both()) {
            if own == 0 {
                return Err(GameError::NoPoints { player }.to_string());
            }
        }
        Ok(points)
    }
}

/// The points of a command that solves a game.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct PointsArgs {
    /// Points each, or A:B for A and B [default: 50]
    #[arg(value_name = "POINTS | A:B")]
    place: Option<Points>,
    #[command(flatten)]
    option: PointsOption,
}

impl PointsArgs {
    pub(super) fn asked(self) -> Option<Points> {
        if let (Some(_), Some(_)) = (self.place, self.option.points) {
            super::wrong_usage("the points are given twice; expected them once");
        }
        self.place.or(self.option.points)
    }

    pub(super) fn get(self) -> Points {
        self.asked().unwrap_or(Points::USUAL)
    }
}

/// The same as an option, which all commands know.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct PointsOption {
    /// The same as POINTS | A:B behind the command
    #[arg(long, value_name = "POINTS | A:B", help_heading = "Rules")]
    pub(super) points: Option<Points>,
}

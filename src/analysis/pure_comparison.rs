//! Pure play beside optimal play.

use super::ForcedPlay;
use crate::error::Error;
use crate::game::Player;
use crate::solution::Solution;

/// The numbers of states whose value pure play can force. The five numbers add up to all states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PureComparison {
    /// Both players get the value by pure play: the decided states.
    pub both: usize,
    /// A gets the value by pure play, B has to randomise, here or later.
    pub a_alone: usize,
    /// B gets the value by pure play, A has to randomise, here or later.
    pub b_alone: usize,
    /// Both have to randomise, here or later.
    pub neither: usize,
    /// The bounds of the value do not tell.
    pub unknown: usize,
    /// Whether the bounds of the values are proved: see [`Solution::is_proved`].
    pub proved: bool,
}

impl PureComparison {
    /// Compares what pure play forces with a solution of the same game.
    ///
    /// # Errors
    /// As for [`Solution::check`], when the solution does not cover the states.
    pub fn new(forced: &ForcedPlay, solution: &Solution) -> Result<Self, Error> {
        let mut counts = Self { proved: solution.is_proved(), ..Self::default() };
        for state in forced.states() {
            let [a, b] = [forced.attains(Player::A, solution, state)?, forced.attains(Player::B, solution, state)?];
            *match (a, b) {
                (Some(true), Some(true)) => &mut counts.both,
                (Some(true), Some(false)) => &mut counts.a_alone,
                (Some(false), Some(true)) => &mut counts.b_alone,
                (Some(false), Some(false)) => &mut counts.neither,
                (None, _) | (_, None) => &mut counts.unknown,
            } += 1;
        }
        Ok(counts)
    }
}

use super::ForcedPlay;
use crate::error::Error;
use crate::game::Player;
use crate::solution::Solution;

/// The numbers of states whose value pure play attains for both players, one, or none. The first five numbers sum to the number
/// of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[expect(missing_docs, reason = "`unknown` where the bounds do not tell; for `proved` see `Solution::is_proved`")]
pub struct PureComparison {
    pub both: usize,
    pub a_alone: usize,
    pub b_alone: usize,
    pub neither: usize,
    pub unknown: usize,
    pub proved: bool,
}

impl PureComparison {
    /// Compares pure play with a solution of the same game.
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

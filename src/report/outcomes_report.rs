//! The report for scripts of the outcomes of games between optimal players.

use serde::Serialize;

use super::EndsReport;
use crate::analysis::Matchup;
use crate::error::Error;
use crate::game::ByPlayer;
use crate::policy::Policy;
use crate::solution::Solution;

/// The outcomes of games, their length and the points left, if both players bid optimally from the start.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutcomesReport {
    /// The probability of each end.
    pub ends: EndsReport<f64>,
    /// The number of turns.
    pub turns: NumberReport,
    /// The points left at the end.
    pub left: ByPlayer<NumberReport>,
    /// The probability that both bid 0 for ever in the end, which counts as an end where the ball lies; absent where the smallest
    /// bid is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endless: Option<f64>,
    /// The mean number of turns in which both bid 0 and something else later, which are no `turns`; absent where the smallest bid
    /// is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standstills: Option<f64>,
}

/// A number that depends on chance.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NumberReport {
    /// Its mean.
    pub mean: f64,
    /// The probabilities of 0, 1, 2, …
    pub probabilities: Vec<f64>,
}

impl OutcomesReport {
    /// Lets the optimal strategies of a solution meet at its start.
    ///
    /// # Errors
    /// None in practice: the start is always part of the solution.
    pub fn new(solution: &Solution) -> Result<Self, Error> {
        let optimal = Policy::optimal(solution);
        let matchup = Matchup::new(solution.rules(), solution.start(), &optimal, &optimal)?;
        let left =
            |player| NumberReport { mean: matchup.mean_points_left(player), probabilities: matchup.points_left(player).to_vec() };
        let with_zero = solution.rules().min_bid() == 0;
        Ok(Self {
            ends: EndsReport::new(|outcome| matchup.probability(outcome)),
            turns: NumberReport { mean: matchup.mean_turns(), probabilities: matchup.turns().to_vec() },
            left: ByPlayer::new(left),
            endless: with_zero.then(|| matchup.endless()),
            standstills: with_zero.then(|| matchup.mean_standstills()),
        })
    }
}

impl NumberReport {
    /// The smallest number that is not exceeded with this probability.
    pub fn quantile(&self, probability: f64) -> usize {
        let mut sum = 0.0;
        let reached = self.probabilities.iter().position(|share| {
            sum += share;
            sum >= probability
        });
        // Sums of rounded numbers may fall short of 1.
        reached.unwrap_or(self.probabilities.len().saturating_sub(1))
    }
}

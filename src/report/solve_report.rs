//! A whole solution in a few numbers, as scripts read it.

use super::document::ByEnd;
use crate::analysis::{Matchup, StateAnalysis, UniqueCount};
use crate::error::Error;
use crate::game::{ByPlayer, Player};
use crate::serde_object::as_objects;
use crate::solution::Solution;

/// The report of `solve`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveReport<'s> {
    /// The solution.
    pub solution: &'s Solution,
    /// The numbers of states in which the optimal strategies are the only ones, if they were asked for.
    pub unique_states: Option<ByPlayer<UniqueCount>>,
    /// The outcomes of games when both players bid optimally, if that was asked for.
    pub outcomes: Option<Matchup>,
    /// The state at the start.
    pub start: StateAnalysis,
}

impl<'s> SolveReport<'s> {
    /// The report of a solution.
    ///
    /// # Errors
    /// As for [`Solution::equilibrium`]: when strategies are in a file that has become unreadable.
    pub fn new(solution: &'s Solution) -> Result<Self, Error> {
        Ok(Self { solution, unique_states: None, outcomes: None, start: StateAnalysis::new(solution, solution.start())? })
    }
}

as_objects! {
    SolveReport<'_>, |report| {
        "points": report.solution.points(),
        "states": report.solution.len(),
        "method": report.solution.method(),
        "randomised_states": report.solution.randomised_states(),
        "widest_enclosure": report.solution.widest_enclosure(),
        "exact_states" if known: report.solution.is_exact_asked().then(|| report.solution.exact_states()),
        "irrational_states" if known: report.solution.is_exact_asked().then(|| report.solution.irrational_states()),
        "unique_states" if known: report.unique_states,
        "outcomes" if known: report.outcomes.as_ref().map(|matchup| Outcomes { report, matchup }),
        "seconds": report.solution.seconds(),
        "start": report.start,
    }
    Outcomes<'_>, |outcomes| {
        "ends": ByEnd::new(|outcome| outcomes.matchup.probability(outcome)),
        "turns": Number { mean: outcomes.matchup.mean_turns(), probabilities: outcomes.matchup.turns() },
        "left": ByPlayer::new(|player| outcomes.left(player)),
        "endless" if known: outcomes.with_zero().then(|| outcomes.matchup.endless()),
        "standstills" if known: outcomes.with_zero().then(|| outcomes.matchup.mean_standstills()),
    }
}

/// The ends of games, their length and the points left.
struct Outcomes<'r> {
    report: &'r SolveReport<'r>,
    matchup: &'r Matchup,
}

#[derive(serde::Serialize)]
struct Number<'p> {
    mean: f64,
    probabilities: &'p [f64],
}

impl Outcomes<'_> {
    fn left(&self, player: Player) -> Number<'_> {
        Number { mean: self.matchup.mean_points_left(player), probabilities: self.matchup.points_left(player) }
    }

    fn with_zero(&self) -> bool {
        self.report.solution.rules().min_bid() == 0
    }
}

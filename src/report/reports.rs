//! JSON reports of Tennis.

use std::io::{self, Write};

use serde::Serialize;

use super::document::ByEnd;
use super::proved_value::middle;
use super::tables::write_csv;
use super::{StochasticStateReport, WriteCsv};
use crate::agents::Tally;
use crate::analysis::{
    Endgame, ForcedPlay, Matchup, PolicyEvaluation, PureComparison, StateAnalysis, StateRegret,
    UniqueCount,
};
use crate::bounds::Enclosure;
use crate::error::Error;
use crate::game::{Ball, ByPlayer, Outcome, Payoff, State};
use crate::serde_object::{as_objects, end_name, object};
use crate::solution::Solution;
use crate::stochastic_game::{StochasticGameError, StochasticSolution, Successor, Turn};

/// The report of `solve`; optional parts are `None`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveReport<'s> {
    pub solution: &'s Solution,
    pub unique_states: Option<ByPlayer<UniqueCount>>,
    pub outcomes: Option<Matchup>,
    pub start: StateAnalysis,
}

impl<'s> SolveReport<'s> {
    /// The report of a solution.
    ///
    /// # Errors
    /// As for [`Solution::equilibrium`], if the file of the strategies has become unreadable.
    pub fn new(solution: &'s Solution) -> Result<Self, Error> {
        Ok(Self {
            solution,
            unique_states: None,
            outcomes: None,
            start: StateAnalysis::new(solution, solution.start())?,
        })
    }
}

as_objects! {
    SolveReport<'_>, |report| {
        "points": report.solution.points(),
        "states": report.solution.states().len(),
        "method": report.solution.method(),
        "randomised_states": report.solution.randomised_states(),
        "widest_enclosure": report.solution.widest_enclosure(),
        "exact_states" if known: report.solution.is_exact_asked().then(|| report.solution.exact_states()),
        "irrational_states" if known: report.solution.is_exact_asked().then(|| report.solution.irrational_states()),
        "unique_states" if known: report.unique_states,
        "outcomes" if known: report.outcomes.as_ref().map(|matchup| {
            let with_zero = report.solution.rules().min_bid() == 0;
            object! {
                "ends": ByEnd(|outcome| matchup.probability(outcome)),
                "turns": object! { "mean": matchup.mean_turns(), "probabilities": matchup.turns() },
                "left": ByPlayer::new(|player| object! {
                    "mean": matchup.mean_points_left(player),
                    "probabilities": matchup.points_left(player),
                }),
                "endless" if known: with_zero.then(|| matchup.endless()),
                "standstills" if known: with_zero.then(|| matchup.mean_standstills()),
            }
        }),
        "seconds": report.solution.seconds(),
        "start": report.start,
    }
}

/// The report of `tennis forced`; balls come from A's end to B's.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ForcedReport<'f> {
    pub forced: &'f ForcedPlay,
    pub endgames: Vec<Endgame>,
    pub comparison: Option<PureComparison>,
}

impl<'f> ForcedReport<'f> {
    pub fn new(forced: &'f ForcedPlay) -> Result<Self, Error> {
        let field = forced.rules().field();
        let endgames = (-field..=field).map(|ball| Endgame::of(forced, Ball::new(ball)?));
        Ok(Self { forced, endgames: endgames.collect::<Result<_, Error>>()?, comparison: None })
    }

    /// The number of states that are decided by pure play.
    pub fn decided_states(&self) -> usize {
        self.endgames.iter().map(|endgame| endgame.decided_states).sum()
    }

    /// The most points for which every state with at most as many on either side is decided.
    pub fn decided_to(&self) -> u32 {
        self.endgames.iter().map(|endgame| endgame.decided_to).min().unwrap_or(0)
    }

    /// The place of the payoff that A can force, or that B can hold A to, at each state: a list for
    /// each number of A's points from 0.
    fn payoff_indices(
        &self,
        ball: Ball,
        side: usize,
        payoff_index: impl Fn(Payoff) -> usize,
    ) -> Vec<Vec<usize>> {
        let [most_a, most_b] = self.forced.points();
        let of = |a, b| {
            self.forced
                .bounds(State::new(a, b, ball))
                .map_or(0, |bounds| payoff_index(bounds[side]))
        };
        (0..=most_a).map(|a| (0..=most_b).map(|b| of(a, b)).collect()).collect()
    }
}

as_objects! {
    ForcedReport<'_>, |report| {
        "points": report.forced.points(),
        "states": report.forced.states().count(),
        "decided_states": report.decided_states(),
        "decided_to": report.decided_to(),
        "payoffs": report.forced.payoffs().map(|payoff| payoff.to_string()).collect::<Vec<_>>(),
        "balls": {
            let (payoffs, scale) = (report.forced.payoffs().collect::<Vec<_>>(), report.forced.rules().scoring().scale());
            let payoff_index = |payoff| payoffs.iter().position(|&other| other == payoff).unwrap_or(0);
            // Rounding a payoff takes much longer than looking it up.
            let rounded = |&payoff: &Payoff| {
                let bounds = Enclosure::of_number(payoff, scale);
                [bounds.lower(), bounds.upper()]
            };
            let doubles: Vec<[f64; 2]> = payoffs.iter().map(rounded).collect();
            let ball = |endgame: &Endgame| {
                let [lower, upper] = [0, 1].map(|side| report.payoff_indices(endgame.ball, side, payoff_index));
                let numbers = |payoff_indices: &[Vec<usize>], side: usize| -> Vec<Vec<f64>> {
                    payoff_indices.iter().map(|row| row.iter().map(|&payoff_index| doubles[payoff_index][side]).collect()).collect()
                };
                object! {
                    "ball": endgame.ball.position(),
                    "decided_states": endgame.decided_states,
                    "decided_to": endgame.decided_to,
                    "first_undecided": endgame.first_undecided.clone(),
                    "last_between": endgame.last_between.clone(),
                    "needed": endgame.needed.clone(),
                    "lower": numbers(&lower, 0),
                    "upper": numbers(&upper, 1),
                    "lower_payoff": lower,
                    "upper_payoff": upper,
                }
            };
            report.endgames.iter().map(ball).collect::<Vec<_>>()
        },
        "comparison" if known: report.comparison,
    }
}

/// The report of `exploit`: a policy of this name, judged by a solution. Fields that a policy of
/// one player leaves undefined are `null`.
#[derive(Clone, Copy, Debug)]
pub struct ExploitReport<'r> {
    pub policy: &'r str,
    pub solution: &'r Solution,
    pub evaluation: &'r PolicyEvaluation,
}

impl ExploitReport<'_> {
    pub const WORST: usize = 10;
}

as_objects! {
    ExploitReport<'_>, |report| {
        "policy": report.policy,
        "points": report.solution.points(),
        "value": report.evaluation.value().middle(),
        "exploitability": middle(report.evaluation.exploitability().map(|exploitability| exploitability.mean())),
        "nash_conv": middle(report.evaluation.exploitability().map(|exploitability| exploitability.nash_conv())),
        "best_response_value": ByPlayer::new(|player| middle(report.evaluation.best_response_value(player))),
        "value_against_optimum": ByPlayer::new(|player| middle(report.evaluation.value_against_optimum(player))),
        "proved": report.solution.is_proved(),
        "guaranteed": object! {
            "value": report.evaluation.value(),
            "exploitability": report.evaluation.exploitability().map(|exploitability| exploitability.mean()),
            "nash_conv": report.evaluation.exploitability().map(|exploitability| exploitability.nash_conv()),
            "best_response_value": ByPlayer::new(|player| report.evaluation.best_response_value(player)),
            "value_against_optimum": ByPlayer::new(|player| report.evaluation.value_against_optimum(player)),
        },
        "worst": report.evaluation.worst(Self::WORST),
    }
}

/// The regret at every state: `a,b,ball,player,value,conceded,regret,reached,contribution`.
impl WriteCsv for PolicyEvaluation {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |of_state: &StateRegret| {
            let State { a, b, ball } = of_state.state;
            let StateRegret { player, value, conceded, regret, reached, contribution, .. } =
                *of_state;
            (a, b, ball.position(), player, value, conceded, regret, reached, contribution)
        };
        let header =
            ["a", "b", "ball", "player", "value", "conceded", "regret", "reached", "contribution"];
        write_csv(&header, out, self.state_regrets().map(row))
    }
}

/// A duel with its exact expectation, which is unknown if a player is a program. The first name is
/// A's; payoffs are A's.
#[derive(Clone, Debug)]
pub struct DuelReport {
    pub names: [String; 2],
    pub start: State,
    pub seed: u64,
    pub tally: Tally,
    pub matchup: Option<Matchup>,
}

impl DuelReport {
    /// A's exact expected payoff; `None` if a player's policy is unknown.
    pub fn exact(&self) -> Option<f64> {
        middle(self.matchup.as_ref().map(Matchup::value))
    }
}

as_objects! {
    DuelReport, |duel| {
        "a": duel.names[0],
        "b": duel.names[1],
        "start": duel.start,
        "seed": duel.seed,
        "games": duel.tally.games(),
        "outcomes": Outcome::EACH.map(|outcome| object! {
            "end": end_name(outcome),
            "outcome": outcome,
            "count": duel.tally.count(outcome),
            "share": duel.tally.share(duel.tally.count(outcome)),
            "interval": interval(duel.tally.interval(outcome)),
            "exact": duel.matchup.as_ref().map(|matchup| matchup.probability(outcome)),
        }),
        "mean": duel.tally.mean(),
        "standard_error": Some(duel.tally.standard_error()).filter(|error| error.is_finite()),
        "mean_interval": duel.tally.mean_interval().map(interval),
        "exact": duel.exact(),
        "exact_bounds": duel.matchup.as_ref().map(Matchup::value),
        "mean_turns": duel.tally.mean_turns(),
        "exact_turns": duel.matchup.as_ref().map(Matchup::mean_turns),
        "endless" if known: (duel.tally.rules().min_bid() == 0).then(|| object! {
            "count": duel.tally.endless(),
            "share": duel.tally.share(duel.tally.endless()),
            "exact": duel.matchup.as_ref().map(Matchup::endless),
            "exact_standstills": duel.matchup.as_ref().map(Matchup::mean_standstills),
        }),
    }
}

fn interval(bounds: [f64; 2]) -> impl Serialize {
    let [lower, upper] = bounds;
    object! { "lower": lower, "upper": upper }
}

/// A state of a solved game as a matrix: every action with its loss, and every pair of actions with
/// its successors.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StageReport {
    pub state: String,
    /// The double nearest to the middle of the bounds.
    pub value: f64,
    #[serde(flatten)]
    pub bounds: Enclosure,
    pub over: bool,
    pub picture: Option<String>,
    #[serde(flatten)]
    pub actions: ByPlayer<Vec<ActionWorth>>,
    /// A row for each action of A.
    pub cells: Vec<Vec<CellReport>>,
}

/// An action with its probability in the strategy found.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionWorth {
    pub action: String,
    pub probability: f64,
    /// The expected loss against the opponent's strategy.
    pub loss: f64,
}

/// A pair of actions.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CellReport {
    /// A's expected payoff from here on.
    pub value: f64,
    /// The immediate reward.
    pub reward: String,
    /// The successors with their probabilities.
    pub to: Vec<(String, String)>,
}

impl CellReport {
    fn new(turn: Turn<'_>, value: f64) -> Self {
        let mut to = Vec::with_capacity(turn.successors.len());
        for Successor { state, probability, .. } in turn.successors {
            to.push((probability.to_string(), state.name().to_owned()));
        }
        Self { value, reward: turn.reward.to_string(), to }
    }
}

impl StageReport {
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, state: usize) -> Result<Self, StochasticGameError> {
        let StochasticStateReport { state: name, value, bounds, over, .. } =
            StochasticStateReport::new(solution, state)?;
        let (strategies, losses) = (solution.strategies(&state)?, solution.losses(state)?);
        let view = solution.game().state(state)?;
        let actions = |player: usize| {
            let names = view.actions().map_or(&[][..], |names| names[player]);
            let entries = names.iter().zip(&losses[player]).enumerate();
            let action_reports = entries.map(|(action, (name, &loss))| {
                let probability = strategies[player]
                    .iter()
                    .find(|entry| entry.0 == action)
                    .map_or(0.0, |entry| entry.1);
                ActionWorth { action: name.to_string(), probability, loss }
            });
            action_reports.collect()
        };
        let mut cells = Vec::new();
        for (a, values) in solution.matrix(state)?.into_iter().enumerate() {
            let mut row = Vec::with_capacity(values.len());
            for (b, value) in values.into_iter().enumerate() {
                row.push(CellReport::new(view.turn([a, b])?, value));
            }
            cells.push(row);
        }
        let picture = view.picture().map(str::to_owned);
        let actions = ByPlayer { a: actions(0), b: actions(1) };
        Ok(Self { state: name, value, bounds, over, picture, actions, cells })
    }
}

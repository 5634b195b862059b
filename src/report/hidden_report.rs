//! JSON reports of games with hidden information.

use std::collections::HashMap;
use std::io::{self, Write};

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use serde::{Deserialize, Serialize};

use super::WriteCsv;
use super::rows::{Columns, read_csv};
use super::stochastic_game_report::ActionReport;
use crate::error::{HiddenError, TableFault};
use crate::game::{ByPlayer, Player};
use crate::hidden::{
    ActionPayoff, ActionPayoffs, BehaviourStrategy, GameTree, HiddenProof, HiddenSolution,
    InformationSet, SetId,
};
use crate::serde_object::as_objects;
use stochastic_game::internal::exact_number;
use stochastic_game::internal::{Expected, sentence};

/// The report of `solve` for a game with hidden information.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HiddenReport<'s> {
    pub solution: &'s HiddenSolution,
    /// Assumptions made in reading a file.
    pub assumptions: Vec<String>,
}

/// An information set, with the actions of positive probability.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SetReport {
    pub player: Player,
    pub set: String,
    /// The number of nodes that look alike.
    pub nodes: usize,
    pub actions: Vec<ActionReport>,
    /// The probability with which chance and the opponent's strategy lead to the set if the player
    /// does, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f64>,
    /// The payoffs of all actions, if they were asked for; `None` where the opponent's strategy
    /// never leads, or too rarely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<ActionPayoffReport>>,
}

/// The payoff of an action at an information set against the opponent's strategy, with best
/// responses after it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionPayoffReport {
    pub action: String,
    /// The expected payoff to A.
    pub value: f64,
    /// The player's loss beside the best action's payoff.
    pub loss: f64,
    /// The payoff as a fraction, of games that are solved exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

impl<'s> HiddenReport<'s> {
    pub const fn new(solution: &'s HiddenSolution, assumptions: Vec<String>) -> Self {
        Self { solution, assumptions }
    }

    /// All information sets of a player.
    pub fn sets(&self, player: Player) -> impl ExactSizeIterator<Item = SetReport> {
        let solution = self.solution;
        let sets = solution.tree().information_sets(player).iter().enumerate();
        sets.map(move |(number, set)| SetReport::of(solution, player, number, set))
    }

    /// How the strategies are refined, if this is proved of both.
    pub fn refinement(&self) -> Option<&'static str> {
        self.solution.test_sequence().map(|_| "quasi-perfect")
    }
}

impl SetReport {
    /// The report of a player's information set.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn new(solution: &HiddenSolution, player: Player, set: SetId) -> Result<Self, HiddenError> {
        let information_set = solution.tree().information_set(player, set)?;
        Ok(Self::of(solution, player, set, information_set))
    }

    /// The report of a set of the solution's tree, with its number.
    fn of(
        solution: &HiddenSolution,
        player: Player,
        number: SetId,
        information_set: &InformationSet,
    ) -> Self {
        let shares = solution.behaviour(player).probabilities_at(solution.tree(), number);
        let mut actions = Vec::new();
        for (action, share) in information_set.actions().iter().zip(shares) {
            let probability = share.to_f64().unwrap_or(f64::NAN);
            if probability > 0.0 {
                // Of other solutions the fractions are those of rounding.
                let exact = solution.exact().map(|_| share.to_string());
                actions.push(ActionReport { action: action.clone(), probability, exact });
            }
        }
        Self {
            player,
            set: information_set.name().to_owned(),
            nodes: information_set.nodes(),
            actions,
            reach: None,
            payoffs: None,
        }
    }

    /// The report of a player's information set with what each action is worth. `payoffs` are those
    /// of the player's actions.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn with_payoffs(
        solution: &HiddenSolution,
        player: Player,
        set: SetId,
        payoffs: &ActionPayoffs<'_>,
    ) -> Result<Self, HiddenError> {
        let actions = solution.tree().information_set(player, set)?.actions();
        let payoffs_here = payoffs.at(set)?;
        let mut reports = Vec::with_capacity(payoffs_here.len());
        if let Some(best) = best_payoff(player, &payoffs_here) {
            for (action, payoff) in actions.iter().zip(&payoffs_here) {
                reports.push(ActionPayoffReport {
                    action: action.clone(),
                    value: payoff.payoff().middle(),
                    loss: loss(payoff, best),
                    exact: solution.exact().and(payoff.exact()).map(ToString::to_string),
                });
            }
        }
        Ok(Self {
            reach: Some(payoffs.reach(set)?),
            payoffs: Some(reports).filter(|reports| !reports.is_empty()),
            ..Self::new(solution, player, set)?
        })
    }
}

/// The payoff that the player likes best.
fn best_payoff(player: Player, payoffs: &[ActionPayoff]) -> Option<&ActionPayoff> {
    let by_payoff = |one: &&ActionPayoff, other: &&ActionPayoff| {
        one.payoff().middle().total_cmp(&other.payoff().middle())
    };
    match player {
        Player::A => payoffs.iter().max_by(by_payoff),
        Player::B => payoffs.iter().min_by(by_payoff),
    }
}

/// How far a payoff is from the best one, rounded once where both are exact.
fn loss(payoff: &ActionPayoff, best: &ActionPayoff) -> f64 {
    match (payoff.exact(), best.exact()) {
        (Some(payoff), Some(best)) => (payoff - best).abs().to_f64().unwrap_or(f64::NAN),
        _ => (payoff.payoff().middle() - best.payoff().middle()).abs(),
    }
}

as_objects! {
    HiddenReport<'_>, |report| {
        "title" if known: report.solution.tree().title(),
        "assumptions" if known: Some(&report.assumptions).filter(|assumptions| !assumptions.is_empty()),
        "nodes": report.solution.tree().len(),
        "ends": report.solution.tree().ends(),
        "information_sets": Player::BOTH.map(|player| report.solution.tree().information_sets(player).len()),
        "value": report.solution.value(),
        "lower": report.solution.enclosure().lower(),
        "upper": report.solution.enclosure().upper(),
        "decimal": report.solution.enclosure().decimal(),
        "exact" if known: report.solution.exact().map(ToString::to_string),
        "refinement" if known: report.refinement(),
        "iterations": report.solution.iterations(),
        "sets": Player::BOTH.into_iter().flat_map(|player| report.sets(player)).collect::<Vec<_>>(),
    }

    HiddenProof, |proof| {
        "valid": true,
        "nodes": proof.tree().len(),
        "information_sets": Player::BOTH.map(|player| proof.tree().information_sets(player).len()),
        "lower": proof.enclosure().lower(),
        "upper": proof.enclosure().upper(),
        "decimal": proof.enclosure().decimal(),
        "unit_exponent": proof.enclosure().unit_exponent(),
    }
}

/// Both players' strategies: `player,set,action,probability`, with actions of probability 0.
impl WriteCsv for HiddenSolution {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(["player", "set", "action", "probability"])?;
        for player in Player::BOTH {
            for (number, set) in self.tree().information_sets(player).iter().enumerate() {
                for share in self.shares(player, number).map_err(io::Error::other)? {
                    rows.write_record([
                        &player.to_string(),
                        set.name(),
                        &share.action,
                        &share.probability.to_string(),
                    ])?;
                }
            }
        }
        rows.flush()
    }
}

#[derive(Deserialize)]
struct Row {
    player: String,
    set: String,
    action: String,
    probability: String,
}

const COLUMNS: &Columns =
    &[("player", "text"), ("set", "text"), ("action", "text"), ("probability", "text")];

/// Reads strategies of one player or both from csv with the columns
/// `player,set,action,probability`, among others, in any order. Actions of probability 0, and
/// information sets with a single action, may be missing.
///
/// Probabilities are read exactly. Those of a set are divided by their sum, which is 1 to within a
/// millionth.
///
/// # Errors
/// [`HiddenError::StrategyFile`] with the line; [`HiddenError::Strategy`] with the information set.
pub fn read_hidden_strategies(
    tree: &GameTree,
    bytes: &[u8],
) -> Result<Vec<BehaviourStrategy>, HiddenError> {
    let refuse = |reason| HiddenError::StrategyFile { reason };
    let mut given: ByPlayer<Option<Vec<Vec<Option<BigRational>>>>> = ByPlayer { a: None, b: None };
    let numbers = ByPlayer::new(|player| {
        let sets = tree.information_sets(player).iter().enumerate();
        sets.map(|(number, set)| (set.name(), number)).collect::<HashMap<&str, SetId>>()
    });
    let refuse_table = |fault: TableFault| refuse(fault.to_string());
    for row in read_csv::<Row>(bytes, csv::Trim::Headers, COLUMNS).map_err(refuse_table)? {
        let (line, row) = row.map_err(refuse_table)?;
        let line = line.number();
        let at = |reason: String| refuse(format!("line {line}: {reason}"));
        let player: Player = row.player.trim().parse().map_err(|_| {
            at(format!("`{}` is no player; expected A or B", sentence(&row.player)))
        })?;
        let found =
            numbers[player].get(row.set.as_str()).or_else(|| numbers[player].get(row.set.trim()));
        let unknown_set = || at(tree.unknown_set(player, &row.set).to_string());
        let number = *found.ok_or_else(unknown_set)?;
        let set = &tree.information_sets(player)[number];
        let action = set
            .actions()
            .iter()
            .position(|action| *action == row.action || action == row.action.trim());
        let unknown = || {
            let (action, set_name) = (sentence(&row.action), sentence(&set.name()));
            let actions = Expected(set.actions().iter().map(String::as_str));
            at(format!("{player} has no action `{action}` at `{set_name}`; {actions}"))
        };
        let action = action.ok_or_else(unknown)?;
        let probability =
            exact_number(&row.probability).map_err(|fault| at(fault.to_string()))?.to_rational();
        if probability.is_negative() {
            return Err(at(format!("the probability {} is negative", sentence(&probability))));
        }
        let empty = || {
            tree.information_sets(player)
                .iter()
                .map(|set| vec![None; set.actions().len()])
                .collect()
        };
        let entry = &mut given[player].get_or_insert_with(empty)[number][action];
        if entry.is_some() {
            return Err(at(format!(
                "{player}'s action `{}` at `{}` stands there twice",
                sentence(&row.action),
                sentence(&set.name())
            )));
        }
        *entry = Some(probability);
    }
    let mut strategies = Vec::new();
    for player in Player::BOTH {
        if let Some(given) = given[player].take() {
            let shares = |set: Vec<Option<BigRational>>| {
                set.into_iter().map(Option::unwrap_or_default).collect()
            };
            let probabilities: Vec<Vec<BigRational>> = given.into_iter().map(shares).collect();
            strategies.push(BehaviourStrategy::from_rounded_probabilities(
                tree,
                player,
                probabilities,
            )?);
        }
    }
    if strategies.is_empty() { Err(refuse("there are no rows".to_owned())) } else { Ok(strategies) }
}

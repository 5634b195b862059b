use std::collections::HashMap;
use std::io::{self, Write};

use num_rational::BigRational;
use num_traits::Signed;
use serde::{Deserialize, Serialize};

use super::rows::{Columns, read_csv};
use super::stochastic_game_report::ActionReport;
use crate::bounds::Enclosure;
use crate::error::HiddenError;
use crate::excerpt::sentence;
use crate::game::{ByPlayer, Player};
use crate::hidden::{ActionShare, BehaviourStrategy, GameTree, HiddenProof, HiddenSolution, Judgement, SetId};
use crate::serde_object::{as_objects, object};
use crate::stochastic_game::exact_number;

/// The report of `solve`, `show`, `prove` and `exploit` for a game with hidden information; optional parts are `None`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HiddenReport<'s> {
    pub solution: &'s HiddenSolution,
    /// What was assumed in reading a file.
    pub assumptions: Vec<String>,
    /// The information sets to report, of A and then of B.
    pub sets: Vec<SetReport>,
    pub policy: Option<HiddenJudgementReport<'s>>,
    /// The file of the certificate, which was read back and checked.
    pub certificate: Option<String>,
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
}

/// The judgement of one player's strategy, or of both.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HiddenJudgementReport<'s> {
    pub solution: &'s HiddenSolution,
    pub judgements: Vec<Judgement>,
}

impl<'s> HiddenReport<'s> {
    /// The report of a solution with these information sets, or with all.
    pub fn new(solution: &'s HiddenSolution, asked: Option<&[(Player, SetId)]>) -> Self {
        let tree = solution.tree();
        let all =
            || Player::BOTH.into_iter().flat_map(|player| (0..tree.information_sets(player).len()).map(move |set| (player, set)));
        let sets = match asked {
            Some(asked) => asked.iter().map(|&(player, set)| SetReport::new(solution, player, set)).collect(),
            None => all().map(|(player, set)| SetReport::new(solution, player, set)).collect(),
        };
        Self { solution, assumptions: Vec::new(), sets, policy: None, certificate: None }
    }
}

impl SetReport {
    /// The report of a player's information set.
    ///
    /// # Panics
    /// If the player has no set of this number.
    pub fn new(solution: &HiddenSolution, player: Player, set: SetId) -> Self {
        let information_set = &solution.tree().information_sets(player)[set];
        // Of other solutions the fractions are those of rounding.
        let exact = solution.exact().map(|_| solution.behaviour(player).probabilities(solution.tree(), set));
        let mut actions = Vec::new();
        for (place, ActionShare { action, probability }) in solution.shares(player, set).into_iter().enumerate() {
            if probability > 0.0 {
                let exact = exact.as_ref().map(|shares| shares[place].to_string());
                actions.push(ActionReport { action, probability, exact });
            }
        }
        Self { player, set: information_set.name().to_owned(), nodes: information_set.nodes(), actions }
    }
}

impl<'s> HiddenJudgementReport<'s> {
    /// The report of judged strategies; `None` if there are none.
    pub fn of(solution: &'s HiddenSolution, judgements: Vec<Judgement>) -> Option<Self> {
        (!judgements.is_empty()).then_some(Self { solution, judgements })
    }

    /// How much a judged strategy loses of the value against a best response, with proved bounds.
    pub fn loss(&self, judgement: &Judgement) -> Enclosure {
        let [worth, value] = [judgement.worth(), self.solution.enclosure()];
        match judgement.player() {
            Player::A => value.above(&worth),
            Player::B => worth.above(&value),
        }
    }

    /// Half of what both best responses gain, if both players' strategies are judged.
    pub fn exploitability(&self) -> Option<Enclosure> {
        match self.judgements.as_slice() {
            [a, b] => Some(Judgement::exploitability(&ByPlayer { a: a.clone(), b: b.clone() })),
            _ => None,
        }
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
        "bounds": report.solution.enclosure(),
        "exact" if known: report.solution.exact().map(ToString::to_string),
        "refinement" if known: report.solution.test_sequence().map(|_| "quasi-perfect"),
        "iterations": report.solution.iterations(),
        "sets": report.sets,
        "policy" if known: report.policy,
        "certificate" if known: report.certificate.as_ref().map(|file| object! { "file": file, "read_back": true }),
    }

    HiddenProof, |proof| {
        "valid": true,
        "nodes": proof.tree().len(),
        "information_sets": Player::BOTH.map(|player| proof.tree().information_sets(player).len()),
        "bounds": proof.enclosure(),
        "unit_exponent": proof.enclosure().unit_exponent(),
    }

    HiddenJudgementReport<'_>, |report| {
        "players": report.judgements.iter().map(|judgement| object! {
            "player": judgement.player(),
            "worth": judgement.worth(),
            "loss": report.loss(judgement),
            "exact" if known: judgement.exact().map(ToString::to_string),
        }).collect::<Vec<_>>(),
        "exploitability": report.exploitability(),
    }
}

/// Writes both players' strategies as csv: `player,set,action,probability`, with actions of probability 0.
pub fn write_hidden_strategies(solution: &HiddenSolution, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["player", "set", "action", "probability"])?;
    for player in Player::BOTH {
        for (number, set) in solution.tree().information_sets(player).iter().enumerate() {
            for share in solution.shares(player, number) {
                rows.write_record([&player.to_string(), set.name(), &share.action, &share.probability.to_string()])?;
            }
        }
    }
    rows.flush()
}

#[derive(Deserialize)]
struct Row {
    player: String,
    set: String,
    action: String,
    probability: String,
}

const COLUMNS: &Columns = &[("player", "text"), ("set", "text"), ("action", "text"), ("probability", "text")];

/// Reads strategies of one player or both from csv with the columns `player,set,action,probability`, among others, in any order.
/// Actions of probability 0, and information sets with a single action, may be missing.
///
/// Probabilities are read exactly. Those of a set are divided by their sum, which is 1 to within a millionth.
///
/// # Errors
/// [`HiddenError::StrategyFile`] with the line; [`HiddenError::Strategy`] with the information set.
pub fn read_hidden_strategies(tree: &GameTree, bytes: &[u8]) -> Result<Vec<BehaviourStrategy>, HiddenError> {
    let refuse = |reason| HiddenError::StrategyFile { reason };
    let mut given: ByPlayer<Option<Vec<Vec<Option<BigRational>>>>> = ByPlayer { a: None, b: None };
    let numbers = ByPlayer::new(|player| {
        let sets = tree.information_sets(player).iter().enumerate();
        sets.map(|(number, set)| (set.name(), number)).collect::<HashMap<&str, SetId>>()
    });
    for row in read_csv::<Row>(bytes, csv::Trim::Headers, COLUMNS).map_err(refuse)? {
        let (line, row) = row.map_err(refuse)?;
        let at = |reason: String| refuse(format!("line {line}: {reason}"));
        let player: Player =
            row.player.trim().parse().map_err(|_| at(format!("`{}` is no player; expected A or B", sentence(&row.player))))?;
        let found = numbers[player].get(row.set.as_str()).or_else(|| numbers[player].get(row.set.trim()));
        let unknown_set = || at(HiddenError::UnknownSet { player, name: row.set.clone() }.to_string());
        let number = *found.ok_or_else(unknown_set)?;
        let set = &tree.information_sets(player)[number];
        let action = set.actions().iter().position(|action| *action == row.action || action == row.action.trim());
        let unknown = || at(format!("{player} has no action `{}` at `{}`", sentence(&row.action), sentence(&set.name())));
        let action = action.ok_or_else(unknown)?;
        let probability = exact_number(&row.probability).map_err(|fault| at(fault.to_string()))?.to_rational();
        if probability.is_negative() {
            return Err(at(format!("the probability {} is negative", sentence(&probability))));
        }
        let empty = || tree.information_sets(player).iter().map(|set| vec![None; set.actions().len()]).collect();
        let place = &mut given[player].get_or_insert_with(empty)[number][action];
        if place.is_some() {
            return Err(at(format!(
                "{player}'s action `{}` at `{}` stands there twice",
                sentence(&row.action),
                sentence(&set.name())
            )));
        }
        *place = Some(probability);
    }
    let mut strategies = Vec::new();
    for player in Player::BOTH {
        if let Some(given) = given[player].take() {
            let shares = |set: Vec<Option<BigRational>>| set.into_iter().map(Option::unwrap_or_default).collect();
            let probabilities: Vec<Vec<BigRational>> = given.into_iter().map(shares).collect();
            strategies.push(BehaviourStrategy::from_rounded_probabilities(tree, player, probabilities)?);
        }
    }
    if strategies.is_empty() { Err(refuse("there are no rows".to_owned())) } else { Ok(strategies) }
}

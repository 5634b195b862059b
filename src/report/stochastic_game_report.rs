//! A solved stochastic game, as scripts read it.

use std::io::{self, Write};

use serde::Serialize;

use super::{BoundsReport, JudgementReport};
use crate::stochastic_game::{StochasticProof, StochasticSolution};

/// The report of `game`.
#[derive(Clone, Debug, Serialize)]
pub struct StochasticGameReport {
    /// `acyclic`, `discounted`, `stopping` or `recursive`.
    pub kind: String,
    /// The discount, as a fraction; 1 unless the game is discounted.
    pub discount: String,
    /// The number of states, ends included.
    pub states: usize,
    /// The number of ends.
    pub ends: usize,
    /// The number of states in which the strategies found randomise.
    pub randomised_states: usize,
    /// The largest width of the bounds of any state.
    pub widest_enclosure: f64,
    /// A state with bounds that wide.
    pub widest_state: String,
    /// The states where play starts.
    pub start: Vec<StochasticStateReport>,
    /// The states that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<StochasticStateReport>>,
    /// The judgement of a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<JudgementReport>,
}

/// One state.
#[derive(Clone, Debug, Serialize)]
pub struct StochasticStateReport {
    /// Its name.
    pub state: String,
    /// The double nearest to the middle of its bounds.
    pub value: f64,
    /// Guaranteed bounds.
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// Whether it is an end.
    pub over: bool,
    /// A's strategy: the actions with positive probability.
    pub a: Vec<ActionReport>,
    /// B's strategy.
    pub b: Vec<ActionReport>,
}

/// An action and how likely it is chosen.
#[derive(Clone, Debug, Serialize)]
pub struct ActionReport {
    /// Its name.
    pub action: String,
    /// The probability, to nearest.
    pub probability: f64,
}

impl StochasticGameReport {
    /// The report of a solution, with the states of these numbers shown.
    pub fn new(solution: &StochasticSolution, shown: Option<&[usize]>) -> Self {
        let game = solution.game();
        let state = |state: usize| StochasticStateReport::new(solution, state);
        Self {
            kind: game.kind().to_string(),
            discount: game.discount().to_string(),
            states: game.len(),
            ends: (0..game.len()).filter(|&state| game.actions(state).is_none()).count(),
            randomised_states: solution.randomised_states(),
            widest_enclosure: solution.widest_enclosure(),
            widest_state: game.name(solution.widest_state()).to_owned(),
            start: game.starts().iter().map(|&start| state(start as usize)).collect(),
            shown: shown.map(|shown| shown.iter().map(|&shown| state(shown)).collect()),
            policy: None,
        }
    }
}

impl StochasticStateReport {
    /// The report of the state of this number.
    pub fn new(solution: &StochasticSolution, state: usize) -> Self {
        let (game, enclosure) = (solution.game(), solution.enclosure_at(state));
        let names = game.actions(state);
        let [a, b] = solution.strategies_at(state);
        let actions = |player: usize, strategy: Vec<(usize, f64)>| {
            let name = |action: usize| names.map_or(String::new(), |names| names[player][action].to_string());
            strategy.into_iter().map(|(action, probability)| ActionReport { action: name(action), probability }).collect()
        };
        Self {
            state: game.name(state).to_owned(),
            value: enclosure.middle(),
            bounds: enclosure.into(),
            over: names.is_none(),
            a: actions(0, a),
            b: actions(1, b),
        }
    }
}

/// Writes all states as csv: `state,value,lower,upper`. Bounds are decimal numbers that are true as written.
///
/// # Errors
/// What the writer reports.
pub fn write_game_values(solution: &StochasticSolution, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "value", "lower", "upper"])?;
    for state in 0..solution.game().len() {
        let enclosure = solution.enclosure_at(state);
        let decimal = enclosure.decimal();
        let value = enclosure.middle().to_string();
        rows.write_record([solution.game().name(state), &value, &decimal.lower, &decimal.upper])?;
    }
    rows.flush()
}

/// Writes the strategies found as csv: `state,player,action,probability`, actions of positive probability alone.
///
/// # Errors
/// What the writer reports.
pub fn write_game_strategies(solution: &StochasticSolution, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "player", "action", "probability"])?;
    for state in 0..solution.game().len() {
        let StochasticStateReport { state, a, b, .. } = StochasticStateReport::new(solution, state);
        for (player, actions) in [("A", a), ("B", b)] {
            for ActionReport { action, probability } in actions {
                rows.write_record([&state, player, &action, &probability.to_string()])?;
            }
        }
    }
    rows.flush()
}

/// The report of `verify` about a game of any rules.
#[derive(Clone, Debug, Serialize)]
pub struct GameProofReport {
    /// True: of another file there is no such report.
    pub valid: bool,
    /// `acyclic`, `discounted`, `stopping` or `recursive`.
    pub kind: String,
    /// The number of states, ends included.
    pub states: usize,
    /// Bounds of the values of the starts.
    pub start: Vec<ProvedStateReport>,
    /// The largest width of the bounds of any state.
    pub widest_enclosure: f64,
    /// Bounds are proved as multiples of 2^−this.
    pub unit_exponent: u32,
}

/// A state whose bounds are proved.
#[derive(Clone, Debug, Serialize)]
pub struct ProvedStateReport {
    /// Its name.
    pub state: String,
    /// The bounds.
    #[serde(flatten)]
    pub bounds: BoundsReport,
}

impl GameProofReport {
    /// The report of what a certificate proves.
    pub fn new(proof: &StochasticProof) -> Self {
        let game = proof.game();
        let start = |&start: &u32| ProvedStateReport {
            state: game.name(start as usize).to_owned(),
            bounds: proof.enclosure_at(start as usize).into(),
        };
        Self {
            valid: true,
            kind: game.kind().to_string(),
            states: game.len(),
            start: game.starts().iter().map(start).collect(),
            widest_enclosure: proof.widest_enclosure(),
            unit_exponent: proof.enclosure_at(0).unit_exponent(),
        }
    }
}

/// Writes the bounds of all states that a certificate proves as csv, in integers: `state,lower,upper,exponent`.
///
/// # Errors
/// What the writer reports.
pub fn write_game_bounds(proof: &StochasticProof, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "lower", "upper", "exponent"])?;
    for state in 0..proof.game().len() {
        let enclosure = proof.enclosure_at(state);
        let [lower, upper] = [enclosure.integers().lower, enclosure.integers().upper].map(|bound| bound.to_string());
        rows.write_record([proof.game().name(state), &lower, &upper, &enclosure.unit_exponent().to_string()])?;
    }
    rows.flush()
}

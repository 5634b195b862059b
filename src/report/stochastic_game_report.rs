//! A solved stochastic game, as scripts read it.

use std::io::{self, Write};

use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::JudgementReport;
use crate::Error;
use crate::bounds::Enclosure;
use crate::solution::Digits;
use crate::stochastic_game::{StochasticExact, StochasticGame, StochasticGameError, StochasticProof, StochasticSolution};

/// The report of `game`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
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
    /// With exact values: in how many states the value is known as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_states: Option<usize>,
    /// The judgement of a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<JudgementReport>,
}

/// One state.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StochasticStateReport {
    /// Its name.
    pub state: String,
    /// The double nearest to the middle of its bounds.
    pub value: f64,
    /// Guaranteed bounds.
    #[serde(flatten)]
    pub bounds: Enclosure,
    /// The value as a fraction, where it is known and was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// The value in as many decimals as were asked for, where the fraction is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<Digits>,
    /// Whether it is an end.
    pub over: bool,
    /// A's strategy: the actions with positive probability.
    pub a: Vec<ActionReport>,
    /// B's strategy.
    pub b: Vec<ActionReport>,
}

/// An action and how likely it is chosen.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionReport {
    /// Its name.
    pub action: String,
    /// The probability, to nearest.
    pub probability: f64,
    /// The probability as a fraction, where it is known and was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

impl StochasticGameReport {
    /// The report of a solution, with the states of these numbers shown.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, shown: Option<&[usize]>) -> Result<Self, StochasticGameError> {
        let game = solution.game();
        let state = |state: usize| StochasticStateReport::new(solution, state);
        Ok(Self {
            kind: game.kind().to_string(),
            discount: game.discount().to_string(),
            states: game.len(),
            ends: (0..game.len()).filter(|&state| game.actions(state).is_none()).count(),
            randomised_states: solution.randomised_states()?,
            widest_enclosure: solution.widest_enclosure(),
            widest_state: solution.widest_state().map_or_else(String::new, |state| game.name(state).to_owned()),
            start: game.starts().iter().map(|&start| state(start as usize)).collect::<Result<_, _>>()?,
            shown: shown.map(|shown| shown.iter().map(|&shown| state(shown)).collect()).transpose()?,
            exact_states: None,
            policy: None,
        })
    }

    /// The same with exact values and strategies where they are known, and with so many decimals of these values.
    ///
    /// # Errors
    /// [`WorkError::TooManyDigits`](crate::WorkError::TooManyDigits).
    pub fn with_exact(
        mut self,
        game: &StochasticGame,
        exact: &StochasticExact<'_>,
        digits: Option<usize>,
    ) -> Result<Self, Error> {
        self.exact_states = Some(exact.known());
        for report in self.start.iter_mut().chain(self.shown.iter_mut().flatten()) {
            let Ok(state) = game.place(&report.state) else { continue };
            report.set_exact(game, state, exact)?;
            if let (Some(digits), Some(value)) = (digits, exact.value(&state)?) {
                report.digits = Some(Digits::of_fraction(&value, digits)?);
            }
        }
        Ok(self)
    }
}

impl StochasticStateReport {
    /// The report of the state of this number.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, state: usize) -> Result<Self, StochasticGameError> {
        let (game, enclosure) = (solution.game(), solution.enclosure(&state)?);
        let names = game.actions(state);
        let [a, b] = solution.strategies(&state)?;
        let actions = |player: usize, strategy: Vec<(usize, f64)>| {
            let name = |action: usize| names.map_or(String::new(), |names| names[player][action].to_string());
            let report = |(action, probability)| ActionReport { action: name(action), probability, exact: None };
            strategy.into_iter().map(report).collect()
        };
        Ok(Self {
            state: game.name(state).to_owned(),
            value: enclosure.middle(),
            bounds: enclosure,
            exact: None,
            digits: None,
            over: names.is_none(),
            a: actions(0, a),
            b: actions(1, b),
        })
    }

    fn set_exact(&mut self, game: &StochasticGame, state: usize, exact: &StochasticExact<'_>) -> Result<(), StochasticGameError> {
        self.exact = exact.value(&state)?.as_ref().map(ToString::to_string);
        let (Some(names), Some([a, b])) = (game.actions(state), exact.strategies(&state)?) else { return Ok(()) };
        let actions = |(strategy, names): (&[(usize, BigRational)], &[Box<str>])| {
            let report = |(action, probability): &(usize, BigRational)| ActionReport {
                action: names[*action].to_string(),
                probability: probability.to_f64().unwrap_or(f64::NAN),
                exact: Some(probability.to_string()),
            };
            strategy.iter().map(report).collect()
        };
        (self.a, self.b) = (actions((&a, names[0])), actions((&b, names[1])));
        Ok(())
    }
}

/// Writes all states as csv: `state,value,lower,upper`. Bounds are decimal numbers that are true as written.
///
/// # Errors
/// What the writer reports.
pub fn write_game_values(solution: &StochasticSolution, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "value", "lower", "upper"])?;
    for (state, enclosure) in solution.states() {
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
        let StochasticStateReport { state, a, b, .. } = StochasticStateReport::new(solution, state).map_err(io::Error::other)?;
        for (player, actions) in [("A", a), ("B", b)] {
            for ActionReport { action, probability, .. } in actions {
                rows.write_record([&state, player, &action, &probability.to_string()])?;
            }
        }
    }
    rows.flush()
}

/// The report of `verify` about a game of any rules.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct ProvedStateReport {
    /// Its name.
    pub state: String,
    /// The bounds.
    #[serde(flatten)]
    pub bounds: Enclosure,
}

impl GameProofReport {
    /// The report of what a certificate proves.
    ///
    /// # Errors
    /// None: the certificate has its game in it.
    pub fn new(proof: &StochasticProof) -> Result<Self, StochasticGameError> {
        let game = proof.game();
        let start = |&start: &u32| {
            let start = start as usize;
            Ok::<_, StochasticGameError>(ProvedStateReport {
                state: game.name(start).to_owned(),
                bounds: proof.enclosure(&start)?,
            })
        };
        Ok(Self {
            valid: true,
            kind: game.kind().to_string(),
            states: game.len(),
            start: game.starts().iter().map(start).collect::<Result<_, _>>()?,
            widest_enclosure: proof.widest_enclosure(),
            unit_exponent: proof.enclosure(&0)?.unit_exponent(),
        })
    }
}

/// Writes the bounds of all states that a certificate proves as csv, in integers: `state,lower,upper,exponent`.
///
/// # Errors
/// What the writer reports.
pub fn write_game_bounds(proof: &StochasticProof, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "lower", "upper", "exponent"])?;
    for (state, enclosure) in proof.states() {
        let [lower, upper] = [enclosure.integers().lower, enclosure.integers().upper].map(|bound| bound.to_string());
        rows.write_record([proof.game().name(state), &lower, &upper, &enclosure.unit_exponent().to_string()])?;
    }
    rows.flush()
}

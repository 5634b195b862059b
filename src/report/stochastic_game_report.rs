//! JSON reports of games of other rules.

use std::fmt;
use std::io::{self, Write};

use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::WriteCsv;
use super::proved_value::ProvedValue;
use super::tables::write_csv;
use crate::Error;
use crate::bounds::Enclosure;
use crate::game::ByPlayer;
use crate::serde_object::{as_objects, object};
use crate::solution::Digits;
use crate::stochastic_game::{
    BestPayoff, Certainty, StateView, StochasticExact, StochasticGame, StochasticGameError,
    StochasticProof, StochasticSolution,
};
use stochastic_game::internal::Quoted;

/// The report of `solve` for a game of other rules; optional parts are `None`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StochasticGameReport<'s> {
    pub solution: &'s StochasticSolution,
    pub randomised_states: usize,
    pub start: Vec<StochasticStateReport>,
    pub exact_states: Option<usize>,
    /// The property of the model checker's export behind the game.
    pub model: Option<ModelReport>,
    /// The states that were left out since nothing is proved of them; all else is about the other
    /// states.
    pub not_proved: Vec<NotProvedReport>,
}

/// A state of which nothing is proved, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotProvedReport {
    pub state: String,
    pub reason: String,
}

impl NotProvedReport {
    /// The states of a game that are not in its rest ([`StochasticGame::without`]), since the
    /// solver failed with this error: first the state that it names, then those from which play can
    /// reach it. Ends are left out where there is no rest.
    pub fn of_error(
        game: &StochasticGame,
        error: &StochasticGameError,
        rest: Option<&StochasticGame>,
    ) -> impl Iterator<Item = Self> {
        let failed = error.state().unwrap_or_default();
        let reason = format!("play can reach {}, of which nothing is proved", Quoted(failed));
        let is_lost = |state: &StateView<'_>| match rest {
            Some(rest) => rest.place(state.name()).is_err(),
            None => state.end_value().is_none(),
        };
        let others =
            game.states().filter(is_lost).map(StateView::name).filter(|&name| name != failed);
        let first = Self { state: failed.to_owned(), reason: error.fault().to_string() };
        let others: Vec<Self> =
            others.map(|state| Self { state: state.to_owned(), reason: reason.clone() }).collect();
        std::iter::once(first).chain(others)
    }
}

impl fmt::Display for NotProvedReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "state {}: {}", Quoted(&self.state), self.reason)
    }
}

/// A property of a model, with the assumptions beyond its files.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    pub property: String,
    pub assumptions: Vec<String>,
}

/// A state with the actions of positive probability; fractions and decimals on request, if known.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StochasticStateReport {
    pub state: String,
    /// The double nearest to the middle of its bounds.
    pub value: f64,
    #[serde(flatten)]
    pub bounds: Enclosure,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<Digits>,
    pub over: bool,
    #[serde(flatten)]
    pub actions: ByPlayer<Vec<ActionReport>>,
    /// In games with values that are approached and not attained: the best payoff, where a player
    /// gets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_payoff: Option<BestPayoffReport>,
}

/// The best payoff that play can still reach from a state, which a player gets with probability 1,
/// or comes as near to as he likes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BestPayoffReport {
    pub player: String,
    /// The payoff to A, as a fraction.
    pub payoff: String,
    /// Whether a strategy gets it with probability 1.
    pub attained: bool,
    /// The bounds that the strategies secure.
    pub secured: Enclosure,
}

impl BestPayoffReport {
    fn new(
        solution: &StochasticSolution,
        state: usize,
    ) -> Result<Option<Self>, StochasticGameError> {
        if solution.approached_states() == 0 || solution.game().state(state)?.end_value().is_some()
        {
            return Ok(None);
        }
        let secured = solution.secured(&state)?;
        Ok(solution.best_payoff(&state)?.map(|best| Self::of(&best, secured)))
    }

    fn of(best: &BestPayoff, secured: Enclosure) -> Self {
        let attained = best.certainty == Certainty::AlmostSure;
        Self { player: best.player.to_string(), payoff: best.payoff.to_string(), attained, secured }
    }
}

/// An action with its probability.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionReport {
    pub action: String,
    pub probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

impl ActionReport {
    pub(super) fn exactly(action: String, probability: &BigRational) -> Self {
        Self {
            action,
            probability: probability.to_f64().unwrap_or(f64::NAN),
            exact: Some(probability.to_string()),
        }
    }
}

impl<'s> StochasticGameReport<'s> {
    /// The report of a solution, with exact values and strategies at the starts where they are
    /// known.
    ///
    /// # Errors
    /// Those of [`StochasticStateReport::exactly`].
    pub fn new(
        solution: &'s StochasticSolution,
        exact: Option<&StochasticExact<'_>>,
    ) -> Result<Self, Error> {
        let starts = solution.game().starts().iter();
        let start = starts
            .map(|&start| StochasticStateReport::exactly(solution, start as usize, exact, None));
        Ok(Self {
            solution,
            randomised_states: solution.randomised_states()?,
            start: start.collect::<Result<_, _>>()?,
            exact_states: exact.map(StochasticExact::known),
            model: None,
            not_proved: Vec::new(),
        })
    }

    pub fn ends(&self) -> usize {
        self.solution.game().states().filter(|state| state.actions().is_none()).count()
    }

    pub fn widest_state(&self) -> &str {
        let widest = self.solution.widest_state();
        widest
            .and_then(|number| self.solution.game().state(number).ok())
            .map_or("", |state| state.name())
    }
}

as_objects! {
    StochasticGameReport<'_>, |report| {
        "property" if known: report.model.as_ref().map(|model| &model.property),
        "assumptions" if known: report.model.as_ref().map(|model| &model.assumptions),
        "kind": report.solution.game().kind().to_string(),
        "discount": report.solution.game().discount().to_string(),
        "states": report.solution.game().len(),
        "ends": report.ends(),
        "randomised_states": report.randomised_states,
        "widest_enclosure": report.solution.widest_enclosure(),
        "widest_state": report.widest_state(),
        "approached_states" if known: some(report.solution.approached_states()),
        "start": report.start,
        "exact_states" if known: report.exact_states,
        "not_proved" if known: (!report.not_proved.is_empty()).then_some(&report.not_proved),
    }
}

impl StochasticStateReport {
    /// The report of the state of this number.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, state: usize) -> Result<Self, StochasticGameError> {
        let enclosure = solution.enclosure(&state)?;
        let [a, b] = solution.strategies(&state)?;
        let view = solution.game().state(state)?;
        let names = view.actions();
        let actions = |player: usize, strategy: Vec<(usize, f64)>| {
            let name = |action: usize| {
                names.map_or(String::new(), |names| names[player][action].to_string())
            };
            let report = |(action, probability)| ActionReport {
                action: name(action),
                probability,
                exact: None,
            };
            strategy.into_iter().map(report).collect()
        };
        Ok(Self {
            state: view.name().to_owned(),
            value: enclosure.middle(),
            bounds: enclosure,
            exact: None,
            digits: None,
            over: names.is_none(),
            actions: ByPlayer { a: actions(0, a), b: actions(1, b) },
            best_payoff: BestPayoffReport::new(solution, state)?,
        })
    }

    /// The report of the state of this number, with its value and strategies as fractions and this
    /// many decimals, where exact values are given and known.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState);
    /// [`WorkError::TooManyDigits`](crate::WorkError::TooManyDigits).
    pub fn exactly(
        solution: &StochasticSolution,
        state: usize,
        exact: Option<&StochasticExact<'_>>,
        digits: Option<usize>,
    ) -> Result<Self, Error> {
        let mut report = Self::new(solution, state)?;
        let Some(exact) = exact else { return Ok(report) };
        let value = exact.value(&state)?;
        report.exact = value.as_ref().map(ToString::to_string);
        report.digits = value
            .zip(digits)
            .map(|(value, digits)| Digits::of_fraction(&value, digits))
            .transpose()?;
        if let (Some(names), Some(strategies)) =
            (solution.game().state(state)?.actions(), exact.strategies(&state)?)
        {
            report.actions = ByPlayer::new(|player| {
                let player = player as usize;
                let named = strategies[player]
                    .iter()
                    .map(|(action, share)| (names[player][*action].to_string(), share));
                named.map(|(name, share)| ActionReport::exactly(name, share)).collect()
            });
        }
        Ok(report)
    }
}

/// Writes all states as csv: `state,value,lower,upper`. Bounds are decimal numbers that are true as
/// written.
pub fn write_game_values(solution: &StochasticSolution, out: &mut dyn Write) -> io::Result<()> {
    let states = solution.game().states().zip(solution.states());
    let rows = states.map(|(state, (_, enclosure))| {
        let value = ProvedValue::new(enclosure.middle(), &enclosure);
        (state.name(), value.text(), value.lower, value.upper)
    });
    write_csv(&["state", "value", "lower", "upper"], out, rows)
}

/// Writes the strategies found as csv: `state,player,action,probability`, actions of positive
/// probability alone.
pub fn write_game_strategies(solution: &StochasticSolution, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "player", "action", "probability"])?;
    for state in 0..solution.game().len() {
        let StochasticStateReport { state, actions: ByPlayer { a, b }, .. } =
            StochasticStateReport::new(solution, state).map_err(io::Error::other)?;
        for (player, actions) in [("A", a), ("B", b)] {
            for ActionReport { action, probability, .. } in actions {
                rows.write_record([&state, player, &action, &probability.to_string()])?;
            }
        }
    }
    rows.flush()
}

/// The bounds and verdicts that a certificate of a game proves.
#[derive(Clone, Copy, Debug)]
pub struct StochasticProofReport<'p> {
    proof: &'p StochasticProof,
}

impl<'p> StochasticProofReport<'p> {
    pub const fn new(proof: &'p StochasticProof) -> Self {
        Self { proof }
    }

    /// The proved bounds of a start.
    fn start(self, start: usize) -> Result<impl Serialize + use<>, StochasticGameError> {
        let bounds = self.proof.enclosure(&start)?;
        let secured = self.proof.secured(&start)?;
        let best_payoff = self.proof.best_payoff(&start)?;
        Ok(object! {
            "state": self.proof.game().state(start)?.name().to_owned(),
            "lower": bounds.lower(),
            "upper": bounds.upper(),
            "decimal": bounds.decimal(),
            "best_payoff" if known: best_payoff.map(|best| BestPayoffReport::of(&best, secured)),
        })
    }
}

/// A number of states, if there are some.
fn some(states: usize) -> Option<usize> {
    (states > 0).then_some(states)
}

as_objects! {
    StochasticProofReport<'_>, |report| {
        "valid": true,
        "kind": report.proof.game().kind().to_string(),
        "states": report.proof.game().len(),
        // The certificate has its game in it.
        "start": report.proof.game().starts().iter()
            .filter_map(|&start| report.start(start as usize).ok())
            .collect::<Vec<_>>(),
        "approached_states" if known: some(report.proof.approached_states()),
        "verdict" if known: report.proof.verdict().map(|(bound, holds)| object! {
            "bound": bound.to_string(),
            "holds": holds,
        }),
        "widest_enclosure": report.proof.widest_enclosure(),
        "unit_exponent": report.proof.exponent(),
    }
}

/// The bounds of all states that the certificate's strategies secure, in integers:
/// `state,lower,upper,exponent`.
impl WriteCsv for StochasticProof {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.game().states().zip(self.integers()).map(|(state, (_, bounds))| {
            let [lower, upper] = bounds.map(|bound| bound.to_string());
            (state.name(), lower, upper, self.exponent())
        });
        write_csv(&["state", "lower", "upper", "exponent"], out, rows)
    }
}

//! Policies judged, for Python.

use numpy::{PyArray1, PyArray3};
use pencil_tennis::agents::{Duel, SampledPlays};
use pencil_tennis::analysis::{
    BestResponse, Exploitability, Matchup, PolicyEvaluation, StateRegret,
};
use pencil_tennis::{Error, Outcome, Player, Rules, WorkError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::by_state;
use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::memory;
use crate::policy::{PyPolicy, player};
use crate::progress::detached;
use crate::rules::PyRules;
use crate::solution::PySolution;
use crate::states::{StateArgument, to_python};

/// The exploitability of a policy of both players, and the values of A's and B's best response.
#[pyfunction]
pub(crate) fn exploitability(
    py: Python<'_>,
    rules: PyRules,
    policy: &Bound<'_, PyPolicy>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(PyEnclosure, PyEnclosure, PyEnclosure)> {
    let policy = policy.get().of_game(&rules.0)?;
    memory::check_states(policy.points(), policy.field(), 16)?;
    let exploitability = detached(py, progress, |listener| {
        Exploitability::new(&rules.0, policy, &mut |share| listener.tell(share))
    })?;
    Ok((
        PyEnclosure(exploitability.mean()),
        PyEnclosure(exploitability.best_response(Player::A)),
        PyEnclosure(exploitability.best_response(Player::B)),
    ))
}

/// The best response to a policy: see the class `pencil_tennis.BestResponse` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "BestResponse")]
pub(crate) struct PyBestResponse {
    inner: BestResponse,
    rules: Rules,
}

#[pymethods]
impl PyBestResponse {
    #[new]
    fn new(
        py: Python<'_>,
        rules: PyRules,
        policy: &Bound<'_, PyPolicy>,
        responder: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (policy, responder) = (policy.get().of_game(&rules.0)?, player(responder)?);
        // The response as a policy besides.
        memory::check_states(policy.points(), policy.field(), 32)?;
        let inner = detached(py, progress, |listener| {
            BestResponse::new(&rules.0, policy, responder, &mut |share| listener.tell(share))
        })?;
        Ok(Self { inner, rules: rules.0 })
    }

    /// The bounds of A's expected payoff from a state on.
    fn value(&self, state: StateArgument) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.inner.value(state.0).or_raise()?))
    }

    /// The best bid at a state.
    fn bid(&self, state: StateArgument) -> PyResult<u32> {
        self.inner.bid(state.0).or_raise()
    }

    /// The response as a policy.
    fn policy(&self) -> PyPolicy {
        PyPolicy::new(self.inner.policy(), Some(self.rules))
    }

    /// The expected payoff to A from every state on, as an array.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let points = self.inner.points();
        let values = pencil_tennis::Policy::uniform(&self.rules, points).or_raise()?.states();
        let values = values
            .map(|state| self.inner.value(state).map(|value| value.middle()))
            .collect::<Result<_, _>>();
        by_state(py, points, self.rules.positions(), values.or_raise()?)
    }
}

/// A policy judged by its best responses and by the optimum: see the class
/// `pencil_tennis.Judgement` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "Judgement")]
pub(crate) struct PyJudgement {
    inner: PolicyEvaluation,
    points: [u32; 2],
    field: i32,
}

impl PyJudgement {
    pub(crate) const fn evaluation(&self) -> &PolicyEvaluation {
        &self.inner
    }
}

#[pymethods]
impl PyJudgement {
    #[new]
    fn new(
        py: Python<'_>,
        solution: &Bound<'_, PySolution>,
        policy: &Bound<'_, PyPolicy>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let solution = &solution.get().inner;
        let policy = policy.get().of_game(solution.rules())?;
        // The losses of either player's bids at a state take 64 bytes.
        memory::check_states(solution.points(), solution.rules().field(), 160)?;
        let inner = detached(py, progress, |listener| {
            PolicyEvaluation::new(solution, policy, &mut |share| listener.tell(share))
        })?;
        Ok(Self { inner, points: solution.points(), field: solution.rules().field() })
    }

    /// The exploitability, if the policy is one of both players.
    #[getter]
    fn exploitability(&self) -> Option<PyEnclosure> {
        self.inner.exploitability().map(|exploitability| PyEnclosure(exploitability.mean()))
    }

    /// The payoff to A when a player responds best, if the policy says how the other bids.
    fn best_response_value(&self, responder: &str) -> PyResult<Option<PyEnclosure>> {
        Ok(self.inner.best_response_value(player(responder)?).map(PyEnclosure))
    }

    /// The payoff to A when the policy plays a player and the opponent plays optimally.
    fn value_against_optimum(&self, player: &str) -> PyResult<Option<PyEnclosure>> {
        Ok(self.inner.value_against_optimum(self::player(player)?).map(PyEnclosure))
    }

    /// The states where the policy loses most: (state, player, value, conceded, regret, reached,
    /// contribution).
    fn worst<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, String, [f64; 5])>> {
        let row = |entry: StateRegret| {
            let numbers =
                [entry.value, entry.conceded, entry.regret, entry.reached, entry.contribution];
            Ok((to_python(py, entry.state)?, entry.player.to_string(), numbers))
        };
        self.inner.worst(count).into_iter().map(row).collect()
    }

    /// One of these numbers at every state, NaN where the game is over.
    fn table<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        which: &str,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let player = self::player(player)?;
        let number = |entry: &StateRegret| match which {
            "conceded" => entry.conceded,
            "reached" => entry.reached,
            "contribution" => entry.contribution,
            _ => entry.regret,
        };
        let [_, b] = self.points.map(|points| points as usize + 1);
        let positions = 2 * self.field as usize + 1;
        let mut numbers = vec![f64::NAN; (self.points[0] as usize + 1) * b * positions];
        for entry in self.inner.state_regrets().filter(|entry| entry.player == player) {
            let position = (entry.state.ball.position() + self.field) as usize;
            numbers[(entry.state.a as usize * b + entry.state.b as usize) * positions + position] =
                number(entry);
        }
        by_state(py, self.points, positions, numbers)
    }
}

/// Everything that `Meeting` says, by name.
fn meeting_of<'py>(py: Python<'py>, matchup: &Matchup) -> PyResult<Bound<'py, PyDict>> {
    let meeting = PyDict::new(py);
    let outcomes = PyDict::new(py);
    for &outcome in Outcome::ALL {
        outcomes.set_item(outcome.to_string(), matchup.probability(outcome))?;
    }
    meeting.set_item("start", to_python(py, matchup.start())?)?;
    meeting.set_item("value", PyEnclosure(matchup.value()))?;
    meeting.set_item("outcomes", outcomes)?;
    meeting.set_item("turns", PyArray1::from_slice(py, matchup.turns()))?;
    meeting.set_item("points_left_a", PyArray1::from_slice(py, matchup.points_left(Player::A)))?;
    meeting.set_item("points_left_b", PyArray1::from_slice(py, matchup.points_left(Player::B)))?;
    meeting.set_item("endless", matchup.endless())?;
    meeting.set_item("standstills", matchup.mean_standstills())?;
    Ok(meeting)
}

/// The average course of games in which A bids as in one policy and B as in another.
#[pyfunction]
pub(crate) fn meeting<'py>(
    py: Python<'py>,
    rules: PyRules,
    start: StateArgument,
    a: &Bound<'_, PyPolicy>,
    b: &Bound<'_, PyPolicy>,
) -> PyResult<Bound<'py, PyDict>> {
    let (a, b) = (a.get().of_game(&rules.0)?, b.get().of_game(&rules.0)?);
    let matchup = detached(py, None, |listener| {
        Matchup::new(&rules.0, start.0, a, b, &mut |share| listener.tell(share))
    })?;
    meeting_of(py, &matchup)
}

/// Sampled games between two policies: the matchup and the counts.
#[pyfunction]
pub(crate) fn duel<'py>(
    py: Python<'py>,
    rules: PyRules,
    start: StateArgument,
    a: &Bound<'_, PyPolicy>,
    b: &Bound<'_, PyPolicy>,
    games: u64,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let (a, b) = (a.get().of_game(&rules.0)?, b.get().of_game(&rules.0)?);
    let duel = detached(py, progress, |listener| {
        let mut duel = Duel::new(&rules.0, start.0, a, b, seed, &mut |_| listener.tell(0.0))?;
        while duel.tally().games() < games {
            duel.play(GAMES_BETWEEN_REPORTS.min(games - duel.tally().games()))?;
            if listener.tell(duel.tally().games() as f64 / games as f64).is_break() {
                return Err(Error::Work(WorkError::Cancelled));
            }
        }
        Ok(duel)
    })?;
    let tally = duel.tally();
    let counted = PyDict::new(py);
    let (counts, intervals) = (PyDict::new(py), PyDict::new(py));
    for &outcome in Outcome::ALL {
        counts.set_item(outcome.to_string(), tally.count(outcome))?;
        intervals.set_item(outcome.to_string(), <(f64, f64)>::from(tally.interval(outcome)))?;
    }
    counted.set_item("games", tally.games())?;
    counted.set_item("counts", counts)?;
    counted.set_item("intervals", intervals)?;
    counted.set_item("mean", tally.mean())?;
    counted.set_item("standard_error", tally.standard_error())?;
    counted.set_item("mean_turns", tally.mean_turns())?;
    counted.set_item("endless", tally.endless())?;
    Ok((meeting_of(py, duel.matchup())?, counted))
}

/// Some milliseconds of games.
const GAMES_BETWEEN_REPORTS: u64 = 20_000;

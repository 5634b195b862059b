//! Any simultaneous-move game, for Python: text in the library's format goes in, numbers come out.

use num_rational::BigRational;
use numpy::PyArray1;
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{PolicyJudgement, StationaryPolicy, StochasticGame, StochasticSolution, StochasticSolver};
use pyo3::prelude::*;

use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::progress::detached;

/// A solved game of any rules.
#[pyclass(frozen, module = "pencil_tennis._native", name = "StochasticSolution")]
pub(crate) struct PyStochasticSolution(StochasticSolution);

/// The actions of both players by their names.
type Actions = (Vec<String>, Vec<String>);

/// The actions that are chosen, by their numbers, with their probabilities.
type Chosen = (Vec<(usize, f64)>, Vec<(usize, f64)>);

/// Reads a game as JSON Lines and solves it.
#[pyfunction]
pub(crate) fn solve_stochastic_game(
    py: Python<'_>,
    text: &[u8],
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyStochasticSolution> {
    let solution = detached(py, progress, |listener| {
        let game = StochasticGame::read(text)?;
        let solver = StochasticSolver::new(game).on_progress(|share| listener.tell(share));
        if let Some(threads) = threads { solver.threads(threads) } else { solver }.solve().map_err(pencil_tennis::Error::from)
    })?;
    Ok(PyStochasticSolution(solution))
}

#[pymethods]
impl PyStochasticSolution {
    /// The kind of the game.
    #[getter]
    fn kind(&self) -> String {
        self.0.game().kind().to_string()
    }

    /// The names of the states.
    fn names(&self) -> Vec<String> {
        (0..self.0.game().len()).map(|state| self.0.game().name(state).to_owned()).collect()
    }

    /// The numbers of the starts.
    fn starts(&self) -> Vec<u32> {
        self.0.game().starts().to_vec()
    }

    /// The values of all states, and the doubles next to their bounds.
    fn arrays<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 3] {
        let all: Vec<_> = (0..self.0.game().len()).map(|state| self.0.enclosure_at(state)).collect();
        [
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::middle)),
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::lower)),
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::upper)),
        ]
    }

    /// The value of a state.
    fn value(&self, state: usize) -> PyEnclosure {
        PyEnclosure(self.0.enclosure_at(state))
    }

    /// The names of both players' actions; none at an end.
    fn actions(&self, state: usize) -> Option<Actions> {
        let names = |actions: &[Box<str>]| actions.iter().map(ToString::to_string).collect();
        self.0.game().actions(state).map(|[a, b]| (names(a), names(b)))
    }

    /// Both strategies.
    fn strategies(&self, state: usize) -> Chosen {
        self.0.strategies_at(state).into()
    }

    /// The exact values that are known, with denominators of at most so many bits.
    fn exact(&self, py: Python<'_>, bits: usize, progress: Option<Py<PyAny>>) -> PyResult<Vec<Option<BigRational>>> {
        let exact = detached(py, progress, |listener| {
            self.0.exact(bits, &mut |share| listener.tell(share)).map_err(pencil_tennis::Error::from)
        })?;
        Ok((0..self.0.game().len()).map(|state| exact.value(state).cloned()).collect())
    }

    /// What a policy of A or B is worth at every state, and what its choices give away at most.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        probabilities: Vec<Vec<(usize, BigRational)>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<PyEnclosure>, Bound<'py, PyArray1<f64>>)> {
        let player: Player = player.parse().or_raise()?;
        let policy = StationaryPolicy::new(self.0.game(), player, &probabilities).or_raise()?;
        let judgement = detached(py, progress, |listener| {
            PolicyJudgement::new(&self.0, &policy, &mut |share| listener.tell(share)).map_err(pencil_tennis::Error::from)
        })?;
        let states = 0..self.0.game().len();
        let worth = states.clone().map(|state| PyEnclosure(judgement.worth(state))).collect();
        Ok((worth, PyArray1::from_iter(py, states.map(|state| judgement.regret(state).upper()))))
    }

    /// The certificate, which `pencil-tennis verify` checks.
    fn certificate(&self) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.write_certificate(&mut bytes)?;
        Ok(bytes)
    }
}

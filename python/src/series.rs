//! Matches of several games, for Python.

use std::collections::HashMap;
use std::sync::Arc;

use pencil_tennis::analysis::{Score, Series};
use pencil_tennis::{BidStrategy, Player, Policy, Solver};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::memory;
use crate::policy::PyPolicy;
use crate::progress::detached;
use crate::rules::PyRules;

/// A solved match: see the class `pencil_tennis.Match` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "Series")]
pub(crate) struct PySeries(Series);

/// Solves a match to a number of winning points.
#[pyfunction]
pub(crate) fn solve_series(
    py: Python<'_>,
    rules: PyRules,
    points: [u32; 2],
    to: u32,
    threads: Option<usize>,
    memory_limit: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PySeries> {
    let asked = Solver::new(&rules.0).points(points).memory();
    if asked <= memory_limit.unwrap_or(Solver::MEMORY_LIMIT) {
        // Three games of a score at a time, and the scores.
        let [a, b] = points;
        memory::check(asked.saturating_mul(3), &format!("a match of games with {a}:{b} points"))?;
    }
    detached(py, progress, |listener| {
        let mut solver = Solver::new(&rules.0)
            .points(points)
            .memory_limit(memory_limit.unwrap_or(Solver::MEMORY_LIMIT))
            .on_progress(|share| listener.tell(share));
        if let Some(threads) = threads {
            solver = solver.threads(threads);
        }
        solver.series(to).map(PySeries)
    })
}

#[pymethods]
impl PySeries {
    /// The rules of a game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The points A and B start the first game with.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.0.points().into()
    }

    /// The winning points that take the match.
    #[getter]
    fn to(&self) -> u32 {
        self.0.to()
    }

    /// All scores before a game: A's winning points, B's, and whether the accounts are exchanged.
    fn scores(&self) -> Vec<(u32, u32, bool)> {
        self.0
            .scores()
            .map(|solved| solved.score)
            .map(|score| (score.a, score.b, score.exchanged))
            .collect()
    }

    /// A's chance of winning the match at a score.
    fn chance(&self, a: u32, b: u32, exchanged: bool) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.solved(Score { a, b, exchanged }).or_raise()?.chance))
    }

    /// How A and B bid at the start of the next game.
    fn opening<'py>(
        &self,
        py: Python<'py>,
        a: u32,
        b: u32,
        exchanged: bool,
    ) -> PyResult<[Bound<'py, PyDict>; 2]> {
        let equilibrium = self.0.solved(Score { a, b, exchanged }).or_raise()?.opening;
        let strategy = |strategy: &BidStrategy| {
            let bids = PyDict::new(py);
            for (bid, probability) in strategy.probabilities() {
                bids.set_item(bid, probability)?;
            }
            PyResult::Ok(bids)
        };
        Ok([strategy(&equilibrium.a)?, strategy(&equilibrium.b)?])
    }

    /// An optimal policy of the next game.
    fn policy(&self, py: Python<'_>, a: u32, b: u32, exchanged: bool) -> PyResult<PyPolicy> {
        let policy = detached(py, None, |_| self.0.policy(Score { a, b, exchanged }))?;
        Ok(PyPolicy::new(policy, Some(*self.0.rules())))
    }

    /// The exploitability of policies for the scores in their order, and A's chance when A and when
    /// B responds best.
    fn judge(
        &self,
        py: Python<'_>,
        policies: Vec<Bound<'_, PyPolicy>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(PyEnclosure, PyEnclosure, PyEnclosure)> {
        let of_scores = |policy: &Bound<'_, PyPolicy>| {
            policy.get().of_game(self.0.rules())?;
            Ok(Arc::clone(&policy.get().inner))
        };
        let policies = policies.iter().map(of_scores).collect::<PyResult<Vec<Arc<Policy>>>>()?;
        let by_score: HashMap<Score, Arc<Policy>> =
            self.0.scores().map(|solved| solved.score).zip(policies).collect();
        let [a, b] = self.0.points();
        memory::check_states([a, b], self.0.rules().field(), 16)?;
        let exploitability = detached(py, progress, |listener| {
            self.0.exploitability(|score| &by_score[&score], &mut |share| listener.tell(share))
        })?;
        Ok((
            PyEnclosure(exploitability.mean()),
            PyEnclosure(exploitability.best_response(Player::A)),
            PyEnclosure(exploitability.best_response(Player::B)),
        ))
    }
}

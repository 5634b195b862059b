//! Blind Tennis, for Python.

use std::sync::Arc;
use std::time::Duration;

use pencil_tennis::blind::{
    BlindBestResponse, BlindMethod, BlindPolicy, BlindRow, BlindSize, BlindSolution, BlindSolver,
    Guess, ValueOfInformation,
};
use pencil_tennis::{BidStrategy, Player};
use pyo3::prelude::*;

use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::memory;
use crate::policy::player;
use crate::progress::detached;
use crate::rules::PyRules;
use crate::solution::PySolution;
use crate::states::{StateArgument, to_python};

/// A row of a policy: player, earlier bids, balls seen, bid, probability.
type Row = (String, Vec<u32>, Vec<i32>, u32, f64);

/// Both players' strategies in blind Tennis: see the class `pencil_tennis.BlindPolicy` above it.
#[pyclass(frozen, eq, module = "pencil_tennis._native", name = "BlindPolicy")]
#[derive(PartialEq)]
pub(crate) struct PyBlindPolicy(Arc<BlindPolicy>);

impl PyBlindPolicy {
    fn new(policy: BlindPolicy) -> Self {
        Self(Arc::new(policy))
    }
}

#[pymethods]
impl PyBlindPolicy {
    /// All legal bids equally likely.
    #[staticmethod]
    fn uniform(py: Python<'_>, rules: PyRules, start: StateArgument) -> PyResult<Self> {
        Ok(Self::new(detached(py, None, |_| BlindPolicy::uniform(&rules.0, start.0))?))
    }

    /// The policy of these rows.
    #[staticmethod]
    fn from_rows(
        py: Python<'_>,
        rules: PyRules,
        start: StateArgument,
        rows: Vec<Row>,
    ) -> PyResult<Self> {
        let read = |(player, bids, balls, bid, probability): Row| {
            PyResult::Ok(BlindRow { player: self::player(&player)?, bids, balls, bid, probability })
        };
        let rows = rows.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        Ok(Self::new(detached(py, None, |_| BlindPolicy::from_rows(&rules.0, start.0, rows))?))
    }

    /// The open game's optimal bids, where the opponent's points are guessed.
    #[staticmethod]
    fn guessing(
        py: Python<'_>,
        blind: &Bound<'_, PyBlindSolution>,
        open: &Bound<'_, PySolution>,
        guess: &str,
    ) -> PyResult<Self> {
        let guess: Guess = guess.parse().or_raise()?;
        let (blind, open) = (&blind.get().0, &open.get().inner);
        Ok(Self::new(detached(py, None, |_| ValueOfInformation::guessing(blind, open, guess))?))
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The state that it starts from.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.start())
    }

    /// A row for every legal bid, A's first.
    fn rows(&self) -> Vec<Row> {
        self.0
            .rows()
            .map(|row| (row.player.to_string(), row.bids, row.balls, row.bid, row.probability))
            .collect()
    }

    /// The payoff that A's half secures, and the most that B's half concedes.
    fn enclosure(&self, py: Python<'_>) -> PyEnclosure {
        PyEnclosure(py.detach(|| self.0.enclosure()))
    }

    /// The probabilities of the legal bids.
    fn bids(&self, player: &str, bids: Vec<u32>, balls: Vec<i32>) -> PyResult<Vec<(u32, f64)>> {
        self.0.bids(self::player(player)?, &bids, &balls).or_raise()
    }

    /// A bid drawn by 64 random bits.
    fn draw(&self, player: &str, bids: Vec<u32>, balls: Vec<i32>, bits: u64) -> PyResult<u32> {
        self.0.draw(self::player(player)?, &bids, &balls, bits).or_raise()
    }
}

/// A player's best response in blind Tennis: see the class `pencil_tennis.BlindBestResponse` above
/// it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "BlindBestResponse")]
pub(crate) struct PyBlindBestResponse(BlindBestResponse);

#[pymethods]
impl PyBlindBestResponse {
    #[new]
    fn new(py: Python<'_>, policy: &Bound<'_, PyBlindPolicy>, player: &str) -> PyResult<Self> {
        let (policy, player) = (&policy.get().0, self::player(player)?);
        Ok(Self(py.detach(|| BlindBestResponse::new(policy, player))))
    }

    /// The payoff to A when the player responds best.
    fn value(&self) -> f64 {
        self.0.value()
    }

    /// The loss of each legal bid against the best one.
    fn losses(&self, bids: Vec<u32>, balls: Vec<i32>) -> PyResult<Option<Vec<(u32, f64)>>> {
        self.0.losses(&bids, &balls).or_raise()
    }
}

/// A solved game of blind Tennis: see the class `pencil_tennis.BlindSolution` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "BlindSolution")]
pub(crate) struct PyBlindSolution(BlindSolution);

/// Solves blind Tennis.
#[pyfunction]
pub(crate) fn solve_blind(
    py: Python<'_>,
    rules: PyRules,
    start: StateArgument,
    method: Option<&str>,
    gap: f64,
    time_limit: Option<f64>,
    threads: Option<usize>,
    memory_limit: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyBlindSolution> {
    let method: Option<BlindMethod> = method.map(|method| method.parse().or_raise()).transpose()?;
    let time_limit = time_limit.map(Duration::try_from_secs_f64).transpose();
    let time_limit =
        time_limit.map_err(|error| crate::errors::Error::new_err(error.to_string()))?;
    // The size of a game with more points takes memory to count, and the solver refuses it.
    if start.0.a.max(start.0.b) <= BlindSolver::MOST_POINTS {
        let asked = BlindSolver::new(&rules.0).start(start.0).memory();
        if asked <= memory_limit.unwrap_or(BlindSolver::MEMORY_LIMIT) {
            memory::check(asked, &format!("blind Tennis from {} on", start.0))?;
        }
    }
    detached(py, progress, |listener| {
        let mut first = None;
        let mut solver = BlindSolver::new(&rules.0).start(start.0).gap(gap).on_bounds(|progress| {
            let width = progress.enclosure.width();
            listener.tell(narrowed(width / *first.get_or_insert(width), gap))
        });
        if let Some(method) = method {
            solver = solver.method(method);
        }
        if let Some(limit) = time_limit {
            solver = solver.time_limit(limit);
        }
        if let Some(threads) = threads {
            solver = solver.threads(threads);
        }
        if let Some(bytes) = memory_limit {
            solver = solver.memory_limit(bytes);
        }
        solver.solve().map(PyBlindSolution)
    })
}

/// The share of the way to the gap: gaps shrink by a factor, not by a difference. The width is that
/// of the bounds as a share of the first ones, which are about as wide as the payoffs.
pub(crate) fn narrowed(width: f64, gap: f64) -> f64 {
    if width <= gap || width.is_nan() {
        1.0
    } else {
        (width.ln() / gap.max(1e-12).ln()).clamp(0.0, 1.0)
    }
}

#[pymethods]
impl PyBlindSolution {
    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The state that it starts from.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.start())
    }

    /// The value with its proved bounds.
    #[getter]
    fn enclosure(&self) -> PyEnclosure {
        PyEnclosure(self.0.enclosure())
    }

    /// The name of the method.
    #[getter]
    fn method(&self) -> String {
        self.0.method().to_string()
    }

    /// The iterations of regret minimisation.
    #[getter]
    fn iterations(&self) -> u64 {
        self.0.iterations()
    }

    /// The seconds that it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// A player's bids at the start.
    fn opening(&self, player: &str) -> PyResult<Vec<(u32, f64)>> {
        Ok(likely(&self.0.opening(self::player(player)?)))
    }

    /// A player's bids after these bids and balls.
    fn strategy(&self, player: &str, bids: Vec<u32>, balls: Vec<i32>) -> PyResult<Vec<(u32, f64)>> {
        Ok(likely(&self.0.strategy(self::player(player)?, &bids, &balls).or_raise()?))
    }

    /// Both strategies, everywhere.
    fn policy(&self, py: Python<'_>) -> PyBlindPolicy {
        PyBlindPolicy::new(py.detach(|| self.0.policy()))
    }
}

/// The bids of a strategy.
fn likely(strategy: &BidStrategy) -> Vec<(u32, f64)> {
    strategy.probabilities().collect()
}

/// The information sets of A and of B, histories that go on and plays that have ended, by the
/// rules.
#[pyfunction]
pub(crate) fn blind_size(
    py: Python<'_>,
    rules: PyRules,
    start: StateArgument,
) -> PyResult<(u64, u64, u64, u64)> {
    rules.0.check(start.0).or_raise()?;
    for (player, points) in [(Player::A, start.0.a), (Player::B, start.0.b)] {
        if points > BlindSolver::MOST_POINTS {
            let message = format!(
                "{player} has {points} points; expected at most {}",
                BlindSolver::MOST_POINTS
            );
            return Err(crate::errors::GameError::new_err(message));
        }
    }
    let size = py.detach(|| BlindSize::new(&rules.0, start.0));
    let [a, b] = size.information_sets;
    Ok((a, b, size.histories, size.plays))
}

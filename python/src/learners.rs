//! Learners and their curves, for Python.

use numpy::IntoPyArray;
use pencil_tennis::agents::{
    CurvePoint, Learner, LearnerKind, LearnerOptions, LearningCurve, Training,
};
use pencil_tennis::{Error, Policy};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::OrRaise;
use crate::memory;
use crate::policy::PyPolicy;
use crate::progress::detached;
use crate::rules::PyRules;
use crate::solution::PySolution;

/// A learner at work: see the class `pencil_tennis.Training` above it.
#[pyclass(module = "pencil_tennis._native", name = "Training")]
pub(crate) struct PyTraining(Training);

impl PyTraining {
    /// The most points that a learner takes; the library rejects more.
    const MOST_POINTS: u32 = 200;
}

#[pymethods]
impl PyTraining {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of the class above it")]
    fn new(
        learner: &str,
        rules: PyRules,
        points: u32,
        seed: u64,
        reward: &str,
        loss: u32,
        rare: u32,
        every: u64,
        middle: f64,
        close: bool,
        forget: u64,
        schedule: &str,
        explore: f64,
    ) -> PyResult<Self> {
        let kind: LearnerKind = learner.parse().or_raise()?;
        let (reward, schedule) = (reward.parse().or_raise()?, schedule.parse().or_raise()?);
        let options =
            LearnerOptions { reward, loss, rare, every, middle, close, forget, schedule, explore };
        // The largest keep regrets and averages of both players.
        memory::check_policy([points.min(Self::MOST_POINTS); 2], rules.0.field(), 32)?;
        Ok(Self(Training::new(kind, &rules.0, points, options, seed).or_raise()?))
    }

    /// The training that was written down.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self(Training::from_bytes(bytes).or_raise()?))
    }

    /// All that is needed to continue.
    fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// Plays more games.
    fn play(&mut self, py: Python<'_>, games: u64) -> PyResult<()> {
        py.detach(|| self.0.play(games)).or_raise()
    }

    /// The present policy.
    fn policy(&self, py: Python<'_>) -> PyResult<PyPolicy> {
        Ok(PyPolicy::new(py.detach(|| self.0.policy()).or_raise()?, Some(*self.0.rules())))
    }

    /// The name of the learner.
    #[getter]
    fn learner(&self) -> &'static str {
        self.0.kind().name()
    }

    /// The rules of the game that is learned.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The points both players start with.
    #[getter]
    fn points(&self) -> u32 {
        self.0.points()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed()
    }

    /// The games played so far.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    /// The numbers read so far, if the learner counts them.
    #[getter]
    fn entries_read(&self) -> Option<u64> {
        self.0.entries_read()
    }
}

/// The learners there are: name, description, guarantee, options.
#[pyfunction]
pub(crate) fn learners() -> Vec<(&'static str, &'static str, &'static str, &'static [&'static str])>
{
    LearnerKind::ALL
        .map(|kind| (kind.name(), kind.description(), kind.guarantee(), kind.options()))
        .to_vec()
}

/// A learning curve: see the class `pencil_tennis.LearningCurve` above it.
#[pyclass(module = "pencil_tennis._native", name = "LearningCurve")]
pub(crate) struct PyLearningCurve {
    solution: Py<PySolution>,
    points: Vec<CurvePoint>,
}

#[pymethods]
impl PyLearningCurve {
    #[new]
    fn new(solution: Py<PySolution>) -> Self {
        Self { solution, points: Vec::new() }
    }

    /// Numbers of games at which a learner can be judged.
    #[staticmethod]
    fn ladder(games: u64) -> Vec<u64> {
        LearningCurve::ladder(games).collect()
    }

    fn __len__(&self) -> usize {
        self.points.len()
    }

    /// Lets a learner play up to a total number of games, and judges it.
    fn train(
        &mut self,
        py: Python<'_>,
        training: &mut PyTraining,
        games: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let solution = &self.solution.get().inner;
        let points = &mut self.points;
        detached(py, progress, |listener| {
            extended(solution, points, |curve| {
                curve.train(&mut training.0, games, |learner| {
                    listener.tell(learner.games() as f64 / games.max(1) as f64)
                })
            })
        })
    }

    /// Judges a policy learned elsewhere in a given number of games.
    fn note(&mut self, py: Python<'_>, policy: &Bound<'_, PyPolicy>, games: u64) -> PyResult<()> {
        let solution = &self.solution.get().inner;
        let learned = Learned { policy: policy.get().of_game(solution.rules())?, games };
        let points = &mut self.points;
        py.detach(|| extended(solution, points, |curve| curve.note(&learned))).or_raise()
    }

    /// Takes over the points of a curve that was written down.
    fn restore(&mut self, points: Vec<(u64, f64, Option<u64>, f64, f64, f64)>) {
        let point =
            |(games, seconds, entries_read, exploitability, against_optimum, against_uniform)| {
                CurvePoint {
                    games,
                    seconds,
                    entries_read,
                    exploitability,
                    against_optimum,
                    against_uniform,
                }
            };
        self.points = points.into_iter().map(point).collect();
    }

    /// The numbers of the curve, an array for each; `entries_read` is -1 where they are not
    /// counted.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let whole = |number: fn(&CurvePoint) -> i64| {
            self.points.iter().map(number).collect::<Vec<_>>().into_pyarray(py)
        };
        let real = |number: fn(&CurvePoint) -> f64| {
            self.points.iter().map(number).collect::<Vec<_>>().into_pyarray(py)
        };
        columns.set_item("games", whole(|point| point.games as i64))?;
        columns.set_item("seconds", real(|point| point.seconds))?;
        columns.set_item(
            "entries_read",
            whole(|point| point.entries_read.map_or(-1, |read| read as i64)),
        )?;
        columns.set_item("exploitability", real(|point| point.exploitability))?;
        columns.set_item("against_optimum", real(|point| point.against_optimum))?;
        columns.set_item("against_uniform", real(|point| point.against_uniform))?;
        Ok(columns)
    }
}

/// Lets a curve with these points grow; it keeps its points on an error.
fn extended(
    solution: &pencil_tennis::Solution,
    points: &mut Vec<CurvePoint>,
    grow: impl FnOnce(&mut LearningCurve<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut curve = LearningCurve::new(solution)?;
    curve.resume(points.clone());
    grow(&mut curve)?;
    *points = curve.points().to_vec();
    Ok(())
}

/// A policy that someone else has learned.
struct Learned<'p> {
    policy: &'p Policy,
    games: u64,
}

impl Learner for Learned<'_> {
    fn play(&mut self, _: u64) -> Result<(), Error> {
        Ok(())
    }

    fn policy(&self) -> Result<Policy, Error> {
        Ok(self.policy.clone())
    }

    fn games(&self) -> u64 {
        self.games
    }
}

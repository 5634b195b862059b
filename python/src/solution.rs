//! The solution of a game, for Python.

use std::path::PathBuf;

use num_rational::BigRational;
use numpy::{PyArray2, PyArray3};
use pencil_tennis::certificate::verify;
use pencil_tennis::matrix_game::{DyadicStrategy, Payoffs};
use pencil_tennis::{
    BidStrategy, Method, Policy, Rules, Solution, Solver, State, TableFile, unwatched,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::by_state;
use crate::enclosures::PyEnclosure;
use crate::errors::{CertificateError, OTHER_CERTIFICATE, OrRaise};
use crate::files::{Checkpoints, write};
use crate::memory;
use crate::policy::PyPolicy;
use crate::progress::{abandonable, detached};
use crate::rules::PyRules;
use crate::states::StateArgument;

/// A solved game: see the class `pencil_tennis.Solution` above it.
#[pyclass(frozen, eq, module = "pencil_tennis._native", name = "Solution")]
pub(crate) struct PySolution {
    pub(crate) inner: Solution,
    /// The limit that the exact tier was given.
    pub(crate) exact_bits: Option<usize>,
}

/// Equal games with equal bounds and strategies, however they are stored.
impl PartialEq for PySolution {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (&self.inner, &other.inner);
        one.rules() == other.rules()
            && one.points() == other.points()
            && one.states().all(|state| one.enclosure(state) == other.enclosure(state))
            && Policy::optimal(one, &mut unwatched) == Policy::optimal(other, &mut unwatched)
    }
}

/// Solves every state of a game.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    rules: PyRules,
    points: [u32; 2],
    method: &str,
    threads: Option<usize>,
    exact_bits: Option<usize>,
    symmetry: bool,
    keep_strategies: bool,
    memory_limit: Option<u64>,
    checkpoint: Option<(PathBuf, f64)>,
    resume: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PySolution> {
    let method: Method = method.parse().or_raise()?;
    let checkpoints = Checkpoints::asked(checkpoint, resume.clone())?;
    let asked = Solver::new(&rules.0)
        .points(points)
        .method(method)
        .use_symmetry(symmetry)
        .keep_strategies(keep_strategies)
        .memory();
    if resume.is_none() && asked <= memory_limit.unwrap_or(Solver::MEMORY_LIMIT) {
        let [a, b] = points;
        memory::check(asked, &format!("a game of {a}:{b} points"))?;
    }
    let mut unwritten = None;
    let inner = detached(py, progress, |listener| {
        let solver = match resume {
            Some(path) => Solver::new(&Rules::tennis()).resume(TableFile::open(path)?),
            None => Solver::new(&rules.0).points(points),
        };
        let mut solver = solver
            .method(method)
            .use_symmetry(symmetry)
            .keep_strategies(keep_strategies)
            .on_progress(|share| listener.tell(share));
        if let Some(threads) = threads {
            solver = solver.threads(threads);
        }
        if let Some(bits) = exact_bits {
            solver = solver.exact(bits);
        }
        if let Some(bytes) = memory_limit {
            solver = solver.memory_limit(bytes);
        }
        if let Some(Checkpoints { path, every }) = &checkpoints {
            let unwritten = &mut unwritten;
            solver = solver.on_checkpoint(*every, move |checkpoint| {
                *unwritten = write(path, |out| checkpoint.write(out)).err();
            });
        }
        solver.solve()
    })?;
    match unwritten {
        Some(error) => Err(error),
        None => Ok(PySolution { inner, exact_bits }),
    }
}

#[pymethods]
impl PySolution {
    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.inner.rules())
    }

    /// The points A and B start with.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.inner.points().into()
    }

    /// The method that solved the matrix games.
    #[getter]
    fn method(&self) -> String {
        self.inner.method().to_string()
    }

    /// The seconds that finding strategies, proving bounds, and everything took.
    #[getter]
    fn seconds(&self) -> (f64, f64, f64) {
        let seconds = self.inner.seconds();
        (seconds.solve, seconds.certify, seconds.total)
    }

    /// The limit of bits of the exact tier, if there is one.
    #[getter]
    const fn exact_bits(&self) -> Option<usize> {
        self.exact_bits
    }

    /// The number of states with an exact value.
    #[getter]
    fn exact_states(&self) -> usize {
        self.inner.exact_states()
    }

    /// Whether the bounds were proved by this program.
    #[getter]
    const fn is_proved(&self) -> bool {
        self.inner.is_proved()
    }

    /// The number of states in which a player randomises.
    #[getter]
    const fn randomised_states(&self) -> usize {
        self.inner.randomised_states()
    }

    /// The largest width of any state's bounds, rounded up.
    #[getter]
    fn widest(&self) -> f64 {
        self.inner.widest_enclosure()
    }

    fn __len__(&self) -> usize {
        self.inner.states().len()
    }

    /// The value of a state.
    fn value(&self, state: StateArgument) -> PyResult<f64> {
        self.inner.value(state.0).or_raise()
    }

    /// The value of a state with its proved bounds.
    fn enclosure(&self, state: StateArgument) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.inner.enclosure(state.0).or_raise()?))
    }

    /// The bounds and the value of a state as decimal numbers that are true as written.
    fn decimal(&self, state: StateArgument) -> PyResult<(String, Option<String>, String)> {
        let decimal = self.inner.enclosure(state.0).or_raise()?.decimal();
        Ok((decimal.lower, decimal.value, decimal.upper))
    }

    /// A number of every state, as an array `[a, b, ball + field]`: a value, or a bound rounded
    /// outward.
    fn table<'py>(&self, py: Python<'py>, which: &str) -> PyResult<Bound<'py, PyArray3<f64>>> {
        memory::check_states(self.inner.points(), self.inner.rules().field(), 16)?;
        let numbers = py.detach(|| {
            let solution = &self.inner;
            let number = |state: State| match which {
                "lower" => {
                    solution.enclosure(state).map(|enclosure| enclosure.nearest_outward()[0])
                }
                "upper" => {
                    solution.enclosure(state).map(|enclosure| enclosure.nearest_outward()[1])
                }
                _ => solution.value(state),
            };
            solution.states().map(number).collect::<Result<Vec<f64>, _>>()
        });
        by_state(py, self.inner.points(), self.inner.rules().positions(), numbers.or_raise()?)
    }

    /// The optimal strategies of A and B at a state: probabilities by bid.
    fn strategies<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
    ) -> PyResult<[Bound<'py, PyDict>; 2]> {
        let equilibrium = self.inner.equilibrium(state.0).or_raise()?;
        let strategy = |strategy: &BidStrategy| {
            let bids = PyDict::new(py);
            for (bid, probability) in strategy.probabilities() {
                bids.set_item(bid, probability)?;
            }
            PyResult::Ok(bids)
        };
        Ok([strategy(&equilibrium.a)?, strategy(&equilibrium.b)?])
    }

    /// As exact fractions: the strategies that prove the bounds.
    fn dyadic_strategies<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
    ) -> PyResult<[Bound<'py, PyDict>; 2]> {
        let equilibrium = self.inner.equilibrium(state.0).or_raise()?;
        let strategy = |strategy: &BidStrategy| {
            let bids = PyDict::new(py);
            for (bid, weight) in strategy.weights() {
                bids.set_item(bid, BigRational::new(weight.into(), DyadicStrategy::WHOLE.into()))?;
            }
            PyResult::Ok(bids)
        };
        Ok([strategy(&equilibrium.a)?, strategy(&equilibrium.b)?])
    }

    /// The matrix game of a state: rows are A's bids, columns B's.
    fn stage_game<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let game = self.inner.stage_game(state.0).or_raise()?;
        debug_assert!(game.rows() > 0);
        Ok(PyArray2::from_vec2(py, &game.to_rows())?)
    }

    /// The exact value, where it is known.
    fn exact_value(&self, state: StateArgument) -> PyResult<Option<BigRational>> {
        self.inner.exact_value(state.0).or_raise()
    }

    /// Whether the value is proved to be no fraction.
    fn is_irrational(&self, state: StateArgument) -> PyResult<bool> {
        self.inner.is_irrational(state.0).or_raise()
    }

    /// The exact value and strategies, where they are known.
    fn exact<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
    ) -> PyResult<Option<(BigRational, Bound<'py, PyDict>, Bound<'py, PyDict>)>> {
        let Some(exact) = self.inner.exact(state.0).or_raise()? else { return Ok(None) };
        let strategy = |choices: Vec<(u32, BigRational)>| {
            let bids = PyDict::new(py);
            for (bid, probability) in choices {
                bids.set_item(bid, probability)?;
            }
            PyResult::Ok(bids)
        };
        Ok(Some((exact.value, strategy(exact.strategies.a)?, strategy(exact.strategies.b)?)))
    }

    /// Bounds and value to many decimals, as decimal strings.
    fn digits(
        &self,
        py: Python<'_>,
        state: StateArgument,
        digits: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, Option<String>, String)> {
        let digits = detached(py, progress, |listener| {
            self.inner.digits(state.0, digits, &mut |share| listener.tell(share))
        })?;
        Ok((digits.lower, digits.value, digits.upper))
    }

    /// Whether the optimal strategies of A and B are the only ones.
    fn uniqueness(&self, py: Python<'_>, state: StateArgument) -> PyResult<(String, String)> {
        Ok(detached(py, None, |_| self.inner.uniqueness(state.0))?
            .map(|uniqueness| uniqueness.to_string())
            .into())
    }

    /// Both players' optimal strategies at all states; those that gain most when the opponent errs,
    /// if asked.
    fn policy(
        &self,
        py: Python<'_>,
        refined: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyPolicy> {
        let rules = Some(*self.inner.rules());
        detached(py, progress, |listener| {
            if !refined {
                let optimal = Policy::optimal(&self.inner, &mut |share| listener.tell(share))?;
                return Ok::<_, pencil_tennis::Error>(PyPolicy::new(optimal, rules));
            }
            let refined = self.inner.refined_equilibria(&mut |share| listener.tell(share))?;
            Ok(PyPolicy::new(Policy::refined(&self.inner, &refined)?, rules))
        })
    }

    /// Writes a table file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write(&path, |out| self.inner.write_table(out)))
    }

    /// The bytes of a table file.
    fn table_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        py.detach(|| self.inner.write_table(&mut bytes))
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A certificate, which was read again and checked.
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, None, |listener| {
            self.inner.certificate(&mut |share| listener.tell(share))
        })?;
        let (bytes, proof) = abandonable(py, move || {
            let proof = verify(&bytes);
            (bytes, proof)
        })?;
        let proof = proof.or_raise()?;
        if !py.detach(|| self.inner.agrees_with(&proof)) {
            return Err(CertificateError::new_err(OTHER_CERTIFICATE));
        }
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The solution in a table file; strategies stay in it, and are read when they are asked for,
/// unless all is to be in memory.
#[pyfunction]
pub(crate) fn load_table(
    py: Python<'_>,
    path: PathBuf,
    in_memory: bool,
    exact_bits: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PySolution> {
    let inner = detached(py, progress, |listener| {
        let file = TableFile::open(path)?;
        if !in_memory && exact_bits.is_none() {
            return file.into_solution();
        }
        let solver =
            Solver::new(&Rules::tennis()).resume(file).on_progress(|share| listener.tell(share));
        if let Some(bits) = exact_bits { solver.exact(bits).solve() } else { solver.solve() }
    })?;
    Ok(PySolution { inner, exact_bits })
}

//! The solution of a game, for Python.

use num_rational::BigRational;
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pencil_tennis::{Method, Solution, Solver, State};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::progress::detached;
use crate::rules::PyRules;
use crate::states::StateArgument;

/// A solved game: see the class `pencil_tennis.Solution` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "Solution")]
pub(crate) struct PySolution {
    pub(crate) inner: Solution,
    /// The limit that the exact tier was given.
    exact_bits: Option<usize>,
}

/// Solves every state of a game.
#[pyfunction]
#[pyo3(signature = (rules, points, method, threads, exact_bits, symmetry, keep_strategies, memory_limit, progress))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of the function above it")]
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
    progress: Option<Py<PyAny>>,
) -> PyResult<PySolution> {
    let method: Method = method.parse().or_raise()?;
    let inner = detached(py, progress, |listener| {
        let mut solver = Solver::new(&rules.0)
            .points(points)
            .method(method)
            .use_symmetry(symmetry)
            .keep_strategies(keep_strategies)
            .on_progress(|progress| listener.tell(progress.work));
        if let Some(threads) = threads {
            solver = solver.threads(threads);
        }
        if let Some(bits) = exact_bits {
            solver = solver.exact(bits);
        }
        if let Some(bytes) = memory_limit {
            solver = solver.memory_limit(bytes);
        }
        solver.solve()
    })?;
    Ok(PySolution { inner, exact_bits })
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

    /// The limit of bits of the exact tier, if there is one.
    #[getter]
    fn exact_bits(&self) -> Option<usize> {
        self.exact_bits
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The value of a state.
    fn value(&self, state: StateArgument) -> PyResult<f64> {
        self.inner.value(state.0).or_raise()
    }

    /// The bounds of a state, as fractions.
    fn bounds(&self, state: StateArgument) -> PyResult<(BigRational, BigRational)> {
        Ok(self.inner.enclosure(state.0).or_raise()?.fractions().into())
    }

    /// A number of every state, as an array `[a, b, ball + field]`: a value, or a bound rounded outward.
    fn table<'py>(&self, py: Python<'py>, which: &str) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let numbers = py.detach(|| {
            let solution = &self.inner;
            let number = |state: State| match which {
                "lower" => solution.enclosure(state).map(|enclosure| enclosure.nearest_outward()[0]),
                "upper" => solution.enclosure(state).map(|enclosure| enclosure.nearest_outward()[1]),
                _ => solution.value(state),
            };
            solution.states().map(number).collect::<Result<Vec<f64>, _>>()
        });
        let [a, b] = self.inner.points().map(|points| points as usize + 1);
        let array = Array3::from_shape_vec([a, b, self.inner.rules().positions()], numbers.or_raise()?);
        Ok(array.map_err(|error| crate::errors::Error::new_err(error.to_string()))?.into_pyarray(py))
    }
}

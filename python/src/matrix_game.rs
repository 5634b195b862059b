//! Any matrix game, for Python.

use num_rational::BigRational;
use numpy::{PyArray1, PyReadonlyArray2};
use pencil_tennis::WorkError;
use pencil_tennis::matrix_game::{ExactSolution, Matrix, Simplex};
use pyo3::prelude::*;

use crate::enclosures::enclosure;
use crate::errors::OrRaise;
use crate::progress::detached;

/// The value of a game of doubles with proved bounds, and both strategies.
#[pyfunction]
pub(crate) fn solve_doubles<'py>(
    py: Python<'py>,
    payoffs: PyReadonlyArray2<'py, f64>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
    let rows: Vec<Vec<f64>> = payoffs.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    let game = Matrix::from_rows(&rows).or_raise()?;
    let (equilibrium, [lower, upper]) = detached(py, None, |listener| {
        let equilibrium = Simplex::new().solve_watched(&game, &mut |share| listener.tell(share))?;
        let bounds = equilibrium.proved_bounds(&game);
        Ok::<_, WorkError>((equilibrium, bounds))
    })?;
    let strategy = |strategy: &[f64]| PyArray1::from_slice(py, strategy);
    let strategies = [equilibrium.row_strategy(), equilibrium.column_strategy()].map(strategy);
    let [row, column] = strategies;
    Ok((enclosure(py, equilibrium.value(), lower, upper)?, row, column))
}

/// A game of fractions, solved exactly.
#[pyclass(frozen, module = "pencil_tennis._native", name = "ExactMatrixGame")]
pub(crate) struct PyExactMatrixGame(ExactSolution);

#[pymethods]
impl PyExactMatrixGame {
    #[new]
    fn new(py: Python<'_>, rows: Vec<Vec<BigRational>>) -> PyResult<Self> {
        Ok(Self(detached(py, None, |listener| ExactSolution::watched(&rows, &mut |share| listener.tell(share)))?))
    }

    /// The value to the row player.
    #[getter]
    fn value(&self) -> BigRational {
        self.0.value().clone()
    }

    /// The probability of each row.
    #[getter]
    fn row_strategy(&self) -> Vec<BigRational> {
        self.0.row_strategy().cloned().collect()
    }

    /// The probability of each column.
    #[getter]
    fn column_strategy(&self) -> Vec<BigRational> {
        self.0.column_strategy().cloned().collect()
    }

    /// Whether each player has one optimal strategy: "unique", "several" or "unknown".
    fn uniqueness(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let decided = detached(py, None, |listener| self.0.uniqueness_watched(&mut |share| listener.tell(share)))?;
        Ok(decided.map(|uniqueness| uniqueness.to_string()).into())
    }
}

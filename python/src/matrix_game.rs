//! Any matrix game, for Python.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use num_rational::BigRational;
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods,
};
use pencil_tennis::matrix_game::quick::{QuickError, QuickSolver, SecurityLevels};
use pencil_tennis::matrix_game::{ExactSolution, Matrix, MatrixError, Payoffs};
use pencil_tennis::{Error, WorkError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception};
use crate::progress::{Listener, detached};

/// A game of this many payoffs is solved sooner than other Python threads have begun.
const SMALL: usize = 1 << 10;

/// A game of doubles, solved in floating point. What is asked for is made then: arrays, and
/// fractions.
#[pyclass(frozen, module = "pencil_tennis._native", name = "MatrixSolution")]
pub(crate) struct PyMatrixSolution {
    game: Matrix,
    row: Vec<f64>,
    column: Vec<f64>,
    value: f64,
}

#[pymethods]
impl PyMatrixSolution {
    /// A solution that was kept: its strategies are what it was made of, and bounds are proved of
    /// these anew.
    #[new]
    fn new(
        payoffs: PyReadonlyArray2<'_, f64>,
        row: Vec<f64>,
        column: Vec<f64>,
        value: f64,
    ) -> PyResult<Self> {
        let game = matrix(&payoffs)?;
        if game.security_levels(&row, &column).is_none() {
            return Err(exception(&MatrixError::NotProved.into()));
        }
        Ok(Self { game, row, column, value })
    }

    /// The value, between the levels that both strategies secure.
    fn value(&self) -> f64 {
        self.value
    }

    /// The security levels: the row strategy secures the first, and the column strategy concedes
    /// the second.
    fn security_levels(&self, py: Python<'_>) -> PyResult<(BigRational, BigRational)> {
        let levels = detached(py, None, |_| {
            Ok::<_, WorkError>(self.game.security_levels(&self.row, &self.column))
        })?;
        let levels =
            levels.ok_or(Error::from(MatrixError::NotProved)).map_err(|error| exception(&error))?;
        Ok(levels.into())
    }

    fn row_strategy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.row)
    }

    fn column_strategy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.column)
    }

    fn payoffs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        Ok(PyArray2::from_vec2(py, &self.game.to_rows())?)
    }
}

fn matrix(payoffs: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix> {
    let array = payoffs.as_array();
    Matrix::from_entries(array.iter().copied().collect(), array.ncols()).or_raise()
}

/// Solves a game of doubles in floating point; `None` where this is no matrix of doubles.
#[pyfunction]
pub(crate) fn solve_doubles(
    py: Python<'_>,
    payoffs: &Bound<'_, PyAny>,
) -> PyResult<Option<PyMatrixSolution>> {
    /// In this unit the largest doubles are small enough for [`QuickSolver`].
    const UNIT: f64 = 8.0;

    let Ok(payoffs) = payoffs.extract::<PyReadonlyArray2<'_, f64>>() else { return Ok(None) };
    let game = matrix(&payoffs)?;
    drop(payoffs);
    let (mut row, mut column) = (vec![0.0; game.rows()], vec![0.0; game.columns()]);
    let mut solve = |entries: &[f64]| quick_solution(py, entries, &mut row, &mut column);
    let solution = match solve(game.entries())? {
        Err(QuickError::Range { .. }) => {
            let entries: Vec<f64> = game.entries().iter().map(|entry| entry / UNIT).collect();
            solve(&entries)?.map(|levels| levels.value * UNIT)
        }
        solution => solution.map(|levels| levels.value),
    };
    let value = solution.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Some(PyMatrixSolution { game, row, column, value }))
}

/// Solves a game in doubles; Ctrl-C ends the solve of a large one.
fn quick_solution(
    py: Python<'_>,
    entries: &[f64],
    row: &mut [f64],
    column: &mut [f64],
) -> PyResult<Result<SecurityLevels, QuickError>> {
    let mut solver = QuickSolver::new();
    if entries.len() <= SMALL {
        return Ok(solver.solve(entries, row, column));
    }
    detached(py, None, |listener| {
        match solver.solve_watched(entries, row, column, &mut |share| listener.tell(share)) {
            Err(QuickError::Cancelled) => Err(WorkError::Cancelled),
            solution => Ok(solution),
        }
    })
}

/// Many solved games of one shape: values, lower and upper bounds, and both strategies, one after
/// another.
struct Solved {
    numbers: [Vec<f64>; 3],
    strategies: [Vec<f64>; 2],
}

/// A run of these games.
struct Part<'s> {
    first: usize,
    payoffs: &'s [f64],
    numbers: [&'s mut [f64]; 3],
    strategies: [&'s mut [f64]; 2],
}

/// A game that is refused.
type Refused = (usize, QuickError);

impl Part<'_> {
    /// Solves its games until `check_cancel`, which hears the share that is solved, breaks.
    fn solve(
        self,
        sizes: [usize; 2],
        mut check_cancel: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<(), Refused> {
        let Self { first, payoffs, numbers: [values, lower, upper], strategies: [rows, columns] } =
            self;
        let mut solver = QuickSolver::new();
        let count = values.len();
        let games = payoffs.chunks_exact(sizes[0] * sizes[1]);
        let strategies = rows.chunks_exact_mut(sizes[0]).zip(columns.chunks_exact_mut(sizes[1]));
        for (index, (game, (row, column))) in games.zip(strategies).enumerate() {
            if check_cancel(index as f64 / count as f64).is_break() {
                break;
            }
            let levels = solver.solve(game, row, column).map_err(|error| (first + index, error))?;
            (values[index], lower[index], upper[index]) =
                (levels.value, levels.lower, levels.upper);
        }
        Ok(())
    }
}

/// Breaks once another thread has set the flag.
fn check_stopped(stopped: &AtomicBool) -> ControlFlow<()> {
    if stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Solves many games of one shape in some threads; the first of them is this one, and hears of
/// Ctrl-C. The shape is the number of games, of their rows and of their columns.
fn solve_many(
    payoffs: &[f64],
    shape: [usize; 3],
    threads: usize,
    listener: &mut Listener,
) -> Result<Result<Solved, Refused>, WorkError> {
    let [count, rows, columns] = shape;
    let mut solved = Solved {
        numbers: std::array::from_fn(|_| vec![0.0; count]),
        strategies: [rows, columns].map(|choices| vec![0.0; count * choices]),
    };
    let piece = count.div_ceil(threads).max(1);
    let [values, lower, upper] = solved.numbers.each_mut().map(|numbers| numbers.chunks_mut(piece));
    let [row, column] = &mut solved.strategies;
    let strategies = row.chunks_mut(piece * rows).zip(column.chunks_mut(piece * columns));
    let mut parts = payoffs
        .chunks(piece * rows * columns)
        .zip(values.zip(lower).zip(upper))
        .zip(strategies)
        .enumerate()
        .map(|(number, ((payoffs, ((values, lower), upper)), (row, column)))| Part {
            first: number * piece,
            payoffs,
            numbers: [values, lower, upper],
            strategies: [row, column],
        });
    let stopped = AtomicBool::new(false);
    let first = parts.next();
    let refused =
        thread::scope(|scope| {
            let stopped = &stopped;
            let others: Vec<_> = parts
                .map(|part| {
                    scope.spawn(move || part.solve([rows, columns], |_| check_stopped(stopped)))
                })
                .collect();
            let mut check_cancel = |share| {
                let flow = listener.tell(share);
                if flow.is_break() {
                    stopped.store(true, Ordering::Relaxed);
                }
                flow
            };
            let mut results =
                vec![first.map_or(Ok(()), |part| part.solve([rows, columns], &mut check_cancel))];
            results.extend(others.into_iter().map(|other| {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            results.into_iter().find_map(Result::err)
        });
    if stopped.into_inner() {
        return Err(WorkError::Cancelled);
    }
    Ok(refused.map_or(Ok(solved), Err))
}

/// The values, lower bounds, upper bounds, row and column strategies of many games of one shape; or
/// the number of a game that is refused, and the reason.
#[pyfunction]
pub(crate) fn solve_many_doubles<'py>(
    py: Python<'py>,
    payoffs: PyReadonlyArray3<'py, f64>,
    threads: usize,
) -> PyResult<([Bound<'py, PyArray1<f64>>; 3], [Bound<'py, PyArray2<f64>>; 2])> {
    let &[count, rows, columns] = payoffs.shape() else {
        return Err(exception(&MatrixError::Shape.into()));
    };
    // Another thread may write into the caller's array meanwhile.
    let entries = match payoffs.as_slice() {
        Ok(entries) => entries.to_vec(),
        Err(_) => payoffs.as_array().iter().copied().collect(),
    };
    drop(payoffs);
    let solved = detached(py, None, |listener| {
        solve_many(&entries, [count, rows, columns], threads, listener)
    })?;
    let Solved { numbers, strategies: [row, column] } = solved.map_err(|(game, error)| {
        exception(&MatrixError::File { reason: format!("game {game}: {error}") }.into())
    })?;
    let table = |numbers: Vec<f64>, choices: usize| {
        PyArray1::from_vec(py, numbers).reshape([count, choices])
    };
    Ok((
        numbers.map(|numbers| PyArray1::from_vec(py, numbers)),
        [table(row, rows)?, table(column, columns)?],
    ))
}

/// A game of fractions, solved exactly.
#[pyclass(frozen, module = "pencil_tennis._native", name = "ExactMatrixGame")]
pub(crate) struct PyExactMatrixGame(ExactSolution);

#[pymethods]
impl PyExactMatrixGame {
    #[new]
    fn new(py: Python<'_>, rows: Vec<Vec<BigRational>>) -> PyResult<Self> {
        Ok(Self(detached(py, None, |listener| {
            ExactSolution::new(&rows, &mut |share| listener.tell(share))
        })?))
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
        let decided =
            detached(py, None, |listener| self.0.uniqueness(&mut |share| listener.tell(share)))?;
        Ok(decided.map(|uniqueness| uniqueness.to_string()).into())
    }
}

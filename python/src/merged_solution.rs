//! A solved acyclic game in which a state stands for the one with exchanged players, for Python.
//!
//! States are asked about by their numbers, as they are without the exchange; who asks for a state
//! with exchanged players turns the answer round.

use std::path::PathBuf;

use num_rational::BigRational;
use numpy::PyArray1;
use pencil_tennis::Enclosure;
use pencil_tennis::stochastic_game::{GameRules, StochasticSolution};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::files::write;
use crate::progress::{abandonable, detached};
use crate::rules_table::PyRulesTable;
use crate::stochastic_game::{Chosen, PyStochasticCheckpoint, SolveOptions, kept};

/// A solved table of rules.
#[pyclass(frozen, module = "pencil_tennis._native", name = "MergedSolution")]
pub(crate) struct PyMergedSolution(StochasticSolution<PyRulesTable>);

#[pymethods]
impl PyMergedSolution {
    /// The game.
    #[getter]
    fn table(&self) -> PyRulesTable {
        self.0.game().clone()
    }

    /// The kind of the game.
    #[getter]
    fn kind(&self) -> String {
        self.0.game().kind().to_string()
    }

    /// The values of all states, and the doubles next to their bounds.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
        let states = 0..self.0.game().len();
        let all = states
            .map(|state| self.0.enclosure(&(state, false)))
            .collect::<Result<Vec<Enclosure>, _>>()
            .or_raise()?;
        Ok([
            PyArray1::from_iter(py, all.iter().map(Enclosure::middle)),
            PyArray1::from_iter(py, all.iter().map(Enclosure::lower)),
            PyArray1::from_iter(py, all.iter().map(Enclosure::upper)),
        ])
    }

    /// The value of a state.
    fn value(&self, state: u32) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.enclosure(&(state, false)).or_raise()?))
    }

    /// The bounds of a state's value that the strategies secure.
    fn secured(&self, state: u32) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.secured(&(state, false)).or_raise()?))
    }

    /// Both strategies.
    fn strategies(&self, state: u32) -> PyResult<Chosen> {
        Ok(self.0.strategies(&(state, false)).or_raise()?.into())
    }

    /// The known exact values, with denominators of at most `bits` bits.
    fn exact(
        &self,
        py: Python<'_>,
        bits: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Option<BigRational>>> {
        let exact = detached(py, progress, |listener| {
            self.0.exact(bits, &mut |share| listener.tell(share))
        })?;
        (0..self.0.game().len()).map(|state| exact.value(&(state, false)).or_raise()).collect()
    }

    /// A certificate that has the digest of the game.
    fn certificate<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let shared = slf.clone().unbind();
        let written = abandonable(py, move || {
            let mut bytes = Vec::new();
            shared.get().0.write_certificate(&mut bytes).map(|()| bytes)
        });
        Ok(PyBytes::new(py, &written??))
    }

    /// A checkpoint that has all of the solution, without the game.
    fn checkpoint<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let shared = slf.clone().unbind();
        Ok(PyBytes::new(py, &abandonable(py, move || kept(&shared.get().0))??))
    }

    /// Writes a checkpoint that has all of the solution.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let all = self.0.checkpoint().or_raise()?;
        write(&path, |out| all.write(out))
    }
}

/// Solves a table of rules, from a checkpoint on if there is one, and leaves one that has all of
/// it.
#[pyfunction]
pub(crate) fn solve_rules_table(
    py: Python<'_>,
    table: &PyRulesTable,
    width: f64,
    threads: Option<usize>,
    checkpoint: Option<(PathBuf, f64)>,
    resume: Option<&Bound<'_, PyStochasticCheckpoint>>,
    memory_limit: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyMergedSolution> {
    let options = SolveOptions::asked(width, threads, checkpoint, resume, memory_limit, progress)?;
    Ok(PyMergedSolution(options.solve(py, table.clone())?))
}

/// The solution of a table of rules of which these are the bytes, proved anew.
#[pyfunction]
pub(crate) fn solution_of_rules_table(
    py: Python<'_>,
    table: &PyRulesTable,
    solution: &[u8],
) -> PyResult<PyMergedSolution> {
    Ok(PyMergedSolution(SolveOptions::kept(solution)?.solve(py, table.clone())?))
}

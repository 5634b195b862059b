//! Certificates as bytes, and files that are written whole, for Python.

use std::path::{Path, PathBuf};
use std::time::Duration;

use numpy::PyArray3;
use pencil_tennis::certificate::{Proof, verify};
use pencil_tennis::report::{FileError, check_folder, check_new, write_file};
use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::arrays::by_state;
use crate::enclosures::PyEnclosure;
use crate::errors::OrRaise;
use crate::progress::abandonable;
use crate::rules::PyRules;
use crate::states::StateArgument;

/// Writes a file that is whole or not there.
pub(crate) fn write(
    path: &Path,
    bytes: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> PyResult<()> {
    write_file(path, bytes).map_err(|error| exception(&error))
}

/// The exception for a file that cannot be written.
pub(crate) fn exception(error: &FileError) -> PyErr {
    use std::error::Error;

    PyOSError::new_err(
        error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    )
}

/// Refuses a place of checkpoints whose folder does not exist, and a file other than the one that
/// is resumed.
#[pyfunction(name = "check_checkpoint")]
pub(crate) fn checkpoint(path: PathBuf, resume: Option<PathBuf>) -> PyResult<()> {
    check_folder(&path).map_err(|error| PyOSError::new_err(error.to_string()))?;
    check_new(&path, resume.as_deref()).map_err(|error| {
        let text = format!("{error}; go on from it with resume, or name another file");
        PyFileExistsError::new_err(text)
    })
}

/// The place of checkpoints, written while a game is solved.
pub(crate) struct Checkpoints {
    pub(crate) path: PathBuf,
    pub(crate) every: Duration,
}

impl Checkpoints {
    /// The place and the seconds between two that were asked for. A place that cannot be used is
    /// noticed now rather than when the first one is due.
    pub(crate) fn asked(
        asked: Option<(PathBuf, f64)>,
        resume: Option<PathBuf>,
    ) -> PyResult<Option<Self>> {
        let Some((path, seconds)) = asked else { return Ok(None) };
        let every = Duration::try_from_secs_f64(seconds)
            .map_err(|error| crate::errors::Error::new_err(error.to_string()))?;
        checkpoint(path.clone(), resume)?;
        Ok(Some(Self { path, every }))
    }
}

/// The bounds that a certificate proves: see the class `pencil_tennis.Proof` above it.
#[pyclass(frozen, eq, module = "pencil_tennis._native", name = "Proof")]
#[derive(PartialEq, Eq)]
pub(crate) struct PyProof(Proof);

#[pymethods]
impl PyProof {
    /// Checks a certificate.
    #[new]
    fn new(py: Python<'_>, certificate: PyBackedBytes) -> PyResult<Self> {
        Ok(Self(abandonable(py, move || verify(&certificate))?.or_raise()?))
    }

    /// The rules that the bounds are about.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The most points A and B have.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.0.points().into()
    }

    fn __len__(&self) -> usize {
        self.0.iter().len()
    }

    /// The largest width of the bounds of any state, rounded up.
    #[getter]
    fn widest(&self) -> f64 {
        self.0.widest_enclosure()
    }

    /// The proved bounds of a state.
    fn enclosure(&self, state: StateArgument) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.enclosure(state.0).or_raise()?))
    }

    /// A bound of every state, as an array `[a, b, ball + field]`, rounded outward.
    fn table<'py>(&self, py: Python<'py>, which: &str) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let end = usize::from(which == "upper");
        let bound =
            |(state, _)| self.0.enclosure(state).map(|enclosure| enclosure.nearest_outward()[end]);
        let bounds = self.0.iter().map(bound).collect::<Result<Vec<f64>, _>>();
        by_state(py, self.0.points(), self.0.rules().positions(), bounds.or_raise()?)
    }
}

//! Proved intervals as objects of the class `pencil_tennis.Enclosure`.

use num_rational::BigRational;
use pencil_tennis::Enclosure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// An interval on its way to Python.
#[derive(Clone, Copy)]
pub(crate) struct PyEnclosure(pub(crate) Enclosure);

impl<'py> IntoPyObject<'py> for PyEnclosure {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [lower, upper] = self.0.fractions();
        enclosure(py, self.0.middle(), lower, upper)
    }
}

/// The object for a number and its proved bounds.
pub(crate) fn enclosure(
    py: Python<'_>,
    middle: f64,
    lower: BigRational,
    upper: BigRational,
) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "pencil_tennis._enclosure", "Enclosure")?.call1((middle, lower, upper))
}

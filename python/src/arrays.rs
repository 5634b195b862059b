//! Arrays with a number for every state, indexed `[a, b, ball + field]`.

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::prelude::*;

use crate::errors::Error;

/// The array of numbers that come by A's points, then B's, then the ball.
pub(crate) fn by_state(
    py: Python<'_>,
    points: [u32; 2],
    positions: usize,
    numbers: Vec<f64>,
) -> PyResult<Bound<'_, PyArray3<f64>>> {
    let [a, b] = points.map(|points| points as usize + 1);
    let array = Array3::from_shape_vec([a, b, positions], numbers);
    Ok(array.map_err(|error| Error::new_err(error.to_string()))?.into_pyarray(py))
}

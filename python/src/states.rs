//! States as Python writes them: `"4:3@-2"`, or three numbers such as `(4, 3, -2)`.

use pencil_tennis::{Ball, State};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::errors::OrRaise;

/// A state given by a Python caller.
#[derive(Clone, Copy)]
pub(crate) struct StateArgument(pub(crate) State);

impl<'py> FromPyObject<'_, 'py> for StateArgument {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = argument.extract::<&str>() {
            return Ok(Self(text.parse::<State>().or_raise()?));
        }
        let Some((a, b, ball)) = three_numbers(argument) else {
            let message = format!(
                "{} is not a state; expected a string such as \"4:3@-2\" or (4, 3, -2)",
                argument.repr()?
            );
            return Err(PyTypeError::new_err(message));
        };
        Ok(Self(State::new(a, b, Ball::new(ball).or_raise()?)))
    }
}

/// The numbers of a tuple, a list or an array.
fn three_numbers(argument: Borrowed<'_, '_, PyAny>) -> Option<(u32, u32, i32)> {
    argument.extract().ok().or_else(|| {
        let numbers = argument.try_iter().ok()?.take(4).collect::<PyResult<Vec<_>>>().ok()?;
        let [a, b, ball] = &numbers[..] else { return None };
        Some((a.extract().ok()?, b.extract().ok()?, ball.extract().ok()?))
    })
}

/// The state as an object of the class `pencil_tennis.State`.
pub(crate) fn to_python(py: Python<'_>, state: State) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "pencil_tennis._state", "State")?.call1((
        state.a,
        state.b,
        state.ball.position(),
    ))
}

/// The three numbers of a state.
#[pyfunction]
pub(crate) fn parse_state(state: StateArgument) -> (u32, u32, i32) {
    (state.0.a, state.0.b, state.0.ball.position())
}

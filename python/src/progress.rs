//! Long work: other Python threads run meanwhile, a callback hears of the progress, and Ctrl-C interrupts.

use std::ops::ControlFlow;

use pyo3::prelude::*;

use crate::errors::exception;

/// A callback that is told which share of some work is done, from 0 to 1, and the exception it raised, if any.
pub(crate) struct Listener {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Listener {
    /// Tells the callback, after looking whether Ctrl-C was pressed; breaks when either raises an exception.
    pub(crate) fn tell(&mut self, share: f64) -> ControlFlow<()> {
        let told = Python::attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &self.callback {
                callback.call1(py, (share,))?;
            }
            Ok(())
        });
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Does work without the interpreter, so that other Python threads run meanwhile.
pub(crate) fn detached<T: Send, E: Into<pencil_tennis::Error> + Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&mut Listener) -> Result<T, E> + Send,
) -> PyResult<T> {
    let mut listener = Listener { callback, raised: None };
    let done = py.detach(|| work(&mut listener));
    match (done, listener.raised) {
        (_, Some(raised)) => Err(raised),
        (Ok(done), None) => Ok(done),
        (Err(error), None) => Err(exception(&error.into())),
    }
}

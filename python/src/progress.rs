//! Long work: other Python threads run meanwhile, a callback hears of the progress, and Ctrl-C
//! interrupts.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::{DefectError, exception};

/// A callback that receives the finished share of some work, from 0 to 1, and the exception it
/// raised, if any.
pub(crate) struct Listener {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    /// When it was last looked whether Ctrl-C was pressed.
    heard: Instant,
}

/// The time between two looks, far below what a person notices.
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

impl Listener {
    /// Calls the callback after checking for Ctrl-C; breaks if either raises an exception.
    pub(crate) fn tell(&mut self, share: f64) -> ControlFlow<()> {
        // Inner loops ask more often than anyone could press keys.
        if self.callback.is_none() && self.heard.elapsed() < BETWEEN_LOOKS {
            return ControlFlow::Continue(());
        }
        self.heard = Instant::now();
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &self.callback {
                callback.call1(py, (share,))?;
            }
            Ok(())
        });
        match outcome {
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
    let mut listener = Listener { callback, raised: None, heard: Instant::now() };
    // Unfinished work is dropped, so that no partial result is visible.
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&mut listener))));
    match (done, listener.raised) {
        (_, Some(raised)) => Err(raised),
        (Ok(Ok(done)), None) => Ok(done),
        (Ok(Err(error)), None) => Err(exception(&error.into())),
        (Err(panic), None) => Err(defect(&*panic)),
    }
}

/// Does work whose panic becomes an exception of the package.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(defect(&*panic)))
}

/// Does short work without the interpreter; its panic becomes an exception of the package.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| defect(&*panic))
}

/// The stack of a thread, as large as that of the interpreter's first one.
const STACK: usize = 8 << 20;

/// Does work that cannot be stopped, on a thread of its own. After Ctrl-C nobody waits for it, and
/// its result is dropped.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody hears it after Ctrl-C.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    })?;
    loop {
        let done;
        (done, receiver) = py.detach(move || (receiver.recv_timeout(BETWEEN_LOOKS), receiver));
        match done {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => return Err(defect(&*panic)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(defect(&"a thread is gone")),
        }
    }
}

/// The exception for a panic, which `except Exception` catches, as it does not catch that of PyO3.
fn defect(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    DefectError::new_err(format!(
        "a defect of pencil_tennis: {}",
        text.unwrap_or("a panic without a message")
    ))
}

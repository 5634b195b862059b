//! The library's errors as Python exceptions, with the library's sentences.

use pencil_tennis::hidden::HiddenError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::{create_exception, exceptions::PyKeyboardInterrupt};

create_exception!(
    pencil_tennis,
    Error,
    PyValueError,
    "The library rejects a request; the message names the fault.\n\n\
     ``code`` names the fault for programs, such as ``game.bid_illegal``; it stays when a sentence is worded anew. None in errors\n\
     that the Python code raises itself."
);
create_exception!(
    pencil_tennis,
    GameError,
    Error,
    "A state, a bid or rules that the game does not have."
);
create_exception!(pencil_tennis, MatrixError, Error, "A matrix that is no matrix game.");
create_exception!(
    pencil_tennis,
    PolicyError,
    Error,
    "The policy is invalid or does not cover the request."
);
create_exception!(pencil_tennis, CertificateError, Error, "The certificate is invalid.");
create_exception!(pencil_tennis, TableFileError, Error, "The table file is invalid.");
create_exception!(
    pencil_tennis,
    DefectError,
    PyRuntimeError,
    "A defect of this package, which its authors like to hear of."
);
create_exception!(pencil_tennis, AgentError, Error, "A learner or a search that is not possible.");

/// The fault of a certificate that is valid, but not the one that was to be made.
pub(crate) const OTHER_CERTIFICATE: &str =
    "read back, it is no certificate of this game with these bounds";

/// The exception for an error of the library, with the error's stable code as `code`.
pub(crate) fn exception(error: &pencil_tennis::Error) -> PyErr {
    let exception = without_code(error);
    // An exception that cannot be marked is still the right one.
    let _ = Python::attach(|py| exception.value(py).setattr("code", error.code()));
    exception
}

fn without_code(error: &pencil_tennis::Error) -> PyErr {
    let message = error.to_string();
    match error {
        pencil_tennis::Error::Game(_) => GameError::new_err(message),
        pencil_tennis::Error::Matrix(_) => MatrixError::new_err(message),
        pencil_tennis::Error::Policy(_)
        | pencil_tennis::Error::Hidden(
            HiddenError::Strategy { .. } | HiddenError::StrategyFile { .. },
        ) => PolicyError::new_err(message),
        pencil_tennis::Error::Certificate { .. } => CertificateError::new_err(message),
        pencil_tennis::Error::TableFile { .. } => TableFileError::new_err(message),
        pencil_tennis::Error::Agent(_) => AgentError::new_err(message),
        // Cancelled from here only by an exception, which is raised in its place.
        pencil_tennis::Error::Work(pencil_tennis::WorkError::Cancelled) => {
            PyKeyboardInterrupt::new_err(message)
        }
        _ => Error::new_err(message),
    }
}

/// Results whose error becomes an exception.
pub(crate) trait OrRaise<T> {
    /// The result for Python.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Into<pencil_tennis::Error>> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error.into()))
    }
}

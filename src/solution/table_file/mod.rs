//! The table file: a solved game, or one that is being solved, as bytes. `docs/table-format.md`
//! describes them.

use std::path::Path;

use crate::error::Error;

#[cfg(any(test, feature = "mpi"))]
pub(super) use {read::read_tables, stored::Header};

mod proof;
mod read;
mod stored;
mod write;

pub use read::TableFile;

pub(super) use proof::{check_agrees, check_secured, prove_by_solving, prove_by_strategies};
pub(super) use stored::StoredTable;
pub(super) use write::write;

/// Adds the path to the error with which a file is rejected.
pub(super) fn named<T>(path: &Path, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    read().map_err(|error| match error {
        Error::TableFile { reason, .. } => Error::TableFile { path: path.to_owned(), reason },
        other => other,
    })
}

//! The table file: a solved game, or one that is being solved, as bytes. `docs/table-format.md` describes them.

use std::path::{Path, PathBuf};

use super::SolveError;

#[cfg(any(test, feature = "mpi"))]
pub(super) use format::Header;

mod format;
mod proof;
mod read;
mod stored;
mod write;

pub use read::TableFile;

pub(super) use proof::{check_secured, prove_by_solving, prove_by_strategies};
pub(super) use stored::{StoredTable, Strategies};
pub(super) use write::{write, write_tables};

/// A table file that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// A table file is refused.
    #[error("the table file {} cannot be used: {reason}", path.display())]
    Refused {
        /// The file, as it was named when it was opened.
        path: PathBuf,
        /// The reason for the refusal.
        reason: String,
    },
}

/// Names the file of a refusal, which whoever reads its bytes does not know.
fn named(error: SolveError, path: &Path) -> SolveError {
    match error {
        SolveError::TableFile(TableFileError::Refused { reason, .. }) => {
            SolveError::TableFile(TableFileError::Refused { path: path.to_owned(), reason })
        }
        other => other,
    }
}

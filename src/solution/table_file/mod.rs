//! The table file: a solved game, or one that is being solved, as bytes. `docs/table-format.md` describes them.

#[cfg(any(test, feature = "mpi"))]
pub(super) use format::Header;

mod format;
mod proof;
mod read;
mod strategy_file;
mod write;

pub use read::TableFile;

pub(super) use proof::{check_secured, prove_by_solving, prove_by_strategies};
pub(super) use strategy_file::StrategyFile;
pub(super) use write::{write, write_tables};

/// A table file that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// A table file is refused.
    #[error("the table file cannot be used: {reason}")]
    Refused {
        /// The reason for the refusal.
        reason: String,
    },
}

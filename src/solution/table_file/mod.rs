//! The table file: a solved game, or one that is being solved, as bytes. `docs/table-format.md` describes them.

#[cfg(any(test, feature = "mpi"))]
pub(super) use format::Header;

mod error;
mod format;
mod proof;
mod read;
mod strategy_file;
mod write;

pub use error::TableFileError;
pub use read::TableFile;

pub(super) use proof::{check_secured, prove_by_solving, prove_by_strategies};
pub(super) use strategy_file::StrategyFile;
pub(super) use write::{write, write_tables};

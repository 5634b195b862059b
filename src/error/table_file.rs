//! Errors of table files.

use std::path::PathBuf;

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

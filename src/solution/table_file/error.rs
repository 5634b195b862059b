//! Errors of table files.

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

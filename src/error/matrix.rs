//! Errors of a matrix game.

/// A matrix that is no matrix game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A matrix has no row, no column or rows of different lengths.
    #[error("a matrix needs at least one row and one column, and rows of equal length")]
    Shape,
    /// A matrix entry is not finite.
    #[error("entry {entry} in row {row}, column {column} is not a finite number")]
    Entry {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// The entry.
        entry: f64,
    },
    /// A text is none of those that [`Uniqueness`](crate::Uniqueness) is written as.
    #[error("`{text}` is not an answer to whether a strategy is unique; expected unique, several or unknown")]
    UniquenessSyntax {
        /// The value that was given.
        text: String,
    },
}

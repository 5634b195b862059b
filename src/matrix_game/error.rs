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
}

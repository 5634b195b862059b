//! The errors of this crate.

#![expect(
    missing_docs,
    reason = "the sentence of each variant says what it means and names its fields"
)]

use crate::excerpt::Quoted;
use crate::work::WorkError;

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// A matrix that is no matrix game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    #[error("a matrix needs at least one row and one column, and rows of equal length")]
    Shape,
    #[error("entry {entry} in row {row}, column {column} is not a finite number")]
    Entry { row: usize, column: usize, entry: f64 },
    #[error("a payoff is 2^{bits} or larger in size; expected smaller ones")]
    Size { bits: u32 },
    #[error("{reason}")]
    File { reason: String },
    /// The check of the solution, which shares no code with the search for it, refuses it: a fault
    /// of this library.
    #[error(
        "the strategies that were found do not secure the value: nothing is proved of this game"
    )]
    NotProved,
    #[error(
        "the game has more than {most} extreme optimal strategies of a player, or comes by as many on the way to them"
    )]
    ManyStrategies { most: usize },
    #[error(
        "{} is not an answer to whether a strategy is unique; expected unique, several or unknown",
        Quoted(text)
    )]
    UniquenessSyntax { text: String },
}

impl MatrixError {
    /// The stable code of the fault, which stays as it is when the sentence is worded anew: such as
    /// `matrix.shape`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shape { .. } => "matrix.shape",
            Self::Entry { .. } => "matrix.entry",
            Self::Size { .. } => "matrix.size",
            Self::File { .. } => "matrix.file",
            Self::NotProved { .. } => "matrix.not_proved",
            Self::ManyStrategies { .. } => "matrix.many_strategies",
            Self::UniquenessSyntax { .. } => "matrix.uniqueness_syntax",
        }
    }
}

impl Error {
    /// The stable code of the fault, such as `matrix.shape` or `work.cancelled`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Matrix(error) => error.code(),
            Self::Work(error) => error.code(),
        }
    }
}

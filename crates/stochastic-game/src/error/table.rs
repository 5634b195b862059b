//! Files of rows and arrays that are refused.

use crate::excerpt::{Quoted, sentence};

/// A file of rows or arrays that is refused: why, and where. Lines and rows are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableFault {
    #[error("there is no column `{column}`; expected {expected}")]
    Column { column: &'static str, expected: String },
    #[error("line {line} has {found} fields; expected {expected}")]
    Fields { line: u64, found: u64, expected: u64 },
    #[error("line {line} is not text")]
    NotText { line: u64 },
    #[error("line {line}, {}: {}; expected {expected}", sentence(column), Quoted(text))]
    Entry { line: u64, column: String, text: String, expected: &'static str },
    #[error("line {line}: {}", sentence(reason))]
    Line { line: u64, reason: String },
    /// The reason is that of the reader of csv, JSON or zip.
    #[error("{}", sentence(reason))]
    Unreadable { reason: String },
    #[error("there are no rows")]
    NoRows,
    #[error("there are no bids in it")]
    NoBids,
    #[error("line {line} of the weights: {} is not a number", Quoted(text))]
    Weight { line: u64, text: String },
    #[error("row {row} of the weights has {found} columns; expected {expected}")]
    Columns { row: usize, found: usize, expected: usize },
    #[error("the weights have {found} rows; expected {expected}, one for every state")]
    Rows { found: usize, expected: usize },
    #[error("the archive holds {}; expected policy_a, policy_b or weights", sentence(names))]
    Arrays { names: String },
    #[error("the array {array}: {}", sentence(reason))]
    Array { array: String, reason: String },
    #[error("the array {array} has shape {found}; expected {expected}")]
    Shape { array: String, found: String, expected: String },
}

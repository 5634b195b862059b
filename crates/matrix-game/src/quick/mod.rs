//! Matrix games in a hurry: payoffs in doubles, strategies in the caller's memory, and bounds that
//! are proved all the same.
//!
//! `dictionary` finds strategies, as doubles find them; `security` proves what they secure,
//! whichever they are, by a bound of every rounding. Up to 16 rows and columns nothing is allocated
//! and nothing but `core` is needed: [`solve_small`]. Any size, and games too delicate for doubles,
//! are for [`QuickSolver`].

mod dictionary;
mod security;
mod small;
#[cfg(feature = "std")]
mod solver;
#[cfg(all(test, feature = "std"))]
mod tests;

pub use security::SecurityLevels;
pub use small::{MOST_SMALL, solve_small};
#[cfg(feature = "std")]
pub use solver::QuickSolver;

use core::fmt;

/// A game or a buffer that [`solve_small`] and `QuickSolver` refuse.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum QuickError {
    /// No row or no column.
    Empty,
    /// The number of payoffs is not that of the rows times that of the columns.
    Length { payoffs: usize, rows: usize, columns: usize },
    /// A payoff that is no finite number.
    Entry { row: usize, column: usize, entry: f64 },
    /// Payoffs so large that a sum of two is no finite number.
    Range { least: f64, largest: f64 },
    /// More rows or columns than [`MOST_SMALL`].
    Size { rows: usize, columns: usize },
    /// The watch of a long solve said so.
    Cancelled,
}

impl fmt::Display for QuickError {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(text, "a matrix needs at least one row and one column"),
            Self::Length { payoffs, rows, columns } => {
                write!(text, "{payoffs} payoffs are not those of {rows} rows and {columns} columns")
            }
            Self::Entry { row, column, entry } => {
                write!(text, "entry {entry} in row {row}, column {column} is not a finite number")
            }
            Self::Range { least, largest } => {
                write!(
                    text,
                    "payoffs from {least:e} to {largest:e} are too large: expected up to {LARGEST:e}"
                )
            }
            Self::Size { rows, columns } => {
                write!(
                    text,
                    "a small game has at most {MOST_SMALL} rows and columns; this one has {rows} and {columns}"
                )
            }
            Self::Cancelled => text.write_str("cancelled"),
        }
    }
}

impl core::error::Error for QuickError {}

/// The largest size of a payoff: differences, and sums with probabilities that sum to 2, stay
/// finite.
const LARGEST: f64 = f64::MAX / 4.0;

/// A matrix of payoffs, row by row.
#[derive(Clone, Copy)]
struct Payoffs<'p> {
    entries: &'p [f64],
    rows: usize,
    columns: usize,
    /// A number that is taken off every payoff, without rounding, so that sums round less: 0 unless
    /// all payoffs lie within a factor of 2.
    shift: f64,
    /// The least and the largest payoff without the shift.
    least: f64,
    largest: f64,
}

impl<'p> Payoffs<'p> {
    fn new(entries: &'p [f64], rows: usize, columns: usize) -> Result<Self, QuickError> {
        if rows == 0 || columns == 0 {
            return Err(QuickError::Empty);
        }
        if rows.checked_mul(columns) != Some(entries.len()) {
            return Err(QuickError::Length { payoffs: entries.len(), rows, columns });
        }
        let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
        // 0 times a payoff is 0, unless that is infinite or not a number.
        let mut zero = 0.0;
        for &entry in entries {
            least = if entry < least { entry } else { least };
            largest = if entry > largest { entry } else { largest };
            zero += 0.0 * entry;
        }
        if zero != 0.0 {
            let index = entries.iter().position(|entry| !entry.is_finite()).unwrap_or(0);
            return Err(QuickError::Entry {
                row: index / columns,
                column: index % columns,
                entry: entries[index],
            });
        }
        if largest.max(-least) > LARGEST {
            return Err(QuickError::Range { least, largest });
        }
        // The difference of two doubles within a factor of 2 is a double (Sterbenz 1974).
        let shift = if least > 0.0 && largest <= 2.0 * least {
            least
        } else if largest < 0.0 && least >= 2.0 * largest {
            largest
        } else {
            0.0
        };
        Ok(Self { entries, rows, columns, shift, least: least - shift, largest: largest - shift })
    }

    fn row(&self, row: usize) -> &'p [f64] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// A payoff without the shift; the difference is exact.
    fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column] - self.shift
    }

    /// The size of the largest payoff without the shift.
    fn size(&self) -> f64 {
        self.largest.max(-self.least)
    }
}

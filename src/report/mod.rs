//! How results leave the program: reports as JSON, tables as csv and JSON, files that are whole or not there.
//!
//! Needs the feature `report`.

mod file;
mod forced_report;
mod series_report;
mod solve_report;
mod state_report;
mod tables;

pub use file::{FileError, check_folder, write_file};
pub use forced_report::{BallReport, ComparisonReport, ForcedReport, NeededReport};
pub use series_report::{ScoreReport, SeriesReport};
pub use solve_report::{SecondsReport, SolveReport, UniqueCount, UniqueCounts};
pub use state_report::{BidReport, DigitsReport, StateReport, UniqueReport};
pub use tables::{Table, TableFormat};

//! How results leave the program: reports as JSON, tables as csv and JSON, files that are whole or not there.
//!
//! Needs the feature `report`.

mod exploit_report;
mod file;
mod policy_format;
#[cfg(feature = "npz")]
mod policy_npz;
mod policy_rows;
mod policy_weights;
mod solve_report;
mod state_report;
mod tables;

pub use exploit_report::{BoundsReport, ExploitReport, GuaranteedReport, HabitReport, Pair, write_habits};
pub use file::{FileError, check_folder, write_file};
pub use policy_format::{PolicyFormat, read_policy};
pub use solve_report::{SecondsReport, SolveReport};
pub use state_report::{BidReport, DigitsReport, StateReport};
pub use tables::{Table, TableFormat};

//! Reports as JSON, tables as csv and JSON, and files that are either whole or not there.
//!
//! Needs the feature `report`.

mod arena;
mod blind_rows;
mod curve_table;
mod document;
mod duel_report;
mod exploit_report;
mod file;
mod forced_report;
mod npy;
mod policy_format;
mod policy_npz;
mod policy_rows;
mod policy_weights;
mod row_filter;
mod rows;
mod solve_report;
mod stochastic_game_report;
mod stochastic_policy;
mod strategy_table;
mod tables;
mod train_report;
mod values_npz;

pub use arena::read_arena_games;
pub use blind_rows::{read_blind_policy, write_blind_policy};
pub use curve_table::{read_curve, write_curve};
pub use document::{Document, FORMAT_VERSION};
pub use duel_report::DuelReport;
pub use exploit_report::{ExploitReport, write_state_regrets};
pub use file::{FileError, check_folder, read_file, write_file};
pub use forced_report::{BallReport, ForcedReport};
pub use policy_format::{PolicyFormat, read_policy};
pub use row_filter::RowFilter;
pub use solve_report::SolveReport;
pub use stochastic_game_report::{
    ActionReport, GameProofReport, StochasticGameReport, StochasticStateReport, write_game_bounds, write_game_strategies,
    write_game_values,
};
pub use stochastic_policy::{JudgementReport, read_game_policy};
pub use strategy_table::{Markup, write_strategies};
pub use tables::{Table, TableFormat};
pub use train_report::TrainReport;
pub use values_npz::write_values_npz;

//! Reports as JSON, tables as csv and JSON, and files that are either whole or not there.
//!
//! Needs the feature `report`. What writes returns the errors of its writer.

#![expect(clippy::missing_errors_doc, reason = "the line above says when writing fails")]

mod arena;
mod blind_rows;
mod curve_table;
mod document;
mod file;
mod npy;
mod policy_files;
mod reports;
mod rows;
mod stochastic_game_report;
mod stochastic_policy;
mod strategy_table;
mod tables;

pub use arena::read_arena_games;
pub use blind_rows::{read_blind_policy, write_blind_policy};
pub use curve_table::{read_curve, write_curve};
pub use document::{Document, FORMAT_VERSION};
pub use file::{FileError, check_folder, read_file, write_file};
pub use policy_files::{PolicyFormat, read_policy};
pub use reports::{BallReport, DuelReport, ExploitReport, ForcedReport, SolveReport, TrainReport, write_state_regrets};
pub use stochastic_game_report::{
    ActionReport, GameProofReport, ModelReport, StochasticGameReport, StochasticStateReport, write_game_bounds,
    write_game_strategies, write_game_values,
};
pub use stochastic_policy::{JudgementReport, read_game_policy};
pub use strategy_table::{Markup, write_strategies};
pub use tables::{RowFilter, Table, TableFormat, write_values_npz};

//! Reports as JSON, tables as csv and JSON, and files written atomically.
//!
//! Needs the feature `report`. Functions that write return the errors of their writer.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod blind_rows;
mod document;
mod extensive_form;
mod file;
mod gallery;
mod gambit;
mod game_play;
mod hidden_report;
mod judged;
mod matrix_file;
mod npy;
mod policy_files;
mod proved_value;
mod reports;
mod rows;
mod stochastic_game_report;
mod stochastic_policy;
mod tables;
mod trained;

pub use blind_rows::{read_blind_policy, write_blind_policy};
pub use document::{Document, FORMAT_VERSION};
pub use extensive_form::ExtensiveForm;
pub use file::{FileError, check_folder, check_new, read_file, write_checked, write_file};
pub use gallery::{gallery, gallery_game};
pub use game_play::{GamePlay, JudgedMove, JudgedPlay, PlayedAction};
pub use hidden_report::{ActionPayoffReport, HiddenReport, SetReport, read_hidden_strategies};
pub use judged::{GameExploitReport, HiddenExploitReport};
pub use matrix_file::{PayoffReading, WrittenMatrix};
pub use policy_files::{PolicyFormat, read_policy};
pub use reports::{CellReport, DuelReport, ExploitReport, ForcedReport, SolveReport, StageReport};
pub use rows::TableFormat;
pub use stochastic_game_report::{
    ActionReport, BestPayoffReport, ModelReport, NotProvedReport, StochasticGameReport,
    StochasticProofReport, StochasticStateReport, write_game_strategies, write_game_values,
};
pub use stochastic_policy::{JudgementReport, read_game_policy};
pub use tables::{RowFilter, Table, WriteCsv, read_curve, write_values_npz};

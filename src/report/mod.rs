//! Reports as JSON, tables as csv and JSON, and files that are either whole or not there.
//!
//! Needs the feature `report`.

mod arena;
mod blind_report;
mod blind_rows;
mod bounds_report;
mod csv_rows;
#[cfg(feature = "plot")]
mod curve_plot;
mod curve_table;
mod document;
mod duel_report;
mod exploit_report;
mod file;
mod forced_report;
mod game_report;
mod npy;
mod outcomes_report;
mod payoffs_report;
mod policy_format;
mod policy_npz;
mod policy_rows;
mod policy_weights;
mod row_filter;
mod series_report;
mod solve_report;
mod state_report;
mod stochastic_game_report;
mod stochastic_policy;
mod strategy_table;
mod tables;
mod train_report;
mod values_npz;

pub use arena::read_arena_games;
pub use blind_report::{BlindPolicyReport, BlindReport, GuessReport, InformationReport};
pub use blind_rows::{read_blind_policy, write_blind_policy};
pub use bounds_report::{BoundsReport, DecimalReport};
#[cfg(feature = "plot")]
pub use curve_plot::{CurveX, CurveY, PlotError, plot_curves};
pub use curve_table::{read_curve, write_curve};
pub use document::{Document, EndsReport, FORMAT_VERSION, RulesReport};
pub use duel_report::{DuelReport, EndlessReport, IntervalReport, OutcomeReport};
pub use exploit_report::{ExploitReport, GuaranteedReport, StateRegretReport, write_state_regrets};
pub use file::{FileError, check_folder, read_file, write_file};
pub use forced_report::{BallReport, ComparisonReport, ForcedReport};
pub use game_report::{GameReport, MistakeReport, TurnReport};
pub use outcomes_report::{NumberReport, OutcomesReport};
pub use payoffs_report::{BidPayoffReport, StatePayoffsReport};
pub use policy_format::{PolicyFormat, read_policy};
pub use row_filter::RowFilter;
pub use series_report::{ScoreReport, SeriesReport};
pub use solve_report::{SecondsReport, SolveReport, UniqueCount};
pub use state_report::{BidReport, DigitsReport, StateReport};
pub use stochastic_game_report::{
    ActionReport, GameProofReport, ProvedStateReport, StochasticGameReport, StochasticStateReport, write_game_bounds,
    write_game_strategies, write_game_values,
};
pub use stochastic_policy::{
    JudgedPartReport, JudgedStateReport, JudgementReport, PlayerJudgementReport, RegretReport, read_game_policy,
};
pub use strategy_table::{Markup, write_strategies};
pub use tables::{Table, TableFormat};
pub use train_report::TrainReport;
pub use values_npz::write_values_npz;

//! The library as its users meet it, against truth that was found without it.
//!
//! One program, since linking takes longer than most of the tests.

// Tests may want a newer Rust than the library, as proptest does.
#![allow(clippy::incompatible_msrv)]

mod bad_input;
#[cfg(feature = "lp")]
mod blind;
mod blind_best_bids;
mod blind_checkpoints;
mod brute_force;
mod certificate;
mod certificate_rules;
#[cfg(feature = "report")]
mod decimal_text;
#[cfg(feature = "report")]
mod decimals;
mod dresher;
#[cfg(feature = "report")]
mod error_objects;
mod exact;
mod exact_matrix_games;
mod findings;
mod forced;
#[cfg(feature = "report")]
mod forged;
#[cfg(feature = "report")]
mod forged_tables;
mod fractions;
mod fuzzing;
mod gates;
#[cfg(feature = "report")]
mod golden;
mod judging;
mod known_answers;
mod learning;
mod matrix_games;
#[cfg(feature = "report")]
mod policy;
mod properties;
mod records;
#[cfg(feature = "report")]
mod reports;
mod series;
#[cfg(feature = "report")]
mod table_file;
mod uniqueness;
#[cfg(feature = "report")]
mod written_files;
#[cfg(feature = "report")]
mod written_matrices;
mod zero_bids;

//! The program as scripts and people meet it: what it prints where, its exit status, and the files
//! it leaves or does not leave.

// Tests may want a newer Rust than the program, as proptest does.
#![allow(clippy::incompatible_msrv)]

mod any_game;
mod arriving;
mod blind;
#[cfg(unix)]
mod bots;
mod check;
#[cfg(unix)]
mod completions;
mod damaged;
mod dresher;
mod explore;
mod forced;
mod forged;
mod game;
#[cfg(unix)]
mod going_on;
mod hidden;
mod json_fields;
#[cfg(unix)]
mod kept;
mod learning;
mod matrix;
#[cfg(target_os = "linux")]
mod paths;
mod play;
mod plot;
mod policies;
mod printed_bounds;
mod program;
#[cfg(feature = "mpi")]
mod ranks;
mod readme;
mod replay;
mod snapshots;
mod solving;
#[cfg(unix)]
mod tables;
mod wording;
mod wrong_usage;
mod zero_bids;

//! Games of any rules as users of the library meet them, against truth that was found without it.
//!
//! A program of its own: it needs nothing of what the other tests share but exact fractions, and few features.

// Tests may want a newer Rust than the library.
#![allow(clippy::incompatible_msrv)]

mod cycles;
#[path = "../library/fractions/kernels.rs"]
mod kernels;
mod random_games;
mod stochastic_games;

//! Games of any rules as users of the library meet them, against truth that was found without it.
//!
//! A program of its own: it needs nothing of what the other tests share but exact fractions, and few features.

// Tests may want a newer Rust than the library.
#![allow(clippy::incompatible_msrv)]

#[path = "../../examples/all_pay_tic_tac_toe.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod all_pay_tic_tac_toe;
mod cycles;
#[path = "../../examples/goofspiel.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod goofspiel;
#[path = "../library/fractions/kernels.rs"]
mod kernels;
mod random_games;
mod rules_in_code;
mod stochastic_games;

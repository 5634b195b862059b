//! Games of any rules as users of the library meet them, against truth that was found without it.
//!
//! A program of its own: it needs nothing of what the other tests share but exact fractions, and
//! few features.

// Tests may want a newer Rust than the library.
#![allow(clippy::incompatible_msrv)]
#![allow(clippy::duplicate_mod, reason = "each example is a program with all that it needs")]

#[path = "../../examples/all_pay_tic_tac_toe.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod all_pay_tic_tac_toe;
mod almost_sure;
#[path = "../../examples/blotto.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod blotto;
mod cycle_parts;
mod cycles;
mod damaged_models;
mod explorations;
mod extensive_forms;
mod forged;
mod forged_checkpoints;
mod gallery;
#[path = "../../examples/goofspiel.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod goofspiel;
mod hidden;
#[path = "../../examples/inspections.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod inspections;
mod judged;
#[path = "../library/fractions/kernels.rs"]
mod kernels;
mod layer_folders;
mod long_sums;
#[path = "../../examples/markov_soccer.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod markov_soccer;
mod models;
mod nature;
mod not_of_the_game;
mod payments;
#[path = "../../examples/pursuit.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod pursuit;
mod quasi_perfect;
mod random_games;
mod ranked;
mod restricted;
mod resumed;
#[path = "../../examples/robot_coordination.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod robot_coordination;
mod rules_in_code;
mod showpieces;
mod slow_cycles;
mod small_values;
mod stochastic_games;
mod total;
#[path = "../../examples/tron.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod tron;
mod turn_based;
mod uncertain;
mod verdicts;
#[path = "../../examples/ways_to_pay.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a program")]
mod ways_to_pay;

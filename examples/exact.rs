//! Exact values: how they look, and how their denominators grow until no computer can hold them.
//!
//! `cargo run --release --example exact -- 16` goes further than the 12 points of the default.

use std::process::ExitCode;
use std::time::Instant;

use pencil_tennis::{Rules, Solver};

#[path = "shared/program.rs"]
mod program;
use program::say;

fn main() -> ExitCode {
    program::run("exact [POINTS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let most: u32 = program::argument(1, "number of points", 12, 1..=20)?;

    let solution =
        Solver::new(&Rules::tennis()).points([8, 8]).exact(Solver::EXACT_BITS).solve()?;
    for state in ["4:3@-2", "4:4@2", "7:6@1", "7:8@1"] {
        let exact = solution.exact(state.parse()?)?.ok_or("too large")?;
        say!("{state:>7} is worth {:>6} to A, who bids", exact.value);
        for (bid, probability) in &exact.strategies.a {
            say!("{bid:>12} with probability {probability}");
        }
    }

    say!("\n points   states   bits of the largest denominator   seconds");
    for points in 1..=most {
        let begin = Instant::now();
        let solution = Solver::new(&Rules::tennis())
            .points([points, points])
            .threads(1)
            .exact(usize::MAX)
            .solve()?;
        let mut bits = 0;
        for state in solution.states() {
            let value =
                solution.exact_value(state)?.ok_or("every state is exact without a limit")?;
            bits = bits.max(value.denom().bits());
        }
        say!(
            "{points:>7} {:>8} {bits:>33} {:>9.3}",
            solution.states().len(),
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

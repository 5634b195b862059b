//! The opening: the optimal bids of the 50-point game, and the value of the first hit.

use std::error::Error;
use std::process::ExitCode;

use pencil_tennis::{Ball, State};

#[path = "shared/program.rs"]
#[allow(dead_code, reason = "this program takes no argument")]
mod program;
use program::say;

fn main() -> ExitCode {
    program::run("opening", print)
}

fn print() -> Result<(), Box<dyn Error>> {
    let solution = pencil_tennis::solve(50)?;
    let start = solution.equilibrium(solution.start())?;
    say!("{} is worth {} to A; bid", start.state, start.value);
    for (bid, probability) in start.a.probabilities() {
        say!("  {bid} in {:5.2} % of the games", 100.0 * probability);
    }
    say!("\nWith equal points the ball decides:");
    for ball in -2..=2 {
        let state = State::new(50, 50, Ball::new(ball)?);
        let enclosure = solution.enclosure(state)?;
        say!(
            "  {state:<8} {:>20}   proved to within {:.1e}",
            enclosure.middle(),
            enclosure.width()
        );
    }
    Ok(())
}

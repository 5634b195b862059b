//! Shared by the examples of games: solving with a report, and strategies as text.

mod program;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use pencil_tennis::stochastic_game::{GameRules, StochasticSolution, StochasticSolver};
pub(crate) use program::{argument, run};

/// Solves a game on as many threads as the variable `THREADS` says, or all; prints the states, the time and the width of the
/// bounds, and on a terminal how far it is.
pub(crate) fn solve<R: GameRules>(rules: R) -> Result<StochasticSolution<R>, Box<dyn Error>> {
    let begin = Instant::now();
    let tell = |text: String| {
        if io::stderr().is_terminal() {
            // Nothing is lost where it cannot be shown.
            let _ = write!(io::stderr(), "\r{text:<30}\r");
        }
        ControlFlow::Continue(())
    };
    let mut solver =
        StochasticSolver::new(rules).on_explored(|states| tell(format!("{states} states found"))).on_progress(|share| {
            if share > 0.0 { tell(format!("{:.0} % solved", 100.0 * share)) } else { ControlFlow::Continue(()) }
        });
    if let Ok(threads) = std::env::var("THREADS") {
        solver = solver.threads(threads.parse().map_err(|_| format!("THREADS={threads} is no number of threads"))?);
    }
    let solution = solver.solve()?;
    let (seconds, width) = (begin.elapsed().as_secs_f64(), solution.widest_enclosure());
    println!("{} states in {seconds:.4} s, proved to {width:.1e}", solution.len());
    println!("{} states looked at for mistakes of symmetry", solution.check_symmetry(10_000)?);
    Ok(solution)
}

/// The actions that are chosen, with their probabilities.
pub(crate) fn shown(strategy: &[(usize, f64)], name: impl Fn(usize) -> String) -> String {
    let actions: Vec<String> = strategy.iter().map(|&(action, share)| format!("{} {share:.4}", name(action))).collect();
    actions.join(", ")
}

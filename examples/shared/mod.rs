//! Shared by the examples of games: solving with a report, ends, and strategies as text.

use std::error::Error;
use std::time::Instant;

use num_rational::BigRational;
use pencil_tennis::num_rational;
use pencil_tennis::stochastic_game::{GameRules, RulesSolution, RulesSolver, Turn};

/// An end at which A receives a whole number.
pub(crate) fn over(payoff: i32) -> Turn {
    Turn::Over(BigRational::from_integer(payoff.into()))
}

/// The n-th argument of the program, or what stands for it.
pub(crate) fn argument<T: std::str::FromStr<Err: Error + 'static>>(n: usize, default: T) -> Result<T, Box<dyn Error>> {
    std::env::args().nth(n).map_or(Ok(default), |argument| Ok(argument.parse()?))
}

/// Solves a game on as many threads as the variable `THREADS` says, or all; prints the states, the time and the width of the bounds.
pub(crate) fn solve<R: GameRules>(rules: R) -> Result<RulesSolution<R>, Box<dyn Error>> {
    let begin = Instant::now();
    let mut solver = RulesSolver::new(rules);
    if let Ok(threads) = std::env::var("THREADS") {
        solver = solver.threads(threads.parse()?);
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

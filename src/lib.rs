//! Exact game-theoretic solver of the pencil game Tennis.

mod analysis;
pub mod certificate;
mod error;
mod game;
mod induction;
pub mod matrix_game;
#[cfg(feature = "report")]
pub mod report;
mod solution;

pub use analysis::ForcedPlay;
pub use error::Error;
pub use game::{Ball, Bid, GameRecord, Motion, Outcome, Payoff, Player, Rules, Scoring, State, Turn};
pub use induction::{Method, Progress, Seconds, StageGame};
pub use solution::{BidStrategy, Digits, Enclosure, Exact, Solution, Solver, StateEquilibrium};

/// Solves Tennis with `points` each: every state, with values, bounds and strategies.
///
/// # Errors
/// As for [`Solver::solve`].
///
/// ```
/// let solution = pencil_tennis::solve(7)?;
/// assert_eq!(solution.value("7:7@0".parse()?)?, 0.0);
/// assert_eq!(solution.value("7:6@1".parse()?)?, 46.0 / 41.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn solve(points: u32) -> Result<Solution, Error> {
    Solver::new(Rules::tennis()).points(points, points).solve()
}

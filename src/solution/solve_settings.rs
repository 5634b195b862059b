//! Settings of every solve.

use super::Solver;
use crate::induction::Method;

/// The settings that a solve of one game and of a match have in common.
///
/// ```
/// use pencil_tennis::analysis::SeriesSolver;
/// use pencil_tennis::{Rules, SolveSettings, Solver};
///
/// let mut settings = SolveSettings::default();
/// settings.threads = Some(1);
/// let solution = Solver::new(&Rules::tennis()).settings(settings).points([9, 9]).solve()?;
/// let series = SeriesSolver::new(&Rules::tennis(), 2).settings(settings).points([9, 9]).solve()?;
/// assert_eq!(solution.value(solution.start())?, 0.0);
/// assert_eq!(series.chance("0-0".parse()?)?, 0.5);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolveSettings {
    /// The method of the matrix games.
    pub method: Method,
    /// The number of threads, 1 to [`Solver::MOST_THREADS`], or as many as the machine has. The result is the same, to the byte.
    pub threads: Option<usize>,
    /// The bytes that the solution of one game may take; [`Solver::MEMORY_LIMIT`] by default.
    pub memory_limit: u64,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { method: Method::default(), threads: None, memory_limit: Solver::MEMORY_LIMIT }
    }
}

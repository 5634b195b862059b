use super::Solver;
use crate::induction::Method;

/// The settings shared by [`Solver`] and [`SeriesSolver`](crate::analysis::SeriesSolver).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolveSettings {
    pub method: Method,
    /// The number of threads, 1 to [`Solver::MOST_THREADS`]; `None` for as many as the machine has. The result does not depend on
    /// it.
    pub threads: Option<usize>,
    /// The memory limit of a game's solution in bytes; [`Solver::MEMORY_LIMIT`] by default.
    pub memory_limit: u64,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { method: Method::default(), threads: None, memory_limit: Solver::MEMORY_LIMIT }
    }
}

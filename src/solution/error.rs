//! Errors of a solve, and of questions to a solution.

use super::TableFileError;
#[cfg(any(test, feature = "mpi"))]
use crate::distributed::DistributedError;
use crate::game::GameError;
use crate::induction::MethodError;
use crate::matrix_game::MatrixError;
#[cfg(any(test, feature = "mpi"))]
use crate::passed_on::passed_on;
use crate::work::WorkError;

/// A game that cannot be solved, or a question that its solution does not answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The solve cannot begin, or was stopped.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The game does not have this number of points, or this state.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The method is not part of this build.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The table file that the solution is read from is refused.
    #[error(transparent)]
    TableFile(#[from] TableFileError),
    /// The matrix of a state is no matrix game.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The solve on several ranks is not possible.
    #[cfg(any(test, feature = "mpi"))]
    #[error(transparent)]
    Distributed(DistributedError),
}

#[cfg(any(test, feature = "mpi"))]
passed_on!(DistributedError { Work } => SolveError::Distributed);

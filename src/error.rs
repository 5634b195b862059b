//! The errors of all rooms, gathered, each with a sentence for the person at the keyboard.

use crate::agents::AgentError;
use crate::analysis::{AnalysisError, SeriesError};
use crate::blind::BlindError;
use crate::certificate::CertificateError;
#[cfg(any(test, feature = "mpi"))]
use crate::distributed::DistributedError;
use crate::game::GameError;
use crate::induction::MethodError;
use crate::matrix_game::MatrixError;
use crate::passed_on::passed_on;
use crate::policy::PolicyError;
use crate::solution::{SolveError, TableFileError};
use crate::stochastic_game::{StochasticGameError, StochasticSolveError};
use crate::work::WorkError;

/// An error of this crate, whichever of its rooms returned it.
///
/// Every error of a room becomes one with `?`, and one that only passed through a room is that of the room it came from: a solve
/// that is stopped while a policy is judged is [`Error::Work`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Long work that cannot begin, or was stopped.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// A value or a move that the game does not have.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A matrix that is no matrix game.
    #[error(transparent)]
    Matrix(MatrixError),
    /// A certificate is refused.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// A method is unknown or missing.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A table file is refused.
    #[error(transparent)]
    TableFile(#[from] TableFileError),
    /// A policy is refused, or does not cover the state or player asked for.
    #[error(transparent)]
    Policy(PolicyError),
    /// Blind Tennis cannot be solved, or what is said of it is wrong.
    #[error(transparent)]
    Blind(BlindError),
    /// A stochastic game is refused, or does not have the state asked for.
    #[error(transparent)]
    StochasticGame(#[from] StochasticGameError),
    /// A match is not possible, or a score is not part of it.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// A learner or a search is not possible.
    #[error(transparent)]
    Agent(AgentError),
    /// A solve on several ranks is not possible.
    #[cfg(any(test, feature = "mpi"))]
    #[error(transparent)]
    Distributed(DistributedError),
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Work(error) => error.into(),
            SolveError::Game(error) => error.into(),
            SolveError::Method(error) => error.into(),
            SolveError::TableFile(error) => error.into(),
            SolveError::Matrix(error) => error.into(),
            #[cfg(any(test, feature = "mpi"))]
            SolveError::Distributed(error) => error.into(),
        }
    }
}

#[cfg(any(test, feature = "mpi"))]
passed_on!(DistributedError { Work } => Error::Distributed);

passed_on!(PolicyError { Work, Game, Solve } => Error::Policy);

impl From<AnalysisError> for Error {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Work(error) => error.into(),
            AnalysisError::Game(error) => error.into(),
            AnalysisError::Solve(error) => error.into(),
            AnalysisError::Policy(error) => error.into(),
            AnalysisError::Series(error) => error.into(),
        }
    }
}

passed_on!(AgentError { Work, Game, Solve, Policy, Analysis } => Error::Agent);

passed_on!(BlindError { Work, Game, Method, Solve } => Error::Blind);

impl From<StochasticSolveError> for Error {
    fn from(error: StochasticSolveError) -> Self {
        match error {
            StochasticSolveError::Work(error) => error.into(),
            StochasticSolveError::Game(error) => error.into(),
        }
    }
}

impl From<MatrixError> for Error {
    fn from(error: MatrixError) -> Self {
        match error {
            MatrixError::Work(error) => error.into(),
            error => Self::Matrix(error),
        }
    }
}

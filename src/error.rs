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

passed_on!(
    SolveError { Work, Game, Method, TableFile, Matrix, #[cfg(any(test, feature = "mpi"))] Distributed } => Error
);
passed_on!(PolicyError { Work, Game, Solve } => Error::Policy);
passed_on!(AnalysisError { Work, Game, Solve, Policy, Series } => Error);
passed_on!(AgentError { Work, Game, Solve, Policy, Analysis } => Error::Agent);
passed_on!(BlindError { Work, Game, Method, Solve } => Error::Blind);
passed_on!(StochasticSolveError { Work, Game } => Error);
passed_on!(MatrixError { Work } => Error::Matrix);
#[cfg(any(test, feature = "mpi"))]
passed_on!(DistributedError { Work } => Error::Distributed);

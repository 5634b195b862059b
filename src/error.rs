//! The errors of all rooms, gathered, each with a sentence for the person at the keyboard.

#[cfg(feature = "agents")]
use crate::agents::AgentError;
use crate::analysis::SeriesError;
use crate::blind::BlindError;
use crate::certificate::CertificateError;
#[cfg(any(all(test, feature = "report"), feature = "mpi"))]
use crate::distributed::DistributedError;
use crate::game::GameError;
use crate::induction::MethodError;
use crate::matrix_game::MatrixError;
use crate::policy::PolicyError;
use crate::solution::TableFileError;
use crate::stochastic_game::StochasticGameError;
use crate::work::WorkError;

/// An error of this crate.
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
    Matrix(#[from] MatrixError),
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
    Policy(#[from] PolicyError),
    /// Blind Tennis cannot be solved, or what is said of it is wrong.
    #[error(transparent)]
    Blind(#[from] BlindError),
    /// A stochastic game is refused, or does not have the state asked for.
    #[error(transparent)]
    StochasticGame(#[from] StochasticGameError),
    /// A match is not possible, or a score is not part of it.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// A learner or a search is not possible.
    #[cfg(feature = "agents")]
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A solve on several ranks is not possible.
    #[cfg(any(all(test, feature = "report"), feature = "mpi"))]
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

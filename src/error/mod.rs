//! The error of this crate: one enum, with a kind for each room that has faults of its own.
//!
//! The kinds stand here, below the rooms that find them, so that every room returns the same [`Error`] and wraps no other room's.

use crate::game::GameError;
use crate::work::WorkError;

mod agent;
mod blind;
mod certificate;
#[cfg(any(test, feature = "mpi"))]
mod distributed;
mod matrix;
mod method;
mod policy;
mod series;
mod stochastic_game;
mod table_file;

pub use agent::AgentError;
pub use blind::BlindError;
pub use certificate::CertificateError;
#[cfg(any(test, feature = "mpi"))]
pub use distributed::DistributedError;
pub use matrix::MatrixError;
pub use method::MethodError;
pub use policy::PolicyError;
pub use series::SeriesError;
pub(crate) use stochastic_game::Quoted;
pub use stochastic_game::{StochasticGameError, StochasticGameFault};
pub use table_file::TableFileError;

/// An error of this crate. Its variant names the part of the crate that found the fault, however many calls passed it on: a
/// solve that is cancelled while a policy is judged is [`Error::Work`].
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
    /// Blind Tennis cannot be solved, or a policy or history of it is wrong.
    #[error(transparent)]
    Blind(#[from] BlindError),
    /// A stochastic game is refused, or does not have the state asked for.
    #[error(transparent)]
    StochasticGame(#[from] StochasticGameError),
    /// A match is not possible, or a score is not part of it.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// A learner or a search is not possible.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A solve on several ranks is not possible.
    #[cfg(any(test, feature = "mpi"))]
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

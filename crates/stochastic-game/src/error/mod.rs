//! The error of this crate: one enum, with a kind for each module that has faults of its own.
//!
//! The kinds stand here, below the modules that find them, so that every module returns the same
//! [`Error`] and wraps no other module's.

#![expect(
    missing_docs,
    reason = "the sentence of each variant says what it means and names its fields"
)]

use crate::work::WorkError;

mod code;
#[cfg(feature = "files")]
pub(crate) mod object;
mod stochastic_game;
mod table;

pub(crate) use crate::excerpt::Quoted;
pub(crate) use crate::matrix_game::MatrixError;
pub use stochastic_game::{
    ActionsFault, DiscountFault, LineFault, StochasticGameError, StochasticGameFault,
};
pub use table::TableFault;

/// An error of this crate. Its variant names the part of the crate that found the fault, however
/// many calls passed it on: a solve that is cancelled while a policy is judged is [`Error::Work`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
// Exhaustive: a crate above that has an error of its own must not lose a kind.
pub enum Error {
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    #[error(transparent)]
    StochasticGame(#[from] StochasticGameError),
    #[cfg(feature = "files")]
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

impl From<::matrix_game::Error> for Error {
    fn from(error: ::matrix_game::Error) -> Self {
        match error {
            ::matrix_game::Error::Matrix(error) => error.into(),
            ::matrix_game::Error::Work(error) => error.into(),
        }
    }
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a player; expected A or B", Quoted(text))]
pub struct PlayerError {
    pub text: String,
}

/// A model checker's export, or a property of it, that is refused.
#[cfg(feature = "files")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read, or a line of it, counted from 1, is malformed; the reason names the
    /// state where there is one.
    #[error("{file}{}: {reason}", line.map_or(String::new(), |line| format!(", line {line}")))]
    File { file: String, line: Option<u64>, reason: String },
    /// A property is malformed, or of a form that is not supported.
    #[error("the property: {reason}")]
    Property { reason: String },
    /// A checkpoint is damaged, or of another model.
    #[error("the checkpoint {reason}")]
    Checkpoint { reason: String },
}

#[cfg(feature = "files")]
impl ModelError {
    /// Rejects a line of a file, or with line 0 the file.
    #[doc(hidden)]
    pub fn in_file<T>(file: &str, line: u64, reason: impl Into<String>) -> Result<T, Self> {
        Err(Self::File {
            file: file.to_owned(),
            line: Some(line).filter(|&line| line > 0),
            reason: reason.into(),
        })
    }
}

/// A sweep on several ranks that cannot begin or continue. All ranks of a world get the same error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributedError {
    #[error(
        "rank {rank} runs another program than rank 0; all ranks have to be started from the same file"
    )]
    OtherProgram { rank: usize },
    #[error("rank {rank} was asked to solve another game, or in another way, than rank 0")]
    OtherGame { rank: usize },
    #[error("rank {rank}: {reason}")]
    Rank { rank: usize, reason: String },
    #[error(
        "exact values are found by one process alone; expected a solve without them on several ranks"
    )]
    Exact,
    #[error(
        "{bytes} bytes are too many for one message between ranks; at most {most} are possible"
    )]
    Message { bytes: u64, most: u64 },
    #[error("rank {rank} sent a malformed message")]
    Garbled { rank: usize },
}

//! The errors of all rooms, gathered, each with a sentence for the person at the keyboard.

#[cfg(feature = "agents")]
use crate::agents::AgentError;
use crate::analysis::SeriesError;
use crate::blind::BlindError;
use crate::certificate::CertificateError;
#[cfg(any(all(test, feature = "report"), feature = "mpi"))]
use crate::distributed::DistributedError;
use crate::game::{GameError, Player, State};
use crate::induction::MethodError;
use crate::matrix_game::MatrixError;
use crate::policy::PolicyError;
use crate::solution::TableFileError;

/// An error of this crate: of one of its rooms, or of any long work.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
    /// A player starts without points.
    #[error("{player} starts with 0 points; both players need at least 1")]
    NoPoints {
        /// The player.
        player: Player,
    },
    /// There are more points than the tables can index.
    #[error("{points} points are too many; at most {most} are supported")]
    TooManyPoints {
        /// The points asked for.
        points: u32,
        /// The most that are possible.
        most: u32,
    },
    /// The states of a game would take more memory than allowed.
    #[error("a game of {a}:{b} points would take {} of memory, above the limit of {}", memory(*bytes), memory(*limit))]
    Memory {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
        /// The bytes it would take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// No thread was asked for, or too many.
    #[error("{threads} threads are not possible; expected {}", possible_threads(*most))]
    ThreadCount {
        /// The threads asked for.
        threads: usize,
        /// The most that are supported.
        most: usize,
    },
    /// Threads could not be started.
    #[error("threads could not be started: {reason}")]
    Threads {
        /// The system's message.
        reason: String,
    },
    /// A state is not part of the solution that was asked.
    #[error("{state} is outside the solution, which covers 0..={a} points for A and 0..={b} for B")]
    OutsideSolution {
        /// The state asked for.
        state: State,
        /// A's most points.
        a: u32,
        /// B's most points.
        b: u32,
    },
    /// The progress callback asked to stop.
    #[error("cancelled")]
    Cancelled,
}

pub(crate) fn memory(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    // More than 64 bits can say is cut there.
    let more = if bytes == u64::MAX { "more than " } else { "" };
    format!("{more}{size:.1} {}", UNITS[unit])
}

fn possible_threads(most: usize) -> String {
    if most == 1 { "1 without the feature threads".to_owned() } else { format!("1..={most}") }
}

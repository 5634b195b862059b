//! Errors of a sweep on several ranks.

/// A sweep on several ranks that cannot begin or go on. All ranks of a world are told the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributedError {
    /// A rank was started with another program than rank 0, which might compute other bytes.
    #[error("rank {rank} runs another program than rank 0; all ranks have to be started from the same file")]
    OtherProgram {
        /// The first such rank.
        rank: usize,
    },
    /// A rank was asked for another game than rank 0.
    #[error("rank {rank} was asked to solve another game, or in another way, than rank 0")]
    OtherGame {
        /// The first such rank.
        rank: usize,
    },
    /// A rank cannot take part.
    #[error("rank {rank}: {reason}")]
    Rank {
        /// The first such rank.
        rank: usize,
        /// The reason it gave.
        reason: String,
    },
    /// Exact values are not exchanged.
    #[error("exact values are found by one process alone; expected a solve without them on several ranks")]
    Exact,
    /// Ranks have to send each other more than a message may have.
    #[error("{bytes} bytes are too many for one message between ranks; at most {most} are possible")]
    Message {
        /// The bytes to be sent.
        bytes: u64,
        /// The most that are possible.
        most: u64,
    },
    /// A message is not what a rank of this program sends.
    #[error("rank {rank} sent a message that makes no sense")]
    Garbled {
        /// The rank.
        rank: usize,
    },
}

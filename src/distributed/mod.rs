//! [Layers](crate::layers) solved on several processes that share no memory: the ranks of a message-passing world (MPI).
//!
//! Every rank stores all solutions, and runs the same loop over the layers. A [`RankSolver`] solves this rank's share of a piece
//! with the threads it has, and all ranks send each other what they found, so that every one of them stores the whole piece. What
//! only rank 0 keeps goes there alone; rank 0 alone hears of the progress and decides whether to continue.
//!
//! A game implements [`Exchanged`]: the bytes of its solutions, the time that its items are expected to take, and the rank on which
//! an item has to be solved, if what it builds on lies there alone. No result depends on the rank that finds it, so that the shares
//! can follow the measured times.

mod agreement;
#[cfg(feature = "mpi")]
mod communicator;
mod rank_observer;
mod rank_solver;
mod ranks;
mod shares;
#[cfg(test)]
pub(crate) mod threads_as_ranks;

pub(crate) use agreement::{agree, check_program, check_same};
#[cfg(feature = "mpi")]
pub(crate) use communicator::Communicating;
pub(crate) use rank_observer::RankObserver;
pub(crate) use rank_solver::{ExchangeTimes, Exchanged, RankSolver};
pub(crate) use ranks::Ranks;

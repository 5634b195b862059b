//! [Layers](crate::layers) solved on several processes that share no memory: the ranks of a
//! message-passing world (MPI).
//!
//! Every rank stores all solutions, and runs the same loop over the layers. A [`RankSolver`] solves
//! this rank's share of a piece with its threads; then all ranks exchange their solutions, and
//! every one stores the whole piece. Records that only rank 0 keeps are sent to it alone. Only rank
//! 0 reports progress and decides whether to continue.
//!
//! A game implements [`Exchanged`]: the bytes of its solutions, the estimated time of its items,
//! and the rank that must solve an item because it alone holds the item's data. No result depends
//! on the rank that finds it, so that shares can follow the measured times.

#[cfg(feature = "mpi")]
mod communicator;
mod rank_solver;
mod ranks;
pub mod threads_as_ranks;

#[cfg(feature = "mpi")]
pub use communicator::Communicating;
pub use rank_solver::{Exchanged, RankObserver, RankSolver};
pub use ranks::{Ranks, agree, check_program, check_same};

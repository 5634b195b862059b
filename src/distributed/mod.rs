//! The sweep on several processes that share no memory: the ranks of a message-passing world (MPI).
//!
//! Every rank holds the tables of bounds and values, and runs the same loop over the layers. Behind its seam a [`RankSolver`]
//! solves this rank's share of a layer with the threads it has, and all ranks tell each other what they found, so that every
//! one of them enters the whole layer. What only rank 0 needs, the strategies, goes there alone; rank 0 alone hears of the
//! progress and decides whether to go on.
//!
//! A state that starts from the factorised system of its neighbour is solved where that system lies; how much the systems of a
//! layer may take is counted over all ranks. So it does not matter for the result who solves what, and the shares can follow the
//! time that states were measured to take.

mod agreement;
#[cfg(feature = "mpi")]
mod communicator;
mod rank_observer;
mod rank_solver;
mod ranks;
mod record;
mod shared_tables;
mod shares;
#[cfg(test)]
pub(crate) mod threads_as_ranks;
mod trace;

pub use trace::LayerTrace;

pub(crate) use agreement::{agree, check_program, check_same};
#[cfg(feature = "mpi")]
pub(crate) use communicator::Communicating;
pub(crate) use rank_observer::RankObserver;
pub(crate) use rank_solver::RankSolver;
pub(crate) use ranks::Ranks;
pub(crate) use shared_tables::share_tables;
pub(crate) use trace::TraceCallback;

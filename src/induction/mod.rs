//! Backward induction over all states: `tables` holds the results, `sweep` fills them, and
//! `exchange` is the sweep on several processes.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

#[cfg(any(test, feature = "mpi"))]
mod exchange;
mod sweep;
mod tables;

#[cfg(any(test, feature = "mpi"))]
pub use exchange::LayerTrace;
pub use sweep::Seconds;
pub use tables::Method;

#[cfg(any(test, feature = "mpi"))]
pub(crate) use exchange::TraceCallback;
pub(crate) use sweep::{Sweep, big_bounds, run as run_sweep, solve_again, solve_exactly, work};
pub(crate) use tables::{
    Approximate, Bases, ExactStage, ExactTier, Grid, LayerCheckpoint, Order, StageGame, Tables,
    Task, rational,
};

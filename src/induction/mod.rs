//! Backward induction over all states: `tables` is what is solved, `sweep` solves it and knows the tables, which know nothing of
//! it; `exchange` is the sweep on several processes.

#[cfg(any(test, feature = "mpi"))]
mod exchange;
mod sweep;
mod tables;

#[cfg(any(test, feature = "mpi"))]
pub use exchange::LayerTrace;
pub use sweep::{Progress, Seconds};
pub use tables::Method;

#[cfg(any(test, feature = "mpi"))]
pub(crate) use exchange::{TraceCallback, share_tables};
pub(crate) use sweep::{BigBounds, Sweep, big_bounds, run as run_sweep, solve_again, solve_exactly, work};
pub(crate) use tables::{
    Approximate, ExactTier, Grid, LayerBases, LayerCheckpoint, Order, Packed, StageGame, Tables, Task, rational,
};

//! Backward induction over all states: `tables` is what is solved, `sweep` solves it and knows the tables, which know nothing of
//! it.

mod sweep;
mod tables;

pub use sweep::{Progress, Seconds};
pub use tables::Method;

pub(crate) use sweep::{
    BigBounds, Observer, ROUNDING_UNITS, big_bounds, layer_solver, run as run_sweep, solve_again, solve_exactly, work,
};
#[cfg(any(test, feature = "mpi"))]
pub(crate) use sweep::{LayerSolver, LayerTask, LocalSolver, states_a_batch};
pub(crate) use tables::{
    Approximate, ExactTier, Grid, LayerBases, LayerCheckpoint, Order, Packed, StageGame, Tables, Task, rational,
};
#[cfg(any(test, feature = "mpi"))]
pub(crate) use tables::{Batch, KeptSystem, SolvedState};

//! The backward sweep: states by total remaining points, each layer from those below.

mod exact_standstill;
mod high_precision;
mod layer_solver;
mod precise_standstill;
mod progress;
mod stage;
mod stage_proof;
mod stage_solver;
mod standstill;
mod warm_start;

pub use progress::{Progress, Seconds};

pub(crate) use high_precision::{BigBounds, bounds as big_bounds};
#[cfg(any(test, feature = "mpi"))]
pub(crate) use layer_solver::LocalSolver;
pub(crate) use layer_solver::{LayerSolver, LayerTask, layer_solver, states_a_batch};
pub(crate) use progress::work;
pub(crate) use stage::ROUNDING_UNITS;
pub(crate) use stage_solver::{solve_again, solve_exactly};

use std::ops::ControlFlow;
use std::time::Duration;

use self::progress::WorkDone;
use super::tables::{Batch, LayerSystems, Tables, is_checkpoint};
use crate::work::{Clock, WorkError};

/// The approximate interval between reports of a long solve.
const REPORT_SECONDS: f64 = 0.5;

/// Follows a sweep while it runs.
pub(crate) trait Observer {
    /// Hears how far the sweep has come, and may stop it.
    fn progress(&mut self, progress: Progress) -> ControlFlow<()>;

    /// Is shown the tables at every checkpoint, and when the sweep is stopped.
    fn checkpoint(&mut self, tables: &Tables, stopped: bool);
}

/// Solves everything beyond the tables' checkpoint, layer by layer, and tells where the time went.
pub(crate) fn run<E: From<WorkError>>(
    tables: &mut Tables,
    solver: &mut dyn LayerSolver<Error = E>,
    observer: &mut dyn Observer,
) -> Result<Seconds, E> {
    let clock = Clock::start();
    let layers_done = tables.go_on();
    let order = tables.order;
    let mut batches: Vec<Batch> = Vec::new();
    let mut states = Vec::new();
    let (mut solving, mut certifying) = (Duration::ZERO, Duration::ZERO);
    let a_batch = states_a_batch(tables);
    let mut done = WorkDone::new(order, layers_done);
    let mut layer_seconds = 0.0;
    for total in layers_done + 1..=order.space.layers() {
        states.clear();
        states.extend(order.solved(total));
        let count = states.len().div_ceil(a_batch);
        batches.resize_with(count.max(batches.len()), Batch::default);
        // A layer that takes long is done in several pieces, so that a watcher hears of it, and can stop it, about twice a
        // second.
        let pieces = (layer_seconds / REPORT_SECONDS).ceil().max(1.0) as usize;
        let batches_a_piece = count.div_ceil(pieces).max(1);
        let mut seconds = 0.0;
        let mut systems = LayerSystems::new(order, total);
        for (states, batches) in states.chunks(batches_a_piece * a_batch).zip(batches.chunks_mut(batches_a_piece)) {
            let task = LayerTask { tables, states, strategies: tables.strategies.is_some(), seconds: layer_seconds, clock };
            seconds += solver.solve(task, batches)?;
            // At once, so that what there is no memory for does not wait for the end of the layer.
            for (state, system) in batches.iter_mut().flat_map(|batch| batch.systems.drain(..)) {
                systems.keep(state, system);
            }
            if observer.progress(done.after(states)).is_break() {
                observer.checkpoint(tables, true);
                return Err(WorkError::Cancelled.into());
            }
        }
        layer_seconds = seconds;
        tables.begin_layer(total, systems);
        for batch in &mut batches[..count] {
            tables.enter(batch);
            for solved in &batch.solved {
                solving += solved.solving;
                certifying += solved.certifying;
            }
        }
        if is_checkpoint(total) || total == order.space.layers() {
            tables.set_checkpoint(total);
            observer.checkpoint(tables, false);
        }
    }
    let total = clock.elapsed().as_secs_f64();
    // With several threads the batches' times add up to more than the wall shows; their proportion is what counts.
    let certify = total * certifying.as_secs_f64() / (solving + certifying).as_secs_f64().max(f64::MIN_POSITIVE);
    Ok(Seconds { solve: total - certify, certify, total })
}

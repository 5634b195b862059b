//! The backward sweep: states by total remaining points, each layer from those below.

mod exact_standstill;
mod high_precision;
mod precise_standstill;
mod progress;
mod stage;
mod stage_solver;
mod standstill;
mod warm_start;

pub use progress::{Progress, Seconds};

pub(crate) use high_precision::{BigBounds, bounds as big_bounds};
pub(crate) use progress::work;
pub(crate) use stage_solver::{solve_again, solve_exactly};

use std::ops::Range;
use std::time::Duration;

use self::stage_solver::StageSolver;
use super::tables::{Batch, LayerSystems, Tables, is_checkpoint};
use crate::error::Error;
use crate::game::State;
use crate::layers::{self, LayerSolver, Layered, Observer};
use crate::work::Clock;

/// The tables while they are filled, layer by layer.
pub(crate) struct Sweep {
    pub(crate) tables: Tables,
    /// The solved states, mirror images included.
    states: u64,
    systems: LayerSystems,
    /// Its solutions, entered when the layer is done, since every state needs the bases of the two layers before.
    batches: Vec<Batch>,
    filled: usize,
    solving: Duration,
    certifying: Duration,
}

impl Sweep {
    /// Resumes a sweep from the tables' checkpoint.
    fn new(mut tables: Tables) -> Self {
        let layers_done = tables.go_on();
        let states = tables.order.space.layer(0).count() as u64 + tables.order.states_up_to(layers_done);
        let systems = LayerSystems::new(tables.order, layers_done + 1);
        Self { tables, states, systems, batches: Vec::new(), filled: 0, solving: Duration::ZERO, certifying: Duration::ZERO }
    }

    pub(crate) const fn progress(&self, work: f64) -> Progress {
        Progress { states: self.states, of_states: self.tables.order.space.len() as u64, work }
    }
}

impl Layered for Sweep {
    type Item = State;
    type Worker = StageSolver;
    type Batch = Batch;
    type Part = std::convert::Infallible;

    /// Seconds a unit of work, from the solve of 1,000 points in docs/performance.md: 55 minutes for 2.5 million states.
    const SECONDS: f64 = 2.3e-12;

    /// Large enough that distributing batches costs little. Exact states take long, and the last layers, the slowest, have few.
    fn items_a_batch(&self) -> usize {
        if self.tables.exact.is_some() { 1 } else { 4 }
    }

    /// By total points; states without points are ends.
    fn layers(&self) -> Range<u32> {
        1..self.tables.order.space.layers() + 1
    }

    fn items(&self, total: u32) -> impl Iterator<Item = State> {
        self.tables.order.solved(total)
    }

    fn work(&self, state: State) -> f64 {
        work(state)
    }

    fn solve(&self, worker: &mut StageSolver, states: &[State], batch: &mut Batch, clock: Clock) -> Result<(), Error> {
        worker.solve_batch(&self.tables, states, batch, clock);
        Ok(())
    }

    fn store(&mut self, states: &[State], batches: &mut [Batch]) -> bool {
        self.states += states.iter().map(|&state| self.tables.order.images(state)).sum::<u64>();
        self.batches.resize_with(self.batches.len().max(self.filled + batches.len()), Batch::default);
        for (batch, kept) in batches.iter_mut().zip(&mut self.batches[self.filled..]) {
            // Takes systems at once, so that those beyond the memory limit are freed before the end of the layer.
            for (state, system) in batch.systems.drain(..) {
                self.systems.keep(state, system);
            }
            std::mem::swap(batch, kept);
        }
        self.filled += batches.len();
        false
    }

    fn end_layer(&mut self, total: u32) -> bool {
        let tables = &mut self.tables;
        let next = LayerSystems::new(tables.order, total + 1);
        tables.begin_layer(total, std::mem::replace(&mut self.systems, next));
        for batch in &mut self.batches[..std::mem::take(&mut self.filled)] {
            tables.enter(batch);
            for solved in &batch.solved {
                self.solving += solved.solving;
                self.certifying += solved.certifying;
            }
        }
        let is_checkpoint = is_checkpoint(total) || total == tables.order.space.layers();
        if is_checkpoint {
            tables.set_checkpoint(total);
        }
        is_checkpoint
    }
}

/// Solves everything beyond the tables' checkpoint, layer by layer, and returns the times.
pub(crate) fn run(
    tables: Tables,
    solver: &mut dyn LayerSolver<Sweep>,
    observer: &mut dyn Observer<Sweep>,
) -> Result<(Tables, Seconds), Error> {
    let clock = Clock::start();
    let order = tables.order;
    let mut sweep = Sweep::new(tables);
    let solved = (1..=sweep.tables.checkpoint.layers_done).map(|total| order.solved(total).count() as u64).sum();
    layers::run(&mut sweep, solved, solver, observer, clock)?;
    let total = clock.elapsed().as_secs_f64();
    let Sweep { tables, solving, certifying, .. } = sweep;
    // With several threads the batches' times exceed wall-clock time; only their proportion counts.
    let certify = total * certifying.as_secs_f64() / (solving + certifying).as_secs_f64().max(f64::MIN_POSITIVE);
    Ok((tables, Seconds { solve: total - certify, certify, total }))
}

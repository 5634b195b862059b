//! The backward sweep: states by total remaining points, each layer from those below.

mod exact_standstill;
mod high_precision;
mod precise_standstill;
mod seconds;
mod stage;
mod stage_solver;
mod standstill;
mod warm_start;

pub use seconds::Seconds;

pub(crate) use high_precision::bounds as big_bounds;
pub(crate) use seconds::work;
pub(crate) use stage_solver::{solve_again, solve_exactly};

use std::ops::Range;
use std::time::Duration;

use self::stage_solver::StageSolver;
use super::tables::{LayerCheckpoint, SolvedState, Tables, is_checkpoint, is_recent};
use crate::bounds::Enclosure;
use crate::game::State;
use crate::work::Clock;
use stochastic_game::Error;
use stochastic_game::internal::layers::{self, LayerSolver, Layered, Observer};

/// The tables while they are filled, layer by layer.
pub(crate) struct Sweep {
    pub(crate) tables: Tables,
    /// The solved states in which a player randomises, mirror images included.
    randomised: u64,
    /// The widest bounds so far; those of the layer in progress must not influence it.
    widest: i64,
    solving: Duration,
    certifying: Duration,
}

impl Sweep {
    /// Resumes a sweep from the tables' checkpoint.
    fn new(tables: Tables) -> Self {
        let LayerCheckpoint { randomised, .. } = tables.checkpoint;
        Self {
            randomised,
            widest: tables.widest,
            solving: Duration::ZERO,
            certifying: Duration::ZERO,
            tables,
        }
    }
}

impl Layered for Sweep {
    type Item = State;
    type Worker = StageSolver;
    type Batch = Vec<SolvedState>;
    type Part = std::convert::Infallible;

    /// Seconds a unit of work, from the solve of 1,000 points in docs/performance.md: 55 minutes
    /// for 2.5 million states.
    const SECONDS: f64 = 2.3e-12;

    /// Large enough that distributing batches costs little. Exact states take long, and the last
    /// layers, the slowest, have few.
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

    fn solve(
        &self,
        worker: &mut StageSolver,
        states: &[State],
        batch: &mut Vec<SolvedState>,
        clock: Clock,
    ) -> Result<(), Error> {
        batch.clear();
        batch.extend(states.iter().map(|&state| worker.solve_state(&self.tables, state, clock)));
        Ok(())
    }

    fn store(&mut self, _: &[State], batches: &mut [Vec<SolvedState>]) -> bool {
        let order = self.tables.order;
        for solved in batches.iter_mut().flat_map(|batch| batch.drain(..)) {
            let SolvedState {
                state,
                bounds,
                strategies,
                randomised,
                basis,
                system,
                exact,
                solving,
                certifying,
            } = solved;
            let lowest = self.tables.lowest_bids(state).map(|bid| bid as u32);
            if let Some((kept, pair)) = self.tables.strategies.as_mut().zip(strategies) {
                let in_bids = |player: usize| {
                    pair[player]
                        .support()
                        .iter()
                        .map(move |&(index, weight)| (index + lowest[player], weight))
                };
                kept.set(order.space.index(state), [in_bids(0), in_bids(1)]);
            }
            self.randomised += u64::from(randomised) * order.image_count(state);
            self.widest = self.widest.max(bounds.width());
            self.tables.bases.insert(state, basis);
            if let Some(system) = system {
                self.tables.systems.keep(state, system);
            }
            if let Some((tier, found)) = self.tables.exact.as_mut().zip(exact) {
                tier.store(
                    order,
                    state,
                    found,
                    Enclosure::proved(bounds, self.tables.scale.exponent),
                );
            }
            self.tables.store(state, bounds);
            self.solving += solving;
            self.certifying += certifying;
        }
        false
    }

    fn end_layer(&mut self, total: u32) -> bool {
        let Tables { order, bases, systems, widest, checkpoint, .. } = &mut self.tables;
        *widest = self.widest;
        bases.retain(|&state, _| is_recent(state, total));
        systems.end_layer(total);
        let is_checkpoint = is_checkpoint(total) || total == order.space.layers();
        if is_checkpoint {
            *checkpoint = LayerCheckpoint {
                layers_done: total,
                randomised: self.randomised,
                bases: bases.clone(),
            };
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
    let solved = order.solved_up_to(sweep.tables.checkpoint.layers_done).count() as u64;
    layers::run(&mut sweep, solved, solver, observer, clock)?;
    let total = clock.elapsed().as_secs_f64();
    let Sweep { tables, solving, certifying, .. } = sweep;
    // With several threads the batches' times exceed wall-clock time; only their proportion counts.
    let certify = total * certifying.as_secs_f64()
        / (solving + certifying).as_secs_f64().max(f64::MIN_POSITIVE);
    Ok((tables, Seconds { solve: total - certify, certify, total }))
}

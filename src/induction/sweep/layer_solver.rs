//! The interface between the order in which layers are solved and the solvers of layers.

use std::sync::Mutex;

use super::clock::Clock;
use super::stage_solver::StageSolver;
use super::threads::Threads;
use crate::error::Error;
use crate::game::{Player, State};
use crate::induction::tables::{Batch, SolvedState, Tables};

/// States of a batch: enough that handing batches out costs little.
pub(crate) const STATES_A_BATCH: usize = 4;

/// A layer that is expected to take less is not worth waking other threads for.
const WORTH_SHARING_SECONDS: f64 = 1e-4;

/// Some states of one layer, all of which depend on the layers in the tables alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerTask<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) states: &'t [State],
    /// The time that the layer is expected to take.
    pub(crate) seconds: f64,
    /// The driver's clock: nothing below reads another.
    pub(crate) clock: Clock,
}

/// Solves the states of a layer: by one thread, by several, or elsewhere.
///
/// No thread is started and no clock but the task's is read by what is called from here. The solution of a state must not depend
/// on who finds it, nor on the order in which the states of a layer are taken.
pub(crate) trait LayerSolver {
    /// Solves [`STATES_A_BATCH`] states for each batch, the last of which may be shorter, in the order of the states.
    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<(), Error>;
}

/// The calling thread alone.
#[derive(Debug, Default)]
pub(crate) struct OneThread {
    solver: StageSolver,
}

impl LayerSolver for OneThread {
    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<(), Error> {
        for (states, batch) in task.states.chunks(STATES_A_BATCH).zip(batches) {
            self.solver.solve_batch(task.tables, states, batch, task.clock);
        }
        Ok(())
    }
}

/// Several threads, which take a batch each until there is none left.
#[derive(Debug)]
pub(crate) struct ManyThreads {
    threads: Threads,
    /// Their buffers, kept from layer to layer.
    solvers: Mutex<Vec<StageSolver>>,
}

impl LayerSolver for ManyThreads {
    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<(), Error> {
        let shared = task.seconds > WORTH_SHARING_SECONDS;
        let batches = task.states.chunks(STATES_A_BATCH).zip(batches);
        self.threads.run(shared, &self.solvers, batches, |solver, (states, batch)| {
            solver.solve_batch(task.tables, states, batch, task.clock);
        });
        Ok(())
    }
}

/// The threads that were asked for.
pub(crate) fn layer_solver(threads: usize) -> Result<Box<dyn LayerSolver>, Error> {
    Ok(match threads {
        1 => Box::<OneThread>::default(),
        _ => Box::new(ManyThreads { threads: Threads::start(threads)?, solvers: Mutex::default() }),
    })
}

impl StageSolver {
    /// Solves some states and notes what was found.
    fn solve_batch(&mut self, tables: &Tables, states: &[State], batch: &mut Batch, clock: Clock) {
        batch.clear();
        self.proof.clock = clock;
        for &state in states {
            let start = clock.elapsed();
            let secured = self.solve(tables, state, tables.widest);
            batch.solving += clock.elapsed().saturating_sub(start + self.proof.certifying);
            batch.certifying += self.proof.certifying;
            // The first row and column of a stage game are the bid 1, or 0 with an empty account.
            let lowest_bids = Player::BOTH.map(|player| state.points(player).min(1) as usize);
            let [a, b] = &self.proof.strategies;
            let randomised = [a, b].iter().any(|strategy| strategy.support().len() > 1);
            let strategies = match &tables.strategies {
                Some(_) => batch.strategies.push_pair([a, b], lowest_bids),
                None => 0,
            };
            let basis = batch.bases.len();
            self.pack_basis(lowest_bids, &mut batch.bases);
            batch.solved.push(SolvedState { state, secured, strategies, randomised, basis });
            batch.systems.extend(self.system_to_keep(tables, state).map(|system| (state, system)));
            batch.exact.extend(self.solve_exactly(tables, state).map(|equilibrium| (state, equilibrium)));
        }
    }
}

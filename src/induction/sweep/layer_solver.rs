//! The interface between the order in which layers are solved and the solvers of layers.

use std::sync::Mutex;

use super::stage_proof::Proved;
use super::stage_solver::{Solved, StageSolver, exact_solution};
use crate::game::{ByPlayer, Player, State};
use crate::induction::tables::{Batch, KeptSystem, SolvedState, Tables, pack_basis};
use crate::work::{Clock, Threads, WorkError};

/// States of a batch: enough that handing batches out costs little. In fractions every state takes long, and the last layers,
/// which take longest, have few.
pub(crate) const fn states_a_batch(tables: &Tables) -> usize {
    if tables.exact.is_some() { 1 } else { 4 }
}

/// A layer that is expected to take less is not worth waking other threads for.
const WORTH_SHARING_SECONDS: f64 = 1e-4;

/// Some states of one layer, all of which depend on the layers in the tables alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerTask<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) states: &'t [State],
    /// Whether the strategies are wanted, or bounds and bases alone.
    pub(crate) strategies: bool,
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
    /// The error of a layer that is not solved.
    type Error: From<WorkError>;

    /// Solves [so many](states_a_batch) states for each batch, the last of which may be shorter, in the order of the states, and
    /// tells how many seconds that took.
    ///
    /// Where several processes solve a layer together, all are told the same number: how a layer is cut follows from it.
    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<f64, Self::Error>;
}

/// A solver of layers in this process.
pub(crate) type LocalSolver = dyn LayerSolver<Error = WorkError>;

/// The threads of this process, which take a batch each until there is none left.
#[derive(Debug)]
struct ThreadSolver {
    threads: Threads,
    /// Their buffers, kept from layer to layer.
    solvers: Mutex<Vec<StageSolver>>,
}

impl LayerSolver for ThreadSolver {
    type Error = WorkError;

    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<f64, WorkError> {
        let start = task.clock.elapsed();
        let shared = task.seconds > WORTH_SHARING_SECONDS;
        let batches = task.states.chunks(states_a_batch(task.tables)).zip(batches);
        self.threads.run(shared, &self.solvers, batches, |solver, (states, batch)| {
            solver.solve_batch(task, states, batch);
        });
        Ok(task.clock.elapsed().saturating_sub(start).as_secs_f64())
    }
}

/// The threads that were asked for.
pub(crate) fn layer_solver(threads: usize) -> Result<Box<LocalSolver>, WorkError> {
    Ok(Box::new(ThreadSolver { threads: Threads::start(threads)?, solvers: Mutex::default() }))
}

impl StageSolver {
    /// Solves some states of a layer and notes what was found.
    fn solve_batch(&mut self, task: LayerTask<'_>, states: &[State], batch: &mut Batch) {
        let LayerTask { tables, clock, .. } = task;
        batch.clear();
        for &state in states {
            let start = clock.elapsed();
            let Solved { proved, basis, system } = self.solve(tables, state, clock);
            let Proved { secured, certifying, .. } = *proved;
            let solving = clock.elapsed().saturating_sub(start + certifying);
            let lowest_bids = Player::BOTH.map(|player| tables.rules.lowest_bid(state.points(player)) as usize);
            let ByPlayer { a, b } = &proved.strategies;
            let randomised = [a, b].iter().any(|strategy| strategy.support().len() > 1);
            let strategies = if task.strategies { batch.strategies.push_pair([a, b], lowest_bids) } else { 0 };
            let exact = exact_solution(tables, state, secured, basis.as_ref());
            batch.exact.extend(exact.map(|found| (state, found)));
            let start_of_basis = batch.bases.len();
            pack_basis(&basis.unwrap_or_default(), lowest_bids, &mut batch.bases);
            batch.solved.push(SolvedState { state, secured, strategies, randomised, basis: start_of_basis, solving, certifying });
            batch.systems.extend(system.map(|system| (state, KeptSystem::here(system))));
        }
    }
}

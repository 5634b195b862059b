//! Solving a game: component by component, from the ends backward.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::components::Components;
use super::cyclic::{CycleFacts, CyclicSolver, CyclicState};
use super::error::{GameFault, StochasticGameError, StochasticSolveError};
use super::game::StochasticGame;
use super::local_game::LocalGame;
use super::numbered::{NodeView, NumberedGame};
use super::scale::{Scale, largest_values};
use super::solution::StochasticSolution;
use super::strategies::Strategies;
use super::turns::Turns;
use crate::bounds::Bounds;
use crate::work::{Clock, Threads, Watch, WorkError};

/// States that a thread solves at a stretch.
const STATES_A_BATCH: usize = 32;

/// Levels with fewer cells than this are solved by one thread: waking another takes as long.
const WORTH_SHARING: usize = 4_000;

/// The interval between reports, in seconds.
const REPORT_SECONDS: f64 = 0.1;

/// How to solve a [`StochasticGame`].
///
/// Every state is a matrix game over the bounds of its successors, solved by the simplex method; the strategies found, in integer
/// weights, prove bounds of the state's value in integer arithmetic. The same game gives the same bytes for any number of threads.
///
/// *Complexity.* A matrix game a state: O(rows · columns) a pivot, about rows + columns pivots.
pub struct StochasticSolver<'p> {
    game: StochasticGame,
    threads: Option<usize>,
    progress: Box<Watch<'p>>,
}

impl<'p> StochasticSolver<'p> {
    /// All threads of the machine, and nobody who watches.
    pub fn new(game: StochasticGame) -> Self {
        Self { game, threads: None, progress: Box::new(crate::work::unwatched) }
    }

    /// Solves on this many threads.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Tells the callback which share of the work is done, from 0 to 1, on the calling thread; it may cancel.
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(f64) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Solves every state.
    ///
    /// # Errors
    /// [`GameFault::TooLong`], [`GameFault::Payoff`] when values may be too large to be counted in integers, [`WorkError::ThreadCount`],
    /// [`WorkError::Threads`], [`WorkError::Cancelled`].
    pub fn solve(mut self) -> Result<StochasticSolution, StochasticSolveError> {
        let threads = Threads::checked(self.threads)?;
        let threads = Threads::start(threads)?;
        let game = &self.game;
        let components = Components::new(game);
        let turns = Turns::new(game, &components)?;
        let scale = scale(game, &components, &turns)?;
        let mut sweep = Sweep {
            game,
            components: &components,
            turns: &turns,
            scale,
            bounds: vec![Bounds::default(); game.len()],
            strategies: Strategies::new(game.len()),
        };
        sweep.run(&threads, &mut self.progress)?;
        let Sweep { bounds, strategies, .. } = sweep;
        Ok(StochasticSolution::new(self.game, scale, bounds, strategies))
    }
}

/// The finest unit in which all bounds of a game fit.
fn scale(game: &StochasticGame, components: &Components, turns: &Turns) -> Result<Scale, StochasticSolveError> {
    let largest = largest_values(game, components, |component| turns.most(component));
    let (state, &most) = largest.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap_or((0, &0.0));
    Scale::of(most).ok_or_else(|| {
        let fault = GameFault::Payoff { payoff: format!("{most:.1e} in all") };
        StochasticGameError::of_state(game.name(state), fault).into()
    })
}

/// A solve under way.
struct Sweep<'g> {
    game: &'g StochasticGame,
    components: &'g Components,
    turns: &'g Turns,
    scale: Scale,
    bounds: Vec<Bounds>,
    strategies: Strategies,
}

/// A solved state.
struct Solved {
    state: u32,
    bounds: Bounds,
    /// A's and B's.
    weights: [Vec<(u32, u64)>; 2],
}

impl Sweep<'_> {
    /// Solves level by level.
    fn run(&mut self, threads: &Threads, progress: &mut Watch<'_>) -> Result<(), StochasticSolveError> {
        let clock = Clock::start();
        let levels = self.components.levels(self.game);
        let all: f64 = levels.iter().flatten().map(|&component| self.work(component)).sum();
        let workers = Mutex::new(Vec::new());
        let (mut done, mut reported) = (0.0, 0.0);
        let mut go_on = |share: f64| {
            let now = clock.elapsed().as_secs_f64();
            if now - reported < REPORT_SECONDS {
                return ControlFlow::Continue(());
            }
            reported = now;
            progress(share)
        };
        for level in &levels {
            // In pieces, so that whoever watches hears of a long level, and can stop it.
            for piece in level.chunks(64 * STATES_A_BATCH) {
                let work: f64 = piece.iter().map(|&component| self.work(component)).sum();
                let batches: Vec<&[u32]> = piece.chunks(STATES_A_BATCH).collect();
                let mut results: Vec<Vec<Solved>> = Vec::new();
                results.resize_with(batches.len(), Vec::new);
                let shared = &*self;
                let tasks = batches.into_iter().zip(&mut results);
                threads.run(work > WORTH_SHARING as f64, &workers, tasks, |worker: &mut CyclicSolver, (batch, results)| {
                    results.extend(batch.iter().filter_map(|&component| shared.solve(worker, component)).flatten());
                });
                let together = |component: &&u32| self.components.states(**component as usize).len() > 1;
                for &component in piece.iter().filter(together) {
                    let solved = self.solve_together(component, &mut || go_on(done / all)).ok_or(WorkError::Cancelled)?;
                    results.push(solved);
                }
                for solved in results.into_iter().flatten() {
                    self.bounds[solved.state as usize] = solved.bounds;
                    self.strategies.set(solved.state as usize, [&solved.weights[0], &solved.weights[1]]);
                }
                done += work;
                if go_on(done / all).is_break() {
                    return Err(WorkError::Cancelled.into());
                }
            }
        }
        match progress(1.0) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }

    /// The relative cost of a component: its cells.
    fn work(&self, component: u32) -> f64 {
        let cells = |&state: &u32| match self.game.node(state as usize) {
            NodeView::Over(_) => 1.0,
            NodeView::Play { actions: [rows, columns], .. } => (rows * columns) as f64,
        };
        self.components.states(component as usize).iter().map(cells).sum()
    }

    /// Solves a component of one state, whose successors are solved; larger ones are left out.
    fn solve(&self, worker: &mut CyclicSolver, component: u32) -> Option<Vec<Solved>> {
        let &[state] = self.components.states(component as usize) else { return None };
        if self.components.is_cyclic(self.game, component as usize) {
            return self.solve_cycle(worker, component, &mut || ControlFlow::Continue(()));
        }
        Some(vec![self.solve_state(worker, state)])
    }

    /// Solves a component of several states; `None` when it was stopped.
    fn solve_together(&self, component: u32, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Option<Vec<Solved>> {
        self.solve_cycle(&mut CyclicSolver::default(), component, go_on)
    }

    /// Solves a component in which play can return.
    fn solve_cycle(
        &self,
        worker: &mut CyclicSolver,
        component: u32,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Vec<Solved>> {
        let states = self.components.states(component as usize);
        let exponent = self.scale.exponent;
        let local = LocalGame::new(self.game, self.components, component as usize, exponent, &self.bounds);
        let endless = self.scale.bounds(self.game.endless(states[0] as usize));
        let kind = self.game.kind();
        let start = self.turns.start(self.game, component as usize, &local, endless);
        let solved = worker.solve(&local, CycleFacts { kind, endless }, &start, go_on)?;
        let solved = states.iter().zip(solved);
        Some(solved.map(|(&state, CyclicState { bounds, weights })| Solved { state, bounds, weights }).collect())
    }

    /// Solves a state to which play cannot return.
    fn solve_state(&self, worker: &mut CyclicSolver, state: u32) -> Solved {
        let CyclicSolver { simplex, matrix } = worker;
        match self.game.node(state as usize) {
            NodeView::Over(value) => Solved { state, bounds: self.scale.bounds(value), weights: Default::default() },
            NodeView::Play { actions: [rows, columns], .. } => {
                matrix.fill(rows, columns, |a, b| {
                    let cell = self.game.cell(state as usize, a, b);
                    cell.bounds(self.scale.exponent, |next| self.bounds[next as usize])
                });
                let proved = simplex.solve(matrix);
                let weights = proved.strategies.map(|strategy| strategy.support().to_vec());
                Solved { state, bounds: proved.bounds, weights }
            }
        }
    }
}

impl fmt::Debug for StochasticSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StochasticSolver").field("game", &self.game).field("threads", &self.threads).finish_non_exhaustive()
    }
}

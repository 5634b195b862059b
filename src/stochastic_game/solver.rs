//! Solving an explicit game: component by component, from the ends backward.

use std::fmt;
use std::ops::ControlFlow;

use super::components::Components;
use super::cycle::{CycleFacts, CyclicState};
use super::cyclic::CyclicSolver;
use super::error::{GameFault, StochasticGameError, StochasticSolveError};
use super::game::StochasticGame;
use super::local_game::LocalGame;
use super::numbered::{NodeView, NumberedGame};
use super::scale::{Scale, largest_values};
use super::solution::StochasticSolution;
use super::strategies::Strategies;
use super::sweep::{Solved, Stages, sweep};
use super::turns::Turns;
use crate::bounds::Bounds;
use crate::matrix_game::DyadicStrategy;
use crate::work::{Threads, Watch, WorkError};

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
        let stages = ByComponent { game, components: &components, turns: &turns, scale };
        let mut strategies = Strategies::new(game.len());
        let begun = (0, vec![Bounds::default(); game.len()]);
        let bounds = sweep(&stages, begun, Some(&mut strategies), &threads, &mut self.progress, &mut |_, _, _| ())?;
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

/// The solve of an explicit game: a component at a time.
struct ByComponent<'g> {
    game: &'g StochasticGame,
    components: &'g Components,
    turns: &'g Turns,
    scale: Scale,
}

impl Stages for ByComponent<'_> {
    type Worker = CyclicSolver;

    fn levels(&self) -> Vec<Vec<u32>> {
        self.components.levels(self.game)
    }

    fn work(&self, component: u32) -> f64 {
        let cells = |&state: &u32| match self.game.node(state as usize) {
            NodeView::Over(_) => 1.0,
            NodeView::Play { actions: [rows, columns], .. } => (rows * columns) as f64,
        };
        self.components.states(component as usize).iter().map(cells).sum()
    }

    fn is_long(&self, component: u32) -> bool {
        self.components.states(component as usize).len() > 1
    }

    fn solve(
        &self,
        worker: &mut CyclicSolver,
        component: u32,
        bounds: &[Bounds],
        solved: &mut Solved,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), StochasticSolveError> {
        let states = self.components.states(component as usize);
        if !self.components.is_cyclic(self.game, component as usize) {
            self.solve_state(worker, states[0], bounds, solved);
            return Ok(());
        }
        let exponent = self.scale.exponent;
        let local = LocalGame::new(self.game, self.components, component as usize, exponent, bounds);
        let endless = self.scale.bounds(self.game.endless(states[0] as usize));
        let kind = self.game.kind();
        let start = self.turns.start(self.game, component as usize, &local, endless);
        let together = worker.solve(&local, CycleFacts { kind, endless }, &start, go_on).ok_or(WorkError::Cancelled)?;
        for (&state, CyclicState { bounds, weights: [a, b] }) in states.iter().zip(together) {
            solved.push(state, bounds, [&a, &b]);
        }
        Ok(())
    }
}

impl ByComponent<'_> {
    /// Solves a state to which play cannot return.
    fn solve_state(&self, worker: &mut CyclicSolver, state: u32, bounds: &[Bounds], solved: &mut Solved) {
        let CyclicSolver { simplex, matrix, .. } = worker;
        match self.game.node(state as usize) {
            NodeView::Over(value) => solved.push(state, self.scale.bounds(value), [&[], &[]]),
            NodeView::Play { actions: [rows, columns], .. } => {
                matrix.fill(rows, columns, |a, b| {
                    let cell = self.game.cell(state as usize, a, b);
                    cell.bounds(self.scale.exponent, |next| bounds[next as usize])
                });
                let proved = simplex.solve(matrix);
                solved.push(state, proved.bounds, proved.strategies.map(DyadicStrategy::support));
            }
        }
    }
}

impl fmt::Debug for StochasticSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StochasticSolver").field("game", &self.game).field("threads", &self.threads).finish_non_exhaustive()
    }
}

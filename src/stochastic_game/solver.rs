//! Solving an explicit game: component by component, from the ends backward.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Duration;

use super::cycles::CyclicSolver;
use super::cycles::LocalGame;
use super::cycles::Turns;
use super::cycles::{Course, CycleFacts, CycleProgress, CyclicState};
use super::model::Components;
use super::model::StochasticGame;
use super::model::{NodeView, NumberedGame};
use super::model::{Scale, largest_values};
use super::proof::resumed;
use super::proof::{StochasticCheckpoint, digest};
use super::solution::StochasticSolution;
use super::sweep::{Keep, Reached, Solved, Stages, sweep};
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError};
use crate::matrix_game::DyadicStrategy;
use crate::work::{Callback, Checkpointing, Threads, Watch, WorkError, unwatched};

/// Is shown what a solve can go on from.
type WriteCheckpoint<'p> = dyn FnMut(&StochasticCheckpoint<'_>) + 'p;

/// How to solve a [`StochasticGame`].
///
/// Every state is a matrix game over the bounds of its successors, solved by the simplex method; the strategies found, in integer
/// weights, prove bounds of the state's value in integer arithmetic. The same game gives the same bytes for any number of threads.
///
/// *Complexity.* A matrix game a state: O(rows · columns) a pivot, about rows + columns pivots.
#[derive(Debug)]
pub struct StochasticSolver<'p> {
    game: StochasticGame,
    threads: Option<usize>,
    progress: Callback<Watch<'p>>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    resumed: Option<StochasticCheckpoint<'static>>,
}

impl<'p> StochasticSolver<'p> {
    /// All threads of the machine, and nobody who watches.
    pub fn new(game: StochasticGame) -> Self {
        Self { game, threads: None, progress: Callback(Box::new(unwatched)), checkpoint: None, resumed: None }
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
        self.progress = Callback(Box::new(progress));
        self
    }

    /// A callback that is shown, not more often than this, what the solve can go on from; also when it is cancelled.
    #[must_use]
    pub fn on_checkpoint(mut self, every: Duration, write: impl FnMut(&StochasticCheckpoint<'_>) + 'p) -> Self {
        self.checkpoint = Some(Checkpointing::new(every, Box::new(write)));
        self
    }

    /// Goes on from a checkpoint of the same game, whose bounds are proved first by its strategies. The solution is the same, to
    /// the bit, as without the interruption.
    #[must_use]
    pub fn resume(mut self, checkpoint: StochasticCheckpoint<'static>) -> Self {
        self.resumed = Some(checkpoint);
        self
    }

    /// Solves every state.
    ///
    /// # Errors
    /// [`GameFault::Checkpoint`](super::GameFault::Checkpoint) for one of another game, or one that does not prove its bounds;
    /// [`GameFault::TooLong`](super::GameFault::TooLong), [`GameFault::Payoff`](super::GameFault::Payoff) when values may be too
    /// large to be counted in integers, [`WorkError::ThreadCount`], [`WorkError::Threads`], [`WorkError::Cancelled`].
    pub fn solve(mut self) -> Result<StochasticSolution, Error> {
        let threads = Threads::checked(self.threads)?;
        let threads = Threads::start(threads)?;
        let game = &self.game;
        let components = Components::new(game);
        let turns = Turns::new(game, &components, &mut self.progress.0)?;
        let scale = scale(game, &components, &turns)?;
        let stages = ByComponent { game, components: &components, turns: &turns, scale };
        let (reached, cycle) = match self.resumed {
            Some(checkpoint) => resumed(&stages, checkpoint)?,
            None => (Reached::nothing(game.len(), true), None),
        };
        let own = if self.checkpoint.is_some() { digest(game) } else { 0 };
        let mut keep = self.checkpoint.map(|mut checkpoint| {
            move |reached: &Reached, cycle: Option<&CycleProgress>, stopped: bool| {
                let Some(strategies) = &reached.strategies else { return };
                checkpoint.note(stopped, |write| {
                    write(&StochasticCheckpoint {
                        game: own,
                        solved: reached.solved,
                        bounds: Cow::Borrowed(&reached.bounds),
                        strategies: Cow::Borrowed(strategies),
                        cycle: cycle.map(Cow::Borrowed),
                    });
                });
            }
        });
        let keep = keep.as_mut().map(|keep| keep as &mut Keep<'_>);
        let Reached { bounds, strategies, .. } = sweep(&stages, reached, cycle, &threads, &mut self.progress.0, keep)?;
        Ok(StochasticSolution::new(self.game, scale, bounds, strategies.unwrap_or_default()))
    }
}

/// The finest unit in which all bounds of a game fit.
fn scale(game: &StochasticGame, components: &Components, turns: &Turns) -> Result<Scale, Error> {
    let largest = largest_values(game, components, |component| turns.most(component));
    let (state, &most) = largest.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap_or((0, &0.0));
    Ok(Scale::of(most).map_err(|fault| StochasticGameError::of_state(game.name(state), fault))?)
}

/// The solve of an explicit game: a component at a time.
pub(crate) struct ByComponent<'g> {
    pub(crate) game: &'g StochasticGame,
    pub(crate) components: &'g Components,
    turns: &'g Turns,
    pub(crate) scale: Scale,
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
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let states = self.components.states(component as usize);
        if !self.components.is_cyclic(self.game, component as usize) {
            self.solve_state(worker, states[0], bounds, solved);
            return Ok(());
        }
        let (local, facts) = self.local(component as usize, bounds);
        let start = self.turns.start(self.game, component as usize, &local, facts.endless);
        let together = worker.solve(&local, facts, &start, course).ok_or(WorkError::Cancelled)?;
        for (&state, CyclicState { bounds, weights: [a, b] }) in states.iter().zip(together) {
            solved.push(state, bounds, [&a, &b]);
        }
        Ok(())
    }
}

impl ByComponent<'_> {
    /// A component as a game of its own, and what is known of it.
    pub(crate) fn local(&self, component: usize, bounds: &[Bounds]) -> (LocalGame, CycleFacts) {
        let Self { game, components, scale, .. } = self;
        let endless = scale.bounds(game.endless(components.states(component)[0] as usize));
        let local = LocalGame::new(*game, components, component, scale.exponent, bounds);
        (local, CycleFacts { kind: game.kind(), endless })
    }

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

//! Solving a game of any rules, from the ends backward.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Duration;

use super::cycles::CycleProgress;
use super::explore::{Cells, Explored, Found, Indexed, PayoffLimit, Postorder};
use super::model::{GameRules, Kind, NumberedGame, Scale, StochasticGame};
use super::proof::{StochasticCheckpoint, resumed};
use super::solution::StochasticSolution;
use super::sweep::{Cycles, GameStages, Keep, Reached, sweep};
use crate::error::{Error, StochasticGameFault};
use crate::work::{Callback, Checkpointing, Threads, Watch, WorkError, unwatched};

/// The most threads that leave an acyclic game to one of them, which solves it while it explores: as fast as two that solve what
/// one explores, and less work.
const THREADS_IN_POSTORDER: usize = 2;

/// Is shown what a solve can go on from.
type WriteCheckpoint<'p> = dyn FnMut(&StochasticCheckpoint<'_>) + 'p;

/// How to solve a game: a [`StochasticGame`], or [`GameRules`] in code.
///
/// Every state is a matrix game over the bounds of its successors, solved by the simplex method; the strategies found, in integer
/// weights, prove bounds of the state's value in integer arithmetic. States to which play can return are solved together. The same
/// game gives the same bytes for any number of threads.
///
/// Of rules in code the states that the starts reach are explored first, depth first, by one thread. In an acyclic game cells are
/// not kept: the rules are asked about each a second time. Where the rules have a [bound of payoffs](GameRules::payoff_bound), one
/// thread or two do both at once, unless there are checkpoints. Where play can return, the game is written down
/// ([`StochasticGame::from_rules`]) and solved so.
///
/// *Memory.* Of an acyclic game by rules 68 bytes a state and twice its own size where states are hashed; 36 bytes and its size for
/// every index where they have one; with checkpoints 24 bytes a state more, and 12 for each action that is chosen. With a bound of
/// payoffs, 16 bytes more for each cell of the states between a start and the one that is explored, which are many where play is
/// long and matrices are large, and as much as 56 for a cell whose successors are not solved yet. Otherwise as much as 200 bytes a
/// state, 80 for each of its cells and 32 for each of their successors.
///
/// *Complexity.* A matrix game a state: O(rows · columns) a pivot, about rows + columns pivots.
#[derive(Debug)]
pub struct StochasticSolver<'p, G: GameRules = StochasticGame> {
    game: G,
    threads: Option<usize>,
    memory_limit: u64,
    progress: Callback<Watch<'p>>,
    explored: Callback<Found<'p>>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    resumed: Option<StochasticCheckpoint<'static>>,
}

impl<'p, G: GameRules> StochasticSolver<'p, G> {
    /// A solver on all threads of the machine that reports no progress.
    pub fn new(game: G) -> Self {
        let progress = Callback(Box::new(unwatched) as Box<_>);
        let explored = Callback(Box::new(|_| ControlFlow::Continue(())) as Box<_>);
        let memory_limit = StochasticGame::MEMORY_LIMIT;
        Self { game, threads: None, memory_limit, progress, explored, checkpoint: None, resumed: None }
    }

    /// Solves on this many threads.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Refuses rules whose states would take more than this many bytes, as soon as that is known; the default is
    /// [`StochasticGame::MEMORY_LIMIT`]. A written game is in memory already.
    #[must_use]
    pub const fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Calls back with the share of the work that is done, from 0 to 1, on the calling thread; the callback may cancel. While states
    /// are explored, the share is not known and reported as 0; see [`on_explored`](Self::on_explored).
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(f64) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Callback(Box::new(progress));
        self
    }

    /// Calls back now and then with the number of states found so far, on the calling thread; the callback may cancel.
    #[must_use]
    pub fn on_explored(mut self, explored: impl FnMut(u64) -> ControlFlow<()> + 'p) -> Self {
        self.explored = Callback(Box::new(explored));
        self
    }

    /// Calls back with a checkpoint that the solve can go on from, not more often than this, and when the solve is cancelled.
    #[must_use]
    pub fn on_checkpoint(mut self, every: Duration, write: impl FnMut(&StochasticCheckpoint<'_>) + 'p) -> Self {
        self.checkpoint = Some(Checkpointing::new(every, Box::new(write)));
        self
    }

    /// Goes on from a checkpoint of the same game, whose strategies first prove its bounds. Rules are explored again. The solution
    /// is the same, to the bit, as without the interruption.
    #[must_use]
    pub fn resume(mut self, checkpoint: StochasticCheckpoint<'static>) -> Self {
        self.resumed = Some(checkpoint);
        self
    }

    /// Solves every state: all of a written game, or those that the starts of rules reach.
    ///
    /// # Errors
    /// The first fault of the rules ([`StochasticGameFault`]), with the name of the state; [`StochasticGameFault::Checkpoint`] for a
    /// checkpoint of another game, or one that does not prove its bounds; [`StochasticGameFault::TooLong`],
    /// [`StochasticGameFault::Payoff`] when values may be too large to be counted in integers; [`WorkError`].
    pub fn solve(mut self) -> Result<StochasticSolution<G>, Error> {
        let count = Threads::checked(self.threads)?;
        let threads = Threads::start(count)?;
        if let Some(access) = G::written() {
            let Self { game, progress, checkpoint, resumed, .. } = self;
            let solve = Solve { threads, progress, checkpoint, resumed };
            return solve.run(Indexed::Written { rules: game, access }, Scale::default());
        }
        let mut found = |states: u64| {
            (self.explored.0)(states)?;
            (self.progress.0)(0.0)
        };
        let is_acyclic = self.game.kind() == Kind::Acyclic;
        let is_kept = self.checkpoint.is_some() || self.resumed.is_some();
        let limit = self.game.payoff_bound().filter(|_| is_acyclic).map(PayoffLimit::new).transpose()?;
        let mut postorder = limit.filter(|_| !is_kept && count <= THREADS_IN_POSTORDER).map(Postorder::new);
        let explored = Explored::new(self.game, true, self.memory_limit, &mut found, postorder.as_mut())?;
        let scale = match limit {
            Some(limit) => limit.scale,
            None if is_acyclic => Scale::of(explored.largest)?,
            None => Scale::default(),
        };
        if let Some(postorder) = postorder {
            explored.check_sample()?;
            return match (self.progress.0)(1.0) {
                ControlFlow::Continue(()) => {
                    Ok(StochasticSolution::new(Indexed::new(explored, true)?, scale, postorder.bounds(), None))
                }
                ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
            };
        }
        let beyond = |limit: PayoffLimit| explored.states().find(|&(number, _)| !limit.allows(explored.table.met(number).size));
        if let Some((_, state)) = limit.and_then(beyond) {
            return Err(explored.refuse_state(state, StochasticGameFault::PayoffBound).into());
        }
        let Self { progress, checkpoint, resumed, .. } = self;
        let solve = Solve { threads, progress, checkpoint, resumed };
        solve.run(Indexed::new(explored, is_acyclic)?, scale)
    }
}

/// The solve of an indexed game.
struct Solve<'p> {
    threads: Threads,
    progress: Callback<Watch<'p>>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    resumed: Option<StochasticCheckpoint<'static>>,
}

impl Solve<'_> {
    /// Solves a written game by components, or an acyclic game by rules on this scale by states.
    fn run<G: GameRules>(mut self, game: Indexed<G>, scale: Scale) -> Result<StochasticSolution<G>, Error> {
        let (scale, Reached { bounds, strategies, .. }) = match game.cells() {
            Cells::Written(written) => {
                let cycles = Cycles::new(written, &mut self.progress.0)?;
                let scale = cycles.scale(written)?;
                (scale, self.sweep(&GameStages { game: written, cycles: Some(&cycles), scale }, true)?)
            }
            Cells::Explored(explored) => {
                // Strategies prove a checkpoint; without one they are found again when they are asked for.
                let keeps_strategies = self.checkpoint.is_some() || self.resumed.is_some();
                (scale, self.sweep(&GameStages { game: explored, cycles: None, scale }, keeps_strategies)?)
            }
        };
        Ok(StochasticSolution::new(game, scale, bounds, strategies))
    }

    fn sweep<N: NumberedGame>(self, stages: &GameStages<'_, N>, keeps_strategies: bool) -> Result<Reached, Error> {
        let Self { threads, mut progress, checkpoint, resumed: begun } = self;
        let (reached, cycle) = match begun {
            Some(begun) => resumed(stages, begun)?,
            None => (Reached::nothing(stages.game.numbers(), keeps_strategies), None),
        };
        let game = if checkpoint.is_some() { stages.game.digest(stages.scale) } else { 0 };
        let mut keep = checkpoint.map(|mut checkpoint| {
            move |reached: &Reached, cycle: Option<&CycleProgress>, stopped: bool| {
                let Some(strategies) = &reached.strategies else { return };
                checkpoint.note(stopped, |write| {
                    write(&StochasticCheckpoint {
                        game,
                        solved: reached.solved,
                        bounds: Cow::Borrowed(&reached.bounds),
                        strategies: Cow::Borrowed(strategies),
                        cycle: cycle.map(Cow::Borrowed),
                    });
                });
            }
        });
        let keep = keep.as_mut().map(|keep| keep as &mut Keep<'_>);
        sweep(stages, reached, cycle, &threads, &mut progress.0, keep)
    }
}

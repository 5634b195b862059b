//! Solving a game that is given by rules in code.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Duration;

use super::cycles::{Course, CycleProgress};
use super::explore::Explored;
use super::explore::Found;
use super::model::GameRules;
use super::model::Kind;
use super::model::Scale;
use super::model::StochasticGame;
use super::proof::RulesCheckpoint;
use super::proof::refusal;
use super::rules_solution::RulesSolution;
use super::solver::StochasticSolver;
use super::sweep::StateSolver;
use super::sweep::{Keep, Reached, Solved, Stages, sweep};
use super::sweep::{PayoffLimit, Postorder};
use crate::bounds::Bounds;
use crate::error::{Error, GameFault, StochasticGameError};
use crate::work::{Callback, Checkpointing, Threads, Watch, WorkError, unwatched};

/// The most threads that leave an acyclic game to one of them, which solves it while it explores: as fast as two that solve what
/// one explores, and less work.
const THREADS_IN_POSTORDER: usize = 2;

/// Is shown what a solve can go on from.
type WriteCheckpoint<'p> = dyn FnMut(&RulesCheckpoint<'_>) + 'p;

/// How to solve a game by its [`GameRules`].
///
/// The states that the starts reach are explored first, depth first, by one thread; then every state is solved as a matrix game
/// over the bounds of its successors, and proved, as in a [`StochasticSolver`]. In an acyclic game cells are not kept: the rules
/// are asked about each a second time. One thread or two do both at once, unless checkpoints are asked for, where the rules tell
/// a [bound of payoffs](GameRules::payoff_bound): a state is solved when the search leaves it. Where play can return, the game is
/// written down ([`StochasticGame::from_rules`]) and solved so.
///
/// *Memory.* In an acyclic game 68 bytes a state and twice its own size where states are hashed; 36 bytes and its size for every
/// index where they have one. Where play can return, as much as 200 bytes a state, 80 for each of its cells and 32 for each state that
/// may follow one.
#[derive(Debug)]
pub struct RulesSolver<'p, R> {
    rules: R,
    threads: Option<usize>,
    memory_limit: u64,
    progress: Callback<Watch<'p>>,
    explored: Callback<Found<'p>>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    resumed: Option<RulesCheckpoint<'static>>,
}

impl<'p, R: GameRules> RulesSolver<'p, R> {
    /// The memory that the states may take unless [`memory_limit`](Self::memory_limit) says otherwise: 8 GiB.
    pub const MEMORY_LIMIT: u64 = StochasticGame::MEMORY_LIMIT;

    /// All threads of the machine, and nobody who watches.
    pub fn new(rules: R) -> Self {
        let progress = Callback(Box::new(unwatched) as Box<_>);
        let explored = Callback(Box::new(|_| ControlFlow::Continue(())) as Box<_>);
        Self { rules, threads: None, memory_limit: Self::MEMORY_LIMIT, progress, explored, checkpoint: None, resumed: None }
    }

    /// Solves on this many threads.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Refuses a game that would take more than this many bytes, as soon as that is known.
    #[must_use]
    pub const fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Tells the callback which share of the work is done, from 0 to 1, on the calling thread; it may cancel. While states are
    /// explored, nothing is known of the share, and it is 0; see [`on_explored`](Self::on_explored).
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(f64) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Callback(Box::new(progress));
        self
    }

    /// Tells the callback now and then how many states were found so far, on the calling thread; it may cancel.
    #[must_use]
    pub fn on_explored(mut self, explored: impl FnMut(u64) -> ControlFlow<()> + 'p) -> Self {
        self.explored = Callback(Box::new(explored));
        self
    }

    /// A callback that is shown, not more often than this, what the solve of an acyclic game can go on from; also when it is
    /// cancelled.
    #[must_use]
    pub fn on_checkpoint(mut self, every: Duration, write: impl FnMut(&RulesCheckpoint<'_>) + 'p) -> Self {
        self.checkpoint = Some(Checkpointing::new(every, Box::new(write)));
        self
    }

    /// Goes on from a checkpoint of the same acyclic game: states are explored again, and those that were solved are not solved
    /// again. The solution is the same, to the bit, as without the interruption.
    #[must_use]
    pub fn resume(mut self, checkpoint: RulesCheckpoint<'static>) -> Self {
        self.resumed = Some(checkpoint);
        self
    }

    /// Explores and solves every state.
    ///
    /// # Errors
    /// What the rules get wrong ([`GameFault`]), with the name of the state; [`WorkError::Memory`](crate::WorkError::Memory) before
    /// memory is gone; those of [`StochasticSolver::solve`].
    pub fn solve(mut self) -> Result<RulesSolution<R>, Error> {
        let count = Threads::checked(self.threads)?;
        let threads = Threads::start(count)?;
        let mut found = |states: u64| {
            (self.explored.0)(states)?;
            (self.progress.0)(0.0)
        };
        let is_acyclic = self.rules.kind() == Kind::Acyclic;
        let is_kept = self.checkpoint.is_some() || self.resumed.is_some();
        let limit = self.rules.payoff_bound().filter(|_| is_acyclic).map(PayoffLimit::new).transpose()?;
        let mut postorder = limit.filter(|_| !is_kept && count <= THREADS_IN_POSTORDER).map(Postorder::new);
        let explored = Explored::new(self.rules, true, self.memory_limit, &mut found, postorder.as_mut())?;
        if !is_acyclic {
            if self.resumed.is_some() {
                return Err(refusal("is of an acyclic game; expected one in which play cannot return").into());
            }
            let solver = StochasticSolver::new(StochasticGame::from_explored(&explored)?).on_progress(self.progress.0);
            let solution = if let Some(threads) = self.threads { solver.threads(threads) } else { solver }.solve()?;
            return Ok(RulesSolution::of_explicit(explored, solution));
        }
        let scale = match limit {
            Some(limit) => limit.scale,
            None => Scale::of(explored.largest).map_err(StochasticGameError::new)?,
        };
        if let Some(postorder) = postorder {
            explored.check_sample()?;
            return match (self.progress.0)(1.0) {
                ControlFlow::Continue(()) => Ok(RulesSolution::new(explored, scale, postorder.bounds())),
                ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
            };
        }
        let beyond = |limit: PayoffLimit| explored.states().find(|&(number, _)| !limit.allows(explored.table.met(number).size));
        if let Some((_, state)) = limit.and_then(beyond) {
            return Err(explored.refuse(state, GameFault::PayoffBound).into());
        }
        let game = if is_kept { explored.digest(scale) } else { 0 };
        let begun = match self.resumed {
            Some(checkpoint) => checkpoint.of_game(game, explored.numbers())?,
            None => Reached::nothing(explored.numbers(), false),
        };
        let mut keep = self.checkpoint.map(|mut checkpoint| {
            move |reached: &Reached, _: Option<&CycleProgress>, stopped: bool| {
                checkpoint.note(stopped, |write| {
                    write(&RulesCheckpoint { game, solved: reached.solved, bounds: Cow::Borrowed(&reached.bounds) });
                });
            }
        });
        let keep = keep.as_mut().map(|keep| keep as &mut Keep<'_>);
        let stages = ByState { explored: &explored, scale };
        let Reached { bounds, .. } = sweep(&stages, begun, None, &threads, &mut self.progress.0, keep)?;
        Ok(RulesSolution::new(explored, scale, bounds))
    }
}

/// The solve of an acyclic game by its rules: a state at a time.
struct ByState<'e, R: GameRules> {
    explored: &'e Explored<R>,
    scale: Scale,
}

impl<R: GameRules> Stages for ByState<'_, R> {
    type Worker = StateSolver<R::State>;

    fn levels(&self) -> Vec<Vec<u32>> {
        self.explored.by_level()
    }

    fn work(&self, state: u32) -> f64 {
        let [rows, columns] = self.explored.actions(state as usize);
        (rows * columns + 1) as f64
    }

    fn is_long(&self, _: u32) -> bool {
        false
    }

    fn solve(
        &self,
        worker: &mut Self::Worker,
        state: u32,
        bounds: &[Bounds],
        solved: &mut Solved,
        _: &mut Course<'_>,
    ) -> Result<(), Error> {
        let (own, strategies) = worker.solve(self.explored, state as usize, self.scale, bounds)?;
        solved.push(state, own, strategies);
        Ok(())
    }
}

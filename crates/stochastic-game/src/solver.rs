//! The settings of a solve, and the order of its steps.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use super::cycles::{CycleProgress, NO_WIDTH};
use super::explore::{Cells, Explored, Indexed, PlayerExchange, refuse_state};
use super::model::{GameRules, Kind, NumberedGame, PayoffLimit, Scale, StochasticGame};
use super::proof::{StochasticCheckpoint, refusal, resumed};
use super::solution::{Limits, StochasticSolution};
use super::sweep::{Coarse, Cycles, GameStages, Reached, StrategyStorage, Sweep, Tolerance};

use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::layers::{Observer, ThreadSolver, run};
use crate::work::{Callback, CheckpointKind, Checkpointing, Clock, Threads, setters, unwatched};

/// A callback for checkpoints.
type WriteCheckpoint<'p> = dyn FnMut(&StochasticCheckpoint<'_>) + Send + 'p;

/// Solves a game: a [`StochasticGame`], or [`GameRules`] in code.
///
/// Every state is a matrix game over the bounds of its successors, solved by the simplex method;
/// the strategies found, in integer weights, prove bounds of the state's value in integer
/// arithmetic. States to which play can return are solved together. The same game gives the same
/// bytes for any number of threads.
///
/// Of rules in code the states that the starts reach are explored first, depth first, by one
/// thread. In an acyclic game cells are not kept: the rules are asked about each a second time.
/// Where play can return, the game is written down ([`StochasticGame::from_rules`]) and solved so.
///
/// *Memory.* Of an acyclic game by rules 68 bytes a state and twice its own size where states are
/// hashed; 36 bytes and its size for every index where they have one; with checkpoints 24 bytes a
/// state more, and 12 for each action that is chosen. Otherwise as much as 200 bytes a state, 80
/// for each of its cells and 32 for each of their successors.
///
/// *Complexity.* A matrix game a state: O(rows · columns) a pivot, about rows + columns pivots.
#[derive(Debug)]
pub struct StochasticSolver<'p, G: GameRules = StochasticGame> {
    pub(super) game: G,
    pub(super) threads: Option<usize>,
    pub(super) memory_limit: u64,
    width: f64,
    explored: Callback<dyn FnMut(u64) -> ControlFlow<()> + Send + 'p>,
    pub(super) control: SolveControl<'p>,
}

/// The control of a solve: the checkpoint from which it begins, its end, its callbacks.
#[derive(Debug)]
pub(super) struct SolveControl<'p> {
    pub(super) progress: Callback<dyn FnMut(f64) -> ControlFlow<()> + Send + 'p>,
    widest: Callback<dyn FnMut(f64) + Send + 'p>,
    pub(super) checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    pub(super) resumed: Option<StochasticCheckpoint<'static>>,
    pub(super) ends_early: Option<&'p AtomicBool>,
}

impl<'p, G: GameRules> StochasticSolver<'p, G> {
    /// A solver on all threads of the machine that reports no progress.
    pub fn new(game: G) -> Self {
        let progress = Callback::new(Box::new(unwatched) as Box<_>);
        let explored = Callback::new(Box::new(|_| ControlFlow::Continue(())) as Box<_>);
        let widest = Callback::new(Box::new(|_| ()) as Box<_>);
        let control =
            SolveControl { progress, widest, checkpoint: None, resumed: None, ends_early: None };
        Self {
            game,
            threads: None,
            memory_limit: StochasticGame::MEMORY_LIMIT,
            width: 0.0,
            explored,
            control,
        }
    }

    setters! {
        /// Solves on this many threads.
        #[must_use]
        threads(threads: usize) => threads = Some(threads);

        /// Sets the memory limit in bytes: rules that need more are rejected as soon as that is
        /// known, and a state whose matrix game alone needs more, at 32 bytes a cell, before any of
        /// its cells is asked for; the default is [`StochasticGame::MEMORY_LIMIT`]. A written game
        /// is in memory already.
        #[must_use]
        memory_limit(bytes: u64) => memory_limit = bytes;

        /// Sets the width of bounds, in payoffs, beyond which states to which play can return need
        /// not be narrowed; by default they are as narrow as numbers allow. Bounds that are found
        /// on the way may be narrower, and bounds of which no method narrows the last part may stay
        /// wider. A resumed solve is the same, to the bit, if it has the same width.
        #[must_use]
        width(width: f64) => width = width;

        /// Sets a callback that hears the share of the work done, from 0 to 1, on the calling
        /// thread, and may cancel. During exploration the share is unknown and reported as 0; see
        /// [`on_explored`](Self::on_explored).
        #[must_use]
        on_progress(progress: impl FnMut(f64) -> ControlFlow<()> + Send + 'p) => control.progress = Callback::new(Box::new(progress));

        /// Sets a callback that hears how far apart, in payoffs, the widest bounds are that are
        /// proved so far in the cycle being solved, before each report of progress. Value iteration
        /// has no bounds before its end.
        #[must_use]
        on_widest(widest: impl FnMut(f64) + Send + 'p) => control.widest = Callback::new(Box::new(widest));

        /// Sets a callback that hears the number of states found now and then, on the calling
        /// thread, and may cancel.
        #[must_use]
        on_explored(explored: impl FnMut(u64) -> ControlFlow<()> + Send + 'p) => explored = Callback::new(Box::new(explored));

        /// Sets a callback for checkpoints, called at most once in this interval, and when the
        /// solve is cancelled.
        #[must_use]
        on_checkpoint(every: Duration, write: impl FnMut(&StochasticCheckpoint<'_>) + Send + 'p) =>
            control.checkpoint = Some(Checkpointing::new(every, Box::new(write)));

        /// Sets a flag that ends the solve early: once it holds, bounds of states to which play can
        /// return are not narrowed any more, and the solution has the bounds proved so far. The
        /// solve ends soon, after the states that are left have been solved or have got their first
        /// bounds, which may be as wide as all payoffs. It still reports to
        /// [`on_progress`](Self::on_progress), which may cancel it. A checkpoint is written once
        /// more, for narrowing them later.
        #[must_use]
        ends_early(flag: &'p AtomicBool) => control.ends_early = Some(flag);

        /// Resumes a checkpoint of the same game, whose strategies first prove its bounds. Rules
        /// are explored again. The solution is the same, to the bit, as without the interruption.
        #[must_use]
        resume(checkpoint: StochasticCheckpoint<'static>) => control.resumed = Some(checkpoint);
    }

    /// Solves every state: all of a written game, or those that the starts of rules reach.
    ///
    /// # Errors
    /// The first fault of the rules ([`StochasticGameFault`]), with the name of the state;
    /// [`StochasticGameFault::Checkpoint`] for a checkpoint of another game, or one that does not
    /// prove its bounds; [`StochasticGameFault::TooLong`], [`StochasticGameFault::Payoff`] when
    /// values may be too large to be counted in integers; [`StochasticGameFault::Width`] for a
    /// width below 0; [`WorkError`](crate::WorkError).
    pub fn solve(mut self) -> Result<StochasticSolution<G>, Error> {
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        if !(self.width >= 0.0 && self.width.is_finite()) {
            return Err(StochasticGameError::from(StochasticGameFault::Width {
                width: self.width.to_string(),
            })
            .into());
        }
        if let Some(access) = G::written() {
            return self.control.run(
                &threads,
                Indexed::Written { rules: self.game, access },
                Scale::default(),
                self.width,
            );
        }
        let mut on_explored = |states: u64| {
            (self.explored.get())(states)?;
            (self.control.progress.get())(0.0)
        };
        let is_acyclic = self.game.kind() == Kind::Acyclic;
        let limit =
            self.game.payoff_bound().filter(|_| is_acyclic).map(PayoffLimit::new).transpose()?;
        let explored =
            Explored::new(self.game, PlayerExchange::Allowed, self.memory_limit, &mut on_explored)?;
        let scale = match limit {
            Some(limit) => limit.scale,
            None if is_acyclic => {
                Scale::of(explored.largest()).map_err(|fault| explored.refuse_largest(fault))?
            }
            None => Scale::default(),
        };
        let beyond = |limit: PayoffLimit| {
            explored.states().find(|&(number, _)| !limit.allows(explored.table.record(number).size))
        };
        if let Some((_, state)) = limit.and_then(beyond) {
            return Err(
                refuse_state(&explored.rules, state, StochasticGameFault::PayoffBound).into()
            );
        }
        self.control.run(&threads, Indexed::new(explored)?, scale, self.width)
    }
}

impl SolveControl<'_> {
    /// Solves a written game by components, or an acyclic game by rules on this scale by states.
    fn run<G: GameRules>(
        mut self,
        threads: &Threads,
        game: Indexed<G>,
        scale: Scale,
        width: f64,
    ) -> Result<StochasticSolution<G>, Error> {
        let (known, scale, reached) = match game.cells() {
            Cells::Written(written) => self.written(threads, written, width)?,
            Cells::Explored(explored) => {
                // A checkpoint needs strategies as its proof; otherwise they are recomputed on
                // demand.
                let storage = if self.checkpoint.is_some() || self.resumed.is_some() {
                    StrategyStorage::Kept
                } else {
                    StrategyStorage::Recomputed
                };
                let levels = explored.levels();
                let stages = GameStages {
                    game: explored,
                    cycles: None,
                    scale,
                    levels: &levels,
                    fits: true,
                    coarse: None,
                    tolerance: None,
                };
                (scale, scale, self.sweep(threads, &stages, storage, &|share| share)?)
            }
        };
        let has_ended_early = self.ends_early.is_some_and(|early| early.load(Ordering::Relaxed));
        let limits = Limits { width, has_ended_early };
        Ok(StochasticSolution::new(game, scale, scale.exponent - known.exponent, reached, limits))
    }

    /// Solves the components of a written game, once more where the values found fit a finer unit,
    /// as long as bounds are wider than asked for and that narrows them; returns the first and the
    /// last unit.
    fn written(
        &mut self,
        threads: &Threads,
        game: &StochasticGame,
        width: f64,
    ) -> Result<(Scale, Scale, Reached), Error> {
        let cycles = Cycles::new(game, self.progress.get())?;
        let levels = cycles.levels();
        // Values may fit, though what could be paid at most does not.
        let (scale, refusal) = match cycles.scale() {
            Ok(scale) => (scale, None),
            Err(refusal) if cycles.finest().is_ok() => (Scale::default(), Some(refusal)),
            Err(refusal) => return Err(refusal.into()),
        };
        let fits = refusal.is_none();
        let tolerance = (width > 0.0).then(|| Tolerance::new(width, &cycles.components, &levels));
        let tolerance = tolerance.as_ref();
        let stages = GameStages {
            game,
            cycles: Some(&cycles),
            scale,
            levels: &levels,
            fits,
            coarse: None,
            tolerance,
        };
        let may_be_finer = cycles.may_be_finer(scale);
        let finished = if may_be_finer { self.finished(threads, &cycles, &stages)? } else { None };
        // Every unit takes half of the work that is left.
        let mut left = if may_be_finer { 0.5 } else { 0.0 };
        let (mut unit, mut reached) = match finished {
            Some(finished) => finished,
            None => {
                let found = self
                    .sweep(threads, &stages, StrategyStorage::Kept, &|share| share * (1.0 - left));
                match (found, refusal) {
                    (Err(Error::StochasticGame(inner)), Some(refusal))
                        if *inner.fault() == StochasticGameFault::TooLong =>
                    {
                        return Err(unproved(&inner, &refusal).into());
                    }
                    (found, _) => (scale, found?),
                }
            }
        };
        while let Some(finer) = cycles.finer(unit, reached.published.bounds())
            && reached.published.widest(unit.exponent) > width
            && !self.ends_early.is_some_and(|early| early.load(Ordering::Relaxed))
        {
            let (exponent, more) = (unit.exponent, unit.exponent - scale.exponent);
            let coarse = Coarse { reached: &reached, exponent, finer: more, least_wide: None };
            let stages = GameStages { scale: finer, fits: false, coarse: Some(coarse), ..stages };
            left /= 2.0;
            let found = match self
                .sweep(threads, &stages, StrategyStorage::Kept, &|share| 1.0 - left * (2.0 - share))
            {
                Ok(found) => found,
                // The values fit the finer unit, but not the bounds with which some cycle
                // begins.
                Err(Error::StochasticGame(error))
                    if *error.fault() == StochasticGameFault::TooLong =>
                {
                    break;
                }
                Err(error) => return Err(error),
            };
            // Bounds in longer numbers may be narrower than those of the finer unit.
            if found.published.widest(finer.exponent) >= reached.published.widest(unit.exponent) {
                break;
            }
            (unit, reached) = (finer, found);
        }
        let least_wide = reached.published.least_wide(unit.exponent).max(width);
        if game.nature().is_none()
            && reached.published.widest(unit.exponent) > least_wide
            && !self.ends_early.is_some_and(|early| early.load(Ordering::Relaxed))
        {
            let least_wide = Some(least_wide);
            let (exponent, finer) = (unit.exponent, unit.exponent - scale.exponent);
            let coarse = Coarse { reached: &reached, exponent, finer, least_wide };
            let stages = GameStages { scale: unit, coarse: Some(coarse), ..stages };
            match self
                .sweep(threads, &stages, StrategyStorage::Kept, &|share| 1.0 - left * (1.0 - share))
            {
                Ok(found)
                    if found.published.widest(unit.exponent)
                        < reached.published.widest(unit.exponent) =>
                {
                    reached = found;
                }
                // The bounds known are proved, too.
                Ok(_) | Err(Error::StochasticGame(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if may_be_finer {
            // Finished work is not cancelled.
            let _ = (self.progress.get())(1.0);
        }
        Ok((scale, unit, reached))
    }

    /// The finished solution of a checkpoint in a finer unit, if it is one. In a unit that is too
    /// fine, ends would not be counted.
    fn finished(
        &mut self,
        threads: &Threads,
        cycles: &Cycles<'_>,
        stages: &GameStages<'_, StochasticGame>,
    ) -> Result<Option<(Scale, Reached)>, Error> {
        let Some(checkpoint) = &mut self.resumed else { return Ok(None) };
        let (game, finest) = (stages.game.digest(stages.scale), cycles.finest()?);
        let finer = checkpoint.game.wrapping_sub(game);
        if finer == 0 || finer > u64::from(finest.exponent.saturating_sub(stages.scale.exponent)) {
            return Ok(None);
        }
        let scale = Scale { exponent: stages.scale.exponent + finer as u32 };
        checkpoint.game = game;
        let Some(checkpoint) = self.resumed.take() else { return Ok(None) };
        let (reached, _) = resumed(&GameStages { scale, ..*stages }, checkpoint, threads)?;
        if reached.solved < stages.levels.concat().len() as u64 {
            return Err(refusal("is of another game").into());
        }
        Ok(Some((scale, reached)))
    }

    /// Solves all stages; `share` gives the share of all work by that of these. Where they were
    /// solved before in a coarser unit, a checkpoint has them so.
    fn sweep<N: NumberedGame>(
        &mut self,
        threads: &Threads,
        stages: &GameStages<'_, N>,
        storage: StrategyStorage,
        share: &dyn Fn(f64) -> f64,
    ) -> Result<Reached, Error> {
        let (reached, begun) = match self.resumed.take() {
            Some(begun) => resumed(stages, begun, threads)?,
            None => (Reached::nothing(stages.game.numbers(), storage), None),
        };
        let (clock, solved, is_kept) = (Clock::start(), reached.solved, self.checkpoint.is_some());
        let mut sweep = Sweep {
            stages,
            threads,
            reached,
            begun: Mutex::new(begun),
            is_kept,
            flag: self.ends_early,
            width: AtomicI64::new(NO_WIDTH),
        };
        let finer = stages.coarse.map_or(0, |coarse| coarse.finer);
        let game =
            if is_kept { stages.game.digest(stages.scale).wrapping_add(finer.into()) } else { 0 };
        let mut reporter = Reporter {
            control: self,
            share,
            game,
            clock,
            reported: f64::NEG_INFINITY,
            is_last: false,
        };
        run(&mut sweep, solved, &mut ThreadSolver::new(threads), &mut reporter, clock)?;
        // All stages are solved, which a cancelled solve would lose: a next sweep hears of it.
        let _ = (self.progress.get())(share(1.0));
        Ok(sweep.reached)
    }
}

/// The fault of a state of which nothing is proved in the unit that is tried where none is known to
/// fit.
fn unproved(inner: &StochasticGameError, refusal: &StochasticGameError) -> StochasticGameError {
    let fault = match refusal.fault() {
        StochasticGameFault::TooLong => StochasticGameFault::TooLong,
        fault => StochasticGameFault::NotProved { reason: fault.to_string() },
    };
    let found = StochasticGameError::from(fault);
    match inner.state() {
        Some(state) => found.in_state(state),
        None => found,
    }
}

/// The least interval between reports, in seconds.
const REPORT_SECONDS: f64 = 0.1;

/// Calls the callbacks during a sweep.
struct Reporter<'c, 'p> {
    control: &'c mut SolveControl<'p>,
    share: &'c dyn Fn(f64) -> f64,
    /// The digest of the game, for checkpoints.
    game: u64,
    clock: Clock,
    reported: f64,
    /// Whether the last checkpoint was written.
    is_last: bool,
}

impl<N: NumberedGame> Observer<Sweep<'_, '_, N>> for Reporter<'_, '_> {
    fn progress(&mut self, sweep: &Sweep<'_, '_, N>, share: f64) -> ControlFlow<()> {
        let now = self.clock.elapsed().as_secs_f64();
        if now - self.reported < REPORT_SECONDS {
            return ControlFlow::Continue(());
        }
        self.reported = now;
        let width = sweep.width.load(Ordering::Relaxed);
        if width != NO_WIDTH {
            // Rounded to nearest, for the eye alone.
            (self.control.widest.get())(
                width as f64 * f64::from(sweep.stages.scale.exponent).exp2().recip(),
            );
        }
        (self.control.progress.get())((self.share)(share))
    }

    fn checkpoint(
        &mut self,
        sweep: &Sweep<'_, '_, N>,
        cycle: Option<&CycleProgress>,
        kind: CheckpointKind,
    ) {
        let Some(checkpoint) = self.control.checkpoint.as_mut().filter(|_| !self.is_last) else {
            return;
        };
        self.is_last = kind == CheckpointKind::Last;
        if !checkpoint.takes(kind) {
            return;
        }
        let (reached, cycle) =
            sweep.stages.coarse.map_or((&sweep.reached, cycle), |coarse| (coarse.reached, None));
        let game = self.game;
        checkpoint.write(|write| {
            write(&StochasticCheckpoint::of_reached(game, reached, cycle));
        });
    }
}

//! The work on one component of states to which play can return: its progress, its results, and the
//! ways to end it early.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::homotopy::LongProgress;
use super::value_iteration::{StepProgress, SweepProgress};
use crate::bounds::Bounds;
use crate::matrix_game::{DyadicStrategy, ProvedPair};
use crate::work::{Threads, WorkError};

/// The actions of a strategy, rising, with their weights.
pub(crate) type Strategy<W> = Vec<(u32, W)>;

/// The weights of a side's actions at a state, out of 2⁶².
pub(crate) type Weights = Strategy<u64>;

/// A callback, called now and then, that breaks if the work is cancelled or is to end early.
pub(crate) type CheckCancel<'c> = dyn FnMut() -> ControlFlow<()> + 'c;

/// The solution of a state: its bounds, and the weights of A and of B that prove them.
#[derive(Clone, Debug)]
pub(crate) struct CyclicState {
    pub(crate) bounds: Bounds,
    pub(crate) weights: [Weights; 2],
}

impl CyclicState {
    /// The solution of a state's matrix game.
    pub(super) fn of(proved: &ProvedPair) -> Self {
        let weights = proved.strategies.each_ref().map(|strategy| strategy.support().to_vec());
        Self { bounds: proved.bounds, weights }
    }

    /// The trivial solution, whose bounds any strategies prove.
    pub(crate) fn with_any_strategy(bounds: Bounds) -> Self {
        Self { bounds, weights: [(); 2].map(|()| vec![(0, DyadicStrategy::WHOLE)]) }
    }
}

/// The progress on a cycle of several states, by the method that is at work.
#[derive(Clone, Debug)]
pub(crate) enum CycleProgress {
    Sweeps(SweepProgress),
    Steps(StepProgress),
    Rounds(RoundProgress),
    Long(Box<LongProgress>),
}

/// The progress at the beginning of a round of strategy iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundProgress {
    pub(crate) states: Vec<CyclicState>,
    pub(crate) rounds: usize,
    /// The sum of all widths before the first round and after each.
    pub(crate) widths: Vec<f64>,
}

/// The width where no bounds are narrowed yet.
pub(crate) const NO_WIDTH: i64 = -1;

/// The control of the solve of a component: its threads, where it begins and ends, its callbacks.
pub(crate) struct CycleControl<'c> {
    pub(crate) threads: &'c Threads,
    /// Bounds that are this many units apart need not be narrowed.
    pub(crate) enough: i64,
    /// The progress of an interrupted solve.
    pub(crate) begun: Option<CycleProgress>,
    /// Called while bounds are narrowed, which may also end early.
    pub(crate) check_cancel: &'c mut CheckCancel<'c>,
    /// Called while the first bounds are proved, without which there is no solution.
    pub(crate) check_cancel_of_first: &'c mut CheckCancel<'c>,
    /// Once this holds, the bounds proved so far are the solution.
    pub(crate) ends_early: Option<&'c AtomicBool>,
    /// The units by which the widest bounds are apart that are proved so far, or [`NO_WIDTH`].
    pub(crate) widest: &'c AtomicI64,
    /// Hears the progress before every step of the work, if it is kept.
    pub(crate) on_progress: Option<&'c mut dyn FnMut(CycleProgress)>,
}

impl CycleControl<'_> {
    /// The result of narrowing, or `otherwise` if that ended early.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub(crate) fn finished<T>(
        &self,
        found: ControlFlow<(), T>,
        otherwise: T,
    ) -> Result<T, WorkError> {
        match found {
            ControlFlow::Continue(found) => Ok(found),
            ControlFlow::Break(()) if self.is_early() => Ok(otherwise),
            ControlFlow::Break(()) => Err(WorkError::Cancelled),
        }
    }

    /// Whether the bounds proved so far are the solution.
    pub(super) fn is_early(&self) -> bool {
        self.ends_early.is_some_and(|early| early.load(Ordering::Relaxed))
    }

    /// Does work without which there is no solution.
    pub(crate) fn first<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.check_cancel, &mut self.check_cancel_of_first);
        let result = work(self);
        std::mem::swap(&mut self.check_cancel, &mut self.check_cancel_of_first);
        result
    }

    /// Reports the progress, if it is kept, and checks whether the work is cancelled.
    pub(super) fn report(&mut self, progress: impl FnOnce() -> CycleProgress) -> ControlFlow<()> {
        if let Some(report) = &mut self.on_progress {
            report(progress());
        }
        (self.check_cancel)()
    }
}

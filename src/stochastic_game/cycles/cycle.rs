use std::ops::ControlFlow;

use super::homotopy::LongProgress;
use super::value_iteration::{StepProgress, SweepProgress};
use crate::bounds::Bounds;
use crate::matrix_game::{DyadicStrategy, ProvedPair};
use crate::work::Threads;

/// The actions of a strategy, rising, with their weights.
pub(crate) type Strategy<W> = Vec<(u32, W)>;

/// The weights of a side's actions at a state, out of 2⁶².
pub(crate) type Weights = Strategy<u64>;

/// Whether to continue, asked now and then.
pub(crate) type GoOn<'c> = dyn FnMut() -> ControlFlow<()> + 'c;

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
    pub(crate) fn anyhow(bounds: Bounds) -> Self {
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

/// How a component is solved: what it may use, when it may end, and who hears of it.
pub(crate) struct Course<'c> {
    pub(crate) threads: &'c Threads,
    /// Bounds that are so many units apart need not be narrowed.
    pub(crate) enough: i64,
    /// The progress of an interrupted solve.
    pub(crate) begun: Option<CycleProgress>,
    pub(crate) go_on: &'c mut GoOn<'c>,
    /// Hears the progress before every step of the work, if it is kept.
    pub(crate) reached: Option<&'c mut dyn FnMut(CycleProgress)>,
}

impl Course<'_> {
    /// Tells the progress, if it is kept, and asks whether to continue.
    pub(super) fn tell(&mut self, progress: impl FnOnce() -> CycleProgress) -> ControlFlow<()> {
        if let Some(reached) = &mut self.reached {
            reached(progress());
        }
        (self.go_on)()
    }
}

//! The sweep: independent stages, level by level, shared out among threads.

mod stages;
mod strategies;

pub(crate) use stages::{Coarse, Cycles, GameStages, StateSolver, Tolerance, Weights};
pub(crate) use strategies::{Strategies, probabilities};

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::bounds::Bounds;
use crate::cycles::{CycleControl, CycleProgress, CyclicState, Lengthened, LongState, NO_WIDTH};
use crate::error::Error;
use crate::gate::Passed;
use crate::layers::Layered;
use crate::model::NumberedGame;
use crate::published::Published;
use crate::work::{Clock, Threads};

const STAGES_A_BATCH: usize = 32;

/// Whether strategies are kept, or recomputed on demand from the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrategyStorage {
    Kept,
    Recomputed,
}

#[derive(Debug, Default)]
pub(crate) struct Solved {
    states: Vec<(u32, Bounds, Passed)>,
    /// In the order of the states, if they are kept.
    strategies: Option<Strategies>,
    long: Vec<(u32, LongState, Passed)>,
}

impl Solved {
    /// Removes all states and keeps the memory.
    fn clear(&mut self, storage: StrategyStorage) {
        self.states.clear();
        self.long.clear();
        if storage == StrategyStorage::Kept {
            self.strategies.get_or_insert_default().clear();
        }
    }

    /// Adds the states of a component; each is freed as soon as it is kept.
    fn push_all(&mut self, states: &[u32], found: Vec<CyclicState>, passed: Passed) {
        for (&state, CyclicState { bounds, weights: [a, b] }) in states.iter().zip(found) {
            self.push(state, bounds, passed, [&a, &b]);
        }
    }

    /// Adds the states of a component, in longer numbers if it has them.
    fn push_lengthened(&mut self, states: &[u32], found: Lengthened, passed: Passed) {
        for (&state, long) in states.iter().zip(found.long.into_iter().flatten()) {
            self.long.push((state, long, passed));
        }
        self.push_all(states, found.states, passed);
    }

    fn push(&mut self, state: u32, bounds: Bounds, passed: Passed, pair: [&[(u32, u64)]; 2]) {
        self.states.push((state, bounds, passed));
        if let Some(strategies) = &mut self.strategies {
            strategies.push(pair);
        }
    }

    /// Stores the solved states.
    fn store(&mut self, reached: &mut Reached) {
        for (state, long, passed) in self.long.drain(..) {
            reached.published.lengthen(state, long, passed);
        }
        for (number, &(state, bounds, passed)) in self.states.iter().enumerate() {
            reached.published.store(state, bounds, passed);
            if let (Some(kept), Some(solved)) = (&mut reached.strategies, &self.strategies) {
                kept.set(state as usize, solved.get(number));
            }
        }
    }
}

/// The progress of a sweep, and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    pub(crate) solved: u64,
    pub(crate) published: Published,
    pub(crate) strategies: Option<Strategies>,
}

impl Reached {
    const fn storage(&self) -> StrategyStorage {
        match self.strategies {
            Some(_) => StrategyStorage::Kept,
            None => StrategyStorage::Recomputed,
        }
    }

    pub(crate) fn state(&self, state: u32) -> CyclicState {
        let pair = self
            .strategies
            .as_ref()
            .map_or([&[][..]; 2], |strategies| strategies.get(state as usize));
        CyclicState {
            bounds: self.published.bounds()[state as usize],
            weights: pair.map(<[_]>::to_vec),
        }
    }

    /// The empty progress for this many states.
    pub(crate) fn nothing(states: usize, storage: StrategyStorage) -> Self {
        let strategies = match storage {
            StrategyStorage::Kept => Some(Strategies::new(states)),
            StrategyStorage::Recomputed => None,
        };
        Self { solved: 0, published: Published::nothing(states), strategies }
    }
}

/// The stages while they are solved.
pub(crate) struct Sweep<'s, 'g, N> {
    pub(crate) stages: &'s GameStages<'g, N>,
    pub(crate) threads: &'s Threads,
    pub(crate) reached: Reached,
    /// The progress of the next stage when the work was interrupted.
    pub(crate) begun: Mutex<Option<CycleProgress>>,
    /// Whether the progress of a long stage is kept.
    pub(crate) is_kept: bool,
    /// Once this holds, bounds are not narrowed any more.
    pub(crate) flag: Option<&'s AtomicBool>,
    /// The units by which the widest bounds of the long stage at work are apart, or [`NO_WIDTH`].
    pub(crate) width: AtomicI64,
}

impl<N: NumberedGame> Layered for Sweep<'_, '_, N> {
    type Item = u32;
    type Worker = StateSolver<N::Row>;
    type Batch = Solved;
    type Part = CycleProgress;

    /// Some 4,000 cells in a tenth of a millisecond.
    const SECONDS: f64 = 2.5e-8;

    fn items_a_batch(&self) -> usize {
        STAGES_A_BATCH
    }

    fn layers(&self) -> Range<u32> {
        0..self.stages.levels.len() as u32
    }

    fn items(&self, level: u32) -> impl Iterator<Item = u32> {
        self.stages.levels[level as usize].iter().copied()
    }

    fn work(&self, stage: u32) -> f64 {
        self.stages.work(stage)
    }

    fn solve(
        &self,
        worker: &mut Self::Worker,
        stages: &[u32],
        batch: &mut Solved,
        _: Clock,
    ) -> Result<(), Error> {
        batch.clear(self.reached.storage());
        for &stage in stages {
            let enough = self.stages.enough(stage);
            let mut alone = CycleControl {
                threads: self.threads,
                enough,
                begun: None,
                check_cancel: &mut || ControlFlow::Continue(()),
                check_cancel_of_first: &mut || ControlFlow::Continue(()),
                ends_early: None,
                widest: &AtomicI64::new(NO_WIDTH),
                on_progress: None,
            };
            self.stages.solve(worker, stage, &self.reached.published, batch, &mut alone)?;
        }
        Ok(())
    }

    fn is_long(&self, stage: u32) -> bool {
        self.stages.is_long(stage)
    }

    fn ends_early(&self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn solve_long(
        &self,
        stage: u32,
        batch: &mut Solved,
        _: Clock,
        watch: &mut dyn FnMut(Option<CycleProgress>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        batch.clear(self.reached.storage());
        self.width.store(NO_WIDTH, Ordering::Relaxed);
        let watch = RefCell::new(watch);
        let mut is_first = true;
        let mut rounds = |cycle| {
            // The beginning of the solve is reported in any case; methods that follow an early end
            // are not where it goes on.
            if std::mem::take(&mut is_first) || !self.ends_early() {
                // Checks for cancelling more often.
                let _ = (watch.borrow_mut())(Some(cycle));
            }
        };
        let mut control = CycleControl {
            threads: self.threads,
            enough: self.stages.enough(stage),
            begun: self.begun.lock().unwrap_or_else(PoisonError::into_inner).take(),
            check_cancel: &mut || {
                if self.ends_early() { ControlFlow::Break(()) } else { (watch.borrow_mut())(None) }
            },
            check_cancel_of_first: &mut || (watch.borrow_mut())(None),
            ends_early: self.flag,
            widest: &self.width,
            on_progress: self.is_kept.then_some(&mut rounds),
        };
        self.stages.solve(
            &mut Self::Worker::default(),
            stage,
            &self.reached.published,
            batch,
            &mut control,
        )
    }

    fn store(&mut self, stages: &[u32], batches: &mut [Solved]) -> bool {
        for batch in batches {
            batch.store(&mut self.reached);
        }
        self.reached.solved += stages.len() as u64;
        true
    }
}

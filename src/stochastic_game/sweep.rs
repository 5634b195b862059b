//! The sweep: stages that do not depend on each other, level by level, shared out among threads.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::error::StochasticSolveError;
use super::strategies::Strategies;
use crate::bounds::Bounds;
use crate::work::{Clock, Threads, Watch, WorkError};

/// Stages that a thread solves at a stretch.
const STAGES_A_BATCH: usize = 32;

/// Pieces with fewer cells than this are solved by one thread: waking another takes as long.
const WORTH_SHARING: f64 = 4_000.0;

/// The interval between reports, in seconds.
const REPORT_SECONDS: f64 = 0.1;

/// A game in stages, each of one state or of several that are solved together.
pub(super) trait Stages: Sync {
    /// The buffers of a thread.
    type Worker: Default + Send;

    /// The stages; those of a level depend on earlier levels alone.
    fn levels(&self) -> Vec<Vec<u32>>;

    /// The relative cost of a stage: its cells.
    fn work(&self, stage: u32) -> f64;

    /// Whether a stage takes so long that it is solved by itself, and can be stopped.
    fn is_long(&self, stage: u32) -> bool;

    /// Solves a stage by the bounds of the states before.
    fn solve(
        &self,
        worker: &mut Self::Worker,
        stage: u32,
        bounds: &[Bounds],
        solved: &mut Solved,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), StochasticSolveError>;
}

/// Solved states.
#[derive(Debug)]
pub(super) struct Solved {
    states: Vec<(u32, Bounds, [u32; 2])>,
    /// The weights of A and B, state by state.
    weights: Vec<(u32, u64)>,
    keeps_strategies: bool,
}

impl Solved {
    const fn new(keeps_strategies: bool) -> Self {
        Self { states: Vec::new(), weights: Vec::new(), keeps_strategies }
    }

    /// Takes note of a state.
    pub(super) fn push(&mut self, state: u32, bounds: Bounds, strategies: [&[(u32, u64)]; 2]) {
        self.states.push((state, bounds, strategies.map(|strategy| strategy.len() as u32)));
        if self.keeps_strategies {
            for strategy in strategies {
                self.weights.extend_from_slice(strategy);
            }
        }
    }

    /// Enters the states where they belong.
    fn store(&self, bounds: &mut [Bounds], strategies: Option<&mut Strategies>) {
        for &(state, own, _) in &self.states {
            bounds[state as usize] = own;
        }
        let Some(strategies) = strategies else { return };
        let mut begin = 0;
        for &(state, _, [a, b]) in &self.states {
            let (row, rest) = self.weights[begin..].split_at(a as usize);
            strategies.set(state as usize, [row, &rest[..b as usize]]);
            begin += (a + b) as usize;
        }
    }
}

/// What a sweep begins with: stages that were solved before, in their order, and the bounds of all states.
pub(super) type Begun = (u64, Vec<Bounds>);

/// Hears after some stages how many are solved, with the bounds of all states, and whether the sweep is stopped.
pub(super) type Keep<'k> = dyn FnMut(u64, &[Bounds], bool) + 'k;

/// The bounds of all states, and their strategies where someone wants them; the same for any number of threads.
pub(super) fn sweep<S: Stages>(
    stages: &S,
    (before, mut bounds): Begun,
    mut strategies: Option<&mut Strategies>,
    threads: &Threads,
    progress: &mut Watch<'_>,
    keep: &mut Keep<'_>,
) -> Result<Vec<Bounds>, StochasticSolveError> {
    let clock = Clock::start();
    let levels = stages.levels();
    let all: f64 = levels.iter().flatten().map(|&stage| stages.work(stage)).sum();
    let workers = Mutex::new(Vec::new());
    let (mut solved_stages, mut done, mut reported) = (0, 0.0, f64::NEG_INFINITY);
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
        for piece in level.chunks(64 * STAGES_A_BATCH) {
            let work: f64 = piece.iter().map(|&stage| stages.work(stage)).sum();
            solved_stages += piece.len() as u64;
            if solved_stages <= before {
                done += work;
                continue;
            }
            let mut results: Vec<Result<Solved, StochasticSolveError>> = Vec::new();
            results.resize_with(piece.len().div_ceil(STAGES_A_BATCH), || Ok(Solved::new(strategies.is_some())));
            let (shared, keeps) = (&bounds, strategies.is_some());
            let tasks = piece.chunks(STAGES_A_BATCH).zip(&mut results);
            threads.run(work > WORTH_SHARING, &workers, tasks, |worker: &mut S::Worker, (batch, result)| {
                let mut solved = Solved::new(keeps);
                let short = batch.iter().filter(|&&stage| !stages.is_long(stage));
                let mut alone = || ControlFlow::Continue(());
                let all = short.map(|&stage| stages.solve(worker, stage, shared, &mut solved, &mut alone));
                *result = all.collect::<Result<(), _>>().map(|()| solved);
            });
            for &stage in piece.iter().filter(|&&stage| stages.is_long(stage)) {
                let mut solved = Solved::new(keeps);
                stages.solve(&mut S::Worker::default(), stage, &bounds, &mut solved, &mut || go_on(done / all))?;
                results.push(Ok(solved));
            }
            for solved in results {
                solved?.store(&mut bounds, strategies.as_deref_mut());
            }
            done += work;
            let stopped = go_on(done / all).is_break();
            keep(solved_stages, &bounds, stopped);
            if stopped {
                return Err(WorkError::Cancelled.into());
            }
        }
    }
    match progress(1.0) {
        ControlFlow::Continue(()) => Ok(bounds),
        ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
    }
}

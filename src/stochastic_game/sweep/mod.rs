//! The sweep: stages that do not depend on each other, level by level, shared out among threads.

mod postorder;
mod state_solver;
mod strategies;

pub(crate) use postorder::{PayoffLimit, Postorder};
pub(crate) use state_solver::{StateSolver, seen_from};
pub(crate) use strategies::{Strategies, probability};

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::bounds::Bounds;
use crate::error::Error;
use crate::stochastic_game::cycles::{Course, CycleProgress};
use crate::work::{Clock, Threads, Watch, WorkError};

/// Stages that a thread solves at a stretch.
const STAGES_A_BATCH: usize = 32;

/// Pieces with fewer cells than this are solved by one thread: waking another takes as long.
const WORTH_SHARING: f64 = 4_000.0;

/// The interval between reports, in seconds.
const REPORT_SECONDS: f64 = 0.1;

/// A game in stages, each of one state or of several that are solved together.
pub(crate) trait Stages: Sync {
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
        course: &mut Course<'_>,
    ) -> Result<(), Error>;
}

/// Solved states.
#[derive(Debug)]
pub(crate) struct Solved {
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
    pub(crate) fn push(&mut self, state: u32, bounds: Bounds, strategies: [&[(u32, u64)]; 2]) {
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

/// What a sweep has reached, and begins with.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The stages that are solved, in their order.
    pub(crate) solved: u64,
    /// The bounds of all states.
    pub(crate) bounds: Vec<Bounds>,
    /// Their strategies, where someone wants them.
    pub(crate) strategies: Option<Strategies>,
}

impl Reached {
    /// Nothing is solved of so many states.
    pub(crate) fn nothing(states: usize, keeps_strategies: bool) -> Self {
        let strategies = keeps_strategies.then(|| Strategies::new(states));
        Self { solved: 0, bounds: vec![Bounds::default(); states], strategies }
    }
}

/// Hears what is reached, how far the next stage is if it is a long one, and whether the sweep is stopped.
pub(crate) type Keep<'k> = dyn FnMut(&Reached, Option<&CycleProgress>, bool) + 'k;

/// Stages that do not depend on each other, and are solved together; a long one alone.
fn pieces<'l, S: Stages>(stages: &S, level: &'l [u32]) -> impl Iterator<Item = Vec<u32>> + use<'l, S> {
    let (long, short): (Vec<u32>, Vec<u32>) = level.iter().partition(|&&stage| stages.is_long(stage));
    // In pieces, so that whoever watches hears of a long level, and can stop it.
    let short: Vec<Vec<u32>> = short.chunks(64 * STAGES_A_BATCH).map(<[u32]>::to_vec).collect();
    short.into_iter().chain(long.into_iter().map(|stage| vec![stage]))
}

/// All stages in the order in which they are solved.
pub(crate) fn order<S: Stages>(stages: &S) -> Vec<u32> {
    stages.levels().iter().flat_map(|level| pieces(stages, level)).flatten().collect()
}

/// The bounds of all states, and their strategies where someone wants them; the same for any number of threads. `begun` is how far
/// the next stage was, if it is a long one.
pub(crate) fn sweep<S: Stages>(
    stages: &S,
    mut reached: Reached,
    mut begun: Option<CycleProgress>,
    threads: &Threads,
    progress: &mut Watch<'_>,
    mut keep: Option<&mut Keep<'_>>,
) -> Result<Reached, Error> {
    let clock = Clock::start();
    let levels = stages.levels();
    let all: f64 = levels.iter().flatten().map(|&stage| stages.work(stage)).sum();
    let workers = Mutex::new(Vec::new());
    let (before, keeps_strategies) = (reached.solved, reached.strategies.is_some());
    let (mut counted, mut done, mut reported) = (0, 0.0, f64::NEG_INFINITY);
    let mut go_on = |share: f64| {
        let now = clock.elapsed().as_secs_f64();
        if now - reported < REPORT_SECONDS {
            return ControlFlow::Continue(());
        }
        reported = now;
        progress(share)
    };
    for piece in levels.iter().flat_map(|level| pieces(stages, level)) {
        let work: f64 = piece.iter().map(|&stage| stages.work(stage)).sum();
        counted += piece.len() as u64;
        if counted <= before {
            done += work;
            continue;
        }
        let (bounds, begun) = (reached.bounds.as_slice(), begun.take());
        let results = match *piece {
            [stage] if stages.is_long(stage) => {
                let mut solved = Solved::new(keeps_strategies);
                let mut last = None;
                let mut rounds = keep.as_deref_mut().map(|keep| {
                    |cycle: CycleProgress| {
                        keep(&reached, Some(&cycle), false);
                        last = Some(cycle);
                    }
                });
                let mut course = Course {
                    begun,
                    go_on: &mut || go_on(done / all),
                    reached: rounds.as_mut().map(|rounds| rounds as &mut dyn FnMut(CycleProgress)),
                };
                let result = stages.solve(&mut S::Worker::default(), stage, bounds, &mut solved, &mut course);
                if let Err(error) = result {
                    if let Some(keep) = keep.as_deref_mut() {
                        keep(&reached, last.as_ref(), true);
                    }
                    return Err(error);
                }
                vec![Ok(solved)]
            }
            _ => {
                let mut results: Vec<Result<Solved, Error>> = Vec::new();
                results.resize_with(piece.len().div_ceil(STAGES_A_BATCH), || Ok(Solved::new(keeps_strategies)));
                let tasks = piece.chunks(STAGES_A_BATCH).zip(&mut results);
                threads.run(work > WORTH_SHARING, &workers, tasks, |worker: &mut S::Worker, (batch, result)| {
                    let mut solved = Solved::new(keeps_strategies);
                    let mut alone = Course { begun: None, go_on: &mut || ControlFlow::Continue(()), reached: None };
                    let all = batch.iter().map(|&stage| stages.solve(worker, stage, bounds, &mut solved, &mut alone));
                    *result = all.collect::<Result<(), _>>().map(|()| solved);
                });
                results
            }
        };
        for solved in results {
            solved?.store(&mut reached.bounds, reached.strategies.as_mut());
        }
        done += work;
        reached.solved = counted;
        let stopped = go_on(done / all).is_break();
        if let Some(keep) = keep.as_deref_mut() {
            keep(&reached, None, stopped);
        }
        if stopped {
            return Err(WorkError::Cancelled.into());
        }
    }
    match progress(1.0) {
        ControlFlow::Continue(()) => Ok(reached),
        ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
    }
}

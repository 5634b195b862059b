//! Solving a ranked game, layer by layer.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RankedRules;
use super::files::{Folder, LayerFile};
use super::solution::RankedSolution;
use super::stages::Limits;
use super::sweep::{BLOCK, RankedSweep};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::layers::{LayerSolver, Layered, Observer, ThreadSolver, run};
use crate::stochastic_game::model::{Kind, Scale, StochasticGame};
use crate::stochastic_game::proof::refusal;
use crate::work::{Callback, Clock, Threads, Watch, WorkError, unwatched};

/// The time between two notes of what is known of a layer, unless another is said: writing a gigabyte takes seconds.
const EVERY: Duration = Duration::from_secs(600);

/// The states of each layer that are proved anew when a folder is read.
const SAMPLE: u64 = 256;

/// The least interval between reports, in seconds.
const REPORT_SECONDS: f64 = 0.1;

/// How to solve a game of [`RankedRules`].
///
/// Every state is solved with proof, as by [`StochasticSolver`](crate::stochastic_game::StochasticSolver); the same game gives the
/// same bytes for any number of threads and processes.
///
/// *Memory.* 16 bytes for every state of the layers that are needed at a time, and what [`RankedRules::layer`] makes.
///
/// *Complexity.* A matrix game a state, or as many as it has [stages](RankedRules::stages).
#[derive(Debug)]
pub struct RankedSolver<'p, R> {
    rules: R,
    threads: Option<usize>,
    memory_limit: u64,
    progress: Callback<Watch<'p>>,
    folder: Option<PathBuf>,
    every: Duration,
    keeps_all: bool,
}

impl<'p, R: RankedRules> RankedSolver<'p, R> {
    /// A solver on all threads of the machine that reports no progress and keeps nothing on disk.
    pub fn new(rules: R) -> Self {
        let progress = Callback(Box::new(unwatched) as Box<_>);
        let memory_limit = StochasticGame::MEMORY_LIMIT;
        Self { rules, threads: None, memory_limit, progress, folder: None, every: EVERY, keeps_all: false }
    }

    /// Solves on this many threads.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Refuses a game whose bounds would take more than this many bytes at a time; the default is [`StochasticGame::MEMORY_LIMIT`].
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Calls back with the share of the work that is done, from 0 to 1, on the calling thread; the callback may cancel.
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(f64) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Callback(Box::new(progress));
        self
    }

    /// Keeps layers in a folder, which is made, and goes on with what is there of the same game: a solve that was interrupted, in
    /// whatever way, ends with the same bytes. What is known of the layer at hand is written every ten minutes, every complete
    /// layer at once; layers that are not needed any more are removed unless [all are kept](Self::keep_all).
    ///
    /// What is read is checked by its checksum, and a sample of what its own layers prove is proved anew.
    #[must_use]
    pub fn folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    /// Writes what is known of the layer at hand after this time, not after ten minutes.
    #[must_use]
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Keeps all layers in the folder, so that the solution, or [`RankedSolution::open`] later, knows every state.
    #[must_use]
    pub fn keep_all(mut self) -> Self {
        self.keeps_all = true;
        self
    }

    /// Solves every state.
    ///
    /// # Errors
    /// What the rules get wrong ([`StochasticGameFault`](crate::stochastic_game::StochasticGameFault)), with the name of the state;
    /// [`StochasticGameFault::Checkpoint`](crate::stochastic_game::StochasticGameFault::Checkpoint) for files of another game or
    /// damaged ones; [`WorkError`].
    pub fn solve(self) -> Result<RankedSolution<R>, Error> {
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        let (mut sweep, mut keeper) = self.prepare(true)?;
        keeper.run(&mut sweep, &mut ThreadSolver::new(&threads))?;
        Ok(RankedSolution { sweep, folder: keeper.folder })
    }

    /// The solution in the folder, if that is complete.
    pub(super) fn finished(self) -> Result<RankedSolution<R>, Error> {
        let (sweep, keeper) = self.prepare(true)?;
        if sweep.layer < sweep.rules.layers() {
            return Err(refusal(format!("has no more than {} of {} layers", sweep.layer, sweep.rules.layers())).into());
        }
        Ok(RankedSolution { sweep, folder: keeper.folder })
    }

    /// What is to be solved, as far as it is not in the folder, and who keeps it; the folder is read if that is wanted.
    fn prepare(self, reads: bool) -> Result<(RankedSweep<R>, Keeper<'p>), Error> {
        let Self { rules, progress, memory_limit, folder, every, keeps_all, .. } = self;
        let payoff = rules.largest_payoff();
        let limits = Limits { scale: Scale::of(payoff as f64 * (1.0 + f64::EPSILON))?, payoff };
        if rules.kind() != Kind::Acyclic {
            return Err(StochasticGameFault::Rank { reason: "a ranked game is acyclic".to_owned() }.into());
        }
        if let Some(layer) = (0..rules.layers()).find(|&layer| rules.len(layer) == 0) {
            return Err(StochasticGameFault::Rank { reason: format!("layer {layer} has no states") }.into());
        }
        let (mut sweep, mut written) = (RankedSweep::new(rules, limits), 0);
        WorkError::check_memory(|| "the layers that are needed together".to_owned(), sweep.bytes(), memory_limit)?;
        let folder = folder.map(|path| Folder::new(&path, &sweep.rules, limits));
        if let Some(folder) = folder.as_ref().filter(|_| reads) {
            written = resume(&mut sweep, folder)?;
        }
        let clock = Clock::start();
        let keeper =
            Keeper { progress, folder, every, keeps_all, clock, reported: f64::NEG_INFINITY, noted: 0.0, written, fault: None };
        Ok((sweep, keeper))
    }
}

/// Goes on from the last layer in a folder, and from what is known of the next one; the number of complete layers.
fn resume<R: RankedRules>(sweep: &mut RankedSweep<R>, folder: &Folder) -> Result<u32, StochasticGameError> {
    if let Some(last) = (0..sweep.rules.layers()).rev().find(|&layer| folder.has(Some(layer))) {
        sweep.kept.first = sweep.needed_after(last);
        for layer in sweep.kept.first..=last {
            let LayerFile { layer: own, len, tally, bounds } = folder.read(Some(layer))?;
            if own != layer || len != sweep.rules.len(layer) || bounds.len() as u64 != len {
                return Err(refusal(format!("has not all of layer {layer}")));
            }
            sweep.kept.layers.push(bounds.into_owned());
            sweep.tally = tally;
        }
        sweep.layer = last + 1;
    }
    if folder.has(None) {
        let LayerFile { layer, len, tally, bounds } = folder.read(None)?;
        // What is known of a layer that was completed since is of no use.
        if layer == sweep.layer {
            let whole_blocks = bounds.len() as u64 % BLOCK == 0 || bounds.len() as u64 == len;
            if len != sweep.rules.len(layer) || tally.chain != sweep.tally.chain || !whole_blocks {
                return Err(refusal(format!("does not go on from layer {layer}")));
            }
            (sweep.current, sweep.tally) = (bounds.into_owned(), tally);
        }
    }
    sweep.check_sample(Some(folder), SAMPLE)?;
    let written = sweep.layer;
    if written < sweep.rules.layers() && sweep.current.len() as u64 == sweep.rules.len(written) {
        sweep.end_layer(written);
    }
    Ok(written)
}

/// Keeps what is solved, and reports.
struct Keeper<'p> {
    progress: Callback<Watch<'p>>,
    folder: Option<Folder>,
    every: Duration,
    keeps_all: bool,
    clock: Clock,
    /// When the last report and the last note were made.
    reported: f64,
    noted: f64,
    /// The layers that are on disk.
    written: u32,
    fault: Option<StochasticGameError>,
}

impl Keeper<'_> {
    fn run<R: RankedRules>(
        &mut self,
        sweep: &mut RankedSweep<R>,
        solver: &mut dyn LayerSolver<RankedSweep<R>>,
    ) -> Result<(), Error> {
        let (solved, clock) = (sweep.solved(), self.clock);
        let result = run(sweep, solved, solver, self, clock);
        if let Some(fault) = self.fault.take() {
            return Err(fault.into());
        }
        result?;
        if (self.progress.0)(1.0).is_break() { Err(WorkError::Cancelled.into()) } else { Ok(()) }
    }

    fn keep<R: RankedRules>(&mut self, sweep: &RankedSweep<R>, cancelled: bool) -> Result<(), StochasticGameError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let (tally, kept) = (sweep.tally, &sweep.kept);
        while self.written < sweep.layer {
            let layer = self.written;
            let bounds = kept.layers.get((layer - kept.first) as usize).map(Vec::as_slice).unwrap_or_default();
            folder.write(true, &LayerFile { layer, len: bounds.len() as u64, tally, bounds: bounds.into() })?;
            self.written += 1;
            if !self.keeps_all {
                (0..kept.first).for_each(|layer| folder.remove(Some(layer)));
            }
        }
        let now = self.clock.elapsed().as_secs_f64();
        if !sweep.current.is_empty() && (cancelled || now - self.noted >= self.every.as_secs_f64()) {
            let (layer, bounds) = (sweep.layer, sweep.current.as_slice().into());
            folder.write(false, &LayerFile { layer, len: sweep.rules.len(layer), tally, bounds })?;
            self.noted = self.clock.elapsed().as_secs_f64();
        }
        Ok(())
    }
}

impl<R: RankedRules> Observer<RankedSweep<R>> for Keeper<'_> {
    fn progress(&mut self, _: &RankedSweep<R>, share: f64) -> ControlFlow<()> {
        if self.fault.is_some() {
            return ControlFlow::Break(());
        }
        let now = self.clock.elapsed().as_secs_f64();
        if now - self.reported < REPORT_SECONDS {
            return ControlFlow::Continue(());
        }
        self.reported = now;
        (self.progress.0)(share)
    }

    fn checkpoint(&mut self, sweep: &RankedSweep<R>, _: Option<&()>, cancelled: bool) {
        if self.fault.is_none() {
            self.fault = self.keep(sweep, cancelled).err();
        }
    }
}

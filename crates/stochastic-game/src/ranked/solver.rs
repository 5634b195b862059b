//! Solving a ranked game, layer by layer.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use super::RankedRules;
use super::files::{Folder, LayerFolder};
use super::identity::identity;
use super::lock::FolderLock;
use super::solution::RankedSolution;
use super::sweep::RankedSweep;
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::explore::refuse_state;
use crate::layers::{Observer, ThreadSolver, run};
use crate::model::{Kind, PayoffLimit};
use crate::proof::refusal;
use crate::solver::{SolveControl, StochasticSolver};
use crate::work::{Callback, CheckpointKind, Checkpointing, Clock, Threads, WorkError};

impl<'p, R: RankedRules> StochasticSolver<'p, R> {
    /// Solves every state of a ranked game, layer by layer, and keeps layers in a folder if there
    /// is one.
    ///
    /// Every state is solved with proof; the same game gives the same bytes for any number of
    /// threads. Layers that a folder has already are not solved again, but checked as
    /// [`LayerFolder`] says. Of the settings, those of threads, memory and progress count.
    ///
    /// *Memory.* 16 bytes for every state of the layers that are needed together, the data of
    /// [`RankedRules::layer`], and 4 bytes for every 256 states that a folder has.
    ///
    /// *Complexity.* A matrix game a state, or as many as it has [stages](RankedRules::stages).
    ///
    /// # Errors
    /// The first fault of the rules ([`StochasticGameFault`]), with the name of the state;
    /// [`StochasticGameFault::Checkpoint`] for files of another game or damaged ones, for false
    /// bounds that are found in them, for a folder in which another process solves, for files that
    /// cannot be written, and where the solver has a checkpoint of the other kind; [`WorkError`].
    pub fn solve_ranked(self, folder: Option<LayerFolder>) -> Result<RankedSolution<R>, Error> {
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        let _lock = lock(folder.as_ref())?;
        let (mut sweep, mut keeper) = self.ranked(folder, &threads)?;
        let solved = sweep.solved();
        let result =
            run(&mut sweep, solved, &mut ThreadSolver::new(&threads), &mut keeper, Clock::start());
        keeper.fault.map_or(result, |fault| Err(fault.into()))?;
        Ok(RankedSolution { sweep, threads })
    }

    /// The states that are still to be solved, and their observer.
    pub(super) fn ranked(
        self,
        folder: Option<LayerFolder>,
        threads: &Threads,
    ) -> Result<(RankedSweep<R>, Keeper<'p>), Error> {
        let Self {
            game: rules,
            memory_limit,
            control: SolveControl { mut progress, checkpoint, resumed, .. },
            ..
        } = self;
        if checkpoint.is_some() || resumed.is_some() {
            return Err(refusal("is not for ranked games, which keep layers in a folder").into());
        }
        let refuse =
            |reason: String| StochasticGameError::from(StochasticGameFault::Rank { reason });
        if rules.kind() != Kind::Acyclic {
            return Err(refuse("a ranked game is acyclic".to_owned()).into());
        }
        if let Some(layer) = (0..rules.layers()).find(|&layer| rules.len(layer) == 0) {
            return Err(refuse(format!("layer {layer} has no states")).into());
        }
        check_starts(&rules)?;
        let payoffs = rules
            .payoff_bound()
            .ok_or_else(|| refuse("a ranked game has a `payoff_bound`".to_owned()))?;
        let limit = PayoffLimit::new(payoffs)?;
        let mut sweep = RankedSweep::new(rules, limit, memory_limit);
        WorkError::check_memory(
            || "the layers that are needed together".to_owned(),
            sweep.bytes(),
            memory_limit,
        )?;
        let note = folder.as_ref().map(|folder| Checkpointing::new(folder.every, Box::new(())));
        let mut written = 0;
        if let Some(settings) = folder {
            let lens = (0..sweep.rules.layers()).map(|layer| sweep.rules.len(layer)).collect();
            let folder = Folder {
                settings,
                game: identity(&sweep.rules),
                limit,
                lens,
                checked: BTreeMap::new(),
            };
            written = sweep.open(folder, threads, progress.get())?;
        }
        Ok((sweep, Keeper { progress, note, written, fault: None }))
    }
}

/// Locks a folder, if there is one.
fn lock(folder: Option<&LayerFolder>) -> Result<Option<FolderLock>, StochasticGameError> {
    Ok(folder.map(|folder| FolderLock::take(&folder.path)).transpose()?)
}

/// Checks that every start has a rank that its layer has.
///
/// # Errors
/// [`StochasticGameFault::Rank`] with the name of the start.
fn check_starts<R: RankedRules>(rules: &R) -> Result<(), StochasticGameError> {
    let starts = rules.starts();
    if starts.is_empty() {
        return Err(StochasticGameFault::NoStart.into());
    }
    for start in starts {
        let (start, _) = rules.canonical(start);
        let reason = match rules.rank(&start) {
            None => "this start has no rank".to_owned(),
            Some((layer, _)) if layer >= rules.layers() => {
                format!(
                    "this start is in layer {layer}; expected one below {}, the number of layers",
                    rules.layers()
                )
            }
            Some((layer, rank)) if rank >= rules.len(layer) => {
                format!(
                    "this start has rank {rank} of layer {layer}; expected one below {}, the number of its states",
                    rules.len(layer)
                )
            }
            Some((layer, rank)) if rules.state(layer, rank) != start => {
                format!("rank {rank} of layer {layer} is this start's, but has another state")
            }
            Some(_) => continue,
        };
        return Err(refuse_state(rules, &start, StochasticGameFault::Rank { reason }));
    }
    Ok(())
}

/// Writes layers, and reports.
pub(super) struct Keeper<'p> {
    progress: Callback<dyn FnMut(f64) -> ControlFlow<()> + Send + 'p>,
    note: Option<Checkpointing<()>>,
    /// The layers that are on disk.
    written: u32,
    fault: Option<StochasticGameError>,
}

impl Keeper<'_> {
    /// Writes the complete layers that are not on disk yet, and now and then the solved states of
    /// the next one.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the file that cannot be written, and the layers
    /// that are on disk.
    fn keep<R: RankedRules>(
        &mut self,
        sweep: &RankedSweep<R>,
        kind: CheckpointKind,
    ) -> Result<(), StochasticGameFault> {
        let kept = &sweep.kept;
        let (Some(folder), Some(note)) = (&kept.folder, &mut self.note) else { return Ok(()) };
        let incomplete = kept.layer_in_work();
        for (layer, kept_layer) in (kept.first..).zip(&kept.layers) {
            if layer == incomplete && !kept_layer.bounds.is_empty() {
                if !note.takes(kind) {
                    continue;
                }
                let mut result = Ok(());
                note.write(|()| result = folder.write(None, layer, kept_layer));
                result.map_err(|error| unwritten(folder, None, self.written, &error))?;
            } else if layer >= self.written && layer < incomplete {
                let result = folder.write(Some(layer), layer, kept_layer);
                result.map_err(|error| unwritten(folder, Some(layer), self.written, &error))?;
                folder.remove(None);
                self.written = layer + 1;
            }
        }
        if !folder.settings.keeps_all {
            (0..kept.first.min(self.written)).for_each(|layer| folder.remove(Some(layer)));
        }
        Ok(())
    }
}

/// The fault of a file that cannot be written, when this number of layers is on disk.
fn unwritten(
    folder: &Folder,
    place: Option<u32>,
    written: u32,
    error: &io::Error,
) -> StochasticGameFault {
    let kept = match written.checked_sub(1) {
        None => "no layer is kept".to_owned(),
        Some(last) => {
            format!("layer {last} is kept, and solving again in this folder goes on from there")
        }
    };
    folder.fault(place, format_args!("cannot be written: {error}; {kept}"))
}

impl<R: RankedRules> Observer<RankedSweep<R>> for Keeper<'_> {
    fn progress(&mut self, _: &RankedSweep<R>, share: f64) -> ControlFlow<()> {
        if self.fault.is_some() { ControlFlow::Break(()) } else { (self.progress.get())(share) }
    }

    fn checkpoint(&mut self, sweep: &RankedSweep<R>, _: Option<&()>, kind: CheckpointKind) {
        if self.fault.is_none() {
            self.fault = self.keep(sweep, kind).err().map(StochasticGameError::from);
        }
    }
}

#[cfg(feature = "mpi")]
impl<R: RankedRules> StochasticSolver<'_, R> {
    /// Solves a ranked game together with the other ranks of an MPI world, all of which make this
    /// call.
    ///
    /// Rank 0 gets the solution, to the byte that of [`solve_ranked`](Self::solve_ranked), the
    /// others `None`. Every rank holds the layers that are needed and uses its threads; callbacks
    /// and the folder are rank 0's alone.
    ///
    /// # Errors
    /// The errors of [`solve_ranked`](Self::solve_ranked), on all ranks;
    /// [`DistributedError`](crate::error::DistributedError).
    ///
    /// # Panics
    /// A rank that dies, or whose callback panics, ends the whole job.
    pub fn solve_ranked_on(
        self,
        folder: Option<LayerFolder>,
        world: &impl mpi::traits::Communicator,
    ) -> Result<Option<RankedSolution<R>>, Error> {
        self.solve_on_ranks(folder, &crate::distributed::Communicating::new(world))
    }
}

#[cfg(any(test, feature = "mpi"))]
impl<R: RankedRules> StochasticSolver<'_, R> {
    pub(super) fn solve_on_ranks(
        self,
        folder: Option<LayerFolder>,
        ranks: &impl crate::distributed::Ranks,
    ) -> Result<Option<RankedSolution<R>>, Error> {
        use crate::distributed::{RankObserver, RankSolver, agree, check_program};
        check_program(ranks)?;
        let is_root = ranks.rank() == 0;
        let threads = agree::<_, Error>(
            ranks,
            Threads::checked(self.threads).and_then(Threads::start).map_err(Into::into),
        )?;
        let folder = folder.filter(|_| is_root);
        let _lock = agree::<_, Error>(ranks, lock(folder.as_ref()).map_err(Into::into))?;
        let (mut sweep, mut keeper) = agree(ranks, self.ranked(folder, &threads))?;
        super::exchange::share(ranks, &mut sweep)?;
        let solved = sweep.solved();
        let mut solver = RankSolver::new(ranks, Box::new(ThreadSolver::new(&threads)), None);
        let result = run(
            &mut sweep,
            solved,
            &mut solver,
            &mut RankObserver::new(ranks, &mut keeper),
            Clock::start(),
        );
        agree::<_, Error>(ranks, keeper.fault.map_or(Ok(()), |fault| Err(fault.into())))?;
        result.map(|()| is_root.then_some(RankedSolution { sweep, threads }))
    }
}

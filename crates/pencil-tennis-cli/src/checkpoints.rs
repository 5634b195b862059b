//! Files in which long work is kept, and how to go on with it.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use pencil_tennis::blind::{BlindSolution, BlindSolver};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::hidden::{HiddenSolution, HiddenSolver};
use pencil_tennis::model_checking::ExplorationCheckpoint;
use pencil_tennis::stochastic_game::{StochasticSolution, StochasticSolver};
use pencil_tennis::{Checkpoint, Enclosure, Error, Solution, Solver, report};

use super::again::Kept;
use super::interrupt::{
    self, Content, SendWatch, acknowledge, check_cancel, explained, interruptible,
    set_resuming_command, with_progress, write_aside, write_whole,
};
use super::numbers::seconds;
use super::output::Output;
use super::progress::Bar;
use super::screen::note;
use super::usage::wrong_usage;
use super::word::quoted;

/// Checks, before long work begins, that its checkpoints replace no file but the one that the work
/// resumes.
pub(super) fn check_new(path: &Path, resumed: Option<&Path>) -> anyhow::Result<()> {
    report::check_new(path, resumed).map_err(|_| {
        let name = quoted(path);
        anyhow::anyhow!(
            "{name} is there already and would be overwritten; go on from it with --resume {name}, or name another file"
        )
    })
}

/// The file of a long solve's checkpoints.
#[derive(Debug, Args)]
pub(super) struct CheckpointArgs {
    /// Write checkpoints to this file: a new one, or the one of --resume
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    checkpoint: Option<PathBuf>,
    /// Least number of seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, requires = "checkpoint")]
    #[arg(help_heading = "Files")]
    checkpoint_every: f64,
}

impl CheckpointArgs {
    pub(super) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// The same as an output; rejects standard output.
    pub(super) fn output(&self) -> Option<Output> {
        if self.path().is_some_and(|path| path.as_os_str() == "-") {
            wrong_usage("a checkpoint replaces the one before; expected the name of a file, not -");
        }
        self.checkpoint.clone().map(Output::File)
    }

    /// Checks that checkpoints replace no file but the resumed one.
    pub(super) fn check_new(&self, resumed: Option<&Path>) -> anyhow::Result<()> {
        self.path().map_or(Ok(()), |path| check_new(path, resumed))
    }

    pub(super) fn keeper(&self) -> Keeper<'_> {
        Keeper::new(self.path(), self.checkpoint_every, Kept::CHECKPOINT)
    }
}

/// The files that keep a solve: checkpoints on the way, and the table of the whole game.
#[derive(Clone, Copy, Default)]
pub(super) struct KeptFiles<'k> {
    pub(super) checkpoints: Option<&'k CheckpointArgs>,
    pub(super) save: Option<&'k Output>,
}

impl<'k> KeptFiles<'k> {
    fn checkpoint(self) -> Option<&'k Path> {
        self.checkpoints.and_then(CheckpointArgs::path)
    }

    /// The checkpoint as an output; rejects standard output.
    pub(super) fn checkpoint_output(self) -> Option<Output> {
        self.checkpoints.and_then(CheckpointArgs::output)
    }

    /// Checks that checkpoints replace no file but the resumed one.
    pub(super) fn check_new(self, resumed: Option<&Path>) -> anyhow::Result<()> {
        self.checkpoints.map_or(Ok(()), |checkpoints| checkpoints.check_new(resumed))
    }

    pub(super) fn keeper(self) -> Keeper<'k> {
        self.checkpoints.map_or_else(Keeper::default, CheckpointArgs::keeper)
    }

    pub(super) fn is_any(self) -> bool {
        self.save.is_some() || self.checkpoint().is_some()
    }

    /// Writes the table of the whole game, and removes or replaces the checkpoint; returns a
    /// sentence about that.
    pub(super) fn write(
        self,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<Option<String>> {
        let checkpoint = self.checkpoint();
        if let Some(output) = self.save {
            output.write_all(checkpoint, &write)?;
        }
        let Some(path) = checkpoint else { return Ok(None) };
        let name = quoted(path);
        if self.save.is_none() {
            interrupt::write(path, None, &write)?;
            set_resuming_command(Some(Kept::CHECKPOINT.again(path)));
            return Ok(Some(format!("The checkpoint {name} is now the table of the whole game")));
        }
        Ok(remove(path)?
            .then(|| format!("The checkpoint {name} is removed: the table has all of it")))
    }
}

/// Removes the checkpoint of finished work; returns whether there was one.
pub(super) fn remove(path: &Path) -> anyhow::Result<bool> {
    set_resuming_command(None);
    // A pipe or a device is not the program's to remove.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok(false);
    }
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        // Short work wrote none.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(anyhow::Error::new(error)
            .context(format!("cannot remove the checkpoint {}", quoted(path)))),
    }
}

/// The checkpoint of a game that a command goes on from. That of a model's game may have the states
/// of the model before the solve, or these alone.
pub(super) struct Resumed {
    pub(super) states: Option<ExplorationCheckpoint<'static>>,
    /// The file, from which the solve is read next, if it has one.
    pub(super) solve: Option<File>,
    part: Option<StatesPart>,
}

impl Resumed {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let unread = || format!("cannot read {}", name());
        let mut file = File::open(path).with_context(unread)?;
        if !is_of_states(path) {
            return Ok(Self { states: None, solve: Some(file), part: None });
        }
        let read = interrupt::with_spinner("reading", || ExplorationCheckpoint::read(&mut file));
        let states = Some(read.map_err(Error::from).with_context(name)?);
        let bytes = file.stream_position().with_context(unread)?;
        let has_solve = file.metadata().with_context(unread)?.len() > bytes;
        let part = Some(StatesPart { path: path.to_owned(), bytes });
        Ok(Self { states, solve: has_solve.then_some(file), part })
    }

    /// The file, if it has states of a model.
    pub(super) fn states_file(&self) -> Option<&Path> {
        self.part.as_ref().map(|part| part.path.as_path())
    }
}

/// Whether a checkpoint begins with the states of a model.
fn is_of_states(path: &Path) -> bool {
    // Reading from a pipe would take its first bytes.
    let Some(mut file) =
        Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok())
    else {
        return false;
    };
    let mut begin = [0; 8];
    file.read_exact(&mut begin).is_ok() && begin == *b"PTSTATES"
}

/// The states of a model, with which the checkpoints of its game begin: the first bytes of a file.
#[derive(Clone)]
struct StatesPart {
    path: PathBuf,
    bytes: u64,
}

impl StatesPart {
    fn copy(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut states = File::open(&self.path)?.take(self.bytes);
        let copied = io::copy(&mut states, out)?;
        if copied == self.bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// A writer that counts.
struct Counted<'w> {
    out: &'w mut dyn Write,
    bytes: &'w Cell<u64>,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Keeps checkpoints on disk, and knows the command that goes on from the last one.
pub(super) struct Keeper<'k> {
    path: Option<&'k Path>,
    every: Duration,
    /// How the command goes on.
    kept: Kept,
    /// The time of the last checkpoint on disk, by this run or an earlier one.
    last: Mutex<Option<Instant>>,
    /// The file of the last checkpoint, where it could not be written to its own.
    aside: Mutex<Option<PathBuf>>,
    /// The states of the model, once they are in a checkpoint.
    states: Mutex<Option<StatesPart>>,
}

impl Default for Keeper<'_> {
    /// Keeps nothing.
    fn default() -> Self {
        Self::new(None, 0.0, Kept::CHECKPOINT)
    }
}

impl<'k> Keeper<'k> {
    /// A keeper that writes to this file at most once in this many seconds.
    pub(super) fn new(path: Option<&'k Path>, seconds: f64, kept: Kept) -> Self {
        let there = path
            .filter(|path| fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0));
        // Checkpoints replace no file but the resumed one, which is as good as the first.
        if let Some(there) = there {
            set_resuming_command(Some(kept.again(there)));
        }
        Self {
            path,
            every: Duration::from_secs_f64(seconds),
            kept,
            last: Mutex::new(there.map(|_| Instant::now())),
            aside: Mutex::new(None),
            states: Mutex::new(None),
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.path.is_some()
    }

    /// Notes the states of a model that a resumed checkpoint has.
    pub(super) fn note_states(&self, resumed: &Resumed) {
        held(&self.states).clone_from(&resumed.part);
    }

    /// Writes the states of a model that are found so far.
    pub(super) fn save_states(&self, checkpoint: &ExplorationCheckpoint<'_>) {
        let bytes = Cell::new(0);
        let saved = self.save_at(&|out| {
            bytes.set(0);
            checkpoint.write(Counted { out, bytes: &bytes })
        });
        // Otherwise an older checkpoint stays.
        if let Some(path) = saved {
            *held(&self.states) = Some(StatesPart { path, bytes: bytes.get() });
        }
    }

    /// Writes a checkpoint of a game, behind the states of its model.
    fn save_game(&self, content: Content<'_>) {
        let Some(part) = held(&self.states).clone() else { return self.save(content) };
        let saved = self.save_at(&|out| {
            part.copy(out)?;
            content(out)
        });
        if let Some(path) = saved {
            *held(&self.states) = Some(StatesPart { path, ..part });
        }
    }

    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Writes a checkpoint, or says why there is none: a full disk must not end hours of work.
    pub(super) fn save(&self, content: Content<'_>) {
        let _ = self.save_at(content);
    }

    /// As [`save`](Self::save); returns the file that has the checkpoint.
    fn save_at(&self, content: Content<'_>) -> Option<PathBuf> {
        let path = self.path?;
        let Err(error) = write_whole(path, content) else {
            self.note_saved(path);
            self.leave_aside();
            return Some(path.to_owned());
        };
        let aside = self.write_aside(path, content);
        let saved = match (&aside, *held(&self.last)) {
            (Some(aside), _) => format!("the checkpoint is in {}", aside.display()),
            (None, Some(last)) => {
                format!("the checkpoint of {} s ago stays", last.elapsed().as_secs())
            }
            (None, None) => "there is no checkpoint yet".to_owned(),
        };
        let continues = if check_cancel().is_continue() { ", and the work goes on" } else { "" };
        note(&format!("warning: {:#}; {saved}{continues}", anyhow::Error::from(error)));
        aside
    }

    /// Notes that the file now has the checkpoint, from which the command can be resumed.
    fn note_saved(&self, path: &Path) {
        *held(&self.last) = Some(Instant::now());
        set_resuming_command(Some(self.kept.again(path)));
    }

    /// Writes to a temporary folder, always the same.
    fn write_aside(&self, path: &Path, content: Content<'_>) -> Option<PathBuf> {
        let before = held(&self.aside).clone();
        let aside = match before {
            Some(aside) => write_whole(&aside, content).is_ok().then_some(aside),
            None => write_aside(path, content),
        }?;
        self.note_saved(&aside);
        *held(&self.aside) = Some(aside.clone());
        Some(aside)
    }

    /// Removes an older checkpoint in a temporary folder.
    fn leave_aside(&self) {
        if let Some(path) = held(&self.aside).take() {
            // A checkpoint that stays is harmless.
            let _ = fs::remove_file(&path);
            let _ = path.parent().map(fs::remove_dir);
        }
    }
}

/// The content of a lock. A panic leaves it whole: every change is a single store.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Solves with a progress bar; Ctrl-C stops before anything but a checkpoint is written.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a closure is for all lifetimes, a method's path for one"
)]
pub(super) fn solve(solver: Solver<'_>, keeper: &Keeper<'_>) -> anyhow::Result<Solution> {
    solve_by(|solver| solver.solve(), solver, keeper)
}

pub(super) fn solve_by<'k, T>(
    way: impl FnOnce(Solver<'_>) -> Result<T, Error>,
    mut solver: Solver<'k>,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<T> {
    if keeper.path.is_some() {
        let save = |checkpoint: &Checkpoint<'_>| keeper.save(&|out| checkpoint.write(out));
        solver = solver.on_checkpoint(keeper.every, save);
    }
    with_progress("solving", |watch: &mut SendWatch<'_>| way(solver.on_progress(watch)))
}

pub(super) fn solve_game<'k>(
    mut solver: StochasticSolver<'k>,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<StochasticSolution> {
    if keeper.path.is_some() {
        solver = solver.on_checkpoint(keeper.every, |checkpoint| {
            keeper.save_game(&|out| checkpoint.write(out));
        });
    }
    with_progress("solving", |watch: &mut SendWatch<'_>| solver.on_progress(watch).solve())
}

/// What a solve reached, and whether Ctrl-C ended it with the bounds of then.
pub(super) struct Reached<T> {
    pub(super) solution: T,
    pub(super) is_interrupted: bool,
}

/// Solves a game in which play can return; Ctrl-C ends it with the bounds proved so far, as in
/// [`solve_blind`].
pub(super) fn solve_cyclic_game<'k>(
    mut solver: StochasticSolver<'k>,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<Reached<StochasticSolution>> {
    if keeper.path.is_some() {
        solver = solver.on_checkpoint(keeper.every, |checkpoint| {
            keeper.save_game(&|out| checkpoint.write(out));
        });
    }
    let (mut bar, widest) = (Bar::new("solving"), Mutex::new(None));
    let solver = solver
        .ends_early(interrupt::pressed())
        .on_widest(|width| *held(&widest) = Some(width))
        .on_progress(|share| {
            let width = held(&widest).take();
            match width {
                Some(width) => bar.tell(share, || format!(", bounds within {}", rounded_up(width))),
                None => bar.show(share),
            }
            ControlFlow::Continue(())
        });
    with_bounds_reached(|| solver.solve())
}

/// Solves blind Tennis with a bar that fills as the gap closes; Ctrl-C ends it with the bounds
/// reached. It is acknowledged, so that these can be saved.
pub(super) fn solve_blind<'k>(
    mut solver: BlindSolver<'k>,
    gap: f64,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<Reached<BlindSolution>> {
    if keeper.path.is_some() {
        solver = solver
            .on_checkpoint(keeper.every, |checkpoint| keeper.save(&|out| checkpoint.write(out)));
    }
    let mut bar = GapBar::new(gap);
    let solver = solver.on_bounds(|progress| bar.tell(&progress.enclosure));
    with_bounds_reached(|| solver.solve())
}

/// Solves a game with hidden information, as [`solve_blind`] does.
pub(super) fn solve_hidden<'k>(
    mut solver: HiddenSolver<'k>,
    gap: f64,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<Reached<HiddenSolution>> {
    if keeper.path.is_some() {
        solver = solver
            .on_checkpoint(keeper.every, |checkpoint| keeper.save(&|out| checkpoint.write(out)));
    }
    let mut bar = GapBar::new(gap);
    let solver = solver.on_bounds(|progress| bar.tell(&progress.enclosure));
    with_bounds_reached(|| solver.solve())
}

/// A bar that fills as the bounds close, by orders of magnitude.
struct GapBar {
    bar: Bar,
    /// The gap that is asked for, as a share of the span of payoffs.
    gap: f64,
    widest: f64,
}

impl GapBar {
    fn new(gap: f64) -> Self {
        Self { bar: Bar::new("learning"), gap, widest: 0.0 }
    }

    /// Shows the bounds so far; breaks after Ctrl-C.
    fn tell(&mut self, bounds: &Enclosure) -> ControlFlow<()> {
        let width = bounds.width();
        // At first the bounds are about as wide as the payoffs.
        self.widest = self.widest.max(width);
        let target = self.gap * self.widest;
        let share = if width > target && target > 0.0 {
            (self.widest / width).ln() / (self.widest / target).ln()
        } else {
            0.0
        };
        self.bar.tell(share, || format!(", gap {}", rounded_up(width)));
        check_cancel()
    }
}

/// Runs a solve that Ctrl-C ends with the bounds reached.
fn with_bounds_reached<T, E: Into<Error>>(
    solve: impl FnOnce() -> Result<T, E>,
) -> anyhow::Result<Reached<T>> {
    let solution = explained(interruptible(solve))?;
    let is_interrupted = check_cancel().is_break();
    if is_interrupted {
        acknowledge();
    }
    Ok(Reached { solution, is_interrupted })
}

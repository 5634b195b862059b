//! Work that Ctrl-C stops in good order: nothing half-written is left, and the status says so.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use pencil_tennis::blind::{BlindSolution, BlindSolver};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::write_file;
use pencil_tennis::stochastic_game::{StochasticSolution, StochasticSolver};
use pencil_tennis::{Checkpoint, Error, Solution, Solver, Watch, WorkError};

use super::progress::Bar;
use super::screen::note;

/// The exit status of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether work is running that looks at [`PRESSED`] itself; otherwise Ctrl-C ends the program at once.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether that work is the writing of a file.
static WRITING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Whether another process of the same job says how it ends.
static SILENT: AtomicBool = AtomicBool::new(false);

/// The files written so far.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Work that is to be done before the program ends at once.
static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// The user pressed Ctrl-C; says what remains.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; {0}")]
pub(crate) struct Interrupted(pub(super) String);

/// Listens for Ctrl-C from now on.
pub(crate) fn listen() -> anyhow::Result<()> {
    let handler = || {
        let twice = PRESSED.swap(true, Ordering::Relaxed);
        let watched = WATCHED.load(Ordering::Relaxed);
        // A file that is being written is given up within a block; leaving at once would leave it behind.
        if !watched || (twice && !WRITING.load(Ordering::Relaxed)) || is_stuck() {
            if let Some(restore) = BEFORE_EXIT.get() {
                restore();
            }
            if !SILENT.load(Ordering::Relaxed) {
                // The line may hold a bar.
                let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
                note(&format!("{clear}pencil-tennis: {}", Interrupted(remains())));
            }
            std::process::exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}

/// Whether a screen is still there a moment after it was asked to go: whoever reads a keyboard that is gone reads for ever.
fn is_stuck() -> bool {
    const GRACE: Duration = Duration::from_millis(500);
    BEFORE_EXIT.get().is_some() && {
        std::thread::sleep(GRACE);
        PRESSED.load(Ordering::Relaxed) && !WRITING.load(Ordering::Relaxed)
    }
}

/// Has something done before Ctrl-C ends the program at once.
#[cfg(feature = "tui")]
pub(super) fn before_exit(restore: fn()) {
    // The first of them stays.
    let _ = BEFORE_EXIT.set(restore);
}

/// Leaves it to another process of the same job to say how it ends.
#[cfg(feature = "mpi")]
pub(super) fn be_silent() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Does work that looks at [`PRESSED`] now and then; parts of it may be watched themselves. Who asks twice does not want to wait
/// for that.
pub(super) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let around = WATCHED.swap(true, Ordering::Relaxed);
    let result = work();
    WATCHED.store(around, Ordering::Relaxed);
    result
}

/// Whether work is to go on: until Ctrl-C is pressed.
pub(super) fn keep_going() -> ControlFlow<()> {
    if PRESSED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Takes note that the user wants to stop, so that what there is can be saved; the next Ctrl-C stops that, too.
pub(super) fn acknowledge() {
    PRESSED.store(false, Ordering::Relaxed);
}

/// The files that the program leaves if it ends now.
pub(super) fn remains() -> String {
    let written = WRITTEN.lock().map(|written| written.clone()).unwrap_or_default();
    match written.as_slice() {
        [] => "nothing was written".to_owned(),
        files => format!("{} was written before", super::listed(files.iter().map(|path| path.display()))),
    }
}

/// Does work that tells how far it is, with a progress bar; Ctrl-C stops it.
pub(super) fn with_progress<T, E: Into<Error>>(
    what: &'static str,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    attended(what, work, remains)
}

/// The same; `remains` says what there is after Ctrl-C.
fn attended<T, E: Into<Error>>(
    what: &'static str,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, E>,
    remains: impl FnOnce() -> String,
) -> anyhow::Result<T> {
    let mut bar = Bar::new(what);
    let result = interruptible(|| {
        work(&mut |share| {
            bar.show(share);
            keep_going()
        })
    });
    bar.clear();
    explained(result, remains)
}

/// Does work that cannot tell how far it is, with a sign of life; Ctrl-C ends the program at once.
pub(super) fn with_spinner<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let sign = Bar::alive(what);
    let result = work();
    sign.finish_and_clear();
    result
}

/// An error; a cancelled work was interrupted, and `remains` says what there is.
fn explained<T>(result: Result<T, impl Into<Error>>, remains: impl FnOnce() -> String) -> anyhow::Result<T> {
    result.map_err(|error| match error.into() {
        Error::Work(WorkError::Cancelled) => Interrupted(remains()).into(),
        other => other.into(),
    })
}

/// The file of a long solve's checkpoints, and the interval between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoints<'p> {
    pub(super) path: &'p Path,
    pub(super) every: Duration,
}

/// Solves with a progress bar; Ctrl-C stops the work before anything but a checkpoint is written.
pub(super) fn solve(solver: Solver<'_>, checkpoints: Option<Checkpoints<'_>>) -> anyhow::Result<Solution> {
    // For a solver of any lifetime, which the method by itself is not.
    fn alone(solver: Solver<'_>) -> Result<Solution, Error> {
        solver.solve()
    }
    solve_by(alone, solver, checkpoints)
}

/// The same, by any way to solve.
pub(super) fn solve_by<T>(
    way: impl FnOnce(Solver<'_>) -> Result<T, Error>,
    solver: Solver<'_>,
    checkpoints: Option<Checkpoints<'_>>,
) -> anyhow::Result<T> {
    let Some(Checkpoints { path, every }) = checkpoints else {
        return with_progress("solving", |watch| way(solver.on_progress(|progress| watch(progress.work))));
    };
    // When the last checkpoint that is on disk was written, by this run or an earlier one.
    let kept: Mutex<Option<Instant>> = Mutex::new(path.is_file().then(Instant::now));
    let write = |checkpoint: &Checkpoint<'_>| save(path, &kept, Box::new(|out| checkpoint.write(out)));
    let solver = solver.on_checkpoint(every, write);
    let solve = |watch: &mut Watch<'_>| way(solver.on_progress(|progress| watch(progress.work)));
    attended("solving", solve, || kept_or_remains(&kept, || format!("solve --resume {0} --checkpoint {0}", path.display())))
}

/// How to go on, if there is a checkpoint.
fn kept_or_remains(kept: &Mutex<Option<Instant>>, command: impl FnOnce() -> String) -> String {
    match kept.lock().map(|kept| *kept) {
        Ok(Some(_)) => format!("go on with: {}", command()),
        _ => remains(),
    }
}

/// Solves a game of any rules, read from this file, in the same way.
pub(super) fn solve_game(
    solver: StochasticSolver<'_>,
    file: &Path,
    checkpoints: Option<Checkpoints<'_>>,
) -> anyhow::Result<StochasticSolution> {
    let kept = Mutex::new(checkpoints.filter(|checkpoints| checkpoints.path.is_file()).map(|_| Instant::now()));
    let solver = match checkpoints {
        None => solver,
        Some(Checkpoints { path, every }) => {
            let kept = &kept;
            solver.on_checkpoint(every, move |checkpoint| save(path, kept, Box::new(|out| checkpoint.write(out))))
        }
    };
    let solve = |watch: &mut Watch<'_>| solver.on_progress(watch).solve();
    attended("solving", solve, || {
        let part = checkpoints.map_or_else(String::new, |checkpoints| checkpoints.path.display().to_string());
        kept_or_remains(&kept, || format!("game {} --resume {part} --checkpoint {part}", file.display()))
    })
}

/// Writes a checkpoint, and takes note of when.
fn save(path: &Path, kept: &Mutex<Option<Instant>>, write: Writing<'_>) {
    WRITING.store(true, Ordering::Relaxed);
    let written = write_file(path, write);
    WRITING.store(false, Ordering::Relaxed);
    let Ok(mut kept) = kept.lock() else { return };
    match written {
        Ok(()) => *kept = Some(Instant::now()),
        // Hours of work are not given up because a disk is full.
        Err(error) => {
            let saved = match *kept {
                Some(last) => format!("the checkpoint of {} s ago stays", last.elapsed().as_secs()),
                None => "there is no checkpoint yet".to_owned(),
            };
            note(&format!("warning: {:#}; {saved}, and the solve goes on", anyhow::Error::from(error)));
        }
    }
}

/// Solves blind Tennis with a bar that fills as the gap closes; Ctrl-C ends it with the bounds reached. Whether that
/// happened is told, too.
pub(super) fn solve_blind(
    solver: BlindSolver<'_>,
    gap: f64,
    checkpoints: Option<Checkpoints<'_>>,
) -> anyhow::Result<(BlindSolution, bool)> {
    let kept = Mutex::new(None);
    let solver = match checkpoints {
        None => solver,
        Some(Checkpoints { path, every }) => {
            let kept = &kept;
            solver.on_checkpoint(every, move |checkpoint| save(path, kept, Box::new(|out| checkpoint.write(out))))
        }
    };
    let mut bar = Bar::new("learning");
    let mut widest: f64 = 0.0;
    let solver = solver.on_progress(|progress| {
        let width = progress.enclosure.width();
        widest = widest.max(width);
        // The gap closes by orders of magnitude.
        let share = if width > gap && gap > 0.0 { (widest / width).ln() / (widest / gap).ln() } else { 0.0 };
        bar.tell(share, || format!(", gap {}", rounded_up(width)));
        keep_going()
    });
    let solution = interruptible(|| solver.solve());
    bar.clear();
    Ok((explained(solution, remains)?, keep_going().is_break()))
}

/// What writes a file: in a box, so that what is done with it is compiled once, and not for each of them.
pub(super) type Writing<'w> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'w>;

/// Writes a file, whole or not at all, also if Ctrl-C comes in between.
pub(super) fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    write_boxed(path, Box::new(write))
}

/// The same.
pub(super) fn write_boxed(path: &Path, write: Writing<'_>) -> anyhow::Result<()> {
    let mut stopped = false;
    WRITING.store(true, Ordering::Relaxed);
    let written = interruptible(|| write_file(path, |out| write(&mut Stoppable { out, stopped: &mut stopped })));
    WRITING.store(false, Ordering::Relaxed);
    if stopped {
        let left = if path.is_file() { "is left as it was" } else { "is not written" };
        return Err(Interrupted(format!("{} {left}", path.display())).into());
    }
    written?;
    if let Ok(mut written) = WRITTEN.lock() {
        if !written.iter().any(|other| other == path) {
            written.push(path.to_owned());
        }
    }
    Ok(())
}

/// A writer that fails once Ctrl-C was pressed, and says that this is why.
struct Stoppable<'w> {
    out: &'w mut dyn Write,
    stopped: &'w mut bool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if PRESSED.load(Ordering::Relaxed) {
            *self.stopped = true;
            return Err(io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

//! Work that Ctrl-C stops in good order: nothing half-written is left.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use pencil_tennis::report::write_file;
use pencil_tennis::{Checkpoint, Error, Series, SeriesSolver, Solution, Solver};

/// Work shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The length of the bar: parts of the work.
const PARTS: u64 = 10_000;

/// What the bars look like.
const SOLVING: &str = "solving {bar:40} {percent:>3} %  {msg}, {eta} left";
const GAMES: &str = "playing {bar:40} {percent:>3} %  {human_pos} of {human_len} games, {eta} left";

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Whether work goes on that looks at [`ASKED`] itself; otherwise Ctrl-C ends the program at once.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether that work is the writing of a file.
static WRITING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Does work that looks at [`ASKED`] now and then; parts of it may be watched themselves. Who asks twice does not want to wait for that.
pub(super) fn watched<T>(work: impl FnOnce() -> T) -> anyhow::Result<T> {
    static LISTEN: Once = Once::new();
    let mut listening = Ok(());
    LISTEN.call_once(|| {
        listening = ctrlc::set_handler(|| {
            let twice = ASKED.swap(true, Ordering::Relaxed);
            let watched = WATCHED.load(Ordering::Relaxed);
            // A file that is being written is given up within a block; leaving at once would leave it behind.
            if !watched || (twice && !WRITING.load(Ordering::Relaxed)) {
                std::process::exit(INTERRUPTED);
            }
        });
    });
    listening.context("cannot listen for Ctrl-C")?;
    let around = WATCHED.swap(true, Ordering::Relaxed);
    let result = work();
    WATCHED.store(around, Ordering::Relaxed);
    Ok(result)
}

/// A progress bar on standard error, if that is a terminal and the work takes long.
struct Watch {
    begin: Instant,
    bar: Option<ProgressBar>,
}

impl Watch {
    fn new() -> Self {
        Self { begin: Instant::now(), bar: None }
    }

    /// Shows how far the work is, a share from 0 to 1; whether it is to go on.
    fn show(&mut self, share: f64, message: impl FnOnce() -> String) -> ControlFlow<()> {
        if self.begin.elapsed() > PATIENCE {
            let bar = self.bar.get_or_insert_with(new_bar);
            bar.set_position((share * PARTS as f64) as u64);
            bar.set_message(message());
        }
        if ASKED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Clears the bar and says what became of the work, of which `left` remains if it was interrupted.
    fn end<T>(self, result: Result<T, Error>, left: &str) -> anyhow::Result<T> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        result.map_err(|error| match error {
            Error::Cancelled => anyhow::anyhow!("interrupted; {left}"),
            other => other.into(),
        })
    }
}

/// What remains of work that leaves nothing half-done.
pub(super) const NOTHING: &str = "nothing was written";

/// Where a long solve leaves what it can go on from, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoints<'p> {
    pub(super) path: &'p Path,
    pub(super) every: Duration,
}

/// Solves with a progress bar; Ctrl-C stops the work before anything but a checkpoint is written.
pub(super) fn solve(solver: Solver<'_>, checkpoints: Option<Checkpoints<'_>>) -> anyhow::Result<Solution> {
    let (solver, left) = match checkpoints {
        None => (solver, NOTHING.to_owned()),
        Some(Checkpoints { path, every }) => {
            let write = move |checkpoint: &Checkpoint<'_>| {
                WRITING.store(true, Ordering::Relaxed);
                // Hours of work are not given up because a disk is full.
                if let Err(error) = write_file(path, |out| checkpoint.write(out)) {
                    eprintln!("warning: {:#}; the solve goes on", anyhow::Error::from(error));
                }
                WRITING.store(false, Ordering::Relaxed);
            };
            (solver.on_checkpoint(every, write), format!("go on with --resume {}", path.display()))
        }
    };
    let mut watch = Watch::new();
    let solver = solver
        .on_progress(|progress| watch.show(progress.work, || format!("{} of {} states", progress.states, progress.of_states)));
    let solution = watched(|| solver.solve())?;
    watch.end(solution, &left)
}

/// The same for a match.
pub(super) fn solve_series(solver: SeriesSolver<'_>) -> anyhow::Result<Series> {
    let mut watch = Watch::new();
    let solver = solver.on_progress(|progress| {
        let share = progress.scores as f64 / progress.of_scores as f64;
        watch.show(share, || format!("{} of {} scores", progress.scores, progress.of_scores))
    });
    let series = watched(|| solver.solve())?;
    watch.end(series, NOTHING)
}

/// Work of some games, with a progress bar on standard error if that is a terminal; Ctrl-C stops it.
///
/// `work` is handed what it tells the number of games done, and returns [`Error::Cancelled`] when that asks to stop.
pub(super) fn play<T>(
    games: u64,
    work: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<T, Error>,
) -> anyhow::Result<Result<T, Error>> {
    let begin = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let mut watch = |done: u64| {
        if begin.elapsed() > PATIENCE {
            bar.get_or_insert_with(|| ProgressBar::new(games).with_style(style(GAMES))).set_position(done);
        }
        if ASKED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = watched(|| work(&mut watch))?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(result)
}

/// Writes a file, whole or not at all, also if Ctrl-C comes in between.
pub(super) fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut stopped = false;
    WRITING.store(true, Ordering::Relaxed);
    let written = watched(|| write_file(path, |out| write(&mut Stoppable { out, stopped: &mut stopped })))?;
    WRITING.store(false, Ordering::Relaxed);
    if stopped {
        let left = if path.is_file() { "is left as it was" } else { "is not written" };
        anyhow::bail!("interrupted; {} {left}", path.display());
    }
    Ok(written?)
}

/// A writer that fails once Ctrl-C was pressed, and says that this is why.
struct Stoppable<'w> {
    out: &'w mut dyn Write,
    stopped: &'w mut bool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if ASKED.load(Ordering::Relaxed) {
            *self.stopped = true;
            return Err(io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn new_bar() -> ProgressBar {
    ProgressBar::new(PARTS).with_style(style(SOLVING))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::Ordering;

    use super::{ASKED, write};

    /// The key is one for the whole program; no other test in here looks at it.
    #[test]
    fn interrupted_writing_says_what_is_there() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        write(&old, |out| out.write_all(b"before")).expect("room");
        let half_way = |path| {
            let halves = |out: &mut dyn std::io::Write| {
                ASKED.store(false, Ordering::Relaxed);
                out.write_all(b"af")?;
                ASKED.store(true, Ordering::Relaxed);
                out.write_all(b"ter")
            };
            write(path, halves).expect_err("it was interrupted").to_string()
        };
        assert_eq!(half_way(&old), format!("interrupted; {} is left as it was", old.display()));
        assert_eq!(half_way(&new), format!("interrupted; {} is not written", new.display()));
        let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        assert_eq!(fs::read(&old).expect("a file"), b"before");
        assert_eq!(left, [old], "nothing else is left");
    }
}

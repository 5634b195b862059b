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
use pencil_tennis::{Error, Solution, Solver};

/// Work shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The length of the bar: parts of the work.
const PARTS: u64 = 10_000;

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Whether work goes on that looks at [`ASKED`] itself; otherwise Ctrl-C ends the program at once.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether that work is the writing of a file.
static WRITING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Does work that looks at [`ASKED`] now and then. Who asks twice does not want to wait for that.
fn watched<T>(work: impl FnOnce() -> T) -> anyhow::Result<T> {
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
    WATCHED.store(true, Ordering::Relaxed);
    let result = work();
    WATCHED.store(false, Ordering::Relaxed);
    Ok(result)
}

/// Where a long solve leaves what it can go on from, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoints<'p> {
    pub(super) path: &'p Path,
    pub(super) every: Duration,
}

/// Solves with a progress bar on standard error if that is a terminal; Ctrl-C stops the work before anything but a checkpoint is written.
pub(super) fn solve(solver: Solver<'_>, checkpoints: Option<Checkpoints<'_>>) -> anyhow::Result<Solution> {
    let begin = Instant::now();
    let solver = match checkpoints {
        None => solver,
        Some(Checkpoints { path, every }) => solver.on_checkpoint(every, move |checkpoint| {
            WRITING.store(true, Ordering::Relaxed);
            // Hours of work are not given up because a disk is full.
            if let Err(error) = write_file(path, |out| checkpoint.write(out)) {
                eprintln!("warning: {:#}; the solve goes on", anyhow::Error::from(error));
            }
            WRITING.store(false, Ordering::Relaxed);
        }),
    };
    let mut bar: Option<ProgressBar> = None;
    let solver = solver.on_progress(|progress| {
        if begin.elapsed() > PATIENCE {
            let bar = bar.get_or_insert_with(new_bar);
            bar.set_position((progress.work * PARTS as f64) as u64);
            bar.set_message(format!("{} of {} states", progress.states, progress.of_states));
        }
        if ASKED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let solution = watched(|| solver.solve())?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    solution.map_err(|error| match error {
        Error::Cancelled => match checkpoints {
            Some(Checkpoints { path, .. }) => anyhow::anyhow!("interrupted; go on with --resume {}", path.display()),
            None => anyhow::anyhow!("interrupted; nothing was written"),
        },
        other => other.into(),
    })
}

/// Writes a file, whole or not at all, also if Ctrl-C comes in between.
pub(super) fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    WRITING.store(true, Ordering::Relaxed);
    let written = watched(|| write_file(path, |out| write(&mut Stoppable(out))))?;
    WRITING.store(false, Ordering::Relaxed);
    Ok(written?)
}

/// A writer that fails once Ctrl-C was pressed.
struct Stoppable<'w>(&'w mut dyn Write);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if ASKED.load(Ordering::Relaxed) {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn new_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("solving {bar:40} {percent:>3} %  {msg}, {eta} left");
    ProgressBar::new(PARTS).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

//! Clean interruption by Ctrl-C: no half-written files, and an exit status that says so.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use anyhow::Context;
use pencil_tennis::report::{FileError, write_checked, write_file};
use pencil_tennis::{Error, Watch, WorkError};

use super::progress::Bar;
use super::screen::note;

pub(crate) const INTERRUPTED: u8 = 130;

/// Whether running work polls [`PRESSED`]; otherwise Ctrl-C ends the program at once.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether that work is writing a file.
static WRITING: AtomicBool = AtomicBool::new(false);

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Whether another process of the job reports how it ends.
static SILENT: AtomicBool = AtomicBool::new(false);

static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// The user pressed Ctrl-C; the text describes the files left.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; {0}")]
pub(crate) struct Interrupted(pub(super) String);

pub(crate) fn listen() -> anyhow::Result<()> {
    let handler = || {
        let twice = PRESSED.swap(true, Ordering::Relaxed);
        let watched = WATCHED.load(Ordering::Relaxed);
        // Writing a file stops within a block; exiting at once would leave a temporary file.
        if !watched || (twice && !WRITING.load(Ordering::Relaxed)) || is_stuck() {
            if let Some(restore) = BEFORE_EXIT.get() {
                restore();
            }
            if !SILENT.load(Ordering::Relaxed) {
                // The line may show a bar.
                let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
                note(&format!("{clear}pencil-tennis: {}", Interrupted(remains())));
            }
            std::process::exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}

/// Whether a screen is still open a moment after the request to stop: reading from a vanished keyboard blocks for ever.
fn is_stuck() -> bool {
    const GRACE: Duration = Duration::from_millis(500);
    BEFORE_EXIT.get().is_some() && {
        std::thread::sleep(GRACE);
        PRESSED.load(Ordering::Relaxed) && !WRITING.load(Ordering::Relaxed)
    }
}

/// Sets a function to call before Ctrl-C ends the program at once.
#[cfg(feature = "tui")]
pub(super) fn before_exit(restore: fn()) {
    // The first call counts.
    let _ = BEFORE_EXIT.set(restore);
}

#[cfg(feature = "mpi")]
pub(super) fn be_silent() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Runs work that polls [`PRESSED`]; calls may nest. A second Ctrl-C ends the program without waiting.
pub(super) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let around = WATCHED.swap(true, Ordering::Relaxed);
    let result = work();
    WATCHED.store(around, Ordering::Relaxed);
    result
}

pub(super) fn keep_going() -> ControlFlow<()> {
    if PRESSED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Acknowledges Ctrl-C, so that results can be saved; the next Ctrl-C interrupts the saving.
pub(super) fn acknowledge() {
    PRESSED.store(false, Ordering::Relaxed);
}

pub(super) fn remains() -> String {
    let written = WRITTEN.lock().map(|written| written.clone()).unwrap_or_default();
    match written.as_slice() {
        [] => "nothing was written".to_owned(),
        files => format!("{} was written before", super::listed(files.iter().map(|path| path.display()))),
    }
}

pub(super) fn with_progress<T, E: Into<Error>>(
    what: &'static str,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    attended(what, work, remains)
}

/// As [`with_progress`]; `remains` describes the results left after Ctrl-C.
pub(super) fn attended<T, E: Into<Error>>(
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
    explained(result, remains)
}

/// Runs work of unknown duration with a spinner; Ctrl-C ends the program at once.
pub(super) fn with_spinner<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let _sign = Bar::alive(what);
    work()
}

/// Converts an error; a cancelled call becomes an interruption with the text of `remains`.
pub(super) fn explained<T>(result: Result<T, impl Into<Error>>, remains: impl FnOnce() -> String) -> anyhow::Result<T> {
    result.map_err(|error| match error.into() {
        Error::Work(WorkError::Cancelled) => Interrupted(remains()).into(),
        other => other.into(),
    })
}

/// Writes the content of a file. Boxed, so that the code around it is compiled once.
pub(super) type Writing<'w> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'w>;

/// Writes a whole file or none, also when interrupted by Ctrl-C.
pub(super) fn write(path: &Path, write: Writing<'_>) -> anyhow::Result<()> {
    let written = interruptible(|| write_whole(path, Box::new(|out| write(&mut Stoppable(out)))));
    if written.is_err() && keep_going().is_break() {
        let left = if path.is_file() { "is left as it was" } else { "is not written" };
        return Err(Interrupted(format!("{} {left}", path.display())).into());
    }
    written?;
    if let Ok(mut written) = WRITTEN.lock()
        && !written.iter().any(|other| other == path)
    {
        written.push(path.to_owned());
    }
    Ok(())
}

/// Writes a file; a second Ctrl-C meanwhile does not leave a temporary file.
pub(super) fn write_whole(path: &Path, write: Writing<'_>) -> Result<(), FileError> {
    WRITING.store(true, Ordering::Relaxed);
    let written = write_file(path, write);
    WRITING.store(false, Ordering::Relaxed);
    written
}

/// A writer that fails once Ctrl-C was pressed.
struct Stoppable<'w>(&'w mut dyn Write);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if keep_going().is_break() { Err(io::Error::other("interrupted")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Why a file that was read back is not accepted.
pub(super) type Refusal = Box<dyn std::error::Error + Send + Sync>;

/// Writes a whole file or none, which gets its name only after `check` has accepted its bytes on the disk; returns the result of
/// the check. Ctrl-C stops the writing.
pub(super) fn write_read_back<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    check: impl FnOnce(File) -> Result<T, Refusal>,
) -> anyhow::Result<T> {
    WRITING.store(true, Ordering::Relaxed);
    let checked = interruptible(|| write_checked(path, |out| write(&mut Stoppable(out)), check));
    WRITING.store(false, Ordering::Relaxed);
    if checked.is_err() && keep_going().is_break() {
        let left = if path.is_file() { "is left as it was" } else { "is not written" };
        return Err(Interrupted(format!("{} {left}", path.display())).into());
    }
    let checked = checked?;
    if let Ok(mut written) = WRITTEN.lock() {
        written.push(path.to_owned());
    }
    Ok(checked)
}

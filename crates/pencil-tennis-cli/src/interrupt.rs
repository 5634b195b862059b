//! Clean interruption by Ctrl-C: no half-written files, and an exit status that says so.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use pencil_tennis::model_checking::StatesFound;
use pencil_tennis::report::{FileError, write_checked, write_file};
use pencil_tennis::{Error, WorkError};

use super::progress::Bar;
use super::screen::{counted, note};
use super::sentences::listed;

pub(crate) const INTERRUPTED: u8 = 130;

/// Whether running work polls [`PRESSED`]; otherwise Ctrl-C ends the program at once.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether that work is writing a file.
static WRITING: AtomicBool = AtomicBool::new(false);

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed a second time, which also stops the writing of a file.
static INSISTED: AtomicBool = AtomicBool::new(false);

/// Signals this close are one: `timeout` sends one to the process and one to its group.
const ONE_PRESS: Duration = Duration::from_millis(500);

/// Whether states of a model are being found.
static EXPLORING: AtomicBool = AtomicBool::new(false);

/// Whether another process of the job reports how it ends.
static SILENT: AtomicBool = AtomicBool::new(false);

static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The command that goes on from the checkpoint on disk, if there is one.
static RESUMING_COMMAND: Mutex<Option<String>> = Mutex::new(None);

static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// The user pressed Ctrl-C; the text describes the files left.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; {0}")]
pub(crate) struct Interrupted(pub(super) String);

pub(crate) fn listen() -> anyhow::Result<()> {
    let mut last: Option<Instant> = None;
    let handler = move || {
        if last.is_some_and(|last| last.elapsed() < ONE_PRESS) {
            return;
        }
        last = Some(Instant::now());
        press();
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}

/// Asks running work to stop, or ends the program where nobody would hear that.
fn press() {
    let is_second = PRESSED.swap(true, Ordering::Relaxed);
    if is_second {
        INSISTED.store(true, Ordering::Relaxed);
    }
    let is_watched = WATCHED.load(Ordering::Relaxed);
    // Writing a file stops within a block; exiting at once would leave a temporary file.
    if !is_watched || (is_second && !WRITING.load(Ordering::Relaxed)) || is_stuck() {
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
}

/// Whether a screen is still open a moment after the request to stop: reading from a vanished
/// keyboard blocks for ever.
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

/// Runs work that polls [`PRESSED`]; calls may nest. A second Ctrl-C ends the program without
/// waiting.
pub(super) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let around = WATCHED.swap(true, Ordering::Relaxed);
    let result = work();
    WATCHED.store(around, Ordering::Relaxed);
    result
}

/// Holds from the first Ctrl-C on, until it is acknowledged.
pub(super) fn pressed() -> &'static AtomicBool {
    &PRESSED
}

/// Breaks once Ctrl-C was pressed.
pub(super) fn check_cancel() -> ControlFlow<()> {
    if PRESSED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Acknowledges Ctrl-C, so that results can be saved; the next Ctrl-C interrupts the saving.
pub(super) fn acknowledge() {
    PRESSED.store(false, Ordering::Relaxed);
    INSISTED.store(false, Ordering::Relaxed);
}

/// Ends a command that was interrupted too late for its work to stop.
pub(super) fn check() -> anyhow::Result<()> {
    if check_cancel().is_break() { Err(Interrupted(remains()).into()) } else { Ok(()) }
}

/// Sets the command that goes on from a checkpoint that is on disk, or that there is none any more.
pub(super) fn set_resuming_command(command: Option<String>) {
    if let Ok(mut kept) = RESUMING_COMMAND.lock() {
        *kept = command;
    }
}

/// A sentence on what is on disk.
pub(super) fn remains() -> String {
    let is_kept = RESUMING_COMMAND.lock().is_ok_and(|command| command.is_some());
    let is_lost = EXPLORING.load(Ordering::Relaxed) && !is_kept;
    let lost = is_lost.then(|| {
        "the states found so far are not kept, and the next run finds them again".to_owned()
    });
    remains_of(lost).unwrap_or_else(|| "nothing was written".to_owned())
}

/// A sentence on the files on disk, after a first clause; `None` if there is nothing to say.
pub(super) fn remains_of(first: Option<String>) -> Option<String> {
    let written = WRITTEN.lock().map(|written| written.clone()).unwrap_or_default();
    let command = RESUMING_COMMAND.lock().ok().and_then(|command| command.clone());
    let files = (!written.is_empty()).then(|| listed(written.iter().map(|path| path.display())));
    let clauses = [
        first,
        files.map(|files| format!("{files} was written before")),
        command.map(|command| format!("go on with: {command}")),
    ];
    let clauses: Vec<String> = clauses.into_iter().flatten().collect();
    (!clauses.is_empty()).then(|| clauses.join("; "))
}

/// A [`Watch`](pencil_tennis::Watch) that may go to another thread, as a solver may that has it.
pub(super) type SendWatch<'w> = dyn FnMut(f64) -> ControlFlow<()> + Send + 'w;

/// Runs work that reports progress; Ctrl-C stops it.
pub(super) fn with_progress<T, E: Into<Error>>(
    what: &'static str,
    work: impl FnOnce(&mut SendWatch<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    let mut bar = Bar::new(what);
    let result = interruptible(|| {
        work(&mut |share| {
            bar.show(share);
            check_cancel()
        })
    });
    explained(result)
}

/// As [`exploring`], with checkpoints: after Ctrl-C the last one is written.
pub(super) fn exploring_kept<T, E: Into<Error>>(
    explore: impl FnOnce(&mut StatesFound<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    interruptible(|| exploring(explore))
}

/// Explores a model, and shows how many states have been found. Ctrl-C ends the program at once: no
/// file keeps these states.
pub(super) fn exploring<T, E: Into<Error>>(
    explore: impl FnOnce(&mut StatesFound<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    let sign = Bar::alive("exploring");
    EXPLORING.store(true, Ordering::Relaxed);
    let explored = explore(&mut |count| {
        sign.set_message(format!(", {}", counted(count as usize, "state")));
        check_cancel()
    });
    let explored = explained(explored);
    EXPLORING.store(false, Ordering::Relaxed);
    explored
}

/// Runs work of unknown duration with a spinner; Ctrl-C ends the program at once.
pub(super) fn with_spinner<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let _sign = Bar::alive(what);
    work()
}

/// Converts an error; a cancelled call becomes an interruption that says what is on disk.
pub(super) fn explained<T>(result: Result<T, impl Into<Error>>) -> anyhow::Result<T> {
    result.map_err(|error| match error.into() {
        Error::Work(WorkError::Cancelled) => Interrupted(remains()).into(),
        other => other.into(),
    })
}

/// Writes the content of a file, perhaps again to another path.
pub(super) type Content<'w> = &'w dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Writes a whole file or none. The first Ctrl-C lets the writing finish, the second one stops it.
///
/// A result that cannot be written may have taken hours: it is then written to `refuge`, or else to
/// a temporary folder, and the error says where it is.
pub(super) fn write(
    path: &Path,
    refuge: Option<&Path>,
    content: Content<'_>,
) -> anyhow::Result<()> {
    let written = interruptible(|| write_whole(path, &|out| content(&mut Stoppable(out))));
    let error = match written {
        Ok(()) => return Ok(()),
        Err(_) if INSISTED.load(Ordering::Relaxed) => return Err(not_written(path).into()),
        Err(error) => error,
    };
    let refuge = refuge.filter(|refuge| write_whole(refuge, content).is_ok()).map(Path::to_owned);
    Err(kept_elsewhere(error, refuge.or_else(|| write_aside(path, content))))
}

fn not_written(path: &Path) -> Interrupted {
    let left = if path.is_file() { "is left as it was" } else { "is not written" };
    Interrupted(remains_of(Some(format!("{} {left}", path.display()))).unwrap_or_default())
}

/// The error of a file that could not be written, with the path where its content is.
fn kept_elsewhere(error: FileError, aside: Option<PathBuf>) -> anyhow::Error {
    let error = anyhow::Error::from(error);
    match aside {
        Some(aside) => {
            anyhow::Error::msg(format!("{error:#}; what belongs there is in {}", aside.display()))
        }
        None => error,
    }
}

/// Notes a result on disk, for [`remains`].
pub(super) fn note_written(path: &Path) {
    if let Ok(mut written) = WRITTEN.lock()
        && !written.iter().any(|other| other == path)
    {
        written.push(path.to_owned());
    }
}

/// Writes a file of the same name in a new temporary folder; returns its path, or `None` if that
/// fails, too.
pub(super) fn write_aside(path: &Path, content: Content<'_>) -> Option<PathBuf> {
    new_aside(path, |aside| write_whole(aside, content))
}

fn new_aside(path: &Path, write: impl FnOnce(&Path) -> Result<(), FileError>) -> Option<PathBuf> {
    let folder = tempfile::Builder::new().prefix("pencil-tennis-").tempdir().ok()?;
    let aside = folder.path().join(path.file_name()?);
    write(&aside).ok()?;
    // The folder is removed unless it has the file.
    let _ = folder.keep();
    Some(aside)
}

/// Several files were written, or not: all that went wrong in one error. An interruption counts
/// before other errors.
pub(super) fn together<const COUNT: usize>(
    results: [anyhow::Result<()>; COUNT],
) -> anyhow::Result<()> {
    let mut errors: Vec<anyhow::Error> = results.into_iter().filter_map(Result::err).collect();
    if let Some(last) = errors.iter().rposition(anyhow::Error::is::<Interrupted>) {
        return Err(errors.swap_remove(last));
    }
    if errors.len() > 1 {
        let sentences: Vec<String> = errors.iter().map(|error| format!("{error:#}")).collect();
        return Err(anyhow::Error::msg(sentences.join("\n")));
    }
    errors.pop().map_or(Ok(()), Err)
}

/// Writes a file; a second Ctrl-C meanwhile does not leave a temporary file.
pub(super) fn write_whole(path: &Path, content: Content<'_>) -> Result<(), FileError> {
    WRITING.store(true, Ordering::Relaxed);
    let written = write_file(path, content);
    WRITING.store(false, Ordering::Relaxed);
    written
}

/// A writer that fails once Ctrl-C was pressed twice.
struct Stoppable<'w>(&'w mut dyn Write);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if INSISTED.load(Ordering::Relaxed) {
            Err(io::Error::other("interrupted"))
        } else {
            self.0.write(bytes)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Why a file that was read back is not accepted.
pub(super) type Refusal = Box<dyn std::error::Error + Send + Sync>;

/// As [`write`], but the file gets its name only after `check` has accepted its bytes on the disk;
/// returns the result of the check. The first Ctrl-C also stops a long check.
pub(super) fn write_read_back<T>(
    path: &Path,
    content: Content<'_>,
    check: impl Fn(File) -> Result<T, Refusal>,
) -> anyhow::Result<T> {
    let error = match interruptible(|| {
        write_whole_read_back(path, &|out| content(&mut Stoppable(out)), &check)
    }) {
        Ok(checked) => {
            note_written(path);
            return Ok(checked);
        }
        Err(error) => error,
    };
    let is_stopped = matches!(error, FileError::Refused { .. }) && check_cancel().is_break();
    if is_stopped || INSISTED.load(Ordering::Relaxed) {
        return Err(not_written(path).into());
    }
    if let FileError::Refused { .. } = error {
        return Err(error.into());
    }
    let aside = new_aside(path, |aside| write_whole_read_back(aside, content, check).map(drop));
    Err(kept_elsewhere(error, aside))
}

fn write_whole_read_back<T>(
    path: &Path,
    content: Content<'_>,
    check: impl Fn(File) -> Result<T, Refusal>,
) -> Result<T, FileError> {
    WRITING.store(true, Ordering::Relaxed);
    let checked = write_checked(path, content, check);
    WRITING.store(false, Ordering::Relaxed);
    checked
}

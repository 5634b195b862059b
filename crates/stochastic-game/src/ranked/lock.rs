//! The lock of a folder, so that one process at a time keeps layers in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::atomic_file::remove_orphans;
use crate::error::StochasticGameFault;

/// The file that is locked. It stays, with the number of the last process that had the lock.
const NAME: &str = "lock";

/// A process that this one starts has copies of its open files, and so of its locks, until it
/// begins its own program. That takes microseconds, or as long as a busy machine lets it wait: a
/// lock that this process itself seems to hold is tried again for so long.
const LONGEST_START: Duration = Duration::from_secs(2);

/// A folder that no other process solves in, until this is dropped, or the process ends.
#[derive(Debug)]
pub(super) struct FolderLock {
    #[cfg_attr(not(test), expect(dead_code, reason = "open as long as the lock is held"))]
    file: File,
}

impl FolderLock {
    /// Makes a folder, if there is none, and locks it. Removes what a process that was killed has
    /// left unfinished.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the process that has the lock, or the system's
    /// reason.
    pub(super) fn take(folder: &Path) -> Result<Self, StochasticGameFault> {
        let fault = |words: String| StochasticGameFault::Checkpoint {
            reason: format!("{} {words}", folder.display()),
        };
        let unwritable = |error: io::Error| fault(format!("cannot be written: {error}"));
        fs::create_dir_all(folder).map_err(unwritable)?;
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(folder.join(NAME)).map_err(unwritable)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                // Some file systems have no locks. There, files have names of their own, and are
                // replaced as a whole.
                Ok(()) | Err(TryLockError::Error(_)) => break,
                Err(TryLockError::WouldBlock) => {}
            }
            let holder = holder(&mut file);
            if holder != Some(std::process::id()) || begun.elapsed() > LONGEST_START {
                let name = holder
                    .map_or("another process".to_owned(), |number| format!("process {number}"));
                return Err(fault(format!("is solved in by {name}")));
            }
            thread::sleep(Duration::from_millis(10));
        }
        write_holder(&mut file).map_err(unwritable)?;
        remove_orphans(folder, ".");
        Ok(Self { file })
    }
}

/// Writes the number of this process into the file.
fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

/// The process that has the lock, as far as the file says.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy of the open file is what a process has that was just started.
    #[test]
    fn a_lock_that_a_starting_process_has_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        let copy = lock.file.try_clone().unwrap();
        drop(lock);
        let starting = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            drop(copy);
        });
        FolderLock::take(folder.path()).unwrap();
        starting.join().unwrap();
    }
}

//! The lock of a folder, so that one process at a time keeps layers in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::atomic_file::remove_orphans;
use crate::error::StochasticGameFault;

/// The file that is locked. It stays, with the number of the last process that had the lock.
const NAME: &str = "lock";

/// A folder that no other process solves in, until this is dropped, or the process ends.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Makes a folder, if there is none, and locks it. Removes what a process that was killed has left unfinished.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the process that has the lock, or the system's reason.
    pub(super) fn take(folder: &Path) -> Result<Self, StochasticGameFault> {
        let fault = |words: String| StochasticGameFault::Checkpoint { reason: format!("{} {words}", folder.display()) };
        let unwritable = |error: io::Error| fault(format!("cannot be written: {error}"));
        fs::create_dir_all(folder).map_err(unwritable)?;
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(folder.join(NAME)).map_err(unwritable)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(fault(format!("is solved in by {}", holder(&mut file)))),
            // Some file systems have no locks. There, files have names of their own, and are replaced as a whole.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        write_holder(&mut file).map_err(unwritable)?;
        remove_orphans(folder, ".");
        Ok(Self { _file: file })
    }
}

/// Writes the number of this process into the file.
fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

/// The process that has the lock, as far as the file says.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let number = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse::<u32>().ok());
    number.map_or("another process".to_owned(), |number| format!("process {number}"))
}

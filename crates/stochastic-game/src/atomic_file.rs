//! Files that appear under their name when they are complete and on disk, or not at all; files that
//! are read whole.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
#[cfg(feature = "files")]
use std::io::Read;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The most bytes read from anything but an ordinary file, such as a pipe or `/dev/zero`.
#[cfg(feature = "files")]
const LONGEST_STREAM: u64 = 1 << 28;

/// Reads a whole file of at most `most` bytes; at most 256 MiB if it is no ordinary file, such as a
/// pipe.
///
/// # Errors
/// The system's, and a file that does not end there.
#[cfg(feature = "files")]
pub fn read_whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let most = if file.metadata().is_ok_and(|file| file.is_file()) {
        most
    } else {
        most.min(LONGEST_STREAM)
    };
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it does not end within {most} bytes")));
    }
    Ok(bytes)
}

/// A file that is written beside its place, under a name of its own, and takes its place when it is
/// [complete](Self::complete).
///
/// The file of `NAME` is called `.NAME.pencil-tennis-` and six letters until then, and is locked.
/// It is removed when it is dropped; one that a killed program has left is no longer locked, and
/// the next file for the same name removes it.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    beside: PathBuf,
    target: PathBuf,
    is_complete: bool,
}

impl AtomicFile {
    /// Creates the file in the folder of its place, with the permissions that new files have.
    ///
    /// # Errors
    /// The system's.
    pub fn create(target: &Path) -> io::Result<Self> {
        let (folder, prefix) = (folder_of(target), prefix(target));
        remove_orphans(folder, &prefix);
        loop {
            let beside = folder.join(format!("{prefix}{}", letters()));
            let file =
                match OpenOptions::new().read(true).write(true).create_new(true).open(&beside) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                    file => file?,
                };
            // Until it is locked another program may take the file for an orphan. Where there are
            // no locks, all files stay.
            let _ = file.lock();
            if beside.exists() {
                return Ok(Self { file, beside, target: target.to_owned(), is_complete: false });
            }
        }
    }

    /// The file, to be written to.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file the permissions of the one that it replaces.
    ///
    /// # Errors
    /// The system's.
    #[cfg(feature = "files")]
    pub fn set_permissions(&self, permissions: fs::Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Waits until all is on disk, and replaces the file in its place.
    ///
    /// # Errors
    /// The system's; then the old file is unchanged.
    pub fn complete(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.target)?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // A file that stays is an orphan.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes files in a folder whose names begin so, and that no program writes any more. Failures
/// are harmless.
pub fn remove_orphans(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(prefix) || !name.contains(MARK) {
            continue;
        }
        // The writer holds the lock; without locks, all files stay. The lock is held until the file
        // is removed: a program that has just created it waits for the lock, and then sees that it
        // needs another.
        let Ok(file) = File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

const MARK: &str = ".pencil-tennis-";

/// The beginning of the names of unfinished files for this place.
fn prefix(target: &Path) -> String {
    // A name may have 255 bytes; a prefix suffices.
    const LONGEST: usize = 200;
    let name = target.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let end =
        (0..=name.len().min(LONGEST)).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!(".{}{MARK}", &name[..end])
}

/// Six letters that hardly any two files share.
fn letters() -> String {
    let mut random = RandomState::new().build_hasher().finish();
    let mut letter = || {
        let letter = b'a' + (random % 26) as u8;
        random /= 26;
        char::from(letter)
    };
    (0..6).map(|_| letter()).collect()
}

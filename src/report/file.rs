use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::atomic_file::{AtomicFile, folder_of};

/// A file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot write {}: it is a folder", path.display())]
    IsFolder { path: PathBuf },
    #[error("cannot write {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}", path.display())]
    Content { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
}

/// Checks, before long work begins, that the folder of the result exists.
pub fn check_folder(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    let folder = folder_of(path);
    if folder.is_dir() { Ok(()) } else { Err(FileError::NoFolder { path: path.to_owned(), folder: folder.to_owned() }) }
}

/// The most bytes read from anything but an ordinary file, such as a pipe or `/dev/zero`.
const LONGEST_STREAM: u64 = 1 << 28;

/// Reads a whole file of at most `most` bytes; at most 256 MiB if it is no ordinary file, such as a pipe.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let unreadable = |source| FileError::Unreadable { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(unreadable)?;
    let most = if file.metadata().is_ok_and(|file| file.is_file()) { most } else { most.min(LONGEST_STREAM) };
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(unreadable(io::Error::other(format!("it does not end within {most} bytes"))));
    }
    Ok(bytes)
}

/// Writes a temporary file in the same folder and renames it when it is complete and on disk.
///
/// After a failure the old file is unchanged. Links are followed; anything but an ordinary file, such as a pipe or `/dev/stdout`,
/// is written directly.
///
/// The temporary file of `NAME` is called `.NAME.pencil-tennis-` and six letters, and is locked. One left by a killed program is
/// no longer locked; the next write of the same name removes it.
///
/// # Errors
/// [`FileError`], from the system or from `write`.
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    check_folder(path)?;
    let failed = |source| FileError::Io { path: path.to_owned(), source };
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        let file = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
        let mut buffered = BufWriter::new(file);
        return write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed);
    }
    let target = if existing.is_some() { fs::canonicalize(path).map_err(failed)? } else { path.to_owned() };
    let file = AtomicFile::create(&target).map_err(failed)?;
    if let Some(existing) = existing {
        file.set_permissions(existing.permissions()).map_err(failed)?;
    }
    let mut buffered = BufWriter::new(file.file());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    file.complete().map_err(failed)
}

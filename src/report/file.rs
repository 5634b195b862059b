//! Files that are whole or not there.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The folder the file should go to is not there.
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The folder a file lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks, before long work begins, that its result will have a folder to go to.
///
/// # Errors
/// [`FileError::NoFolder`].
pub fn check_folder(path: &Path) -> Result<(), FileError> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(FileError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
}

/// Writes a file beside its place and renames it into place when it is complete and on disk.
///
/// Whatever goes wrong, what was there before stays as it was.
///
/// # Errors
/// [`FileError`], from the system or from `write`.
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    check_folder(path)?;
    let failed = |source| FileError::Io { path: path.to_owned(), source };
    let mut file = tempfile::Builder::new().prefix(".pencil-tennis-").tempfile_in(folder_of(path)).map_err(failed)?;
    let mut buffered = BufWriter::new(&mut file);
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    file.as_file().sync_all().map_err(failed)?;
    readable_by_all(&file).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file belongs to its owner alone; a result is an ordinary file.
#[cfg(unix)]
fn readable_by_all(file: &tempfile::NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &tempfile::NamedTempFile) -> io::Result<()> {
    Ok(())
}

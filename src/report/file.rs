//! Files that are whole or not there.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file could not be written or read.
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
    /// There is a folder in the place of the file.
    #[error("cannot write {}: it is a folder", path.display())]
    IsFolder {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system did not hand the file over.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what it should be.
    #[error("{}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: crate::Error,
    },
}

/// The folder a file lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks, before long work begins, that its result will have a folder to go to.
///
/// # Errors
/// [`FileError::NoFolder`], [`FileError::IsFolder`].
pub fn check_folder(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(FileError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
}

/// Writes a file beside its place and renames it into place when it is complete and on disk.
///
/// Whatever goes wrong, what was there before stays as it was. A link is followed; what is there but is no file, such as a pipe or
/// `/dev/stdout`, is written to directly.
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
    let mut file = temporary(folder_of(&target), existing.map(|existing| existing.permissions())).map_err(failed)?;
    let mut buffered = BufWriter::new(&mut file);
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    file.as_file().sync_all().map_err(failed)?;
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A file beside its place, with the permissions of the one it will replace, or the usual ones.
fn temporary(folder: &Path, permissions: Option<fs::Permissions>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pencil-tennis-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's mask applies to these, as to every new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

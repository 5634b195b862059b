//! Files that are read within limits, and written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use stochastic_game::internal::{AtomicFile, folder_of, read_whole};

/// A file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot write {}: it is a folder", path.display())]
    IsFolder { path: PathBuf },
    /// A file would be lost, see [`check_new`].
    #[error("{} is there already and would be overwritten", path.display())]
    Exists { path: PathBuf },
    #[error("cannot write {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}", path.display())]
    Content { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    /// The check of [`write_checked`] refuses the bytes on disk; no file has the asked name.
    #[error("{} is not written: read back from the disk, it does not pass its check", path.display())]
    Refused { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
}

/// Checks, before long work begins, that the folder of the result exists.
pub fn check_folder(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    let folder = folder_of(path);
    if folder.is_dir() {
        Ok(())
    } else {
        Err(FileError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
    }
}

/// Checks, before long work begins, that its checkpoints replace no file but the one that the work
/// resumes.
///
/// An empty file has nothing to lose, and what is written to a pipe or a device replaces nothing.
///
/// # Errors
/// [`FileError::Exists`].
pub fn check_new(path: &Path, resumed: Option<&Path>) -> Result<(), FileError> {
    let is_resumed = || {
        resumed.is_some_and(|resumed| fs::canonicalize(resumed).ok() == fs::canonicalize(path).ok())
    };
    if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0) && !is_resumed() {
        return Err(FileError::Exists { path: path.to_owned() });
    }
    Ok(())
}

/// Reads a whole file of at most `most` bytes; at most 256 MiB if it is no ordinary file, such as a
/// pipe.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    read_whole(path, most).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })
}

/// Writes a temporary file in the same folder and renames it when it is complete and on disk.
///
/// After a failure the old file is unchanged. Links are followed; anything but an ordinary file,
/// such as a pipe or `/dev/stdout`, is written directly.
///
/// The temporary file of `NAME` is called `.NAME.pencil-tennis-` and six letters, and is locked.
/// One left by a killed program is no longer locked; the next write of the same name removes it.
///
/// # Errors
/// [`FileError`], from the system or from `write`.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    check_folder(path)?;
    if let Some(stream) = opened_stream(path)? {
        return written(&stream, write)
            .map_err(|source| FileError::Io { path: path.to_owned(), source });
    }
    let temporary = TemporaryFile::create(path)?;
    temporary.write(write)?;
    temporary.rename()
}

/// As [`write_file`], but `check` reads the bytes back from the disk before the file has its name;
/// returns the check's result.
///
/// The file given to `check` is open at its first byte. What is not an ordinary file, such as a
/// pipe, cannot be read back: the bytes are checked in a temporary file of the system's folder, and
/// copied from there.
///
/// # Errors
/// [`FileError`], from the system or from `write`; [`FileError::Refused`] with the reason of
/// `check`. A file that was there before is unchanged then, and no other is left.
///
/// ```
/// use std::io::Read;
/// use pencil_tennis::report::write_checked;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("numbers");
/// let sum = write_checked(&path, |out| out.write_all(b"1 2 3"), |mut file| {
///     let mut text = String::new();
///     file.read_to_string(&mut text)?;
///     Ok(text.split(' ').map(str::parse::<u32>).sum::<Result<u32, _>>()?)
/// })?;
/// assert_eq!((sum, std::fs::read(&path)?), (6, b"1 2 3".to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_checked<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    check: impl FnOnce(File) -> Result<T, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<T, FileError> {
    check_folder(path)?;
    let refused = |source| FileError::Refused { path: path.to_owned(), source };
    let failed = |source| FileError::Io { path: path.to_owned(), source };
    if let Some(mut stream) = opened_stream(path)? {
        // It never gets that name, and is removed when it is dropped.
        let copy = AtomicFile::create(&std::env::temp_dir().join("read-back")).map_err(failed)?;
        written(copy.file(), write).map_err(failed)?;
        let checked = check(reopened(copy.file()).map_err(failed)?).map_err(refused)?;
        io::copy(&mut reopened(copy.file()).map_err(failed)?, &mut stream).map_err(failed)?;
        return Ok(checked);
    }
    let temporary = TemporaryFile::create(path)?;
    temporary.write(write)?;
    let checked = check(reopened(temporary.file.file()).map_err(failed)?).map_err(refused)?;
    temporary.rename()?;
    Ok(checked)
}

/// Writes all of a file's content.
fn written(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffered = BufWriter::new(file);
    write(&mut buffered).and_then(|()| buffered.flush())
}

/// The same file at its first byte. It shares the lock, which on some systems shuts out whoever
/// opens the file by its name.
fn reopened(file: &File) -> io::Result<File> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    Ok(file)
}

/// Opens what is there already and is not an ordinary file, such as a pipe; `None` otherwise.
fn opened_stream(path: &Path) -> Result<Option<File>, FileError> {
    if fs::metadata(path).map_or(true, |existing| existing.is_file()) {
        return Ok(None);
    }
    let opened = fs::OpenOptions::new().write(true).open(path);
    opened.map(Some).map_err(|source| FileError::Io { path: path.to_owned(), source })
}

/// A file that is written beside its place, with the path by which it was asked for. Dropped, it is
/// removed.
struct TemporaryFile<'p> {
    path: &'p Path,
    file: AtomicFile,
}

impl<'p> TemporaryFile<'p> {
    fn create(path: &'p Path) -> Result<Self, FileError> {
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        let existing = fs::metadata(path).ok();
        let target = if existing.is_some() {
            fs::canonicalize(path).map_err(failed)?
        } else {
            path.to_owned()
        };
        let file = AtomicFile::create(&target).map_err(failed)?;
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions()).map_err(failed)?;
        }
        Ok(Self { path, file })
    }

    /// Writes all of the content, and waits until it is on disk.
    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
        let file = self.file.file();
        let on_disk = written(file, write).and_then(|()| file.sync_all());
        on_disk.map_err(|source| FileError::Io { path: self.path.to_owned(), source })
    }

    fn rename(self) -> Result<(), FileError> {
        let path = self.path;
        self.file.complete().map_err(|source| FileError::Io { path: path.to_owned(), source })
    }
}

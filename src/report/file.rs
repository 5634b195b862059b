use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

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

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
    let prefix = prefix(&target);
    remove_orphans(folder_of(&target), &prefix);
    let mut file = temporary(folder_of(&target), &prefix, existing.map(|existing| existing.permissions())).map_err(failed)?;
    let mut buffered = BufWriter::new(&mut file);
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    file.as_file().sync_all().map_err(failed)?;
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}

fn prefix(target: &Path) -> String {
    // A name may have 255 bytes; a prefix suffices.
    const LONGEST: usize = 200;
    let name = target.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let end = (0..=name.len().min(LONGEST)).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!(".{}.pencil-tennis-", &name[..end])
}

/// Removes temporary files that no process writes any more. Failures are harmless.
fn remove_orphans(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        // The writer holds the lock; without locks, all files stay. The lock is held until the file is removed: a run that has
        // just created it waits for the lock, and then sees that it needs another.
        let Ok(file) = fs::File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file in the same folder, with the permissions of the file that it will replace, or the default ones.
fn temporary(folder: &Path, prefix: &str, permissions: Option<fs::Permissions>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's mask applies, as to every new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = loop {
        let file = builder.tempfile_in(folder)?;
        // Until it is locked another run may take the file for an orphan.
        let _ = file.as_file().lock();
        if file.path().exists() {
            break file;
        }
    };
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

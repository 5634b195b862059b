//! Files that are whole or not there, whoever else writes them at the same time.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::thread;

use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::report::{FileError, check_new, write_checked, write_file};
use pencil_tennis::unwatched;

/// Each writer looks for files that killed programs left, while the others have just made theirs
/// and do not hold them yet.
#[test]
fn writers_of_one_file_do_not_take_each_others_for_left_behind() {
    const WRITERS: usize = 8;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("v.csv");
    let content = |writer: usize| writer.to_string().repeat(5_000);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (path, text) = (&path, content(writer));
            scope.spawn(move || {
                for round in 0..100 {
                    let written = write_file(path, |out| out.write_all(text.as_bytes()));
                    written.unwrap_or_else(|error| {
                        panic!("{error}, {:?}, round {round}", std::error::Error::source(&error))
                    });
                }
            });
        }
    });
    let last = fs::read_to_string(&path).expect("the file");
    assert!((0..WRITERS).any(|writer| content(writer) == last), "it is one writer's, and whole");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing else is left");
}

#[test]
fn checkpoints_replace_no_file_but_the_resumed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let [part, other, new] = ["part", "other", "new"].map(|name| folder.path().join(name));
    for path in [&part, &other] {
        fs::write(path, "work").expect("room");
    }
    let refused = |path: &Path, resumed: Option<&Path>| {
        let error = check_new(path, resumed).expect_err("it would be overwritten");
        assert!(matches!(&error, FileError::Exists { path: named } if named == path), "{error}");
    };
    refused(&part, None);
    refused(&part, Some(&other));
    refused(&part, Some(&new));
    for (path, resumed) in [(&new, None), (&new, Some(&part)), (&part, Some(&part))] {
        check_new(path, resumed.map(|path| &**path)).expect("nothing is lost");
    }
    check_new(&folder.path().join(".").join("part"), Some(&part))
        .expect("another name of the same file");
    fs::write(&other, "").expect("room");
    check_new(&other, None).expect("an empty file has nothing to lose");
}

/// Reads a certificate back and checks it.
fn proved(mut file: File) -> Result<Proof, Box<dyn std::error::Error + Send + Sync>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(certificate::verify(&bytes)?)
}

/// The names and contents of a folder's files, hidden ones too.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    let file = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}

/// The certificate of a game with 6 points each, sealed anew after its last weight was changed: the
/// checksum fits.
fn forged() -> Vec<u8> {
    let mut content = pencil_tennis::solve(6)
        .expect("a solution")
        .certificate(&mut unwatched)
        .expect("nobody cancels");
    content.truncate(content.len() - 4);
    content.extend([0; 3]);
    let checksum = crc32fast::hash(&content);
    content.extend(checksum.to_le_bytes());
    content
}

#[test]
fn a_file_whose_check_refuses_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("6.proof");
    let refused = write_checked(&path, |out| out.write_all(&forged()), proved);
    let Err(error @ FileError::Refused { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("6.proof is not written"), "{error}");
    let reason = std::error::Error::source(&error).expect("a reason").to_string();
    assert!(reason.contains("3 bytes are left over"), "{reason}");
    assert_eq!(files(folder.path()), [], "neither the file nor a temporary one");

    // A file that was there before stays as it was; one that passes replaces it.
    fs::write(&path, "before").expect("room");
    assert!(write_checked(&path, |out| out.write_all(&forged()), proved).is_err());
    assert_eq!(files(folder.path()), [("6.proof".to_owned(), b"before".to_vec())]);
    let solution = pencil_tennis::solve(6).expect("a solution");
    let proof = write_checked(
        &path,
        |out| out.write_all(&solution.certificate(&mut unwatched).expect("nobody cancels")),
        proved,
    )
    .expect("a certificate");
    assert!(solution.agrees_with(&proof));
    assert_eq!(
        files(folder.path()),
        [("6.proof".to_owned(), solution.certificate(&mut unwatched).expect("nobody cancels"))]
    );
}

/// The check sees the disk: what the writer claims to have written does not matter.
#[test]
fn the_check_reads_what_is_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("text");
    let read = |mut file: File| {
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok(text)
    };
    let large = "0123456789".repeat(100_000);
    assert_eq!(
        write_checked(&path, |out| out.write_all(large.as_bytes()), read).expect("room"),
        large
    );
    let changes = |mut file: File| {
        assert!(
            !path.exists() || fs::read_to_string(&path).expect("a text") == large,
            "the new file has no name yet"
        );
        file.write_all(b"x")?;
        Ok(())
    };
    write_checked(&path, |out| out.write_all(b"0123"), changes).expect("room");
    assert_eq!(fs::read_to_string(&path).expect("a text"), "x123");
}

/// A pipe cannot be read back: its bytes are checked before any of them leaves.
#[cfg(unix)]
#[test]
fn nothing_goes_into_a_pipe_unless_it_passes_its_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
    assert!(made.success());
    let certificate = pencil_tennis::solve(6)
        .expect("a solution")
        .certificate(&mut unwatched)
        .expect("nobody cancels");
    for (bytes, expected) in [(forged(), Vec::new()), (certificate.clone(), certificate)] {
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read(path).expect("a pipe")
        });
        let is_written = write_checked(&path, |out| out.write_all(&bytes), proved).is_ok();
        assert_eq!(
            (is_written, reader.join().expect("a reader")),
            (!expected.is_empty(), expected)
        );
    }
}

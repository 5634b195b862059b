//! Files that are whole or not there, whoever else writes them at the same time.

use std::fs;
use std::thread;

use pencil_tennis::report::write_file;

/// Each writer looks for files that killed programs left, while the others have just made theirs and do not hold them yet.
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
                    written.unwrap_or_else(|error| panic!("{error}, {:?}, round {round}", std::error::Error::source(&error)));
                }
            });
        }
    });
    let last = fs::read_to_string(&path).expect("the file");
    assert!((0..WRITERS).any(|writer| content(writer) == last), "it is one writer's, and whole");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing else is left");
}

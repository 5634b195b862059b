//! Results arrive in spite of readers who leave, Ctrl-C and full disks, and no temporary file is
//! left.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{content, folder, program, run, stdout, text};

/// A standard output that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// Every command that writes files, with the files it writes.
const WRITERS: [(&str, &[&str]); 10] = [
    (
        "train simple 6 --games 1e3 -o p.npz --curve c.csv --plot c.svg --save run",
        &["p.npz", "c.csv", "c.svg", "run"],
    ),
    ("train cfr-plus 6 --games 1e3 -o q.csv --format json", &["q.csv"]),
    ("solve 6 --save 6.table", &["6.table"]),
    ("solve 6 --checkpoint 6.part --format json", &["6.part"]),
    ("exploit uniform 6 --map map.csv --best-response reply.json", &["map.csv", "reply.json"]),
    ("export values 6 -o v.csv", &["v.csv"]),
    ("export strategies 6 -o s.npz", &["s.npz"]),
    ("prove 6 -o 6.proof", &["6.proof"]),
    ("verify 6.proof --bounds bounds.csv", &["bounds.csv"]),
    ("plot curves c.csv -o curves.svg", &["curves.svg"]),
];

#[test]
fn a_closed_standard_output_ends_printing_and_never_the_job() {
    let folder = folder();
    for (line, files) in WRITERS {
        let args: Vec<&str> = line.split(' ').collect();
        let output =
            program(folder.path(), &args).stdout(closed()).output().expect("the program starts");
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new()),
            "{line}"
        );
        for file in files {
            assert!(
                fs::metadata(folder.path().join(file)).is_ok_and(|file| file.len() > 0),
                "{line} wrote no {file}"
            );
        }
    }
}

#[test]
fn a_long_training_is_saved_by_time_between_two_judgements() {
    let folder = folder();
    let args = ["train", "simple", "20", "--games", "4e9", "--save", "run", "--save-every", "0"];
    let mut child = program(folder.path(), &args).stdout(Stdio::null()).spawn().expect("started");
    let games = || {
        let bytes = fs::read(folder.path().join("run")).ok()?;
        pencil_tennis::agents::Training::from_bytes(&bytes)
            .ok()
            .map(|training| pencil_tennis::agents::Learner::games(&training))
    };
    let begin = Instant::now();
    // Rungs are 1, 2 or 5 times a power of ten.
    let between = |games: u64| {
        let digits = games.to_string();
        digits.trim_end_matches('0').len() > 1
    };
    let mut seen = false;
    while !seen && begin.elapsed() < Duration::from_secs(60) {
        seen = games().is_some_and(between);
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("an end");
    assert!(seen, "nothing was saved between the rungs");
}

mod orphans {
    use super::*;

    const ORPHAN: &str = ".v.csv.pencil-tennis-abc123";

    #[test]
    fn a_file_that_a_killed_run_left_is_removed_by_the_next_on_the_same_file() {
        let folder = folder();
        fs::write(folder.path().join(ORPHAN), "half a tab").expect("a file");
        fs::write(folder.path().join(".w.csv.pencil-tennis-abc123"), "of another file")
            .expect("a file");
        stdout(folder.path(), &["export", "values", "2", "-o", "v.csv"]);
        let names: Vec<_> = content(folder.path()).into_keys().collect();
        assert_eq!(names, [".w.csv.pencil-tennis-abc123", "v.csv"]);
    }

    #[test]
    fn a_file_that_another_run_is_writing_stays() {
        let folder = folder();
        let path = folder.path().join(ORPHAN);
        fs::write(&path, "half a tab").expect("a file");
        let other_run = File::open(&path).expect("a file");
        other_run.lock().expect("a lock");
        stdout(folder.path(), &["export", "values", "2", "-o", "v.csv"]);
        assert!(path.exists());
    }

    /// Many runs write the same file at once: all succeed, and the file is whole.
    #[test]
    fn runs_that_write_the_same_file_do_not_harm_each_other() {
        let folder = folder();
        let expected = stdout(folder.path(), &["export", "values", "9"]);
        let runs: Vec<_> = (0..8)
            .map(|_| {
                program(folder.path(), &["export", "values", "9", "-o", "v.csv"])
                    .spawn()
                    .expect("the program starts")
            })
            .collect();
        for mut run in runs {
            assert!(run.wait().expect("an end").success());
        }
        assert_eq!(text(&content(folder.path())[std::ffi::OsStr::new("v.csv")]), expected);
        assert_eq!(content(folder.path()).len(), 1, "nothing else is left");
    }
}

mod checkpoints {
    use super::*;

    fn exists(folder: &Path, name: &str) -> bool {
        folder.join(name).exists()
    }

    #[test]
    fn of_a_finished_solve_is_removed_when_the_table_is_saved() {
        let folder = folder();
        let printed = stdout(
            folder.path(),
            &[
                "solve",
                "70",
                "--checkpoint",
                "part",
                "--checkpoint-every",
                "0",
                "--save",
                "70.table",
            ],
        );
        assert!(printed.contains("part is removed"), "{printed}");
        assert!(!exists(folder.path(), "part") && exists(folder.path(), "70.table"));
    }

    #[test]
    fn of_a_finished_solve_becomes_the_table_where_none_is_saved() {
        let folder = folder();
        let printed = stdout(folder.path(), &["solve", "40", "--checkpoint", "part"]);
        assert!(printed.contains("part is now the table"), "{printed}");
        stdout(folder.path(), &["solve", "40", "--save", "40.table"]);
        let [part, table] =
            ["part", "40.table"].map(|name| fs::read(folder.path().join(name)).expect("a file"));
        assert!(part == table, "the same bytes");
        stdout(folder.path(), &["show", "40:40@-1", "--table", "part"]);
    }

    /// A limit on the size of files stands for a disk that fills up.
    #[test]
    fn a_full_disk_says_what_remains() {
        let folder = folder();
        let program = env!("CARGO_BIN_EXE_pencil-tennis");
        let solve = |limit: &str| {
            let line = format!(
                "trap '' XFSZ; ulimit -f {limit}; exec {program} solve 90 --checkpoint part --checkpoint-every 0"
            );
            Command::new("sh")
                .args(["-c", &line])
                .current_dir(folder.path())
                .output()
                .expect("a shell")
        };
        let output = solve("8");
        let printed = text(&output.stderr);
        assert!(printed.contains("there is no checkpoint yet, and the work goes on"), "{printed}");
        assert_eq!(
            output.status.code(),
            Some(1),
            "the table could not be written in the end: {printed}"
        );
        assert_eq!(content(folder.path()).len(), 0, "nothing half-written is left");
        // 2 MiB: enough for the first checkpoints, too little for the last ones.
        let printed = text(&solve("4096").stderr);
        assert!(printed.contains("s ago stays, and the work goes on"), "{printed}");
        stdout(folder.path(), &["solve", "--resume", "part", "--save", "90.table"]);
    }
}

/// Whatever is going on, Ctrl-C ends it with a message and the status 130.
#[test]
fn ctrl_c_is_answered_everywhere() {
    let folder = folder();
    let lines = [
        "solve 600 --threads 1",
        "solve 200 --exact --unique",
        "show 50:50@-1 --digits 20000",
        "exploit uniform 300",
        "export strategies 150 --refine dresher -o s.csv",
        "tennis forced 3000 --scoring 3,-1,5,5,-2",
        "duel uniform uniform 20 --games 1e12",
        "tennis series --to 200",
        "exploit lookahead:100:uniform 200",
    ];
    // A few at a time: most of it is waiting.
    for lines in lines.chunks(3) {
        let start = |line: &&'static str| {
            let args: Vec<&str> = line.split(' ').collect();
            let mut command = program(folder.path(), &args);
            (
                *line,
                command
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("the program starts"),
            )
        };
        let mut children: Vec<_> = lines.iter().map(start).collect();
        thread::sleep(Duration::from_millis(500));
        for (line, child) in &mut children {
            assert!(child.try_wait().expect("a process").is_none(), "{line} ended by itself");
        }
        // Twice, as by somebody who does not want to wait for the end of a layer.
        for _ in 0..2 {
            for (_, child) in &children {
                let pid = child.id().to_string();
                let _ =
                    Command::new("kill").args(["-s", "INT", &pid]).stderr(Stdio::null()).status();
            }
            // Signals within half a second are one.
            thread::sleep(Duration::from_millis(600));
        }
        for (line, child) in children {
            let output = child.wait_with_output().expect("an end");
            let printed = text(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{line}: {printed}");
            assert!(printed.starts_with("pencil-tennis: interrupted; "), "{line}: {printed}");
        }
    }
    assert!(content(folder.path()).is_empty());
    let silent = run(folder.path(), &["show", "4:3@-2"]);
    assert_eq!(silent.status.code(), Some(0));
}

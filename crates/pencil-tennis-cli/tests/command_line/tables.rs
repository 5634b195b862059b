//! Table files and checkpoints as scripts and people meet them, and a solve that is killed.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{assert_refused, folder, program, run, stdout, text};

/// The error message of a run, which prints no result.
fn complaint(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, args);
    assert_eq!(text(&output.stdout), "", "{args:?}");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn show_reads_from_a_table_what_it_would_solve() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "40", "--save", "40.table"]);
    stdout(folder, &["solve", "40", "--strategies", "again", "--save", "small.table"]);
    let size = |name: &str| fs::metadata(folder.join(name)).expect("it was written").len();
    assert!(size("small.table") < size("40.table"));
    for state in ["30:25@-1", "40:40@0", "4:3@-2", "0:0@1"] {
        let solved = stdout(folder, &["show", state, "--format", "json"]);
        let read = stdout(folder, &["show", state, "--table", "40.table", "--format", "json"]);
        assert_eq!(
            read,
            solved.replace(r#""proved":true"#, r#""proved":false"#),
            "the same, but that it is not proved"
        );
        stdout(folder, &["show", state, "--table", "small.table"]);
    }
    let rules = ["--field", "3", "--motion", "step", "--scoring", "win-loss"];
    stdout(folder, &[&["solve", "8:6", "--save", "zumo.table"][..], &rules].concat());
    let solved = stdout(folder, &[&["show", "7:6@-3"][..], &rules].concat());
    let read = stdout(folder, &["show", "7:6@-3", "--table", "zumo.table"]);
    assert!(
        read.starts_with(&solved.replace("  proved: ", "  stored, not proved: ")),
        "the file knows the rules"
    );
}

/// The program is killed, as by a power cut, at many moments of a solve; every time what it left
/// behind goes on to the same bytes.
#[test]
fn a_killed_solve_goes_on_to_the_same_bytes() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "70", "--save", "whole.table"]);
    let whole = fs::read(folder.join("whole.table")).expect("it was written");
    let mut killed = 0;
    for delay in (0..12).map(|step| Duration::from_millis(5 + 14 * step)) {
        let _ = fs::remove_file(folder.join("part"));
        let args = ["solve", "70", "--checkpoint", "part", "--checkpoint-every", "0"];
        let mut child =
            program(folder, &args).stdout(Stdio::null()).spawn().expect("the program starts");
        // Counted from the first checkpoint: the machine may be busy.
        let patience = Instant::now();
        while !folder.join("part").exists() && patience.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(delay);
        child.kill().expect("SIGKILL");
        // Without a status it was killed rather than finished.
        killed += usize::from(child.wait().expect("an end").code().is_none());
        stdout(folder, &["solve", "--resume", "part", "--save", "resumed.table", "--threads", "1"]);
        assert!(
            fs::read(folder.join("resumed.table")).expect("it was written") == whole,
            "killed after {delay:?}"
        );
    }
    assert!(killed > 0, "the first are killed long before the end");
}

/// A file that ends too early, or is damaged, is noticed in whatever part, and called by its name.
#[test]
fn a_damaged_file_is_named() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "6", "--save", "6.table"]);
    let whole = fs::read(folder.join("6.table")).expect("it was written");
    for length in [20, 100, whole.len() / 4, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.join("cut.table"), &whole[..length]).expect("room");
        // The record of this state is the last one.
        for args in
            [&["solve", "--resume", "cut.table"][..], &["show", "6:6@0", "--table", "cut.table"]]
        {
            let (status, complaint) = complaint(folder, args);
            assert_eq!(status, Some(1), "{args:?}");
            let ends = ["it ends too early\n", "its index points beyond its end\n"].map(|reason| {
                format!("pencil-tennis: the table file cut.table cannot be used: {reason}")
            });
            assert!(ends.contains(&complaint), "{length} bytes, {args:?}: {complaint}");
        }
    }
    let mut altered = whole.clone();
    altered[whole.len() - 1] ^= 1;
    fs::write(folder.join("altered.table"), altered).expect("room");
    let sentence = "pencil-tennis: the table file altered.table cannot be used: at 6:6@0 the checksum is wrong\n".to_owned();
    for args in [
        &["solve", "--resume", "altered.table"][..],
        &["show", "6:6@0", "--table", "altered.table"],
    ] {
        assert_eq!(complaint(folder, args), (Some(1), sentence.clone()), "{args:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "6", "--save", "6.table"]);
    fs::write(folder.join("text"), "not a table").expect("room");
    let sentences: [(&[&str], &str); 5] = [
        (
            &["show", "5:5@0", "--table", "missing"],
            "pencil-tennis: the table file missing cannot be used: No such file",
        ),
        (
            &["show", "5:5@0", "--table", "text"],
            "pencil-tennis: the table file text cannot be used: it does not begin as a table file does",
        ),
        (&["show", "7:5@0", "--table", "6.table"], "pencil-tennis: 7:5@0 is outside the game"),
        (
            &["solve", "7", "--resume", "6.table"],
            "pencil-tennis: the table file is of another game than asked for: 6:6 points",
        ),
        (
            &["solve", "--save", "nowhere/6.table"],
            "pencil-tennis: cannot write nowhere/6.table: there is no folder nowhere",
        ),
    ];
    for (args, sentence) in sentences {
        let (status, complaint) = complaint(folder, args);
        assert_eq!(status, Some(1), "{args:?}");
        assert!(complaint.starts_with(sentence), "{complaint}");
    }
    let wrong: [&[&str]; 3] = [
        &["solve", "--checkpoint-every", "5"],
        &["solve", "--checkpoint", "part", "--checkpoint-every", "-1"],
        &["solve", "--resume", "6.table", "--exact"],
    ];
    for args in wrong {
        assert_eq!(complaint(folder, args).0, Some(2), "{args:?}");
    }
    assert_eq!(
        fs::read_dir(folder).expect("the folder").count(),
        2,
        "nothing half-written is left"
    );
}

/// A table stands where a game does, and answers as it does with `--table`.
#[test]
fn a_table_is_a_game() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "6", "--save", "6.table"]);
    for (as_game, as_option) in [
        (&["show", "6.table", "4:3@-2"][..], &["show", "4:3@-2", "--table", "6.table"][..]),
        (&["export", "values", "6.table"], &["export", "values", "--table", "6.table"]),
        (&["exploit", "uniform", "6.table"], &["exploit", "uniform", "--table", "6.table"]),
        (
            &["tennis", "forced", "6.table", "--compare"],
            &["tennis", "forced", "--compare", "--table", "6.table"],
        ),
        (
            &["plot", "values", "6.table", "-o", "-"],
            &["plot", "values", "--table", "6.table", "-o", "-"],
        ),
    ] {
        assert_eq!(stdout(folder, as_game), stdout(folder, as_option), "{as_game:?}");
    }
    assert!(stdout(folder, &["solve", "6.table"]).contains("6:6 points"));
    // The fault of a damaged one is told as with `--table`.
    let whole = fs::read(folder.join("6.table")).expect("it was written");
    fs::write(folder.join("cut.table"), &whole[..whole.len() / 2]).expect("room");
    let errors_of = |args: &[&str]| text(&run(folder, args).stderr);
    let fault = errors_of(&["show", "4:3@-2", "--table", "cut.table"]);
    assert!(fault.contains("the table file cut.table cannot be used: "), "{fault}");
    assert_eq!(errors_of(&["show", "cut.table", "4:3@-2"]), fault);
    for (args, words) in [
        (&["export", "values", "6.table", "--table", "6.table"][..], "two tables are given"),
        (&["solve", "6.table", "--resume", "6.table"], "two tables are given"),
        (&["solve", "6.table", "--exact"], "--exact is not for a table"),
        (
            &["tennis", "limit", "6.table"],
            "6.table is a table of Tennis, and this command takes points",
        ),
    ] {
        assert_refused(folder, args, 2, &[words]);
    }
}

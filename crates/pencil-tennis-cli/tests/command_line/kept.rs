//! What long work keeps: checkpoints that nothing overwrites, results that a late Ctrl-C does not
//! prevent, and a place for what does not fit where it belongs.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{assert_refused, content, folder, program, run, stdout, text};

/// Two keys of a person, who sees that the first one did not help, are at least this far apart; the
/// program takes signals within half a second for one.
const TWO_PRESSES: Duration = Duration::from_millis(700);

const PATIENCE: Duration = Duration::from_secs(120);

fn start(folder: &Path, args: &[&str]) -> Child {
    program(folder, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn interrupt(child: &Child) {
    let killed = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .expect("a kill command");
    assert!(killed.success());
}

/// Waits until a file is there.
fn await_file(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < PATIENCE, "{} does not come", path.display());
        thread::sleep(Duration::from_millis(2));
    }
}

/// The status and what is said on standard error.
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("an end");
    (output.status.code(), text(&output.stderr))
}

/// A named pipe in the place of a result: whoever reads its first byte knows that the work is done
/// and the writing has begun.
fn pipe(path: &Path) -> File {
    assert!(
        Command::new("mkfifo").arg(path).status().expect("a command of every system").success()
    );
    // Open at both ends, so that nobody waits for the other end.
    File::options().read(true).write(true).open(path).expect("the pipe")
}

const SLOW: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"lose","value":"0"}
{"id":"s","a":["1","2"],"b":["1","2"],"cells":[[{"to":[["1","win"]]},{"to":[["1","s"]]}],[{"to":[["1","lose"]]},{"to":[["1","win"]]}]]}
"#;

/// Every command that keeps checkpoints, and files that hold something, however little: refused
/// before any work, with the way on.
#[test]
fn no_checkpoint_is_overwritten_by_work_that_does_not_resume_it() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("game.jsonl"), SLOW).expect("room");
    stdout(folder, &["solve", "12", "--checkpoint", "table"]);
    stdout(folder, &["solve", "game.jsonl", "--checkpoint", "game"]);
    stdout(folder, &["tennis", "blind", "4", "--checkpoint", "blind"]);
    stdout(folder, &["train", "simple", "5", "--games", "10", "--save", "training"]);
    fs::write(folder.join("letter"), "Dear A, the ball is on your side.").expect("room");
    let commands: [&[&str]; 4] = [
        &["solve", "3"],
        &["solve", "game.jsonl"],
        &["tennis", "blind", "3"],
        &["train", "simple", "3", "--games", "5"],
    ];
    let options = ["--checkpoint", "--checkpoint", "--checkpoint", "--save"];
    for (command, option) in commands.into_iter().zip(options) {
        for there in ["table", "game", "blind", "training", "letter"] {
            let resuming = format!("--resume {there}");
            let sentence = format!(
                "{there} is there already and would be overwritten; go on from it with {resuming}"
            );
            assert_refused(folder, &[command, &[option, there]].concat(), 1, &[&sentence]);
        }
        // An empty file has nothing to lose, nor has one that is not there.
        fs::write(folder.join("empty"), "").expect("room");
        for new in ["empty", "new"] {
            stdout(folder, &[command, &[option, new]].concat());
            assert!(fs::metadata(folder.join(new)).expect("a file").len() > 0);
            fs::remove_file(folder.join(new)).expect("it is there");
        }
    }
    // Work goes on from the checkpoint that it resumes, by whatever name, and from no other.
    let resumed: [&[&str]; 4] = [
        &["solve", "--resume", "table", "--checkpoint", "./table"],
        &["solve", "game.jsonl", "--resume", "./game", "--checkpoint", "game"],
        &["tennis", "blind", "--resume", "blind", "--checkpoint", "blind"],
        &["train", "--resume", "training", "--games", "20", "--save", "training"],
    ];
    for args in resumed {
        stdout(folder, args);
        let others = [&args[..args.len() - 1], &["letter"]].concat();
        assert_refused(folder, &others, 1, &["letter is there already and would be overwritten"]);
    }
}

/// One signal while a table of a finished solve is written: it is written to its end, and the
/// status says that Ctrl-C was heard. Two signals at once, as `timeout` sends them, are one; a
/// later one stops the writing.
#[test]
fn a_signal_after_the_solve_does_not_prevent_its_table() {
    let reference = folder();
    stdout(reference.path(), &["solve", "60", "--save", "whole"]);
    let whole = fs::read(reference.path().join("whole")).expect("a table");
    // More than any pipe holds.
    assert!(whole.len() > 1 << 20);
    for pauses in [&[][..], &[Duration::from_millis(20)], &[TWO_PRESSES]] {
        let folder = folder();
        let folder = folder.path();
        let mut reader = pipe(&folder.join("t"));
        let child = start(folder, &["solve", "60", "--save", "t", "--checkpoint", "part"]);
        let mut got = vec![0; whole.len()];
        reader.read_exact(&mut got[..1]).expect("the first byte");
        interrupt(&child);
        for pause in pauses {
            thread::sleep(*pause);
            interrupt(&child);
        }
        thread::sleep(Duration::from_millis(300));
        if pauses == [TWO_PRESSES] {
            // What the pipe holds is all that comes.
            let mut rest = reader.try_clone().expect("a handle");
            let drain = thread::spawn(move || rest.read_to_end(&mut Vec::new()));
            let (status, printed) = ended(child);
            assert_eq!(
                (status, &*printed),
                (Some(130), "pencil-tennis: interrupted; t is not written\n")
            );
            drop(drain);
            continue;
        }
        reader.read_exact(&mut got[1..]).expect("the whole table");
        let (status, printed) = ended(child);
        assert_eq!(
            (status, &*printed),
            (Some(130), "pencil-tennis: interrupted; t was written before\n")
        );
        assert!(got == whole);
        assert!(!folder.join("part").exists(), "the table has all of it");
    }
}

/// A table that is being written when a signal comes is written to its end.
#[test]
fn a_signal_leaves_a_table_of_a_game_whole() {
    let folder = folder();
    let folder = folder.path();
    let header = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["0"]}"#;
    let ends = (0..6_000).map(|state| format!("\n{{\"id\":\"{state}\",\"value\":\"{state}\"}}"));
    let game: String = std::iter::once(header.to_owned()).chain(ends).collect();
    fs::write(folder.join("ends.jsonl"), game).expect("room");
    let mut reader = pipe(&folder.join("v.csv"));
    let args = ["export", "values", "ends.jsonl", "-o", "v.csv"];
    let child = start(folder, &args);
    reader.read_exact(&mut [0]).expect("the first byte");
    interrupt(&child);
    thread::sleep(Duration::from_millis(300));
    let mut rest = reader.try_clone().expect("a handle");
    let drain = thread::spawn(move || rest.read_to_end(&mut Vec::new()));
    let (status, printed) = ended(child);
    assert_eq!(status, Some(130), "{printed}");
    assert_eq!(printed, "pencil-tennis: interrupted; v.csv was written before\n");
    drop(drain);
    fs::remove_file(folder.join("v.csv")).expect("the pipe");
    stdout(folder, &args);
    assert_eq!(fs::read_to_string(folder.join("v.csv")).expect("a table").lines().count(), 6_001);
}

/// Strategies of blind Tennis are written as they are when Ctrl-C ends the learning, and the
/// checkpoint goes on.
#[test]
fn an_interrupted_blind_solve_writes_its_strategies() {
    let folder = folder();
    let folder = folder.path();
    let args = [
        "tennis",
        "blind",
        "9",
        "--gap",
        "0",
        "--method",
        "cfr",
        "--checkpoint",
        "part",
        "--checkpoint-every",
        "0",
        "-o",
        "b.csv",
    ];
    let child = start(folder, &args);
    await_file(&folder.join("part"));
    interrupt(&child);
    let (status, printed) = ended(child);
    assert_eq!(status, Some(130), "{printed}");
    let resuming = "tennis blind 9 --gap 0 --method cfr --checkpoint-every 0 -o b.csv --resume part --checkpoint part";
    let reached = "the bounds are those reached so far; b.csv was written before";
    assert_eq!(printed, format!("pencil-tennis: interrupted; {reached}; go on with: {resuming}\n"));
    stdout(folder, &["tennis", "blind", "9", "--policy", "b.csv"]);
    let again: Vec<&str> = resuming.split(' ').collect();
    stdout(folder, &[&again[..], &["--seconds", "0.1"]].concat());
}

/// `/dev/full` stands for a full disk, in the place of each file that a command keeps or writes.
#[cfg(target_os = "linux")]
#[test]
fn what_does_not_fit_is_kept_elsewhere_and_the_place_is_said() {
    let reference = folder();
    let there = |name: &str| fs::read(reference.path().join(name)).expect("a file");
    fs::write(reference.path().join("game.jsonl"), SLOW).expect("room");
    stdout(reference.path(), &["solve", "12", "--save", "table"]);
    stdout(reference.path(), &["solve", "game.jsonl", "--checkpoint", "game"]);
    stdout(reference.path(), &["export", "values", "game.jsonl", "-o", "values"]);
    stdout(reference.path(), &["prove", "game.jsonl", "-o", "proof"]);
    stdout(
        reference.path(),
        &["train", "simple", "5", "--games", "10", "--save", "training", "-o", "policy.csv"],
    );
    let cases: [(&str, i32, &[&str]); 6] = [
        ("solve 12 --save /dev/full", 1, &["table"]),
        ("solve 12 --checkpoint /dev/full", 1, &["table"]),
        ("solve game.jsonl --checkpoint /dev/full", 1, &["game"]),
        ("prove game.jsonl -o /dev/full", 1, &["proof"]),
        ("export values game.jsonl -o /dev/full", 1, &["values"]),
        ("train simple 5 --games 10 --save /dev/full -o p.csv", 1, &["training"]),
    ];
    for (line, status, expected) in cases {
        let [folder, aside] = [folder(), folder()];
        fs::write(folder.path().join("game.jsonl"), SLOW).expect("room");
        let args: Vec<&str> = line.split(' ').collect();
        let output = program(folder.path(), &args)
            .env("TMPDIR", aside.path())
            .output()
            .expect("the program");
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {printed}");
        let last = printed.lines().last().expect("a sentence");
        let (failure, written) = last
            .split_once("; what belongs there is in ")
            .unwrap_or_else(|| panic!("{line}: {printed}"));
        assert!(
            failure.starts_with("pencil-tennis: cannot write /dev/full: No space left"),
            "{line}: {printed}"
        );
        assert!(Path::new(written).starts_with(aside.path()), "{line}: {printed}");
        assert!(
            fs::read(written).expect("it is there") == there(expected[0]),
            "{line}: what is kept is the whole file"
        );
        // Other results are written all the same.
        for name in args.iter().filter(|name| ["v.csv", "p", "p.csv", "part"].contains(name)) {
            assert!(
                fs::metadata(folder.path().join(name)).is_ok_and(|file| file.len() > 0),
                "{line}: no {name}"
            );
        }
    }
    // A checkpoint takes a table that its own place does not.
    let folder = folder();
    let output =
        run(folder.path(), &["solve", "12", "--save", "/dev/full", "--checkpoint", "part"]);
    assert!(
        text(&output.stderr).ends_with("; what belongs there is in part\n"),
        "{}",
        text(&output.stderr)
    );
    assert!(fs::read(folder.path().join("part")).expect("a checkpoint") == there("table"));
    // Checkpoints on the way are kept aside, too, and the solve goes on.
    let aside = crate::program::folder();
    let args =
        ["solve", "70", "--checkpoint", "/dev/full", "--checkpoint-every", "0", "--save", "t"];
    let output =
        program(folder.path(), &args).env("TMPDIR", aside.path()).output().expect("the program");
    let printed = text(&output.stderr);
    let (failure, written) = printed
        .lines()
        .next()
        .expect("a warning")
        .split_once("; the checkpoint is in ")
        .expect("a place");
    assert!(failure.starts_with("warning: cannot write /dev/full: No space left"), "{printed}");
    let written = written.strip_suffix(", and the work goes on").expect("it goes on");
    assert!(
        !fs::metadata("/dev/full").expect("a device").is_file(),
        "it is not removed as a checkpoint is"
    );
    stdout(folder.path(), &["solve", "--resume", written, "--save", "resumed"]);
    let [resumed, whole] =
        ["resumed", "t"].map(|name| fs::read(folder.path().join(name)).expect("a table"));
    assert!(resumed == whole);
}

/// The folder of a result vanishes while the work goes on.
#[test]
fn a_folder_that_vanishes_loses_nothing() {
    let [folder, aside] = [folder(), folder()];
    fs::create_dir(folder.path().join("results")).expect("room");
    let args = ["train", "simple", "20", "--games", "4e9", "--save", "run", "-o", "results/p.csv"];
    let mut command = program(folder.path(), &args);
    let child = command
        .env("TMPDIR", aside.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    await_file(&folder.path().join("run"));
    fs::remove_dir(folder.path().join("results")).expect("it is empty");
    interrupt(&child);
    let (status, printed) = ended(child);
    assert_eq!(status, Some(1), "{printed}");
    let (failure, written) =
        printed.trim_end().split_once("; what belongs there is in ").expect("a place");
    assert_eq!(failure, "pencil-tennis: cannot write results/p.csv: there is no folder results");
    assert!(
        fs::read_to_string(written)
            .expect("a policy")
            .starts_with("a,b,ball,player,bid,probability\n")
    );
    assert_eq!(content(folder.path()).len(), 1, "the training alone");
}

/// `timeout` sends its signal to the process and to its group, so that two come at once: what was
/// learned is saved all the same.
#[test]
fn two_signals_at_once_are_one() {
    let folder = folder();
    let folder = folder.path();
    let args = ["train", "simple", "30", "--games", "4e9", "--save", "run", "-o", "p.csv"];
    let child = start(folder, &args);
    await_file(&folder.join("run"));
    let id = child.id().to_string();
    let twice = format!("kill -s TERM {id}; kill -s TERM {id}; sleep 0.1; kill -s TERM {id}");
    assert!(Command::new("sh").args(["-c", &twice]).status().expect("a shell").success());
    let (status, printed) = ended(child);
    assert_eq!(status, Some(130), "{printed}");
    assert!(
        printed.starts_with("pencil-tennis: interrupted; p.csv and run have what was learned in "),
        "{printed}"
    );
    writeln!(std::io::stdout(), "{printed}").expect("standard output");
}

/// The rows of a curve, without the times.
fn rows(curve: &Path) -> Vec<String> {
    let text = fs::read_to_string(curve).expect("a curve");
    let timeless = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.remove(1);
        cells.join(",")
    };
    text.lines().map(timeless).collect()
}

/// Interrupted again and again, and once run to another number of games, a curve has the rows of an
/// uninterrupted one.
#[test]
fn a_resumed_curve_has_the_same_rows() {
    for (learner, games) in [("simple", "50000"), ("cfr-plus", "1000"), ("exponential", "2000")] {
        let folder = folder();
        let folder = folder.path();
        stdout(
            folder,
            &["train", learner, "9", "--games", games, "--curve", "whole.csv", "-o", "whole.npz"],
        );
        stdout(
            folder,
            &["train", learner, "9", "--games", "33", "--save", "run", "--curve", "c.csv"],
        );
        let resume = [
            "train", "--resume", "run", "--games", games, "--save", "run", "--curve", "c.csv",
            "-o", "c.npz",
        ];
        for _ in 0..3 {
            let child = start(folder, &resume);
            thread::sleep(Duration::from_millis(120));
            // It may have ended by itself.
            let _ = Command::new("kill")
                .args(["-s", "INT", &child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            let (status, printed) = ended(child);
            assert!([Some(0), Some(130)].contains(&status), "{printed}");
        }
        stdout(folder, &resume);
        assert_eq!(rows(&folder.join("c.csv")), rows(&folder.join("whole.csv")), "{learner}");
        let [resumed, whole] =
            ["c.npz", "whole.npz"].map(|name| fs::read(folder.join(name)).expect("a policy"));
        assert!(resumed == whole, "{learner}");
    }
}

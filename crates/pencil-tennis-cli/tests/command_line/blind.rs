//! The command `blind` as scripts and people meet it.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::program::{self, array, folder, keys, number, text};

#[test]
fn blind_reports_for_scripts() {
    let folder = folder();
    let report = program::json(folder.path(), &["tennis", "blind", "10:8", "--gap", "2.5e-6"]);
    for name in [
        "points",
        "value",
        "lower",
        "upper",
        "information_sets",
        "opening",
        "seconds",
        "decisions",
        "gap",
        "method",
    ] {
        assert!(report.get(name).is_some(), "{name} is missing in {}", keys(&report));
    }
    assert_eq!((&report["points"], &report["method"]), (&json!([10, 8]), &json!("cfr")));
    assert_eq!(report["information_sets"], json!([20_146, 11_118]));
    assert!(number(&report["lower"]) <= 1.184_846_857 && 1.184_846_856 <= number(&report["upper"]));
    assert!(number(&report["upper"]) - number(&report["lower"]) <= 1.01e-5);
    for player in ["a", "b"] {
        let bids = array(&report["opening"][player]);
        let sum: f64 = bids.iter().map(|bid| number(&bid["probability"])).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{bids:?}");
    }
    let exact = program::json(folder.path(), &["tennis", "blind", "6:4", "--method", "lp"]);
    assert_eq!((&exact["method"], &exact["iterations"]), (&json!("lp"), &json!(0)));
}

#[test]
fn blind_says_it_in_words() {
    let folder = folder();
    let text = program::stdout(folder.path(), &["tennis", "blind", "5", "--information"]);
    assert!(
        text.starts_with(
            "5:5 points, field 2, over the net, scoring two-one, only the ball is announced\n"
        ),
        "{text}"
    );
    assert!(text.contains("  worth 0 to A\n") && text.contains("Both bid\n"), "{text}");
    assert!(text.contains("  166 information sets of A, 166 of B\n    of which 7 and 7 leave a choice that matters\n"), "{text}");
    assert!(
        text.contains("A alone is blind")
            && text.contains("  the most    A secures 0, B concedes 0\n"),
        "{text}"
    );
}

#[test]
fn strategies_go_out_and_come_back() {
    let folder = folder();
    for file in ["blind.csv", "blind.json"] {
        program::stdout(folder.path(), &["tennis", "blind", "6:5", "--gap", "1e-7", "-o", file]);
        let judged = program::json(folder.path(), &["tennis", "blind", "6:5", "--policy", file]);
        assert!(number(&judged["exploitability"]) <= 1e-7, "{judged}");
        let refused = program::run(folder.path(), &["tennis", "blind", "6:4", "--policy", file]);
        let complaint = text(&refused.stderr);
        assert!(refused.status.code() == Some(1) && complaint.contains(file), "{complaint}");
    }
    let csv = std::fs::read_to_string(folder.path().join("blind.csv")).expect("a file");
    assert!(csv.starts_with("player,bids,balls,bid,probability\nA,,0,1,"), "{}", &csv[..80]);
}

#[test]
fn learning_stops_in_time_and_goes_on() {
    let folder = folder();
    // Regret minimisation alone: linear programmes would end with the solution.
    let args = [
        "tennis",
        "blind",
        "9:7",
        "--method",
        "cfr",
        "--gap",
        "0",
        "--seconds",
        "0.1",
        "--checkpoint",
        "part",
    ];
    let first = program::json(folder.path(), &args);
    assert!(number(&first["lower"]) <= number(&first["upper"]));
    let second = program::json(
        folder.path(),
        &["tennis", "blind", "--resume", "part", "--method", "cfr", "--gap", "0", "--seconds", "1"],
    );
    assert_eq!(second["points"], json!([9, 7]));
    assert!(number(&second["iterations"]) > number(&first["iterations"]));
    std::fs::write(folder.path().join("part"), "nothing of the kind").expect("room");
    let refused = program::run(folder.path(), &["tennis", "blind", "--resume", "part"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("it does not begin as a checkpoint of blind Tennis does")
    );
}

#[test]
fn blind_refuses_what_it_cannot_do() {
    let folder = folder();
    let refusal = |args: &[&str]| {
        let output = program::run(folder.path(), args);
        assert_eq!(text(&output.stdout), "", "{args:?} prints a result all the same");
        (output.status.code(), text(&output.stderr))
    };
    let (status, complaint) = refusal(&["tennis", "blind", "24"]);
    assert!(
        status == Some(1)
            && complaint.contains("would take about")
            && complaint.contains("is enough for"),
        "{complaint}"
    );
    let (status, complaint) = refusal(&["tennis", "blind", "4", "--gap", "-1"]);
    assert!(status != Some(0) && !complaint.is_empty());
    assert_eq!(refusal(&["tennis", "blind", "4", "--method", "simplex"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "blind", "4", "-o", "policy.npz"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "blind", "4", "--seconds", "-3"]).0, Some(2));
}

/// A run writes the same whether it is stopped and resumed or not: the strategies, and the
/// checkpoint at its end.
#[test]
fn a_resumed_run_ends_with_the_same_bytes() {
    let folder = folder();
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    let gap = ["--gap", "1e-9", "--threads", "2"];
    let run = |args: &[&str]| {
        program::stdout(folder.path(), &[&["tennis", "blind"], args, &gap[..]].concat())
    };
    run(&["9:7", "--checkpoint", "whole.part", "-o", "whole.csv"]);
    // A wide gap stands for an interruption at a known iteration.
    program::stdout(
        folder.path(),
        &["tennis", "blind", "9:7", "--gap", "1e-2", "--checkpoint", "stopped.part"],
    );
    assert_ne!(read("stopped.part"), read("whole.part"));
    run(&["--resume", "stopped.part", "--checkpoint", "resumed.part", "-o", "resumed.csv"]);
    assert_eq!(read("resumed.part"), read("whole.part"));
    assert_eq!(read("resumed.csv"), read("whole.csv"));
}

/// Ctrl-C ends the learning with the bounds reached so far, which are true: 11:9 is worth 1.241956.
#[cfg(unix)]
#[test]
fn interrupted_it_prints_the_bounds_reached() {
    let folder = folder();
    let args = [
        "tennis",
        "blind",
        "11:9",
        "--gap",
        "0",
        "--checkpoint",
        "part",
        "--checkpoint-every",
        "0",
        "--format",
        "json",
    ];
    let mut command = program::program(folder.path(), &args);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // The machine may be busy; a moment later it has usually learned something.
    let patience = Instant::now();
    while !folder.path().join("part").exists() && patience.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().expect("a process").is_none(), "it ended by itself");
    let kill = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .expect("a kill command");
    assert!(kill.success());
    let output = child.wait_with_output().expect("an end");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{sentence}");
    let resuming = "tennis blind 11:9 --gap 0 --checkpoint-every 0 --format json --resume part --checkpoint part";
    assert_eq!(
        sentence,
        format!(
            "pencil-tennis: interrupted; the bounds are those reached so far; go on with: {resuming}\n"
        )
    );
    let report = program::parse(&text(&output.stdout));
    assert!(
        number(&report["lower"]) <= 1.241_956_1 && 1.241_955_4 <= number(&report["upper"]),
        "{report}"
    );
    assert!(number(&report["gap"]) > 0.0, "{report}");
    // No bounds are wider than 4, so that nothing more is learned.
    let resumed =
        program::json(folder.path(), &["tennis", "blind", "--resume", "part", "--gap", "4"]);
    assert_eq!(resumed["iterations"], report["iterations"]);
}

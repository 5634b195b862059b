//! `--refine dresher` as scripts and people meet it.

use std::process::{Command, Output, Stdio};

use pencil_tennis::report::read_policy;
use pencil_tennis::{Player, Rules};
use serde_json::Value;

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pencil-tennis"));
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

/// The output of a successful run, which prints nothing on standard error.
fn stdout(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), ""),
        "{args:?}"
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).expect("JSON")
}

#[test]
fn show_says_by_which_rule_and_what_changed() {
    let refined = json(&["show", "5:5@2", "--refine", "dresher", "--exact", "--format", "json"]);
    assert_eq!(refined["refined"], "dresher");
    assert_eq!(refined["refinement"], serde_json::json!({"a": "changed", "b": "unchanged"}));
    let bids: Vec<u64> = refined["a"]
        .as_array()
        .expect("bids")
        .iter()
        .map(|bid| bid["bid"].as_u64().expect("a bid"))
        .collect();
    assert_eq!(bids, [1, 2, 5]);
    assert!(
        refined["a"].as_array().expect("bids").iter().all(|bid| bid["exact"].is_null()),
        "fractions of the usual strategy are not its own"
    );
    let usual = json(&["show", "5:5@2", "--exact", "--format", "json"]);
    assert!(usual.get("refined").is_none() && usual.get("refinement").is_none());
    for name in ["value", "lower", "upper", "exact", "unique", "b", "matrix"] {
        assert_eq!(refined[name], usual[name], "{name}");
    }
    let text = stdout(&["show", "5:5@2", "--refine", "dresher"]);
    assert!(
        text.contains("A's strategy gains more from errors than the usual one, B's gains as much from errors as any"),
        "{text}"
    );
}

#[test]
fn solve_refines_the_start() {
    let report = json(&["solve", "6:5", "--refine", "dresher", "--format", "json"]);
    assert_eq!(report["start"]["refined"], "dresher");
    assert!(json(&["solve", "6:5", "--format", "json"])["start"].get("refined").is_none());
}

#[test]
fn export_lists_the_refined_strategies_for_any_number_of_threads() {
    let refined = stdout(&["export", "strategies", "7", "--refine", "dresher"]);
    let bids: Vec<&str> = refined.lines().filter(|line| line.starts_with("5,5,2,A,")).collect();
    assert_eq!(bids.len(), 3, "{bids:?}");
    assert!(bids[1].starts_with("5,5,2,A,2,0.16666666666666"), "{bids:?}");
    assert!(refined != stdout(&["export", "strategies", "7"]));
    for threads in ["1", "2"] {
        assert_eq!(
            refined,
            stdout(&["export", "strategies", "7", "--refine", "dresher", "--threads", threads])
        );
    }
    let policy = stdout(&["export", "policy", "7", "--refine", "dresher"]);
    let made: Vec<&str> = policy.lines().filter(|line| !line.ends_with(",0.0")).collect();
    assert_eq!(made, refined.lines().collect::<Vec<_>>());
    let weights = stdout(&["export", "weights", "7", "--refine", "dresher"]);
    let row: Vec<&str> =
        weights.lines().nth((5 * 8 + 5) * 5 + 4).expect("a row").split(',').collect();
    assert!(row[2].starts_with("0.1666666"), "{row:?}");
}

#[test]
fn arrays_hold_the_refined_strategies_for_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("policy.npz");
    let name = path.to_str().expect("UTF-8");
    let written = |threads| {
        let args = [
            "export",
            "policy",
            "7",
            "--refine",
            "dresher",
            "--format",
            "npz",
            "-o",
            name,
            "--threads",
            threads,
        ];
        assert_eq!(stdout(&args), "");
        std::fs::read(&path).expect("a file")
    };
    assert!(written("1") == written("2"));
    let read = read_policy(&path, &Rules::tennis(), [7, 7]).expect("a policy");
    let state = "5:5@2".parse().expect("a state");
    assert!((read.probability(state, Player::A, 2).expect("a bid") - 1.0 / 6.0).abs() < 1e-15);
    stdout(&["export", "policy", "7", "--format", "npz", "-o", name]);
    let usual = read_policy(&path, &Rules::tennis(), [7, 7]).expect("a policy");
    assert_eq!(usual.probability(state, Player::A, 2), Ok(0.0));
}

#[test]
fn fractions_stand_beside_strategies_that_have_them() {
    let table = stdout(&["export", "strategies", "5", "--refine", "dresher", "--exact"]);
    assert!(table.contains("5,5,2,B,3,0.5,1/2\n"));
    assert!(
        table.lines().filter(|line| line.starts_with("5,5,2,A,")).all(|line| line.ends_with(','))
    );
}

#[test]
fn what_could_not_be_refined_is_said() {
    let scoring = ["--scoring", "5,1,2,0,-3", "--refine", "dresher"];
    let output = run(&[&["export", "strategies", "8"], &scoring[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "note: 1 of 810 strategies could not be refined; they are the usual ones\n"
    );
    let state = json(&[&["show", "8:8@0", "--format", "json"], &scoring[..]].concat());
    assert_eq!(state["refinement"]["b"], "kept");
    let text = stdout(&[&["show", "8:8@0"], &scoring[..]].concat());
    assert!(text.contains("B's could not be refined and is the usual one"), "{text}");
}

#[test]
fn wrong_usage_is_refused() {
    for (args, word) in [
        (&["show", "5:5@2", "--refine", "selten"][..], "dresher"),
        (&["show", "5:5@2", "--refine"][..], "dresher"),
        (
            &["export", "values", "5", "--refine", "dresher"][..],
            "values are the same for all optimal strategies",
        ),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{args:?}");
    }
}

//! `game`: any simultaneous-move game from a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{
    array, assert_refused, folder, json, keys, number, parse, program, run, stdout, text,
};

/// Hide or run: one snowball. Worth 1, which no strategy secures.
pub(crate) const SNOWBALL: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"hit","value":"0"}
{"id":"s","a":["hide","run"],"b":["wait","throw"],"endless":"0","cells":[[{"to":[["1","s"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","s"]]}]]}
"#;

/// A matrix game of value 1/7 with names that csv has to quote, and an end that is reached.
pub(crate) const MATRIX: &str = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["one, \"two\""]}
{"id":"end","value":"0"}
{"id":"one, \"two\"","a":["up","down"],"b":["left","right"],"cells":[[{"reward":"3","to":[["1","end"]]},{"reward":"-1","to":[["1","end"]]}],[{"reward":"-2","to":[["1","end"]]},{"reward":"1","to":[["1","end"]]}]]}
"#;

/// A start leads to a cycle that play leaves once in 10^12 turns, of which nothing is proved, or to
/// an easy state: worth v there, A and B play the matrix 3 + v/2, 0; 0, 1, so that v = (√73 − 7)
/// / 2.
pub(crate) const HALF_PROVED: &str = r#"{"format":"stochastic-game","version":1,"kind":"total","start":["first"]}
{"id":"end","value":"0"}
{"id":"first","a":["go"],"b":["go"],"cells":[[{"to":[["1/2","long"],["1/2","short"]]}]]}
{"id":"long","a":["go"],"b":["wait"],"cells":[[{"reward":"10000000","to":[["999999999999/1000000000000","back"],["1/1000000000000","end"]]}]]}
{"id":"back","a":["go"],"b":["wait"],"cells":[[{"to":[["1","long"]]}]]}
{"id":"short","a":["up","down"],"b":["left","right"],"cells":[[{"reward":"3","to":[["1/2","short"],["1/2","end"]]},{"to":[["1","end"]]}],[{"to":[["1","end"]]},{"reward":"1","to":[["1","end"]]}]]}
"#;

#[test]
fn a_file_is_solved_and_told_as_text_json_and_tables() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("matrix.jsonl"), MATRIX).expect("room");
    let printed = stdout(folder, &["solve", "matrix.jsonl"]);
    stdout(folder, &["export", "values", "matrix.jsonl", "-o", "values.csv"]);
    stdout(folder, &["export", "strategies", "matrix.jsonl", "-o", "how.csv"]);
    assert!(printed.contains("acyclic game: 2 states, 1 end of them"), "{printed}");
    assert!(printed.contains("one, \"two\" is worth 0.142857142857142"), "{printed}");
    let values = fs::read_to_string(folder.join("values.csv")).expect("a table");
    let mut lines = values.lines();
    assert_eq!((lines.next(), lines.next()), (Some("state,value,lower,upper"), Some("end,0,0,0")));
    let row = lines
        .next()
        .expect("a row")
        .strip_prefix("\"one, \"\"two\"\"\",")
        .expect("a name")
        .to_owned();
    let numbers: Vec<f64> =
        row.split(',').map(|number| number.parse().expect("a number")).collect();
    assert!((numbers[0] - 1.0 / 7.0).abs() < 1e-15 && row.contains("0.14285714285714285"), "{row}");
    let how = fs::read_to_string(folder.join("how.csv")).expect("a table");
    assert_eq!(how.lines().count(), 5, "{how}");
    assert!(
        how.starts_with(
            "state,player,action,probability\n\"one, \"\"two\"\"\",A,up,0.42857142857142"
        ),
        "{how}"
    );
    let report = json(folder, &["solve", "matrix.jsonl"]);
    assert_eq!(
        keys(&report),
        "discount ends kind randomised_states start states widest_enclosure widest_state"
    );
    assert!(number(&report["widest_enclosure"]) < 1e-16);
    let start = &array(&report["start"])[0];
    assert!((number(&array(&start["a"])[0]["probability"]) - 3.0 / 7.0).abs() < 1e-15);
    assert_eq!(array(&start["b"])[1]["action"], "right");
}

/// Purgatory with eight floors (Hansen, Ibsen-Jensen and Miltersen 2011) is worth 1, which even
/// long weights prove from far only. What lies above the last floor is a coin's toss for 2, so that
/// the graph does not prove it either.
fn purgatory() -> String {
    use std::fmt::Write;
    let mut text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s1"]}
{"id":"two","value":"2"}
{"id":"s9","a":["-"],"b":["-"],"cells":[[{"to":[["1/2","two"],["1/2","lost"]]}]]}
{"id":"lost","value":"0"}"#
        .to_owned();
    for floor in 1..=8 {
        let to = |next: String| format!(r#"{{"to":[["1","{next}"]]}}"#);
        let (up, bottom, lost) =
            (to(format!("s{}", floor + 1)), to("s1".to_owned()), to("lost".to_owned()));
        let actions = r#""a":["0","1"],"b":["0","1"]"#;
        let cells = format!("[[{up},{bottom}],[{lost},{up}]]");
        let _ = write!(text, "\n{{\"id\":\"s{floor}\",{actions},\"cells\":{cells}}}");
    }
    text
}

#[test]
fn bounds_that_do_not_close_are_told_with_the_reason() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("purgatory.jsonl"), purgatory()).expect("room");
    let report = json(folder, &["show", "purgatory.jsonl", "s8", "lost"]);
    let shown = array(&report);
    assert!(number(&shown[0]["lower"]) > 0.1 && number(&shown[0]["lower"]) < 1.0);
    assert_eq!(number(&shown[0]["upper"]), 1.0);
    assert_eq!((&shown[1]["over"], number(&shown[1]["value"])), (&true.into(), 0.0));
    assert!(
        stdout(folder, &["solve", "purgatory.jsonl"])
            .contains("wide where play can go on for ever: no better strategies were found\n")
    );
}

#[test]
fn states_that_are_not_proved_are_named_and_the_others_are_proved() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("half.jsonl"), HALF_PROVED).expect("room");
    let reason = "state `long`: no bounds are proved here: a payoff of ";
    let others = "state `first`: play can reach `long`, of which nothing is proved\nstate `back`: play can reach `long`";
    run(folder, &["export", "values", "half.jsonl", "-o", "v.csv"]);
    run(folder, &["export", "strategies", "half.jsonl", "-o", "how.csv"]);
    let output = run(folder, &["prove", "half.jsonl", "-o", "half.proof"]);
    let sentences = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""), "{sentences}");
    assert!(
        sentences.starts_with(&format!("pencil-tennis: {reason}")) && sentences.contains(others),
        "{sentences}"
    );
    assert!(
        sentences.contains("e19 in all is too large; expected at most 2.3e18 in size\n"),
        "{sentences}"
    );
    assert!(sentences.contains("no certificate is written to half.proof"), "{sentences}");
    assert!(!folder.join("half.proof").exists());
    let printed = text(&run(folder, &["show", "half.jsonl", "short"]).stdout);
    assert!(
        printed.contains("total game: 2 states, 1 end of them")
            && printed.contains("left out: 3 states"),
        "{printed}"
    );
    assert!(
        printed.contains("short is worth 0.7720018726587") && !printed.contains("long is worth"),
        "{printed}"
    );
    let values = fs::read_to_string(folder.join("v.csv")).expect("a table");
    let rows: Vec<&str> = values.lines().collect();
    assert_eq!(rows[..2], ["state,value,lower,upper", "end,0,0,0"]);
    assert!(rows.len() == 3 && rows[2].starts_with("short,0.7720018726587"), "{values}");
    let bounds: Vec<f64> =
        rows[2].split(',').skip(2).map(|bound| bound.parse().expect("a number")).collect();
    let value = (73_f64.sqrt() - 7.0) / 2.0;
    // Doubles near 1 are 1e-16 apart.
    assert!((bounds[0] - value).abs() < 1e-15 && (bounds[1] - value).abs() < 1e-15, "{values}");
    let strategies = fs::read_to_string(folder.join("how.csv")).expect("a table");
    assert!(strategies.lines().skip(1).all(|row| row.starts_with("short,")), "{strategies}");

    // A state that is not proved may be asked for; the answer is that it is not.
    let output = run(folder, &["show", "half.jsonl", "long", "short", "--format", "json"]);
    let shown = parse(&text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((array(&shown).len(), &shown[0]["state"]), (1, &"short".into()));
    let report = parse(&text(&run(folder, &["solve", "half.jsonl", "--format", "json"]).stdout));
    let named: Vec<_> = array(&report["not_proved"])
        .iter()
        .map(|state| state["state"].as_str().expect("a name"))
        .collect();
    assert_eq!(named, ["long", "first", "back"]);
    let reason = report["not_proved"][0]["reason"].as_str().expect("a sentence");
    assert!(reason.starts_with("no bounds are proved here: a payoff of "), "{reason}");
}

/// Each failure is named; where nothing is left, nothing is printed.
#[test]
fn several_states_that_are_not_proved_are_all_named() {
    let folder = folder();
    let folder = folder.path();
    // The easy state becomes as hard as the other.
    let twice = HALF_PROVED.replace(r#""reward":"3""#, r#""reward":"30000000""#).replace(
        r#"[["1/2","short"],["1/2","end"]]"#,
        r#"[["999999999999/1000000000000","short"],["1/1000000000000","end"]]"#,
    );
    let hard =
        twice.replace(r#"a":["up","down"],"b":["left","right"]"#, r#"a":["up"],"b":["left"]"#);
    let hard = hard.replace(
        r#",{"to":[["1","end"]]}],[{"to":[["1","end"]]},{"reward":"1","to":[["1","end"]]}]]"#,
        "]]",
    );
    fs::write(folder.join("hard.jsonl"), hard).expect("room");
    let words = [
        "state `short`: no bounds are",
        "state `long`: no bounds are",
        "state `first`: play can reach",
        "to hard.proof",
    ];
    assert_refused(folder, &["prove", "hard.jsonl", "-o", "hard.proof"], 1, &words);
    assert_refused(folder, &["export", "values", "hard.jsonl", "-o", "v.csv"], 1, &words[..3]);
}

#[test]
fn a_certificate_of_a_game_is_read_back() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    let printed = stdout(folder, &["prove", "snowball.jsonl", "-o", "s.proof"]);
    assert!(
        printed.contains("\n  the certificate was read back and checked: s.proof\n"),
        "{printed}"
    );
    let report = json(folder, &["prove", "snowball.jsonl", "-o", "s.proof"]);
    assert_eq!((&report["file"], &report["read_back"]), (&"s.proof".into(), &true.into()));
    assert_eq!(
        number(&report["bytes"]) as u64,
        fs::metadata(folder.join("s.proof")).expect("a certificate").len()
    );
    // The same bytes reach standard output, where the report then goes to standard error.
    let output = run(folder, &["prove", "snowball.jsonl", "-o", "-"]);
    assert_eq!(output.stdout, fs::read(folder.join("s.proof")).expect("a certificate"));
    assert!(text(&output.stderr).contains("read back and checked: standard output"));
}

#[test]
fn bounds_end_at_the_width_that_is_enough() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    let width = |args: &[&str]| {
        let report = json(folder, &[&["solve", "snowball.jsonl"], args].concat());
        // The value is known; what strategies secure of it is narrowed.
        let secured = &array(&report["start"])[0]["best_payoff"]["secured"];
        number(&secured["upper"]) - number(&secured["lower"])
    };
    let (enough, narrow) = (width(&["--width", "1e-3"]), width(&[]));
    assert!(narrow < enough / 1e3 && enough <= 1e-3, "{narrow}, {enough}");
    let output = run(folder, &["solve", "snowball.jsonl", "--width", "-1"]);
    assert!(
        text(&output.stderr).contains("expected a number that is not below 0"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_game_comes_from_standard_input_too() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = folder();
    let mut child = program(folder.path(), &["export", "values", "-", "--threads", "1", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(MATRIX.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("state,value,lower,upper\n"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    fs::write(folder.join("wrong.jsonl"), SNOWBALL.replace("7/8", "6/8")).expect("room");
    for (args, status, words) in [
        (&["show"][..], 2, &["STATE | GAME"][..]),
        (&["solve", "none.jsonl"], 1, &["cannot read none.jsonl"]),
        (
            &["solve", "wrong.jsonl"],
            1,
            &["wrong.jsonl", "line 4", "state `s`", "probabilities sum to 7/8"],
        ),
        (&["show", "snowball.jsonl", "t"], 1, &["there is no state `t`"]),
        (
            &["export", "values", "snowball.jsonl", "-o", "nowhere/values.csv"],
            1,
            &["there is no folder nowhere"],
        ),
        (&["export", "values", "snowball.jsonl", "-o", "values.json"], 2, &["no json format"]),
        (
            &["export", "values", "snowball.jsonl", "-o", "snowball.jsonl"],
            2,
            &["cannot tell the format of snowball.jsonl"],
        ),
        (&["prove", "snowball.jsonl", "-o", "snowball.jsonl"], 1, &["would be overwritten"]),
        (
            &["export", "values", "snowball.jsonl", "--format", "json", "-o", "-"],
            2,
            &["no json format"],
        ),
        (
            &["export", "policy", "snowball.jsonl"],
            2,
            &["`policy` and `weights` are tables of Tennis"],
        ),
        (&["prove", "snowball.jsonl", "--format", "json", "-o", "-"], 2, &["room for one"]),
        (&["solve", "snowball.jsonl", "--save", "x", "--checkpoint", "x"], 2, &["written twice"]),
        (&["solve", "snowball.jsonl", "--threads", "0"], 2, &["a number of threads"]),
    ] {
        assert_refused(folder, args, status, words);
    }
}

#[test]
fn certificates_are_checked_by_two_programs_that_agree() {
    let folder = folder();
    let folder = folder.path();
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_game_proof.py");
    let odd_names = include_str!("../../../../tests/corpus/games/odd-names.jsonl");
    for (name, game) in [("matrix", MATRIX), ("snowball", SNOWBALL), ("odd names", odd_names)] {
        let [source, proof, ours, theirs] =
            ["jsonl", "proof", "csv", "theirs.csv"].map(|ending| format!("{name}.{ending}"));
        fs::write(folder.join(&source), game).expect("room");
        stdout(folder, &["prove", &source, "-o", &proof]);
        let solved = json(folder, &["solve", &source]);
        let verified = json(folder, &["verify", &proof, "--bounds", &ours]);
        let [solved_start, proved_start] =
            [&solved, &verified].map(|report| &array(&report["start"])[0]);
        assert_eq!(proved_start["decimal"], solved_start["decimal"]);
        assert_eq!(proved_start["best_payoff"], solved_start["best_payoff"]);
        for field in ["widest_enclosure", "approached_states"] {
            assert_eq!(verified[field], solved[field], "{field}");
        }
        let check = |file: &str| {
            let args = [checker, file, &theirs];
            std::process::Command::new("python3")
                .args(args)
                .current_dir(folder)
                .output()
                .expect("Python starts")
        };
        let output = check(&proof);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let tables =
            [&ours, &theirs].map(|name| fs::read_to_string(folder.join(name)).expect("a table"));
        assert_eq!(tables[0], tables[1], "{name}");
        // A bound that is better by a hundredth is not secured by these weights.
        let written = fs::read_to_string(folder.join(&proof)).expect("a certificate");
        let line = written.lines().rfind(|line| line.starts_with("{\"lower\"")).expect("a state");
        let bound = line.split('"').nth(3).expect("a bound");
        let better = (bound.parse::<i64>().expect("an integer") / 100 * 101).to_string();
        fs::write(
            folder.join("forged.proof"),
            written.replace(line, &line.replacen(bound, &better, 1)),
        )
        .expect("room");
        assert_refused(
            folder,
            &["verify", "forged.proof"],
            1,
            &["forged.proof", "do not secure the lower bound"],
        );
        assert!(!check("forged.proof").status.success());
    }
    fs::write(
        folder.join("cut.proof"),
        &fs::read(folder.join("matrix.proof")).expect("a certificate")[..300],
    )
    .expect("room");
    assert_refused(folder, &["verify", "cut.proof"], 1, &["cut.proof"]);
}

/// Starts the checker for one file after the other, in one process, and prints why each is refused.
const CHECK_EACH: &str = "
import contextlib, io, runpy, sys
checker, *paths = sys.argv[1:]
for sys.argv in ([checker, path] for path in paths):
    refusal = None
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            runpy.run_path(checker, run_name='__main__')
        except SystemExit as end:
            refusal = end.code
    print(refusal or 'valid')
";

/// The corpus of the fuzzer has certificates that break one rule each.
#[test]
fn both_programs_refuse_what_breaks_a_rule() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/games");
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_game_proof.py");
    let paths: Vec<_> = fs::read_dir(corpus)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let is_certificate = |path: &&PathBuf| {
        path.extension().is_some_and(|kind| kind == "proof") && !name(path).starts_with("found")
    };
    let paths: Vec<&PathBuf> = paths.iter().filter(is_certificate).collect();
    let checked = std::process::Command::new("python3")
        .args(["-c", CHECK_EACH, checker])
        .args(&paths)
        .output();
    let checked = checked.expect("Python starts");
    let printed = text(&checked.stdout);
    assert_eq!(printed.lines().count(), paths.len(), "{printed}{}", text(&checked.stderr));
    let folder = folder();
    let mut counted = [0; 2];
    for (path, verdict) in paths.into_iter().zip(printed.lines()) {
        let name = name(path);
        let verified = program(folder.path(), &["verify", &path.to_string_lossy()])
            .output()
            .expect("the program starts");
        let sound = !name.starts_with("refused");
        assert_eq!(verified.status.success(), sound, "{name}");
        // Refused with a sentence, not by a stack of calls.
        assert!(
            if sound { verdict == "valid" } else { verdict.starts_with("not valid: ") },
            "{name}: {verdict}"
        );
        counted[usize::from(sound)] += 1;
    }
    assert!(counted[0] >= 20 && counted[1] >= 7, "{counted:?}");
}

/// Bounds so wide that their distance is no 64-bit integer: their width is not called 0.
#[test]
fn the_width_of_the_widest_bounds_is_printed() {
    let wide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/games/wide.proof");
    let width = number(&json(folder().path(), &["verify", wide])["widest_enclosure"]);
    assert!((16.0..16.001).contains(&width), "{width}");
}

#[test]
fn staying_for_ever_proves_nothing_where_that_pays_less() {
    // "Hide" for ever keeps any bound by itself: with B waiting, play never ends and pays 0.
    let folder = folder();
    let folder = folder.path();
    let whole = 1_u64 << 62;
    let unit = 1_i64 << 60;
    let proof = format!(
        "{}\n{}{}\n{}\n{}\n",
        r#"{"format":"stochastic-game-proof","version":1,"exponent":60,"states":3}"#,
        SNOWBALL,
        format_args!(r#"{{"lower":"{unit}","upper":"{unit}"}}"#),
        r#"{"lower":"0","upper":"0"}"#,
        format_args!(
            r#"{{"lower":"{unit}","upper":"{unit}","a":[[0,"{whole}"]],"b":[[0,"{whole}"]]}}"#
        )
    );
    fs::write(folder.join("staying.proof"), proof).expect("room");
    assert_refused(
        folder,
        &["verify", "staying.proof"],
        1,
        &["state `s`", "play can be kept here for ever"],
    );
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_game_proof.py");
    let output = std::process::Command::new("python3")
        .args([checker, "staying.proof"])
        .current_dir(folder)
        .output();
    let output = output.expect("Python starts");
    assert!(
        !output.status.success() && text(&output.stderr).contains("play can be kept"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn policies_are_judged_against_best_responses() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("matrix.jsonl"), MATRIX).expect("room");
    let head = "state,player,action,probability\n";
    let name = "\"one, \"\"two\"\"\"";
    let write = |file: &str, rows: &[(&str, &str, &str)]| {
        let rows: Vec<String> = rows
            .iter()
            .map(|(player, action, share)| format!("{name},{player},{action},{share}\n"))
            .collect();
        fs::write(folder.join(file), format!("{head}{}", rows.concat())).expect("room");
    };
    // Rows 3 −1 and −2 1: evenly mixed, A secures 0 by the right column, B concedes 1 by the first
    // row. The value is 1/7.
    write(
        "even.csv",
        &[("A", "up", "1/2"), ("A", "down", "0.5"), ("B", "left", "1/2"), ("B", "right", "1/2")],
    );
    let report = json(folder, &["exploit", "even.csv", "matrix.jsonl"]);
    let exact = |value: &serde_json::Value| {
        (value["decimal"]["lower"].clone(), value["decimal"]["upper"].clone())
    };
    let proved = &report["guaranteed"];
    assert_eq!(exact(&proved["best_response_value"]["b"]), ("0".into(), "0".into()));
    assert_eq!(exact(&proved["best_response_value"]["a"]), ("1".into(), "1".into()));
    assert_eq!(exact(&proved["exploitability"]), ("0.5".into(), "0.5".into()));
    assert_eq!(exact(&proved["nash_conv"]), ("1".into(), "1".into()));
    assert_eq!((&report["policy"], number(&report["nash_conv"])), (&"even.csv".into(), 1.0));
    assert!((number(&proved["loss"]["a"]["lower"]) - 1.0 / 7.0).abs() < 1e-15);
    let worst =
        array(&report["worst"]).iter().find(|worst| worst["player"] == "B").expect("B loses");
    assert!(
        (number(&worst["regret"]) - 6.0 / 7.0).abs() < 1e-15 && number(&worst["conceded"]) == 1.0,
        "{worst}"
    );
    // Nothing is lost by what the solver found, up to the rounding of doubles.
    stdout(folder, &["export", "strategies", "matrix.jsonl", "-o", "found.csv"]);
    let exploit = json(folder, &["exploit", "found.csv", "matrix.jsonl"]);
    assert!(number(&exploit["guaranteed"]["exploitability"]["upper"]) < 1e-15);
    // Hide with 1/2: B throws, and A is through with 1/2 + 1/16 of the way again: 8/15.
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    fs::write(folder.join("half.csv"), format!("{head}s,A,hide,1/2\ns,A,run,1/2\n")).expect("room");
    let half = json(folder, &["exploit", "half.csv", "snowball.jsonl"]);
    let payoff = &half["guaranteed"]["best_response_value"]["b"];
    assert!(
        half["best_response_value"]["a"].is_null() && half["exploitability"].is_null(),
        "{half}"
    );
    assert!(number(&payoff["lower"]) <= 8.0 / 15.0 && number(&payoff["upper"]) >= 8.0 / 15.0);
    assert!(number(&payoff["upper"]) - number(&payoff["lower"]) < 1e-15);
    for (rows, words) in [
        (&[("A", "up", "1/2")][..], "sum to 0.5"),
        (&[("A", "up", "1"), ("A", "up", "0")], "given twice"),
        (&[("A", "up", "2"), ("A", "down", "-1")], "is negative"),
        (&[("A", "sideways", "1")], "no action `sideways`"),
        (&[("C", "up", "1")], "`C` is no player"),
        (&[("A", "up", "one")], "`one` is no number"),
        (&[], "there are no rows"),
    ] {
        write("wrong.csv", rows);
        assert_refused(folder, &["exploit", "wrong.csv", "matrix.jsonl"], 1, &["wrong.csv", words]);
    }
}

/// Two actions of which one has a space more, and a state that is a space: what is written is read
/// again.
#[test]
fn names_in_policies_keep_their_spaces() {
    let game = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
{"id":"lost","value":"0"}
{"id":"won","value":"1"}
{"id":"s","a":["x"],"b":["y"],"cells":[[{"to":[["1"," "]]}]]}
{"id":" ","a":["x","x "],"b":["y"],"cells":[[{"to":[["1","lost"]]}],[{"to":[["1","won"]]}]]}
"#;
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("spaces.jsonl"), game).expect("room");
    stdout(folder, &["export", "strategies", "spaces.jsonl", "-o", "found.csv"]);
    let lowest_payoff = |file: &str| {
        let report = json(folder, &["exploit", file, "spaces.jsonl"]);
        number(&report["guaranteed"]["best_response_value"]["b"]["lower"])
    };
    assert_eq!(lowest_payoff("found.csv"), 1.0);
    // Written to be looked at.
    let head = "state , player , action , probability";
    fs::write(folder.join("wide.csv"), format!("{head}\n ,  A , x  , 1/4\n ,  A , x , 3/4\n"))
        .expect("room");
    assert_refused(folder, &["exploit", "wide.csv", "spaces.jsonl"], 1, &["`x` is given twice"]);
    fs::write(folder.join("wide.csv"), format!("{head}\n ,  A ,x , 1/4\n , A , x , 3/4\n"))
        .expect("room");
    assert_eq!(lowest_payoff("wide.csv"), 0.25);
}

/// B may wait for ever, and who runs some day wins. A chance of 10^-25 is no multiple of 2^-62, nor
/// next to one but 0.
#[test]
fn what_rounding_makes_of_a_policy_is_said() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    let head = "state,player,action,probability\ns,A";
    let judged = |rows: &str| {
        fs::write(folder.join("how.csv"), format!("{head},{rows}\n")).expect("room");
        ["exploit", "how.csv", "snowball.jsonl"]
    };
    let small = judged("hide,0.9999999999999999999999999\ns,A,run,1e-25");
    assert_refused(
        folder,
        &small,
        1,
        &["how.csv", "`s`", "the probability of `run` is too small to be told from 0"],
    );
    for (rows, is_rounded) in [
        ("hide,1/2\ns,A,run,0.5", false),
        ("hide,1/3\ns,A,run,2/3", true),
        ("hide,1\ns,A,run,0", false),
    ] {
        let args = judged(rows);
        assert_eq!(json(folder, &args)["rounded"]["a"], is_rounded, "{rows}");
        assert_eq!(
            stdout(folder, &args).contains("A's probabilities were rounded to multiples of 2^-62"),
            is_rounded,
            "{rows}"
        );
    }
}

#[test]
fn fractions_and_decimals_are_told_where_they_are_known() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("matrix.jsonl"), MATRIX).expect("room");
    let printed = stdout(folder, &["show", "matrix.jsonl", "--exact", "--digits", "20"]);
    for line in [
        "values known as fractions: 2",
        "exactly 1/7",
        "lower bound 0.14285714285714285714",
        "42.86 %  3/7  ",
    ] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
    // The value is the irrational (√73 − 7)/2.
    fs::write(folder.join("half.jsonl"), HALF_PROVED).expect("room");
    let noted = text(&run(folder, &["show", "half.jsonl", "short", "--digits", "20"]).stderr);
    assert!(
        noted.contains(
            "no fraction is known of `short`, so that --digits adds nothing to its bounds"
        ),
        "{noted}"
    );
    let report = json(folder, &["solve", "matrix.jsonl", "--exact"]);
    let start = &array(&report["start"])[0];
    assert_eq!((&start["exact"], &array(&start["b"])[1]["exact"]), (&"1/7".into(), &"5/7".into()));
    // One bit is not enough for a denominator of 7; and the value of the snowball's state is
    // approached.
    assert!(
        stdout(folder, &["solve", "matrix.jsonl", "--exact=2"])
            .contains("values known as fractions: 1\n")
    );
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    let printed = stdout(folder, &["solve", "snowball.jsonl", "--exact"]);
    assert!(
        printed.contains("values known as fractions: 3\n") && printed.contains("  exactly 1\n"),
        "{printed}"
    );
}

#[test]
fn a_game_that_takes_too_much_memory_is_refused_with_the_estimate() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("matrix.jsonl"), MATRIX).expect("room");
    let words = [
        "matrix.jsonl",
        "the first 2 states of the game alone would take 7.0 KiB of memory, above the limit of 1.0 KiB",
    ];
    assert_refused(folder, &["solve", "matrix.jsonl", "--memory", "1KiB"], 1, &words);
    // A line within the limit is read, a longer one is not.
    assert_refused(
        folder,
        &["solve", "matrix.jsonl", "--memory", "0"],
        1,
        &["line 1: the line has more than 0 bytes"],
    );
    for enough in ["1", "64MiB", "65536 KiB"] {
        assert!(
            stdout(folder, &["solve", "matrix.jsonl", "--memory", enough]).contains("2 states"),
            "{enough}"
        );
    }
    for wrong in ["1MB", "MiB", "1.5GiB", "20000000TiB"] {
        assert_refused(
            folder,
            &["solve", "matrix.jsonl", "--memory", wrong],
            2,
            &["such as 8 (GiB) or 512MiB"],
        );
    }
}

#[test]
fn a_checkpoint_goes_on_and_has_all_of_the_game_in_the_end() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("matrix.jsonl"), MATRIX).expect("room");
    fs::write(folder.join("snowball.jsonl"), SNOWBALL).expect("room");
    let whole = stdout(folder, &["solve", "snowball.jsonl"]);
    let printed = stdout(folder, &["solve", "snowball.jsonl", "--checkpoint", "part"]);
    assert_eq!(
        printed,
        format!("{whole}\nThe checkpoint part is now the table of the whole game\n")
    );
    assert_eq!(stdout(folder, &["solve", "snowball.jsonl", "--resume", "part"]), whole);
    // The table that `solve --save` wrote serves all other commands.
    stdout(folder, &["solve", "snowball.jsonl", "--save", "table"]);
    assert_eq!(
        fs::read(folder.join("table")).expect("a table"),
        fs::read(folder.join("part")).expect("a checkpoint")
    );
    for args in [
        &["show", "snowball.jsonl"][..],
        &["export", "values", "snowball.jsonl"],
        &["exploit", "uniform", "snowball.jsonl"],
    ] {
        assert_eq!(
            stdout(folder, &[args, &["--table", "table"]].concat()),
            stdout(folder, args),
            "{args:?}"
        );
    }
    let refused = |args: &[&str], words: &[&str]| assert_refused(folder, args, 1, words);
    refused(
        &["solve", "matrix.jsonl", "--resume", "part"],
        &["part", "the checkpoint is of another game"],
    );
    refused(&["solve", "matrix.jsonl", "--resume", "nothing"], &["cannot read nothing"]);
    refused(
        &["solve", "matrix.jsonl", "--resume", "matrix.jsonl"],
        &["matrix.jsonl", "does not begin as a checkpoint of a game does"],
    );
    refused(&["solve", "matrix.jsonl", "--checkpoint", "nowhere/part"], &["nowhere"]);
    refused(&["solve", "matrix.jsonl", "--checkpoint", "matrix.jsonl"], &["would be overwritten"]);
    assert_refused(
        folder,
        &["solve", "matrix.jsonl", "--checkpoint", "-"],
        2,
        &["expected the name of a file"],
    );
    assert_eq!(fs::read_to_string(folder.join("matrix.jsonl")).expect("the game"), MATRIX);
}

/// A solve of minutes ends with the key, and prints and saves the bounds proved by then.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_long_solve() {
    use std::fmt::Write;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = folder();
    let folder = folder.path();
    let header = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"999999/1000000","start":["0"]}"#;
    let mut game = header.to_owned();
    let cell = |state: usize, a: usize, b: usize| {
        let (next, reward) = (
            (state * 7 + a * 31 + b * 17 + 1) % 3_000,
            (state * 5 + a * a * 3 + b * 11 + a * b) % 13,
        );
        format!(r#"{{"reward":"{reward}","to":[["1","{next}"]]}}"#)
    };
    for state in 0..3_000 {
        let rows: Vec<String> = (0..4)
            .map(|a| {
                format!("[{}]", (0..4).map(|b| cell(state, a, b)).collect::<Vec<_>>().join(","))
            })
            .collect();
        let names = r#"["0","1","2","3"]"#;
        let _ = write!(
            game,
            "\n{{\"id\":\"{state}\",\"a\":{names},\"b\":{names},\"cells\":[{}]}}",
            rows.join(",")
        );
    }
    fs::write(folder.join("slow.jsonl"), game).expect("room");
    let interrupted = |args: &[&str]| {
        let args = [args, &["--threads", "1"]].concat();
        let mut child = program(folder, &args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Reading takes a part of it.
        std::thread::sleep(Duration::from_secs(2));
        assert!(child.try_wait().expect("a process").is_none(), "it ended by itself");
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", "INT", &pid])
                .status()
                .expect("a command of every system")
                .success()
        );
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(130));
        output
    };
    let output = interrupted(&["solve", "slow.jsonl", "--format", "json"]);
    let reached = "pencil-tennis: interrupted; the bounds are those proved so far";
    assert_eq!(text(&output.stderr), format!("{reached}\n"));
    let report = parse(&text(&output.stdout));
    let [lower, upper] = ["lower", "upper"].map(|bound| number(&report["start"][0][bound]));
    // No turn pays more than 12, for a million turns; trivial bounds are powers of 2.
    assert!(lower <= 12e6 && upper >= 0.0 && upper - lower <= f64::from(1 << 25), "{report}");
    let output = interrupted(&["export", "values", "slow.jsonl", "-o", "values.csv"]);
    assert_eq!(text(&output.stderr), format!("{reached}; values.csv was written before\n"));
    assert_eq!(
        fs::read_to_string(folder.join("values.csv")).expect("the values").lines().count(),
        3_001
    );
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 2, "the game and its values");
    // With a checkpoint it says how to go on, and that is what one can do.
    for first in [&["--checkpoint", "part"][..], &["--resume", "part", "--checkpoint", "part"]] {
        let printed = text(&interrupted(&[&["solve", "slow.jsonl"], first].concat()).stderr);
        assert_eq!(
            printed,
            format!(
                "{reached}; go on with: solve slow.jsonl --threads 1 --resume part --checkpoint part\n"
            )
        );
        assert!(folder.join("part").is_file());
    }
}

/// Whoever wrote the file does not command the terminal of whoever reads it.
#[test]
fn names_do_not_control_the_terminal() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("red.jsonl"), SNOWBALL.replace("\"hide\"", "\"\\u001b[31mhide\\u0007\""))
        .expect("room");
    let printed = stdout(folder, &["solve", "red.jsonl"]);
    assert!(printed.contains("  [31mhide ") && !printed.contains(['\x1b', '\x07']), "{printed:?}");
}

/// A may win at once at s, comes there from t with 1/2 and from u with 1/4, and throws it away.
#[test]
fn a_policy_is_told_from_every_start_and_every_state_asked_for() {
    const CHAIN: &str = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s","t"]}
{"id":"win","value":"1"}
{"id":"lost","value":"0"}
{"id":"s","a":["up","down"],"b":["-"],"cells":[[{"to":[["1","win"]]}],[{"to":[["1","lost"]]}]]}
{"id":"t","a":["-"],"b":["-"],"cells":[[{"to":[["1/2","s"],["1/2","lost"]]}]]}
{"id":"u","a":["-"],"b":["-"],"cells":[[{"to":[["1/4","s"],["3/4","lost"]]}]]}
"#;
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("chain.jsonl"), CHAIN).expect("room");
    fs::write(folder.join("down.csv"), "state,player,action,probability\ns,A,down,1\n")
        .expect("room");
    let losses = |report: &serde_json::Value| -> Vec<(String, String)> {
        let loss = |state: &serde_json::Value| {
            state["guaranteed"]["loss"]["a"]["decimal"]["value"].clone()
        };
        let text = |value: serde_json::Value| value.as_str().expect("a text").to_owned();
        array(&report["states"])
            .iter()
            .map(|state| (text(state["state"].clone()), text(loss(state))))
            .collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<_> {
        pairs.iter().map(|&(one, other)| (one.into(), other.into())).collect()
    };
    let report = json(folder, &["exploit", "down.csv", "chain.jsonl"]);
    assert_eq!(losses(&report), pairs(&[("s", "1"), ("t", "0.5")]));
    let report =
        json(folder, &["exploit", "down.csv", "chain.jsonl", "--state", "u", "--state", "t"]);
    assert_eq!(losses(&report), pairs(&[("s", "1"), ("t", "0.5"), ("u", "0.25")]));
    let text = stdout(folder, &["exploit", "down.csv", "chain.jsonl", "--state", "u"]);
    for (state, loss) in [("s", "1"), ("t", "0.5"), ("u", "0.25")] {
        let sentences = format!(
            "against the best response from {state}\n  A wins 0 (proved: 0 to 0)\n  A loses {loss} of the value\n"
        );
        assert!(text.contains(&sentences), "{text}");
    }
}

#[test]
fn what_is_not_known_to_some_digits_is_told_as_a_range() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("purgatory.jsonl"), purgatory()).expect("room");
    let text = stdout(folder, &["solve", "purgatory.jsonl"]);
    assert!(text.contains("s1 is worth 0.") && text.contains(" to 1 to A\n"), "{text}");
    stdout(folder, &["export", "strategies", "purgatory.jsonl", "-o", "how.csv"]);
    let text = stdout(folder, &["exploit", "how.csv", "purgatory.jsonl"]);
    assert!(text.contains("A loses 0 to 0."), "{text}");
}

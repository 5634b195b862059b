//! `check`: models and files of properties, exit statuses, JSON.

#[cfg(unix)]
use std::fmt::Write;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::time::Duration;

use serde_json::Value;

#[cfg(unix)]
use crate::program::program;
use crate::program::{array, folder, parse, run, stdout, text};

/// A walk that is won with `p` and lost otherwise, after a step that may be repeated by the player.
pub(crate) const WALK: &str = "mdp
const double p;
module walk
  s : [0..2];
  [go] s=0 -> p : (s'=1) + 1-p : (s'=2);
  [wait] s=0 -> true;
  [] s>0 -> true;
endmodule
label \"won\" = s=1;
rewards \"steps\" s=0 : 1; endrewards
";

pub(crate) const PROPERTIES: &str = "// of the walk
const int k = 3;
\"win\": Pmax=? [ F \"won\" ];
P<=0.25 [ F<=k \"won\" ];
Pmax>=? [ F s=1 ];
\"slow\": Rmax=? [ F s>0 ];
";

pub(crate) fn write(folder: &Path) {
    fs::write(folder.join("walk.prism"), WALK).expect("room");
    fs::write(folder.join("walk.props"), PROPERTIES).expect("room");
}

fn checked(folder: &Path, args: &[&str]) -> (i32, Vec<Value>) {
    let output = run(folder, &[args, &["--format", "json"]].concat());
    let document = parse(&text(&output.stdout));
    (output.status.code().expect("a status"), array(&document["properties"]).to_vec())
}

/// Both players' choices move a coin up or down until there are 0 or 10. The one who gains mixes
/// 5 : 3, so that it goes up with 9/20 whatever the other does: from 5 it comes to 10 with
/// 1 / (1 + (11/9)^5) = 59049/220100.
const COIN: &str = "csg
player up climb endplayer
player down fall endplayer
module climb
  s : [0..10] init 5;
  [a,c] s>0 & s<10 -> 0.3 : (s'=s+1) + 0.7 : (s'=s-1);
  [a,d] s>0 & s<10 -> 0.6 : (s'=s+1) + 0.4 : (s'=s-1);
  [b,c] s>0 & s<10 -> 0.7 : (s'=s+1) + 0.3 : (s'=s-1);
  [b,d] s>0 & s<10 -> 0.2 : (s'=s+1) + 0.8 : (s'=s-1);
endmodule
module fall
  t : [0..0];
  [c] true -> true;
  [d] true -> true;
endmodule
";

#[test]
fn numbers_end_at_the_width_that_is_enough_and_verdicts_are_narrowed_on() {
    let folder = folder();
    fs::write(folder.path().join("coin.prism"), COIN).expect("room");
    let answer = |property: &str, more: &[&str]| {
        let args = [&["check", "coin.prism", "--property", property], more].concat();
        checked(folder.path(), &args).1[0].clone()
    };
    let number = |answer: &Value, bound: &str| -> f64 {
        answer[bound].as_str().expect("a bound").parse().expect("a number")
    };
    let value = "<<up>>Pmax=? [ F s=10 ]";
    let (narrow, enough) = (answer(value, &[]), answer(value, &["--width", "1e-3"]));
    let exact = 59_049.0 / 220_100.0;
    for answer in [&narrow, &enough] {
        assert!(number(answer, "lower") <= exact && exact <= number(answer, "upper"), "{answer}");
    }
    // Doubles tell only the wider bounds apart.
    assert!(number(&enough, "upper") - number(&enough, "lower") > 1e-16, "{enough}");
    assert!(number(&narrow, "upper") - number(&narrow, "lower") < 1e-16, "{narrow}");

    // Bounds that are wide enough contain the number, which is above the value by 3.6e-17.
    let property = "<<up>>P>=0.2682825988187188 [ F s=10 ]";
    let verdict = answer(property, &["--width", "1e-3"]);
    assert_eq!(verdict["verdict"], "false", "{verdict}");
    assert!(enough["upper"].as_str() > Some("0.2682825988187188"), "{enough}");

    // So is the verdict of a certificate.
    let args = ["check", "coin.prism", "--property", property, "--width", "1e-3"];
    let output = run(folder.path(), &[&args[..], &["--prove", "coin.proof"]].concat());
    assert!(text(&output.stdout).contains("false"), "{}", text(&output.stderr));
    assert!(stdout(folder.path(), &["verify", "coin.proof"]).contains("false"));

    let output = run(folder.path(), &["check", "coin.prism", "--property", value, "--width", "-1"]);
    assert!(text(&output.stderr).contains("expected a number that is not below 0"));
}

#[test]
fn a_file_of_properties_is_answered_one_by_one() {
    let folder = folder();
    write(folder.path());
    let (status, answers) =
        checked(folder.path(), &["check", "walk.prism", "walk.props", "--const", "p=1/4"]);
    // One property is malformed.
    assert_eq!(status, 1);
    assert_eq!([&answers[0]["name"], &answers[0]["exact"]], ["win", "1/4"]);
    assert_eq!(answers[0]["line"], 3);
    assert_eq!([&answers[1]["verdict"], &answers[1]["upper"]], ["true", "0.25"]);
    assert!(
        answers[2]["error"].as_str().expect("an error").starts_with("line 5, column 5: "),
        "{}",
        answers[2]
    );
    assert_eq!(answers[2]["code"], "model.property");
    assert_eq!([&answers[3]["lower"], &answers[3]["upper"]], ["Infinity", "Infinity"]);

    let (status, answers) = checked(
        folder.path(),
        &[
            "check",
            "walk.prism",
            "walk.props",
            "--const",
            "p=1/4,k=9",
            "--only",
            "win",
            "--only",
            "2",
        ],
    );
    assert_eq!((status, answers.len()), (0, 2));
    let (status, answers) = checked(
        folder.path(),
        &["check", "walk.prism", "walk.props", "--const", "p=0.3", "--only", "2"],
    );
    assert_eq!((status, &answers[0]["verdict"]), (1, &Value::from("false")));
}

#[test]
fn text_says_what_is_proved() {
    let folder = folder();
    write(folder.path());
    let printed = stdout(
        folder.path(),
        &[
            "check",
            "walk.prism",
            "--const",
            "p=1/3",
            "--property",
            "P<0.4 [ F s=1 ]",
            "--property",
            "Rmin=? [ F s>0 ]",
        ],
    );
    assert_eq!(
        printed,
        "3 states\n\nP<0.4 [ F s=1 ]\n  true\n  proved: 0.333333333333333333 ≤ value ≤ 0.333333333333333334\n\nRmin=? [ F s>0 ]\n  proved: 1\n"
    );
    let output = run(
        folder.path(),
        &["check", "walk.prism", "--const", "p=1/3", "--property", "P>0.4 [ F s=1 ]"],
    );
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(1), "pencil-tennis: of 1 answer: 1 false\n".to_owned())
    );
}

#[test]
fn an_export_takes_a_file_of_properties_with_constants() {
    let folder = folder();
    fs::write(
        folder.path().join("m.tra"),
        "# Transitions (SMG)\n2:2 3 3\n0:1 0 0 1 stay\n0:1 1 1 1 go\n1:0 0 1 1\n",
    )
    .expect("room");
    fs::write(folder.path().join("m.sta"), "(s)\n0:(0)\n1:(1)\n").expect("room");
    fs::write(
        folder.path().join("m.props"),
        "const int goal; <<second>>P>=1 [ F s=goal ]; <<first>>P>=1 [ F s=goal ]",
    )
    .expect("room");
    let args = ["check", "m.tra", "m.props", "--players", "first,second", "--const", "goal=1"];
    let (status, answers) = checked(folder.path(), &args);
    assert_eq!(status, 1);
    assert_eq!([&answers[0]["verdict"], &answers[1]["verdict"]], ["true", "false"]);
}

#[test]
fn the_game_of_a_model_is_solved_and_proved() {
    let folder = folder();
    write(folder.path());
    let args = [
        "prove",
        "walk.prism",
        "--const",
        "p=0.25",
        "--property",
        "Pmax=? [ F \"won\" ]",
        "-o",
        "walk.proof",
    ];
    assert!(stdout(folder.path(), &args).contains("0 is worth 0.25 to A"));
    stdout(folder.path(), &["verify", "walk.proof"]);
}

#[test]
fn faults_are_told_with_file_and_line() {
    let folder = folder();
    write(folder.path());
    fs::write(folder.path().join("bad.prism"), WALK.replace("s : [0..2];", "s : clock;"))
        .expect("room");
    fs::write(folder.path().join("over.prism"), WALK.replace("(s'=2)", "(s'=3)")).expect("room");
    fs::write(folder.path().join("bad.props"), "const int;").expect("room");
    for (args, status, expected) in [
        (&["check", "walk.prism"][..], 2, "there is no property to check"),
        (
            &["check", "walk.prism", "walk.props"],
            1,
            "walk.prism, line 5: column 15: the constant `p` has no value",
        ),
        (&["check", "walk.prism", "walk.props", "--const", "p"], 2, "`p` is no constant"),
        (
            &["check", "walk.prism", "walk.props", "--const", "q=1"],
            1,
            "there is no constant `q`; expected one of k, p",
        ),
        (
            &["check", "walk.prism", "walk.props", "--const", "p=1/0"],
            1,
            "the constant `p`: line 1, column 2: `/` does not take 1 and 0",
        ),
        (
            &["check", "walk.prism", "walk.props", "--const", "p=2"],
            1,
            "walk.prism, line 5: column 3: in state (s=0): a probability is -1",
        ),
        (
            &["check", "walk.prism", "walk.props", "--const", "p=0.5", "--only", "9"],
            1,
            "there is no property `9`; the file has 4 of them",
        ),
        (
            &["check", "bad.prism", "walk.props"],
            1,
            "bad.prism, line 4: column 7: clocks are not supported",
        ),
        (
            &["check", "over.prism", "walk.props", "--const", "p=0.5"],
            1,
            "over.prism, line 5: column 35: in state (s=0): `s` would be 3",
        ),
        (
            &["check", "walk.prism", "bad.props"],
            1,
            "bad.props: line 1, column 10: `;` stands where the name of a constant",
        ),
        (&["check", "none.prism", "walk.props"], 1, "none.prism"),
        (&["solve", "walk.prism"], 2, "a model needs a question"),
        (
            &["solve", "walk.prism", "--const", "p=1", "--property", "P>=1 [ F s=1 ]"],
            1,
            "asks whether a bound holds",
        ),
    ] {
        let output = run(folder.path(), args);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {printed}");
        assert!(printed.contains(expected), "{args:?}: {printed}");
    }
}

/// A model in the language has its states, labels, rewards, players and exact numbers.
#[test]
fn options_of_exports_are_not_for_the_language() {
    let folder = folder();
    write(folder.path());
    for option in ["--state-file", "--label-file", "--reward-file", "--players"] {
        for command in ["check", "solve"] {
            let args =
                [command, "walk.prism", "--const", "p=1/4", "--property", "Pmax=? [ F s=1 ]"];
            let output = run(folder.path(), &[&args[..], &[option, "nearest"]].concat());
            let printed = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {option}: {printed}");
            let expected =
                format!("{option} is for an export, MODEL.tra; walk.prism has all of that");
            assert!(printed.contains(&expected), "{command} {option}: {printed}");
        }
    }
}

/// 0.333333 and 0.666666 are 1/3 and 2/3 of their sum, in the language and in an export. Nothing is
/// divided unless it is asked for, and the report says that it was.
#[test]
fn probabilities_that_nearly_sum_to_1_are_divided_by_their_sum() {
    let folder = folder();
    let path = folder.path();
    let walk = WALK.replace("p : (s'=1) + 1-p :", "0.333333 : (s'=1) + 0.666666 :");
    fs::write(path.join("walk.prism"), walk.replace("const double p;\n", "")).expect("room");
    let transitions = "3 4\n0 1 0.333333\n0 2 0.666666\n1 1 1\n2 2 1\n";
    fs::write(path.join("walk.tra"), transitions).expect("room");
    fs::write(path.join("walk.sta"), "(s)\n0:(0)\n1:(1)\n2:(2)\n").expect("room");
    for (file, property, expected) in [
        (
            "walk.prism",
            "Pmax=? [ F s=1 ]",
            "where the probabilities of a command sum to 1 but for rounding, they are divided",
        ),
        ("walk.tra", "P=? [ F s=1 ]", "the probabilities of one choice are divided by their sum"),
    ] {
        let args = ["check", file, "--property", property];
        let output = run(path, &args);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(printed.contains("sum to 999999/1000000; expected 1; "), "{printed}");

        let normalised =
            [&args[..], &["--probabilities", "normalised", "--format", "json"]].concat();
        let document = parse(&stdout(path, &normalised));
        assert!(
            document["assumptions"][0].as_str().expect("one").starts_with(expected),
            "{document}"
        );
        let answer = &document["properties"][0];
        let lower = answer["lower"].as_str().expect("a bound");
        assert!(lower.starts_with("0.33333333333333333"), "{document}");
        assert_eq!(answer["upper"], "0.333333333333333334", "{document}");
    }

    let nearest =
        ["check", "walk.prism", "--property", "Pmax=? [ F s=1 ]", "--probabilities", "nearest"];
    let refused = text(&run(path, &nearest).stderr);
    assert!(refused.contains("walk.prism: nearest probabilities are for an export"), "{refused}");
}

/// A device without an end would take all memory.
#[cfg(target_os = "linux")]
#[test]
fn a_model_without_an_end_is_refused() {
    let folder = folder();
    let output =
        run(folder.path(), &["solve", "/dev/zero", "--property", "<<1>>Pmax=? [ F true ]"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr)
            .contains("/dev/zero: it cannot be read: it does not end within 268435456 bytes")
    );
}

/// The certificate of a verdict is checked by two programs, which say the verdict again.
#[test]
fn a_verdict_has_a_certificate() {
    let folder = folder();
    write(folder.path());
    for (property, bound, holds) in
        [("P<=0.25 [ F<=3 \"won\" ]", "<=1/4", true), ("P>0.2 [ F s=2 ]", ">1/5", false)]
    {
        let asked = [
            "check",
            "walk.prism",
            "--const",
            "p=1/4",
            "--property",
            property,
            "--prove",
            "answer.proof",
        ];
        let output = run(folder.path(), &asked);
        assert_eq!(output.status.code(), Some(i32::from(!holds)), "{}", text(&output.stderr));
        let printed = text(&run(folder.path(), &["verify", "answer.proof"]).stdout);
        let verdict = format!("value {bound} at every start: {holds}\n");
        assert!(printed.contains(&verdict), "{printed}");
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_game_proof.py");
        let checked = std::process::Command::new("python3")
            .args([checker, "answer.proof"])
            .current_dir(&folder)
            .output();
        assert!(text(&checked.expect("python").stdout).contains(&verdict));
        let document = parse(&text(
            &run(folder.path(), &["verify", "answer.proof", "--format", "json"]).stdout,
        ));
        assert_eq!(
            [&document["verdict"]["bound"], &document["verdict"]["holds"]],
            [&Value::from(bound), &Value::from(holds)]
        );
        let forged = fs::read_to_string(folder.path().join("answer.proof")).expect("a file");
        let forged =
            forged.replacen(&format!("\"holds\":{holds}"), &format!("\"holds\":{}", !holds), 1);
        fs::write(folder.path().join("forged.proof"), forged).expect("room");
        assert_eq!(run(folder.path(), &["verify", "forged.proof"]).status.code(), Some(1));
    }
}

#[test]
fn what_no_game_decides_has_no_certificate() {
    let folder = folder();
    write(folder.path());
    for (properties, expected) in [
        (&["P>=1 [ F s>0 ]"][..], "no certificate proves this answer"),
        (&["P>=0.1 [ F s=1 ] & P>=0.1 [ F s=2 ]"], "no certificate proves this answer"),
        (&["Rmax=? [ F s>0 ]"], "no certificate proves this answer"),
        (&["Pmax=? [ F s=1 ]", "Pmin=? [ F s=1 ]"], "--prove is of one property, and 2 are asked"),
    ] {
        let mut asked = vec!["check", "walk.prism", "--const", "p=1/4", "--prove", "answer.proof"];
        asked.extend(properties.iter().flat_map(|property| ["--property", property]));
        let output = run(folder.path(), &asked);
        let printed = text(&output.stderr);
        assert!(output.status.code() == Some(1) && printed.contains(expected), "{printed}");
        assert!(!folder.path().join("answer.proof").exists());
    }
}

/// In the first model a single state has more outcomes than a machine counts in a second; the
/// second has a hundred million states.
#[cfg(unix)]
#[test]
fn exploring_stops_at_once_and_says_what_is_lost() {
    let folder = folder();
    let folder = folder.path();
    let mut large = "mdp\n".to_owned();
    for module in 0..6 {
        let updates: Vec<String> =
            (0..10).map(|value| format!("0.1 : (x{module}'={value})")).collect();
        let command = format!("[a] true -> {};", updates.join(" + "));
        writeln!(large, "module m{module} x{module} : [0..9]; {command} endmodule").expect("text");
    }
    fs::write(folder.join("outcomes.prism"), large).expect("room");
    let many = "mdp module m x : [0..9999]; y : [0..9999]; endmodule init true endinit";
    fs::write(folder.join("states.prism"), many).expect("room");
    for file in ["outcomes.prism", "states.prism"] {
        let args = ["solve", file, "--property", "Pmax=? [ F false ]"];
        let child = program(folder, &args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(300));
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", "INT", &pid])
                .status()
                .expect("a command of every system")
                .success()
        );
        let output = child.wait_with_output().expect("an end");
        let expected = "pencil-tennis: interrupted; the states found so far are not kept, and the next run finds them again\n";
        assert_eq!(text(&output.stderr), expected, "{file}");
        assert_eq!(output.status.code(), Some(130));
    }
    // A checkpoint keeps no part of the states where play starts.
    let args =
        ["check", "states.prism", "--property", "Pmax=? [ F false ]", "--checkpoint", "part"];
    let child = program(folder, &args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status()
            .expect("a command")
            .success()
    );
    let printed = text(&child.wait_with_output().expect("an end").stderr);
    assert!(
        printed
            .ends_with("the states found so far are not kept, and the next run finds them again\n"),
        "{printed}"
    );
    assert!(!folder.join("part").exists());
    // The states are refused before they take all memory.
    let refused = run(
        folder,
        &["check", "states.prism", "--property", "Pmax=? [ F false ]", "--memory", "20MiB"],
    );
    assert!(text(&refused.stderr).contains("states or more"), "{}", text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(1));
}

/// Some 7,000 states, with cycles.
const WALKS: &str = "mdp
const int most;
module first x : [0..59]; [both] x<59 -> 1/3 : (x'=x+1) + 2/3 : true; [] x>0 -> (x'=x-1); endmodule
module second y : [0..59]; [both] y<59 -> 1/(x+2) : true + 1-1/(x+2) : (y'=y+1); [] y>most -> (y'=y-1); endmodule
module third z : [0..1]; [] true -> (z'=1-z); endmodule
";

/// Runs a command with checkpoints, kills it once one is there, and returns whether it was killed
/// before its end.
#[cfg(unix)]
fn is_killed(folder: &Path, args: &[&str], patience: Duration) -> bool {
    let part = folder.join("part");
    let mut child = program(folder, args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !part.exists() && child.try_wait().expect("a process").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(patience);
    // It may have come to its end.
    let _ = child.kill();
    !child.wait().expect("an end").success()
}

/// Killed at several moments, while states are found and while the game is solved, a model comes to
/// the same bytes.
#[cfg(unix)]
#[test]
fn states_of_a_model_are_kept_while_they_are_found() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("walks.prism"), WALKS).expect("room");
    let property = ["--property", "Pmax=? [ F x=12 ]", "--const", "most=0"];
    let solve = [&["solve", "walks.prism", "--save", "table"][..], &property].concat();
    let check = [&["check", "walks.prism", "--prove", "table"][..], &property].concat();
    let keep = ["--checkpoint", "part", "--checkpoint-every", "0"];
    for command in [&solve, &check] {
        let whole = run(folder, command);
        assert!(whole.status.success(), "{}", text(&whole.stderr));
        let table = fs::read(folder.join("table")).expect("a table");
        let mut kills = 0;
        for moment in 0..4 {
            let kept = [&command[..], &keep].concat();
            if !is_killed(folder, &kept, Duration::from_millis(60 * moment)) {
                continue;
            }
            kills += 1;
            // Of a solve that is killed at the end the table may be there alone.
            if !folder.join("part").exists() {
                continue;
            }
            fs::copy(folder.join("part"), folder.join("before")).expect("room");
            let resume = ["--resume", "part"];
            let again = run(folder, &[&kept[..], &resume].concat());
            assert!(again.status.success(), "{}", text(&again.stderr));
            assert!(fs::read(folder.join("table")).expect("a table") == table, "another table");
            assert!(!folder.join("part").exists());
            let shown = |output: &Output| {
                let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
                lines
                    .into_iter()
                    .filter(|line| {
                        !line.is_empty()
                            && !line.contains("solved in")
                            && !line.contains("checkpoint")
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(shown(&again), shown(&whole));
        }
        assert!(kills > 0, "every run came to its end");
    }

    // Another constant, a damaged file, another command, and an export.
    let fault = |args: &[&str], expected: &str| {
        let output = run(folder, args);
        assert!(
            !output.status.success() && text(&output.stderr).contains(expected),
            "{}",
            text(&output.stderr)
        );
    };
    let from = |file: &'static str, constant: &'static str| {
        [
            "check",
            "walks.prism",
            "--property",
            "Pmax=? [ F x=12 ]",
            "--const",
            constant,
            "--resume",
            file,
        ]
    };
    fault(
        &from("before", "most=1"),
        "before: the checkpoint is of another model, or of other constants, labels or reading of probabilities",
    );
    let mut bytes = fs::read(folder.join("before")).expect("a checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.join("damaged"), &bytes).expect("room");
    // A changed number may be noticed before the checksum.
    fault(&from("damaged", "most=0"), "damaged: the checkpoint ");
    fault(&from("walks.prism", "most=0"), "walks.prism: it is no checkpoint of a model's states");
    fault(&["solve", "@snowball", "--resume", "before"], "before: it has the states of a model");
    fs::write(folder.join("walks.tra"), "# Transitions (DTMC)\n1 1\n0 0 1\n").expect("room");
    fault(
        &["check", "walks.tra", "--property", "P=? [ F true ]", "--checkpoint", "part"],
        "an export has its states",
    );
    let there = [&check[..], &["--checkpoint", "before"]].concat();
    fault(&there, "before is there already and would be overwritten");
}

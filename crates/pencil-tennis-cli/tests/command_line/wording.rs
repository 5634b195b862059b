//! The wording of the program is true: formats, options, hints, messages, tables that fit on a
//! screen.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{
    array, assert_refused, folder, json, number, parse, program, run, stdout, text,
};
use crate::snapshots::commands;

fn words(line: &str) -> Vec<&str> {
    line.split(' ').filter(|word| !word.is_empty()).collect()
}

fn refused(line: &str, status: i32, words_of_it: &[&str]) {
    assert_refused(folder().path(), &words(line), status, words_of_it);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn what_is_not_part_of_the_build_is_refused() {
    refused(
        "solve 9 --mpi",
        2,
        &["--mpi is not part of this build, which was made without the feature mpi"],
    );
}

mod formats {
    use super::*;

    #[test]
    fn follow_the_ending() {
        let folder = folder();
        for (table, ending, begins) in [
            ("values", "csv", &b"a,b,ball"[..]),
            ("values", "json", b"[\n{"),
            ("values", "npz", b"PK"),
            ("strategies", "npz", b"PK"),
            ("policy", "json", b"[\n{"),
            ("weights", "npz", b"PK"),
        ] {
            let name = format!("{table}.{ending}");
            stdout(folder.path(), &["export", table, "4", "-o", &name]);
            assert!(
                fs::read(folder.path().join(&name)).expect("a file").starts_with(begins),
                "{name}"
            );
        }
    }

    #[test]
    fn do_not_contradict_the_ending() {
        refused(
            "export values 4 -o v.json --format csv",
            2,
            &["v.json ends in .json, but --format says csv"],
        );
        refused("export values 4 -o v.svg", 2, &["no svg", "csv, json, npz"]);
        refused("export weights 4 -o w.json", 2, &["no json"]);
        refused("train simple 4 --games 9 -o p.svg", 2, &["p.svg", "csv, json, npz"]);
        refused("train simple 4 --games 9 -o policy", 2, &["cannot tell the format of policy"]);
        refused("train simple 4 --games 9 --curve c.json", 2, &["a curve is written as csv"]);
        refused("train simple 4 --games 9 --plot c.png", 2, &["written as svg, not as png"]);
        refused("exploit uniform 4 --map map.npz", 2, &["written as csv"]);
        refused("exploit uniform 4 --best-response reply.tex", 2, &["reply.tex"]);
    }

    #[test]
    fn a_dash_is_standard_output() {
        let folder = folder();
        let folder = folder.path();
        assert_eq!(
            stdout(folder, &words("export values 4 -o -")),
            stdout(folder, &words("export values 4"))
        );
        let output = run(folder, &words("exploit uniform 4 --map -"));
        assert!(text(&output.stdout).starts_with("a,b,ball,player,value"));
        assert!(text(&output.stderr).contains("exploitability"), "the report gives way");
        stdout(folder, &words("prove 4 -o 4.proof"));
        let output = run(folder, &words("prove 4 -o -"));
        assert_eq!(output.stdout, fs::read(folder.join("4.proof")).expect("a certificate"));
        refused("exploit uniform 4 --map - --format json", 2, &["room for one"]);
    }
}

#[test]
fn options_without_effect_are_refused() {
    for (line, words) in [
        ("exploit uniform 4 --mirror", "both players bid"),
        ("exploit optimal 4 --mirror", "both players bid"),
        ("exploit uniform 4 --playouts 5", "lookahead"),
        ("exploit lookahead:2:nothing 4 --playouts 5", "lookahead"),
        ("duel uniform optimal 4 --playouts 5", "lookahead"),
        ("tennis series --to 2 --score 0-0 --exchanged", "different points"),
        ("solve 4 --refine dresher --save x", "--refine"),
        ("tennis forced 4 --table x", "--compare"),
        ("export values 4 --player a", "--player"),
        ("export policy 4 --ball 1 --format npz", "all states"),
        ("solve 4 --checkpoint -", "name of a file"),
    ] {
        refused(line, 2, &[words]);
    }
    let folder = folder();
    stdout(folder.path(), &words("export policy 4 -o both.csv"));
    assert_refused(folder.path(), &words("exploit both.csv 4 --mirror"), 2, &["both players bid"]);
    stdout(folder.path(), &words("solve 4 --save t"));
    assert_refused(
        folder.path(),
        &words("duel uniform uniform --table t"),
        2,
        &["none of the players"],
    );
    assert_refused(folder.path(), &words("show 4:4@0 --table t --exact"), 2, &["no exact values"]);
    assert_refused(
        folder.path(),
        &words("show 4:4@0 --table t --method lp"),
        2,
        &["--method has no effect"],
    );
    assert_refused(
        folder.path(),
        &words("export values --table t --field 3"),
        1,
        &["another game", "4:4 points"],
    );
}

#[test]
fn exact_beyond_the_limit_says_so_and_why() {
    let printed = stdout(folder().path(), &words("show 7:8@1 --exact=2"));
    assert!(
        printed.contains("No exact value: its denominator") && printed.contains("2 bits"),
        "{printed}"
    );
}

/// √(3/5) is no fraction; what depends on it is not known, and what does not is.
#[test]
fn no_fraction_and_none_that_is_known_are_told_apart() {
    let folder = folder();
    let zero =
        ["--field", "1", "--motion", "step", "--scoring", "win-loss", "--min-bid", "0", "--exact"];
    let show = |state| [&["show", state][..], &zero].concat();
    let root = stdout(folder.path(), &show("5:4@0"));
    assert!(root.contains("There is no fraction: ") && !root.contains("exactly"), "{root}");
    assert!(root.lines().all(|line| line.chars().count() <= 80), "{root}");
    let report = json(folder.path(), &show("5:4@0"));
    assert_eq!((&report["exact"], &report["irrational"]), (&Value::Null, &true.into()));
    let digits = stdout(folder.path(), &[&show("5:4@0")[..], &["--digits", "40"]].concat());
    assert!(
        digits.contains("lower bound 0.7745966692414833770358530799564799221665\n"),
        "{digits}"
    );
    assert!(
        digits.contains("upper bound 0.7745966692414833770358530799564799221666\n"),
        "{digits}"
    );
    let fraction = json(folder.path(), &show("5:3@0"));
    assert!(fraction["exact"].is_string() && fraction["irrational"] == false, "{fraction}");
    let unknown = stdout(folder.path(), &show("6:5@0"));
    assert!(
        unknown.contains("No exact value is known: ") && unknown.contains("more than 4096 bits"),
        "{unknown}"
    );
    let report = json(folder.path(), &show("6:5@0"));
    assert!(report["exact"].is_null() && report["irrational"] == false, "{report}");
}

/// What is done with a smallest bid of 0, and what is refused in the same words everywhere.
#[test]
fn what_cannot_be_had_with_bids_of_nothing_says_so() {
    let folder = folder();
    let folder = folder.path();
    let why = "cannot be had where the smallest bid is 0 and a game may go on for ever";
    for (line, wanted) in [
        ("train simple 4 --min-bid 0", "a learner"),
        ("train cfr-plus 4 --min-bid 0 --games 10", "a learner"),
        ("duel simple:1000 optimal 4 --min-bid 0", "a learner"),
        ("exploit simple:1000 4 --min-bid 0", "a learner"),
        ("play 4 --against simple:1000 --min-bid 0", "a learner"),
        ("tennis blind 4 --min-bid 0", "blind Tennis"),
        ("play 4 --blind --min-bid 0", "blind Tennis"),
    ] {
        assert_refused(folder, &words(line), 1, &[&format!("{wanted} {why}")]);
    }
    for method in ["tableau", "lp"] {
        assert!(
            stdout(folder, &words(&format!("solve 4 --min-bid 0 --method {method}")))
                .contains(method)
        );
    }
    let counts = json(folder, &words("solve 4 --min-bid 0 --unique --exact"));
    let unique = &counts["unique_states"]["a"];
    assert!(
        unique["unique"].as_u64() > Some(40)
            && unique["several"].as_u64() > Some(10)
            && unique["unknown"] == 0,
        "{unique}"
    );
    let refined = stdout(folder, &words("show 4:3@1 --min-bid 0 --refine dresher"));
    assert!(
        refined.contains("the usual one") || refined.contains("gains more from errors"),
        "{refined}"
    );
    let exported =
        run(folder, &words("export policy 4 --min-bid 0 --refine dresher -o refined.csv"));
    assert!(
        exported.status.success()
            && text(&exported.stderr).contains("could not be refined; they are the usual ones")
    );
    let judged = json(folder, &words("exploit refined.csv 4 --min-bid 0"));
    assert!(judged["exploitability"].as_f64() < Some(1e-15), "{judged}");
}

/// The command that a hint names, run as it stands.
fn follow(folder: &Path, printed: &str) -> Value {
    let hint =
        printed.lines().last().and_then(|line| line.split_once("for example: ")).expect("a hint").1;
    json(folder, &words(hint))
}

#[test]
fn hints_name_the_same_game() {
    let folder = folder();
    let folder = folder.path();
    let rules = "--field 3 --motion step --scoring 1,0,0,0,-1";
    let hinted = follow(folder, &stdout(folder, &words(&format!("solve 6 {rules}"))));
    let mut asked = json(folder, &words(&format!("show 6:6@-1 {rules}")));
    assert_eq!(hinted, asked);
    let printed = stdout(folder, &words(&format!("solve 6 {rules} --save 6.table")));
    assert!(printed.contains("--table 6.table"), "{printed}");
    asked["proved"] = false.into();
    assert_eq!(follow(folder, &printed), asked);
    let hinted = follow(folder, &stdout(folder, &words("tennis series 5:4 --to 2 --motion step")));
    assert_eq!(
        hinted,
        json(folder, &words("tennis series --points 5:4 --to 2 --motion step --score 0-0"))
    );
}

#[test]
fn a_table_stands_for_solving() {
    let folder = folder();
    let folder = folder.path();
    let rules = "9:8 --motion step --scoring win-loss";
    stdout(folder, &words(&format!("solve {rules} --save t")));
    for command in [
        "export values",
        "export strategies",
        "export policy",
        "exploit uniform",
        "exploit optimal",
    ] {
        let solved = stdout(folder, &words(&format!("{command} {rules}")));
        assert_eq!(stdout(folder, &words(&format!("{command} --table t"))), solved, "{command}");
    }
    let duel = stdout(folder, &words(&format!("duel optimal uniform {rules} --games 1000")));
    assert_eq!(stdout(folder, &words("duel optimal uniform --table t --games 1000")), duel);
    stdout(folder, &words(&format!("prove {rules} -o solved.proof")));
    stdout(folder, &words("prove --table t -o table.proof"));
    let [solved, table] = ["solved.proof", "table.proof"]
        .map(|name| fs::read(folder.join(name)).expect("a certificate"));
    assert!(solved == table);
    assert!(
        stdout(folder, &words("tennis forced --compare --table t"))
            .contains("9:8 points, field 2, one step at a time, scoring win-loss")
    );
}

#[test]
fn export_writes_the_part_that_is_asked_for() {
    let folder = folder();
    let whole = stdout(folder.path(), &words("export policy 7"));
    let part = stdout(folder.path(), &words("export policy 7 --ball -1 --player b --a 3..5 --b 7"));
    let wanted = |line: &&str| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[2] == "-1"
            && cells[3] == "B"
            && ["3", "4", "5"].contains(&cells[0])
            && cells[1] == "7"
    };
    assert_eq!(
        part.lines().skip(1).collect::<Vec<_>>(),
        whole.lines().skip(1).filter(wanted).collect::<Vec<_>>()
    );
    assert_eq!(part.lines().count(), 1 + 3 * 7);
    let states = stdout(folder.path(), &words("export values --states 4:3@-2,3:4@2"));
    assert!(
        states.contains("\n4,3,-2,-0.2")
            && states.contains("3,4,2,0.2")
            && states.lines().count() == 3,
        "{states}"
    );
}

mod show {
    use super::*;

    /// The article's example: A's strategy 2/5, 3/5 and B's 3/5, 2/5 against the matrix worked out
    /// by hand.
    #[test]
    fn lists_what_every_bid_is_worth() {
        let report = json(folder().path(), &["show", "4:3@-2"]);
        for (player, expected) in [("a", &[-0.2, -0.2, -0.2, -0.2][..]), ("b", &[-0.2, 1.0, -0.2])]
        {
            let bids = array(&report["bids"][player]);
            assert_eq!(bids.len(), expected.len());
            for (bid, value) in bids.iter().zip(expected) {
                assert!((number(&bid["value"]) - value).abs() < 1e-15, "{bid}");
                assert!((number(&bid["loss"]) - (value + 0.2).abs()).abs() < 1e-15, "{bid}");
            }
        }
    }

    #[test]
    fn takes_many_states() {
        let folder = folder();
        let several = json(folder.path(), &["show", "4:3@-2", "2:2@1"]);
        assert_eq!(array(&several).len(), 2);
        assert_eq!(several[0]["value"], -0.2);
        let mut child = program(folder.path(), &["show", "-", "--format", "json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(b"4:3@-2\n2:2@1\n").expect("room");
        let read = child.wait_with_output().expect("an end");
        assert_eq!(parse(&text(&read.stdout)), several);
        assert_refused(folder.path(), &["show", "-"], 1, &["no state on standard input"]);
    }

    #[test]
    fn says_that_the_game_is_over() {
        assert_eq!(
            stdout(folder().path(), &["show", "0:0@0"]),
            "0:0@0: the game is over, draw; A wins 0\n"
        );
        assert!(
            stdout(folder().path(), &["show", "0:0@2"])
                .contains("the game is over, the ball lies on B's side; A wins 1")
        );
    }
}

#[test]
fn the_best_response_is_a_policy_that_wins_what_is_said() {
    let folder = folder();
    let report = json(folder.path(), &words("exploit uniform 8 --best-response reply.csv"));
    let duel = json(folder.path(), &words("duel reply.csv uniform 8 --games 10"));
    assert!(
        (number(&duel["exact"]) - number(&report["best_response_value"]["a"])).abs() < 1e-14,
        "{duel}"
    );
}

#[test]
fn many_players_meet_in_a_round_robin() {
    let folder = folder();
    let robin =
        json(folder.path(), &words("duel optimal uniform lookahead:1:uniform 8 --games 1000"));
    assert_eq!((array(&robin["players"]).len(), array(&robin["matches"]).len()), (3, 6));
    let mut pair = json(folder.path(), &words("duel lookahead:1:uniform optimal 8 --games 1000"));
    // The frame of a report stands once.
    for name in ["format_version", "rules"] {
        assert!(pair.as_object_mut().expect("an object").remove(name).is_some());
    }
    let same = array(&robin["matches"])
        .iter()
        .find(|game| game["a"] == pair["a"] && game["b"] == pair["b"]);
    assert_eq!(same, Some(&pair), "a match of the round robin is the duel of the two");
    // What one wins, others lose.
    let sum: f64 = array(&robin["players"]).iter().map(|player| number(&player["exact"])).sum();
    assert!(sum.abs() < 1e-12, "{sum}");
}

#[test]
fn points_and_numbers_are_given_in_the_same_way_everywhere() {
    let folder = folder();
    for (positional, option) in [
        ("solve 6:5", "solve --points 6:5"),
        ("tennis forced 6", "tennis forced --points 6"),
        ("exploit uniform 6", "exploit uniform --points 6"),
        ("export values 6", "export values --points 0.6e1"),
        ("duel uniform uniform 6 --games 1e3", "duel uniform uniform --points 6 --games 1,000"),
        ("tennis series 6 --to 2", "tennis series --points 6 --to 2"),
        ("train simple 6 --games 2e1", "train simple --points 6 --games 20"),
    ] {
        let [one, other] = [positional, option].map(|line| stdout(folder.path(), &words(line)));
        // Times differ.
        let numberless = |text: &str| {
            text.lines()
                .filter(|line| !line.contains(" s") && !line.contains('.'))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(numberless(&one), numberless(&other), "{positional}");
    }
    refused("solve 6 --points 6", 2, &["twice"]);
    refused("train simple 6:5", 2, &["as many points for A as for B, not 6:5"]);
    refused("solve --field 99999999999", 2, &["from 1 to 99"]);
    refused("solve 99999999999", 2, &["99999999999 points are too many", "65,535"]);
    refused("solve --threads 1e4", 2, &["a number of threads", "from 1 to 256"]);
    refused("solve --motion sideways", 2, &["net, step"]);
    refused("solve --method guess", 2, &["simplex, tableau, lp"]);
}

#[test]
fn files_are_called_what_they_are() {
    let folder = folder();
    let folder = folder.path();
    assert_refused(
        folder,
        &words("exploit unifrom 4"),
        1,
        &["unifrom", "uniform, optimal, lookahead:DEPTH:LEAVES"],
    );
    fs::write(folder.join("bad.csv"), "a,b,ball,player,bid,probability\n1,1,0,A,x,1\n")
        .expect("a file");
    assert_refused(
        folder,
        &words("exploit bad.csv 1"),
        1,
        &["line 2, bid: `x`; expected a whole number from 0"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_never_ends_is_not_read_to_its_end() {
    for line in [
        "verify /dev/zero",
        "exploit /dev/zero 4",
        "train --resume /dev/zero",
        "plot curves /dev/zero -o c.svg",
    ] {
        refused(line, 1, &["/dev/zero", "does not end within"]);
    }
}

#[test]
fn completions_know_motions_and_methods() {
    let script = stdout(folder().path(), &["completions", "bash"]);
    for words in ["net step", "simplex tableau lp", "cfr-plus"] {
        assert!(script.contains(words), "{words}");
    }
}

/// Every page and table, at 80 columns.
#[test]
fn nothing_is_wider_than_the_screen() {
    let folder = folder();
    let folder = folder.path();
    let help = stdout(folder, &["--help"]);
    let listed = commands(&help).into_iter().filter(|&command| command != "help");
    let mut lines: Vec<String> = listed.map(|command| format!("{command} --help")).collect();
    lines.extend(
        [
            "--help",
            "solve 20 --unique --outcomes",
            "show 12:12@-2",
            "show 50:50@-2",
            "show 7:8@1 --exact=2",
            "show 9:9@-1 --exact",
            "show 10:10@2 --exact",
            "tennis forced 71 --compare",
            "tennis forced 40:30 --scoring 3,2,1,0,-5",
            "tennis forced 9 --field 6",
            "exploit uniform 50",
            "tennis series 12:10 --to 14",
            "tennis series 12:10 --to 4 --score 1-2",
            "train simple 10 --games 2e3",
            "duel optimal uniform 50 --games 1e5",
            "duel optimal uniform lookahead:1:uniform lookahead:2:nothing uniform uniform uniform uniform uniform 5 --games 10",
            "prove 9 -o 9.proof",
            "verify 9.proof",
            "tennis blind 7:5 --information",
            "tennis blind 11:9 --gap 1e-3",
        ]
        .map(str::to_owned),
    );
    for line in lines {
        let output = program(folder, &words(&line))
            .env("COLUMNS", "80")
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{line}");
        for printed in text(&output.stdout).lines() {
            assert!(
                printed.chars().count() <= 80,
                "{line}: {} columns: {printed}",
                printed.chars().count()
            );
        }
    }
}

/// Examples are copied to a shell: everything behind them is a comment.
#[cfg(unix)]
#[test]
fn examples_in_the_help_can_be_copied() {
    let folder = folder();
    fs::write(folder.path().join("my.jsonl"), crate::game::SNOWBALL).expect("room");
    fs::write(folder.path().join("pennies.csv"), "3,-1\n-2,1\n").expect("room");
    stdout(folder.path(), &["export", "strategies", "my.jsonl", "-o", "policy.csv"]);
    for command in [
        "--help",
        "show --help",
        "export --help",
        "exploit --help",
        "prove --help",
        "verify --help",
    ] {
        let help = stdout(folder.path(), &words(command));
        let examples = help
            .lines()
            .skip_while(|line| !line.starts_with("Example"))
            .skip(1)
            .take_while(|line| !line.is_empty());
        let examples = examples.map(str::trim);
        for example in examples.filter(|line| {
            !line.is_empty() && !line.contains(" 1000") && !line.contains("200.table")
        }) {
            let line = example.replace("pencil-tennis", env!("CARGO_BIN_EXE_pencil-tennis"));
            let output = std::process::Command::new("sh")
                .args(["-c", &line])
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            assert!(output.status.success(), "{example}: {}", text(&output.stderr));
        }
    }
}

//! `docs/json.md` against what the program prints: every field is described, and everything that is
//! described is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::program::{folder, parse, run, stdout, text};
use crate::snapshots::commands;

const PAGE: &str = include_str!("../../../../docs/json.md");

/// A line of the page: fields of one type. Without fields it stands for all of a piece.
struct Described {
    names: Vec<String>,
    kind: String,
}

/// The lines under every heading.
fn lists() -> BTreeMap<String, Vec<Described>> {
    let mut lists: BTreeMap<String, Vec<Described>> = BTreeMap::new();
    let mut heading = String::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("### ")) {
            title.clone_into(&mut heading);
        } else if let Some(line) = line.strip_prefix("- ") {
            let (names, kind) = if line.starts_with('`') {
                line.split_once("`: ").expect("a type")
            } else {
                ("", line)
            };
            let names = names
                .split(", ")
                .map(|name| name.trim_matches('`').trim_end_matches('?').to_owned());
            lists
                .entry(heading.clone())
                .or_default()
                .push(Described { names: names.collect(), kind: kind.to_owned() });
        }
    }
    lists
}

/// All fields that the page describes under a heading, those of pieces spelled out, with the
/// objects and lists around them.
fn described(lists: &BTreeMap<String, Vec<Described>>, heading: &str) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    let mut enter = |field: &str| {
        let ends = field.match_indices('.').map(|(end, _)| field[..end].trim_end_matches("[]"));
        fields.extend(ends.chain([field]).map(str::to_owned));
    };
    for Described { names, kind } in
        lists.get(heading).unwrap_or_else(|| panic!("no list under {heading}"))
    {
        let word = kind.split([' ', ',', '|', ':']).next().unwrap_or_default();
        let piece = word.trim_matches(['[', ']']);
        let is_piece = piece.len() > 1 && piece.chars().all(|letter| letter.is_ascii_uppercase());
        let inner = if is_piece { described(lists, piece) } else { BTreeSet::new() };
        let elements = if word.starts_with('[') { "[]" } else { "" };
        for name in names {
            // A line such as `states[]` is about the elements of a list that stands before it.
            for field in &inner {
                let path = if name.is_empty() {
                    field.clone()
                } else {
                    format!("{name}{elements}.{field}")
                };
                enter(&path);
            }
            if !name.is_empty() && !name.ends_with("[]") {
                enter(name);
            }
        }
    }
    fields
}

/// All fields of a piece of JSON.
fn enter(fields: &mut BTreeSet<String>, path: &str, value: &Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                fields.insert(path.clone());
                enter(fields, &path, value);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                enter(fields, &format!("{path}[]"), element);
            }
        }
        _ => {}
    }
}

fn printed(folder: &Path, calls: &[&[&str]]) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    for args in calls {
        let output = run(folder, &[args, &["--format", "json"][..]].concat());
        let report = parse(&text(&output.stdout));
        assert_eq!(report["format_version"], 1, "{args:?}");
        if output.status.success()
            && !args.iter().any(|word| word.starts_with("any.") || word.starts_with('@'))
        {
            assert_eq!(report["rules"]["motion"], "net", "{args:?}");
            assert_eq!(report["rules"]["payoffs"]["lies_with_a"], "-1", "{args:?}");
        }
        enter(&mut fields, "", &report);
    }
    fields
}

/// Their formats are those of tables and figures.
const NO_REPORTS: [&str; 1] = ["export"];

/// The commands that print the fields of each heading.
const CALLS: [(&str, &[&[&str]]); 31] = [
    (
        "solve of any game",
        &[
            &["solve", "any.tra", "--property", "<<1>>Pmax=? [ F false ]"],
            &["solve", "any.matrix.jsonl", "--exact"],
            &["solve", "any.half.jsonl"],
            &["solve", "any.jsonl"],
        ],
    ),
    (
        "show of any game",
        &[
            &["show", "any.matrix.jsonl", "one, \"two\"", "--digits", "5"],
            &["show", "any.tra", "0", "--property", "<<1>>Pmax=? [ F false ]"],
            &["show", "any.jsonl", "s"],
        ],
    ),
    (
        "prove of any game",
        &[
            &["prove", "any.matrix.jsonl", "-o", "any.other"],
            &["prove", "any.tra", "--property", "<<1>>Pmax=? [ F false ]", "-o", "any.third"],
        ],
    ),
    (
        "exploit of any game",
        &[
            &["exploit", "half.csv", "any.jsonl", "--state", "s"],
            &["exploit", "both.csv", "any.jsonl"],
            &["exploit", "uniform", "any.tra", "--property", "<<1>>Pmax=? [ F false ]"],
        ],
    ),
    (
        "solve with hidden information",
        &[&["solve", "any.hidden.efg", "--probabilities", "nearest", "--refine", "quasi-perfect"]],
    ),
    (
        "show with hidden information",
        &[&[
            "show",
            "any.hidden.efg",
            "red",
            "--probabilities",
            "nearest",
            "--refine",
            "quasi-perfect",
        ]],
    ),
    (
        "prove with hidden information",
        &[&["prove", "any.hidden.efg", "--probabilities", "nearest", "-o", "any.hidden.other"]],
    ),
    (
        "exploit with hidden information",
        &[
            &[
                "exploit",
                "any.hidden.csv",
                "any.hidden.efg",
                "--probabilities",
                "nearest",
                "--state",
                "red",
            ],
            &["exploit", "any.hidden.csv", "any.hidden.efg", "--probabilities", "nearest"],
        ],
    ),
    ("verify with hidden information", &[&["verify", "any.hidden.proof"]]),
    (
        "check",
        &[
            &["check", "walk.prism", "walk.props", "--const", "p=1/3"],
            &["check", "any.tra", "--property", "<<1>>P>=0.5 [ F false ]"],
        ],
    ),
    ("verify of any game", &[&["verify", "any.proof"], &["verify", "any.verdict.proof"]]),
    ("solve", &[&["solve", "5", "--exact", "--unique", "--outcomes", "--refine", "dresher"]]),
    ("show", &[&["show", "4:3@-2", "--exact", "--digits", "5", "--refine", "dresher"]]),
    ("prove", &[&["prove", "4", "-o", "other"]]),
    ("verify", &[&["verify", "proof"], &["verify", "nothing"]]),
    ("tennis forced", &[&["tennis", "forced", "5:4", "--compare"]]),
    ("tennis limit", &[&["tennis", "limit", "5"]]),
    (
        "solve of a matrix",
        &[
            &["solve", "any.csv", "--row", "1/2,1/2", "--column", "0,1"],
            &["solve", "any.dominated.csv", "--all", "--dominated", "weak", "--max-entropy"],
            &["solve", "any.csv", "--sensitivity"],
            &["solve", "any.csv", "--approximate"],
        ],
    ),
    ("exploit", &[&["exploit", "uniform", "--points", "5"]]),
    ("train", &[&["train", "simple", "--games", "10", "--points", "5"]]),
    (
        "train of any game",
        &[
            &["train", "cfr-plus", "@kuhn", "--games", "100"],
            &["train", "rm", "any.jsonl", "--games", "10"],
        ],
    ),
    ("duel", &[&["duel", "uniform", "optimal", "--games", "10", "--points", "5"]]),
    (
        "duel of more than two",
        &[&["duel", "uniform", "optimal", "lookahead:1:uniform", "5", "--games", "10"]],
    ),
    ("duel of any game", &[&["duel", "uniform", "optimal", "any.jsonl", "--games", "10"]]),
    ("duel with hidden information", &[&["duel", "uniform", "optimal", "@kuhn", "--games", "10"]]),
    ("replay", &[&["replay", "game"]]),
    ("replay of any game", &[&["replay", "any.play.jsonl"]]),
    ("tennis series", &[&["tennis", "series", "--to", "2", "--points", "5:4"]]),
    (
        "tennis series --score",
        &[&["tennis", "series", "--to", "2", "--points", "5", "--score", "1-0"]],
    ),
    ("tennis blind", &[&["tennis", "blind", "4", "--information"]]),
    ("tennis blind --policy", &[&["tennis", "blind", "4", "--policy", "blind.csv"]]),
];

/// The files that the commands read.
fn write_files(folder: &Path) {
    std::fs::write(folder.join("nothing"), "no certificate").expect("room");
    std::fs::write(folder.join("game"), "0 4 3 -2\n1 4 2 0 1 1").expect("room");
    stdout(folder, &["prove", "4", "-o", "proof"]);
    stdout(folder, &["tennis", "blind", "4", "-o", "blind.csv"]);
    std::fs::write(folder.join("any.jsonl"), crate::game::SNOWBALL).expect("room");
    std::fs::write(folder.join("any.tra"), "1:2 1 1\n0 0 0 1 [a,x]\n").expect("room");
    std::fs::write(folder.join("any.matrix.jsonl"), crate::game::MATRIX).expect("room");
    std::fs::write(folder.join("any.half.jsonl"), crate::game::HALF_PROVED).expect("room");
    std::fs::write(folder.join("any.csv"), "3,-1\n-2,1\n").expect("room");
    std::fs::write(folder.join("any.dominated.csv"), "3,-1\n2,-1\n").expect("room");
    std::fs::write(
        folder.join("half.csv"),
        "state,player,action,probability\ns,A,hide,1/2\ns,A,run,1/2\n",
    )
    .expect("room");
    let both = "state,player,action,probability\ns,A,hide,0.5\ns,A,run,0.5\ns,B,throw,1\n";
    std::fs::write(folder.join("both.csv"), both).expect("room");
    stdout(folder, &["prove", "any.jsonl", "-o", "any.proof"]);
    stdout(
        folder,
        &[
            "check",
            "any.tra",
            "--property",
            "<<1>>P<=0.5 [ F false ]",
            "--prove",
            "any.verdict.proof",
        ],
    );
    std::fs::write(folder.join("any.hidden.efg"), crate::hidden::CARDS).expect("room");
    let export = [
        "export",
        "strategies",
        "any.hidden.efg",
        "--probabilities",
        "nearest",
        "-o",
        "any.hidden.csv",
    ];
    stdout(folder, &export);
    stdout(
        folder,
        &["prove", "any.hidden.efg", "--probabilities", "nearest", "-o", "any.hidden.proof"],
    );
    let play = "{\"format\":\"stochastic-game-play\",\"version\":1,\"game\":\"any.jsonl\"}\n";
    let turn = "{\"state\":\"s\",\"a\":\"hide\",\"b\":\"wait\",\"to\":\"s\"}\n";
    std::fs::write(folder.join("any.play.jsonl"), format!("{play}{turn}")).expect("room");
    crate::check::write(folder);
}

#[test]
fn every_field_is_described_and_every_description_has_a_field() {
    let folder = folder();
    let folder = folder.path();
    write_files(folder);
    let lists = lists();
    let mut faults = Vec::new();
    for (heading, calls) in CALLS {
        let (page, program) = (described(&lists, heading), printed(folder, calls));
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
            one.difference(other).cloned().collect()
        };
        let (printed, described) = (only(&program, &page), only(&page, &program));
        if !printed.is_empty() || !described.is_empty() {
            faults.push(format!(
                "{heading}: printed alone: {printed:?}, described alone: {described:?}"
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A command that prints JSON cannot be forgotten here: the help names all commands.
#[test]
fn every_command_that_prints_json_is_called() {
    let folder = folder();
    let help = |command: &[&str]| stdout(folder.path(), &[command, &["--help"][..]].concat());
    let (all, of_tennis) = (help(&[]), help(&["tennis"]));
    let alone = commands(&all).into_iter().map(|command| vec![command]);
    let tennis = commands(&of_tennis).into_iter().map(|command| vec!["tennis", command]);
    let mut count = 0;
    for command in alone.chain(tennis).filter(|command| !command.contains(&"help")) {
        if !help(&command).contains("--format <FORMAT>") || NO_REPORTS.contains(&command[0]) {
            continue;
        }
        count += 1;
        let is_called =
            CALLS.iter().any(|(_, calls)| calls.iter().any(|call| call.starts_with(&command)));
        assert!(is_called, "the fields of {command:?} are described in docs/json.md");
    }
    assert!(count >= 13, "only {count} commands print JSON");
}

//! Table files that lie, as scripts and people meet them: refused, or called stored and not proved.

use std::fs;
use std::path::Path;

use crate::program::{array, assert_refused, folder, json, parse, run, stdout, text};

#[expect(dead_code, reason = "other tests use more of it")]
#[path = "../../../../tests/library/forged.rs"]
pub(crate) mod parts;

/// The state whose bounds are forged, and one above it.
const FORGED: &str = "4:3@-2";
const ABOVE: &str = "6:6@-1";

const REFUSAL: &str = "at 4:3@-2 the bounds do not follow from the strategies";

/// The tables `6.table` and `bare.table`, which has no strategies, and both with the bounds of a
/// state moved by 2^-10.
fn tables(folder: &Path) {
    stdout(folder, &["solve", "6", "--save", "6.table"]);
    stdout(folder, &["solve", "6", "--strategies", "again", "--save", "bare.table"]);
    for (honest, name) in [("6.table", "forged.table"), ("bare.table", "forged-bare.table")] {
        let mut table = parts::Table::new(fs::read(folder.join(honest)).expect("it was written"));
        let state = (4, 3, -2);
        let bounds = table.bounds(state).map(|bound| bound + (1 << 50));
        table.set_bounds(state, bounds);
        fs::write(folder.join(name), table.sealed()).expect("room");
    }
}

#[test]
fn what_is_read_of_a_state_is_refused_or_called_stored() {
    let folder = folder();
    let folder = folder.path();
    tables(folder);
    assert_refused(
        folder,
        &["show", FORGED, "--table", "forged.table"],
        1,
        &["the table file forged.table cannot be used: ", REFUSAL],
    );
    let contradiction = "the bounds contradict those of the next states";
    let bare = "the table file forged-bare.table cannot be used: at 4:3@-2 ";
    assert_refused(
        folder,
        &["show", FORGED, "--table", "forged-bare.table"],
        1,
        &[bare, contradiction],
    );
    for (state, table) in [
        (ABOVE, "6.table"),
        (ABOVE, "bare.table"),
        (ABOVE, "forged.table"),
        (ABOVE, "forged-bare.table"),
    ] {
        let shown = stdout(folder, &["show", state, "--table", table]);
        assert!(
            shown.contains("\n  stored, not proved: ") && !shown.contains("\n  proved: "),
            "{shown}"
        );
        assert!(
            shown.contains(&format!("\nTo prove the whole table: verify {table}\n")),
            "{shown}"
        );
        assert_eq!(json(folder, &["show", state, "--table", table])["proved"], false, "{table}");
    }
    let shown = stdout(folder, &["show", ABOVE]);
    assert!(shown.contains("\n  proved: ") && !shown.contains("stored"), "{shown}");
    assert_eq!(json(folder, &["show", ABOVE])["proved"], true);
}

/// Two numbers that are printed together do not contradict each other: proved decimals beside what
/// a table says of the same state, in text and JSON.
#[test]
fn proved_decimals_do_not_stand_beside_other_bounds() {
    let folder = folder();
    let folder = folder.path();
    // The table of another scoring under the name of this one: its strategies secure its bounds.
    stdout(folder, &["solve", "6", "--scoring", "2,1/2,0,-1/2,-2", "--save", "other.table"]);
    for (strategies, name) in [("keep", "6.table"), ("again", "bare.table")] {
        stdout(folder, &["solve", "6", "--strategies", strategies, "--save", name]);
        stdout(
            folder,
            &[
                "solve",
                "6",
                "--strategies",
                strategies,
                "--scoring",
                "2,1/2,0,-1/2,-2",
                "--save",
                "other.table",
            ],
        );
        let honest = fs::read(folder.join(name)).expect("it was written");
        let mut forged =
            parts::Table::new(fs::read(folder.join("other.table")).expect("it was written"));
        forged.bytes[26..106].copy_from_slice(&honest[26..106]);
        fs::write(folder.join("forged.table"), forged.sealed()).expect("room");
        let shown = stdout(folder, &["show", "6:6@1", "--table", "forged.table"]);
        assert!(shown.contains("stored, not proved"), "{shown}");
        let words = [
            "the table file forged.table cannot be used: at 6:6@1 the bounds ",
            " contradict the proved decimals 1.0",
        ];
        assert_refused(
            folder,
            &["show", "6:6@1", "--table", "forged.table", "--digits", "20"],
            1,
            &words,
        );
        let args = [
            "show",
            "6:6@0",
            "6:6@1",
            "--table",
            "forged.table",
            "--digits",
            "3",
            "--format",
            "json",
        ];
        assert_refused(folder, &args, 1, &words);
        let honest = stdout(folder, &["show", "6:6@1", "--table", name, "--digits", "20"]);
        let solved = stdout(folder, &["show", "6:6@1", "--digits", "20"]);
        let decimals = |text: &str| {
            text.lines().find(|line| line.starts_with("  lower bound ")).map(str::to_owned)
        };
        assert_eq!(decimals(&honest), decimals(&solved));
    }
}

#[test]
fn a_written_game_is_judged_by_what_is_called_stored() {
    let folder = folder();
    let folder = folder.path();
    tables(folder);
    fs::write(folder.join("game"), "0 4 3 -2\n1 2 2 2 1 -2\n").expect("room");
    assert_refused(folder, &["replay", "game", "--table", "forged.table"], 1, &[REFUSAL]);
    let contradiction = "the bounds contradict those of the next states";
    assert_refused(
        folder,
        &["replay", "game", "--table", "forged-bare.table"],
        1,
        &[contradiction],
    );
    for table in ["6.table", "bare.table"] {
        let judged = stdout(folder, &["replay", "game", "--table", table]);
        let sentence = format!(
            "\nValues are those of {table}: stored, not proved. To prove them: verify {table}\n"
        );
        assert!(judged.ends_with(&sentence), "{judged}");
        assert_eq!(json(folder, &["replay", "game", "--table", table])["proved"], false);
    }
    assert_eq!(json(folder, &["replay", "game"])["proved"], true);
    assert!(!stdout(folder, &["replay", "game"]).contains("stored"));
}

/// What reads a whole table proves it, or says that there is nothing to prove it by.
#[test]
fn what_reads_a_whole_table_proves_it() {
    let folder = folder();
    let folder = folder.path();
    tables(folder);
    let all: [&[&str]; 8] = [
        &["export", "values", "-o", "values.csv"],
        &["export", "strategies", "--format", "json"],
        &["exploit", "uniform"],
        &["duel", "uniform", "optimal", "--games", "5"],
        &["tennis", "forced", "--compare"],
        &["plot", "values", "-o", "values.svg"],
        &["play", "--seed", "1"],
        &["solve", "--resume", "forged.table"],
    ];
    for args in all {
        let table: &[&str] = if args[0] == "solve" { &[] } else { &["--table", "forged.table"] };
        assert_refused(
            folder,
            &[args, table].concat(),
            1,
            &["the table file forged.table cannot be used: ", REFUSAL],
        );
    }
    for kind in ["values", "strategies", "policy"] {
        let solved = stdout(folder, &["export", kind, "6"]);
        assert_eq!(
            stdout(folder, &["export", kind, "--table", "6.table"]),
            solved,
            "what is proved is the same"
        );
    }
    let note = "note: forged-bare.table has no strategies: its bounds are stored, not proved; to prove them: verify forged-bare.table\n";
    for args in
        [&["export", "values", "--format", "json"][..], &["exploit", "uniform", "--format", "json"]]
    {
        let output = run(folder, &[args, &["--table", "forged-bare.table"]].concat());
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), note.to_owned()),
            "{args:?}"
        );
        let report = parse(&text(&output.stdout));
        let rows = report.as_array().map_or_else(|| std::slice::from_ref(&report), Vec::as_slice);
        assert!(rows.iter().all(|row| row["proved"] == false), "{report}");
    }
    let output = run(
        folder,
        &["tennis", "forced", "--compare", "--format", "json", "--table", "bare.table"],
    );
    assert_eq!(parse(&text(&output.stdout))["comparison"]["proved"], false);
    let output = run(folder, &["exploit", "uniform", "--table", "bare.table"]);
    assert!(text(&output.stdout).contains("    stored, not proved: "));
    let solved = json(folder, &["export", "values", "6"]);
    assert!(array(&solved).iter().all(|row| row["proved"] == true));
    // A certificate holds no bounds, and says what it proves.
    stdout(folder, &["prove", "--table", "forged-bare.table", "-o", "6.proof"]);
    stdout(folder, &["verify", "6.proof"]);
}

#[test]
fn verify_proves_a_table_or_refuses_it() {
    let folder = folder();
    let folder = folder.path();
    tables(folder);
    stdout(folder, &["prove", "6", "-o", "6.proof"]);
    let certificate = json(folder, &["verify", "6.proof", "--bounds", "proof.csv"]);
    for table in ["6.table", "bare.table"] {
        assert_eq!(
            json(folder, &["verify", table, "--bounds", "table.csv"]),
            certificate,
            "{table}"
        );
        let [proof, table] = ["proof.csv", "table.csv"]
            .map(|name| fs::read_to_string(folder.join(name)).expect("a table"));
        assert_eq!(proof, table);
    }
    let narrower = "at 4:3@-2 the bounds are narrower than the proved ones, -230584300921369396 and -230584300921369395 units";
    for (table, reason) in [("forged.table", REFUSAL), ("forged-bare.table", narrower)] {
        let output = run(folder, &["verify", table, "--format", "json"]);
        let sentence = format!("the table file cannot be used: {reason}");
        assert_eq!(text(&output.stderr), format!("pencil-tennis: {table}: {sentence}\n"));
        let report = parse(&text(&output.stdout));
        assert_eq!(
            (output.status.code(), &report["valid"], &report["reason"]),
            (Some(1), &false.into(), &sentence.into())
        );
    }
}

#[test]
fn a_resumed_solve_says_what_it_trusts() {
    let folder = folder();
    let folder = folder.path();
    tables(folder);
    let proved = stdout(folder, &["solve", "--resume", "6.table"]);
    assert!(proved.contains("widest guaranteed interval of any value: "), "{proved}");
    for table in ["bare.table", "forged-bare.table"] {
        let trusted = stdout(folder, &["solve", "--resume", table]);
        assert!(!trusted.contains("guaranteed"), "{trusted}");
        assert!(
            trusted.contains("has no strategies, so that its bounds are stored, not proved\n"),
            "{trusted}"
        );
        assert_eq!(json(folder, &["solve", "--resume", table])["start"]["proved"], false);
    }
}

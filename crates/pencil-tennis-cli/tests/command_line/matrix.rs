//! One matrix: the same games in every format, and files that are none.

use std::fs;

use crate::program::{assert_refused, folder, json, run, stdout, text};

/// The same game in six files: payoffs 3, -1, 1/2 and -2, 1, 0.
const SAME: [(&str, &str); 6] = [
    ("plain.csv", "3,-1,0.5\n-2,1,0\n"),
    ("named.csv", ",left,\"right, or so\",out\nup, 3, -1, 1/2\ndown,-2,1e0,0\n"),
    ("numbers.json", "[[3, -1, 0.5],\n [-2, 1, 0]]"),
    ("texts.json", "\u{feff}[[\"3\",\"-1\",\"1/2\"],[\"-2\",\"1\",\"0\"]]"),
    ("payoffs.nfg", "NFG 1 R \"t\" { \"A\" \"B\" }\n{ 2 3 }\n\n3 -3 -2 2 -1 1 1 -1 0.5 -0.5 0 0"),
    (
        "outcomes.nfg",
        "NFG 1 R \"a \\\"title\\\"\" { \"A\" \"B\" } { { \"up\" \"down\" } { \"l\" \"m\" \"r\" } } \"comment\"\n\
         { { \"w\" 3, -3 } { \"x\" -2, 2 } { \"y\" -1, 1 } { \"z\" 1, -1 } { \"\" 1/2, -1/2 } } 1 2 3 4 5 0",
    ),
];

#[test]
fn a_game_has_the_same_solution_in_every_format() {
    let folder = folder();
    for (name, text) in SAME {
        fs::write(folder.path().join(name), text).expect("room");
        let report = json(folder.path(), &["solve", name, "--row", "1/2,0.5", "--column", "0,0,1"]);
        // By hand: 3p − 2(1 − p) and −p + (1 − p) cross at p = 3/7, where the third column pays
        // 3/14 > 1/7.
        assert_eq!((&report["exact"], &report["sum"]), (&"1/7".into(), &"0".into()), "{name}");
        let strategy = |player: &str| -> Vec<String> {
            let actions = report[player].as_array().expect("a list");
            actions
                .iter()
                .map(|action| action["exact"].as_str().expect("a fraction").to_owned())
                .collect()
        };
        assert_eq!(
            (strategy("row"), strategy("column")),
            (vec!["3/7".into(), "4/7".into()], vec!["2/7".into(), "5/7".into()])
        );
        assert_eq!(report["unique"], serde_json::json!({"row": true, "column": true}), "{name}");
        let [to_row, to_column] = ["reply_to_row", "reply_to_column"].map(|reply| &report[reply]);
        assert_eq!((&to_row["exact"], &to_row["loss"]), (&"0".into(), &"1/7".into()), "{name}");
        assert_eq!(
            (&to_column["exact"], &to_column["loss"]),
            (&"1/2".into(), &"5/14".into()),
            "{name}"
        );
        // The third column pays 1/2 and 0 with the same probability.
        assert_eq!(
            report["expected"],
            serde_json::json!({"payoff": 0.25, "exact": "1/4"}),
            "{name}"
        );
    }
    let shown = stdout(folder.path(), &["solve", "named.csv", "--row", "1,0"]);
    for words in [
        "2 rows, 3 columns",
        "exactly 1/7",
        "right, or so",
        "the only optimal strategy",
        "loses 8/7 of the value",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let both = stdout(
        folder.path(),
        &["solve", "named.csv", "--row", "1/3,2/3", "--column", "1/2,1/4,1/4"],
    );
    // 1/3 · (3/2 − 1/4 + 1/8) + 2/3 · (−1 + 1/4) = 11/24 − 1/2.
    assert!(both.contains("The given strategies pay the row player -1/24"), "{both}");
    // A constant sum of 5: the row player's payoffs count.
    fs::write(folder.path().join("five.nfg"), "NFG 1 D \"\" { \"A\" \"B\" } { 1 2 } 2 3 4 1")
        .expect("room");
    let report = json(folder.path(), &["solve", "five.nfg"]);
    assert_eq!((&report["exact"], &report["sum"]), (&"2".into(), &"5".into()));
    fs::write(folder.path().join("ties.csv"), "1,1\n1,1\n").expect("room");
    assert_eq!(
        json(folder.path(), &["solve", "ties.csv"])["unique"],
        serde_json::json!({"row": false, "column": false})
    );
}

#[test]
fn files_that_are_no_matrix_game_are_refused_in_a_sentence() {
    let folder = folder();
    let header = "NFG 1 R \"t\" { \"A\" \"B\" } ";
    for (text, words) in [
        (String::new(), "at least one row and one column"),
        ("1,2\n3\n".into(), "line 2 has 1 cell, and line 1 has 2"),
        ("1,2\n3,x\n".into(), "line 2, column 2: `x` is no number"),
        ("1,2\n3,1/0\n".into(), "`1/0` is no number"),
        ("[[1,2],[3]]".into(), "rows of equal length"),
        ("[[1,2],[3,null]]".into(), "`null` is no number"),
        ("[1,2]".into(), "no JSON array of rows"),
        ("[[1,2]".into(), "no JSON array of rows"),
        ("NFG 2 R \"t\"".into(), "`2` stands where version 1 is expected"),
        ("NFG 1 R \"t".into(), "closing quotation mark"),
        ("NFG 1 R \"t\" { \"A\" \"B\" \"C\" } { 1 1 1 } 1 1 1".into(), "it has 3 players"),
        (format!("{header}{{ 1 }} 1 -1"), "not two numbers"),
        (format!("{header}{{ 1 x }} 1 -1"), "not two numbers"),
        (format!("{header}{{ 1 2 }} 1 -1"), "it ends where a payoff is expected"),
        (format!("{header}{{ 1 1 }} 1 -1 4"), "`4` stands after the last payoff"),
        (
            format!("{header}{{ 1 2 }} 1 -1 1 1"),
            "the players' payoffs sum to 2 for `1` against `2`, and to 0 elsewhere",
        ),
        (
            format!("{header}{{ 1 1 }} {{ {{ \"\" 1 -1 }} }} 2"),
            "`2` is no outcome; expected 0 to 1",
        ),
        (format!("{header}{{ 1 1 }} {{ {{ \"\" 1 }} }} 1"), "an outcome has 1 payoffs; expected 2"),
        (format!("{header}{{ 1 1 }} {{ {{ }} }} 1"), "outcome"),
        (format!("{header}{{ {{ \"u\" }} {{ \"l\" }} 1 -1"), "a closing brace"),
    ] {
        fs::write(folder.path().join("m.csv"), &text).expect("room");
        assert_refused(folder.path(), &["solve", "m.csv"], 1, &[words]);
    }
    fs::write(folder.path().join("m.csv"), "1,2\n3,4\n").expect("room");
    for (option, strategy, words) in [
        ("--row", "1", "--row: the strategy has 1 probabilities; expected 2"),
        ("--row", "1,1", "do not sum to 1"),
        ("--column", "2,-1", "--column: the strategy's probabilities are negative"),
        ("--column", "1,x", "`x` is no number"),
    ] {
        assert_refused(folder.path(), &["solve", "m.csv", option, strategy], 1, &[words]);
    }
    assert_refused(
        folder.path(),
        &["solve", "nothing"],
        2,
        &["a game of other rules is a file or @NAME"],
    );
}

/// The answer says what was taken for names and what was not read as written; a value that no
/// double holds is null.
#[test]
fn what_was_assumed_is_said() {
    let folder = folder();
    fs::write(folder.path().join("p.csv"), ",0,1\n0,3,-1\n1,-2,1\n").expect("room");
    let names =
        ["the first column names the rows: `0`, `1`", "the first row names the columns: `0`, `1`"];
    assert_eq!(json(folder.path(), &["solve", "p.csv"])["assumptions"], serde_json::json!(names));
    let shown = stdout(folder.path(), &["solve", "p.csv"]);
    assert!(
        names.iter().all(|names| shown.contains(names)) && shown.contains("exactly 1/7"),
        "{shown}"
    );
    fs::write(
        folder.path().join("r.nfg"),
        "NFG 1 R \"\" { \"A\" \"B\" } { 1 2 } 0.7 0.30000000000000004 1 0",
    )
    .expect("room");
    assert_refused(
        folder.path(),
        &["solve", "r.nfg"],
        1,
        &["with nearest payoffs", "with first payoffs"],
    );
    let nearest = json(folder.path(), &["solve", "r.nfg", "--payoffs", "nearest"]);
    assert_eq!((&nearest["exact"], &nearest["sum"]), (&"7/10".into(), &"1".into()));
    assert_eq!(
        nearest["assumptions"],
        serde_json::json!(["1 payoffs are read as the simplest fractions near them"])
    );
    fs::write(folder.path().join("large.csv"), "1e400,1e401\n").expect("room");
    let large = json(folder.path(), &["solve", "large.csv", "--row", "1"]);
    assert_eq!(
        (&large["value"], &large["reply_to_row"]["payoff"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert_eq!(large["exact"].as_str().map(str::len), Some(401));
    assert!(
        stdout(folder.path(), &["solve", "large.csv"])
            .contains("worth more than any double to one of the players")
    );
}

/// A file that another command takes is sent there.
#[test]
fn files_of_other_commands_name_these() {
    let folder = folder();
    let tree = "EFG 2 R \"\" { \"A\" \"B\" }\nt \"\" 1 \"\" { 0 0 }\n";
    for (name, text) in [
        ("m.csv", "3,-1\n-2,1\n"),
        ("m.nfg", SAME[4].1),
        ("m.json", "[[3,-1],[-2,1]]"),
        ("tree.efg", tree),
    ] {
        fs::write(folder.path().join(name), text).expect("room");
    }
    fs::write(folder.path().join("model.tra"), "4 5 6\n0 0 1 1/2\n").expect("room");
    for (args, words) in [
        (["play", "m.csv"], "m.csv is one matrix game; `pencil-tennis solve m.csv` solves it"),
        (["explore", "m.nfg"], "m.nfg is one matrix game; `pencil-tennis solve m.nfg` solves it"),
        (["play", "m.json"], "m.json is one matrix game; `pencil-tennis solve m.json` solves it"),
    ] {
        let output = run(folder.path(), &args);
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    }
    for (args, words) in [
        (
            &["show", "m.csv"][..],
            "one matrix game has no states; `pencil-tennis solve m.csv` solves it",
        ),
        (&["prove", "m.csv", "-o", "p"], "one matrix game has no certificate"),
        (&["export", "values", "m.csv"], "one matrix game has no table"),
        (
            &["exploit", "uniform", "m.csv"],
            "are judged by `pencil-tennis solve m.csv --row P,P,… --column P,P,…`",
        ),
        (&["solve", "model.tra"], "a .tra file is a model without a question; add --property"),
        (
            &["solve", "m.csv", "--field", "3"],
            "--field is not for one matrix game, which takes --row, --column",
        ),
        (&["solve", "5", "--row", "1,0"], "--row is not for Tennis"),
        (&["solve", "@rps", "--all"], "--all is not for @rps"),
    ] {
        assert_refused(folder.path(), args, 2, &[words]);
    }
    let game = stdout(folder.path(), &["solve", "tree.efg"]);
    assert!(game.contains('0'), "{game}");
}

/// By hand: with the second row repeated, its 4/7 may be shared; the last row is worse than the
/// others mixed evenly.
#[test]
fn all_optimal_strategies_and_dominated_actions_are_printed() {
    let folder = folder();
    fs::write(folder.path().join("m.csv"), ",l,r\nup,3,-1\ndown,-2,1\nagain,-2,1\nbad,-3,-1\n")
        .expect("room");
    let report = json(folder.path(), &["solve", "m.csv", "--all", "--dominated", "weak"]);
    let exact = |strategy: &serde_json::Value| -> Vec<String> {
        let pair = |action: &serde_json::Value| {
            format!(
                "{} {}",
                action["exact"].as_str().expect("a fraction"),
                action["action"].as_str().expect("a name")
            )
        };
        strategy["actions"].as_array().expect("a list").iter().map(pair).collect()
    };
    let rows: Vec<Vec<String>> =
        report["optimal"]["row"].as_array().expect("a list").iter().map(exact).collect();
    assert_eq!(rows, [["3/7 up", "4/7 again"], ["3/7 up", "4/7 down"]]);
    assert_eq!(report["optimal"]["column"].as_array().expect("a list").len(), 1);
    let eliminated = report["dominated"]["eliminated"].as_array().expect("a list");
    assert_eq!(eliminated.len(), 1, "{eliminated:?}");
    assert_eq!(
        (&eliminated[0]["action"], &eliminated[0]["player"]),
        (&"bad".into(), &"row".into())
    );
    assert_eq!(report["dominated"]["row"], serde_json::json!(["up", "down", "again"]));
    let text = stdout(folder.path(), &["solve", "m.csv", "--all", "--dominated", "strict"]);
    assert!(
        text.contains(
            "The row player has 2 optimal strategies, and their mixtures:\n  3/7 up + 4/7 again\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("The column player has one optimal strategy:\n  2/7 l + 5/7 r\n"),
        "{text}"
    );
    assert!(text.contains("Round 1: the row player's bad is dominated by down\n"), "{text}");
}

/// By hand: with the second row repeated, the most even strategy shares its 4/7; the value (a −
/// 2)/(a + 4) of [[a, −1], [−2, 1]] has the slope 6/49 at 3, and for −1 and less the first row is
/// no longer mixed.
#[test]
fn the_most_even_strategy_and_the_dependence_on_payoffs_are_printed() {
    let folder = folder();
    fs::write(folder.path().join("m.csv"), ",l,r\nup,3,-1\ndown,-2,1\nagain,-2,1\n").expect("room");
    fs::write(folder.path().join("unique.csv"), ",l,r\nup,3,-1\ndown,-2,1\n").expect("room");
    let report = json(folder.path(), &["solve", "m.csv", "--max-entropy", "--sensitivity"]);
    let shares: Vec<&str> = report["max_entropy"]["row"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|action| action["exact"].as_str().expect("one"))
        .collect();
    assert_eq!(shares, ["3/7", "2/7", "2/7"]);
    assert!(report.get("sensitivity").is_none());
    let text = stdout(folder.path(), &["solve", "m.csv", "--sensitivity"]);
    assert!(
        text.contains("Several strategies are optimal: the value may have no derivative"),
        "{text}"
    );
    let text = stdout(folder.path(), &["solve", "unique.csv", "--sensitivity"]);
    assert!(
        text.contains("  up, l (3): derivative 6/49; the same actions are played from -1 on\n"),
        "{text}"
    );
    let report = json(folder.path(), &["solve", "unique.csv", "--sensitivity"]);
    assert_eq!(report["sensitivity"][0]["from"], "-1");
    assert_eq!(report["sensitivity"][0]["to"], serde_json::Value::Null);
}

/// The bounds are of the payoffs as they are written: a tenth is no double.
#[test]
fn a_game_in_doubles_has_bounds_of_what_is_written() {
    let folder = folder();
    fs::write(folder.path().join("m.csv"), "0.1,-0.3\n-0.2,0.1\n").expect("room");
    fs::write(folder.path().join("huge.csv"), "1e30,0\n0,1\n").expect("room");
    let report = json(folder.path(), &["solve", "m.csv", "--approximate"]);
    let bound = |side: &str| report["decimal"][side].as_str().expect("a decimal").to_owned();
    // By hand: (0.1·0.1 − 0.3·0.2) / 0.7 = −1/14.
    assert_eq!(
        (&bound("lower")[..17], &bound("upper")[..17]),
        ("-0.07142857142857", "-0.07142857142857")
    );
    // Of negative decimals the smaller one is the later text.
    assert!(
        *"-0.0714285714285714285714" <= *bound("lower")
            && *bound("upper") <= *"-0.0714285714285714285715"
    );
    assert!(report.get("exact").is_none() && report.get("unique").is_none());
    let text = stdout(folder.path(), &["solve", "m.csv", "--approximate"]);
    assert!(text.contains("  proved: -0.0714") && text.contains(" ≤ value ≤ -0.0714"), "{text}");
    assert_refused(
        folder.path(),
        &["solve", "huge.csv", "--approximate"],
        1,
        &["a payoff is 2^61 or larger in size"],
    );
    assert_refused(
        folder.path(),
        &["solve", "m.csv", "--approximate", "--all"],
        2,
        &["--approximate", "--all"],
    );
}

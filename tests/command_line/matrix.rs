//! `matrix`: the same games in every format, and files that are none.

use std::fs;

use crate::program::{assert_refused, folder, json, stdout};

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
        let report = json(folder.path(), &["matrix", name, "--row", "1/2,0.5", "--column", "0,0,1"]);
        // By hand: 3p − 2(1 − p) and −p + (1 − p) cross at p = 3/7, where the third column pays 3/14 > 1/7.
        assert_eq!((&report["exact"], &report["sum"]), (&"1/7".into(), &"0".into()), "{name}");
        let strategy = |player: &str| -> Vec<String> {
            let actions = report[player].as_array().expect("a list");
            actions.iter().map(|action| action["exact"].as_str().expect("a fraction").to_owned()).collect()
        };
        assert_eq!((strategy("row"), strategy("column")), (vec!["3/7".into(), "4/7".into()], vec!["2/7".into(), "5/7".into()]));
        assert_eq!(report["unique"], serde_json::json!({"row": true, "column": true}), "{name}");
        let [to_row, to_column] = ["reply_to_row", "reply_to_column"].map(|reply| &report[reply]);
        assert_eq!((&to_row["exact"], &to_row["loss"]), (&"0".into(), &"1/7".into()), "{name}");
        assert_eq!((&to_column["exact"], &to_column["loss"]), (&"1/2".into(), &"5/14".into()), "{name}");
    }
    let shown = stdout(folder.path(), &["matrix", "named.csv", "--row", "1,0"]);
    for words in ["2 rows, 3 columns", "exactly 1/7", "right, or so", "the only optimal strategy", "loses 8/7 of the value"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // A constant sum of 5: the row player's payoffs count.
    fs::write(folder.path().join("five.nfg"), "NFG 1 D \"\" { \"A\" \"B\" } { 1 2 } 2 3 4 1").expect("room");
    let report = json(folder.path(), &["matrix", "five.nfg"]);
    assert_eq!((&report["exact"], &report["sum"]), (&"2".into(), &"5".into()));
    fs::write(folder.path().join("ties.csv"), "1,1\n1,1\n").expect("room");
    assert_eq!(json(folder.path(), &["matrix", "ties.csv"])["unique"], serde_json::json!({"row": false, "column": false}));
}

#[test]
fn files_that_are_no_matrix_game_are_refused_in_a_sentence() {
    let folder = folder();
    let header = "NFG 1 R \"t\" { \"A\" \"B\" } ";
    for (text, words) in [
        (String::new(), "at least one row and one column"),
        ("1,2\n3\n".into(), "record 1"),
        ("1,2\n3,x\n".into(), "line 2: `x` is no number"),
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
        (format!("{header}{{ 1 2 }} 1 -1 1 1"), "the players' payoffs sum to 2 for `1` against `2`, and to 0 elsewhere"),
        (format!("{header}{{ 1 1 }} {{ {{ \"\" 1 -1 }} }} 2"), "`2` is no outcome; expected 0 to 1"),
        (format!("{header}{{ 1 1 }} {{ {{ \"\" 1 }} }} 1"), "an outcome has 1 payoffs; expected 2"),
        (format!("{header}{{ 1 1 }} {{ {{ }} }} 1"), "outcome"),
        (format!("{header}{{ {{ \"u\" }} {{ \"l\" }} 1 -1"), "a closing brace"),
    ] {
        fs::write(folder.path().join("m"), &text).expect("room");
        assert_refused(folder.path(), &["matrix", "m"], 1, &[words]);
    }
    fs::write(folder.path().join("m"), "1,2\n3,4\n").expect("room");
    for (option, strategy, words) in [
        ("--row", "1", "--row: the strategy has 1 probabilities; expected 2"),
        ("--row", "1,1", "do not sum to 1"),
        ("--column", "2,-1", "--column: the strategy's probabilities are negative"),
        ("--column", "1,x", "`x` is no number"),
    ] {
        assert_refused(folder.path(), &["matrix", "m", option, strategy], 1, &[words]);
    }
    assert_refused(folder.path(), &["matrix", "nothing"], 1, &["nothing"]);
}

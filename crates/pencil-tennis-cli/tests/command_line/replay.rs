//! Written games, judged bid by bid.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::program::{array, assert_refused, folder, json, number, parse, program, stdout, text};

/// The first example game of the article "Tennis (Bleistiftspiel)" in the German Wikipedia.
const ARTICLE: &str = include_str!("../../../../tests/library/data/game_1.txt");

/// At 4:3@-2 the stage matrix has the rows (1 -2 -2), (1 1 -2), (-1 1 1), (-1 -1 1). A bids 2 and 3
/// with probabilities 2/5 and 3/5, B 1 and 3 with 3/5 and 2/5: against A's mixture the columns are
/// worth -1/5, 1, -1/5, so that B's bid 2 costs 6/5, and against B's all rows are worth -1/5.
#[test]
fn costs_are_those_computed_by_hand() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("game"), "0 4 3 -2\n1 4 2 0 1 1\n2 0 1 0 0 -1\n").expect("room");
    let report = json(folder, &["replay", "game"]);
    let [first, second] = array(&report["turns"]) else { panic!("two turns: {report}") };
    for (value, by_hand) in [
        (&first["value"], -0.2),
        (&first["a"]["value"], -0.2),
        (&first["a"]["loss"], 0.0),
        (&first["b"]["value"], 1.0),
        (&first["b"]["loss"], 1.2),
        (&first["value_after"], -1.0),
        (&second["b"]["loss"], 0.0),
        (&second["value_after"], -1.0),
        (&report["loss_b"], 1.2),
    ] {
        // Sums of three products of doubles near 1.
        assert!((number(value) - by_hand).abs() < 1e-14, "{value} {by_hand}");
    }
    assert_eq!((report["end"].as_str(), number(&report["payoff"])), (Some("lies_with_a"), -1.0));
    let [mistake] = array(&report["costliest"]) else { panic!("one mistake: {report}") };
    assert_eq!(
        (mistake["player"].as_str(), mistake["bid"].as_u64(), mistake["turn"].as_u64()),
        (Some("B"), Some(2), Some(1))
    );
    let better: Vec<u64> =
        array(&mistake["better"]).iter().filter_map(|bid| bid["bid"].as_u64()).collect();
    assert_eq!(better, [1, 3]);
    let shown = stdout(folder, &["replay", "game"]);
    for line in ["turn 1, 4:3@-2: B bid 2, which cost 1.20000", "better: 1 (60.0 %), 3 (40.0 %)"] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
}

#[test]
fn a_game_of_the_article_fits_on_a_screen() {
    let folder = folder();
    fs::write(folder.path().join("game"), ARTICLE).expect("room");
    let shown = stdout(folder.path(), &["replay", "game"]);
    assert!(shown.contains("the ball lies on B's side; A wins 1"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

/// A game that was cut off is decided where the ball lies, if its file says so; two games in a row
/// are judged as two.
#[test]
fn games_that_were_cut_off_are_decided_where_the_ball_lies() {
    let folder = folder();
    let folder = folder.path();
    let table = "# rules: field 3 motion step scoring win-loss min-bid 0\n0 12 12 0\n1 5 3 7 9 1\n2 0 0 7 9 1\n3 7 2 0 7 2\n";
    fs::write(folder.join("table"), table).expect("room");
    let printed = stdout(folder, &["replay", "table"]);
    assert!(printed.contains("12:12@0") && printed.contains("smallest bid 0"), "{printed}");
    let unfinished = json(folder, &["replay", "table"]);
    assert!(
        unfinished["ended_where_it_lies"] == false && unfinished["payoff"].is_null(),
        "{unfinished}"
    );
    fs::write(folder.join("cut"), format!("{table}# decided where the ball lies\n")).expect("room");
    let game = json(folder, &["replay", "cut"]);
    assert_eq!(
        (&game["end"], &game["payoff"], &game["value"]),
        (&"lies_with_b".into(), &1.0.into(), &1.0.into())
    );
    assert_eq!(
        (game["ended_where_it_lies"].as_bool(), game["state"].as_str()),
        (Some(true), Some("0:7@2"))
    );
    let printed = stdout(folder, &["replay", "cut"]);
    assert!(printed.contains("The game ends at 0:7@2, decided as if all were spent: the ball lies on B's side; A wins 1"), "{printed}");
    fs::write(
        folder.join("written"),
        format!("{table}# decided where the ball lies\n4 0 1 0 6 1\n"),
    )
    .expect("room");
    assert_refused(folder, &["replay", "written"], 1, &["line 7: the game is over at 0:7@2"]);
    let (_, turns) = table.split_once('\n').expect("a line of rules");
    fs::write(folder.join("two"), format!("{table}{turns}")).expect("room");
    assert_eq!(array(&json(folder, &["replay", "two"])).len(), 2);
}

#[test]
fn the_rules_of_a_comment_hold() {
    let folder = folder();
    let folder = folder.path();
    let game = "# rules: field 1 motion step scoring win-loss\n0 2 2 0\n1 2 1 0 1 1\n2 0 1 0 0 0\n";
    fs::write(folder.join("game"), game).expect("room");
    let report = json(folder, &["replay", "game"]);
    assert_eq!(
        (report["rules"]["field"].as_i64(), report["rules"]["motion"].as_str()),
        (Some(1), Some("step"))
    );
    assert_eq!(report["end"], "draw");
    assert_eq!(json(folder, &["replay", "game", "--field", "1"]), report);
    assert_refused(
        folder,
        &["replay", "game", "--field", "2"],
        1,
        &["other rules", "field 1, one step at a time"],
    );
    stdout(folder, &["solve", "3", "--save", "tennis"]);
    assert_refused(folder, &["replay", "game", "--table", "tennis"], 1, &["other rules"]);
    fs::write(folder.join("game"), "0 2 2 0\n1 2 1 0 1 1\n").expect("room");
    let mut read = json(folder, &["replay", "game", "--table", "tennis"]);
    assert_eq!(read["end"].take(), serde_json::Value::Null);
}

#[test]
fn several_games_are_an_array_and_errors_name_lines_of_the_file() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("games"),
        "# two\n0 2 2 0\n1 2 1 0 1 1\n\n# the second\n0 1 1 0\n1 1 1 0 0 0\n",
    )
    .expect("room");
    let mut child = program(folder, &["replay", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let games = fs::read(folder.join("games")).expect("a file");
    child.stdin.take().expect("a pipe").write_all(&games).expect("it reads");
    let read = parse(&text(&child.wait_with_output().expect("it ends").stdout));
    let starts: Vec<_> = array(&read).iter().map(|game| game["start"].as_str()).collect();
    assert_eq!(starts, [Some("2:2@0"), Some("1:1@0")]);
    for (game, words) in [
        ("0 2 2 0\n1 2 1 0 1 1\n\n0 1 1 0\n1 1 2 0 0 0\n", &["line 5", "B cannot bid 2"][..]),
        ("0 2 2 0\n1 2 x 0 1 1\n", &["line 2", "`x` is not a number"]),
        ("# nothing\n", &["no start line"]),
        ("1 2 1 0 1 1\n", &["line 1"]),
    ] {
        fs::write(folder.join("games"), game).expect("room");
        assert_refused(folder, &["replay", "games"], 1, &[&["games"], words].concat());
    }
    assert_refused(folder, &["replay", "none"], 1, &["cannot read none"]);
}

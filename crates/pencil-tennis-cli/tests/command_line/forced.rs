//! The commands `forced` and `series`, and which strategies are the only ones, as scripts and
//! people meet them.

use serde_json::Value;

use crate::program::{self, folder, text};

fn stdout(args: &[&str]) -> String {
    program::stdout(folder().path(), args)
}

fn json(args: &[&str]) -> Value {
    program::json(folder().path(), args)
}

/// A refused run: its status and what it says on standard error.
fn refusal(args: &[&str]) -> (Option<i32>, String) {
    let output = program::run(folder().path(), args);
    assert_eq!(text(&output.stdout), "", "{args:?} prints a result all the same");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn forced_answers_where_the_endgame_begins() {
    let report = json(&["tennis", "forced"]);
    assert_eq!(report["points"], serde_json::json!([50, 50]));
    assert_eq!(
        (&report["states"], &report["decided_states"], &report["decided_to"]),
        (&13_005.into(), &9_331.into(), &3.into())
    );
    assert_eq!(report["payoffs"], serde_json::json!(["2", "1", "0", "-1", "-2"]));
    assert!(report.get("comparison").is_none());
    let outer = &report["balls"][0];
    assert_eq!(
        (&outer["ball"], &outer["first_undecided"]),
        (&(-2).into(), &serde_json::json!(["4:3@-2"]))
    );
    assert_eq!((&outer["lower"][4][3], &outer["upper"][4][3]), (&(-1.0).into(), &1.0.into()));
    assert_eq!((&outer["needed"]["a"][20], &outer["needed"]["a"][30]), (&45.into(), &Value::Null));
    assert_eq!(report["balls"][4]["needed"]["b"], outer["needed"]["a"], "the mirror image");
}

#[test]
fn forced_says_it_in_words_and_maps() {
    let text = stdout(&["tennis", "forced", "4"]);
    assert!(text.contains("with at most 3 points on either side every state is decided"), "{text}");
    assert!(text.contains("     4  AAa··\n     3  AaabB\n"), "{text}");
    assert!(text.contains("A 2, a 1, = 0, b -1, B -2; · undecided"), "{text}");
    assert!(!text.contains("\nBall 1:"), "its mirror image is there");
    let uneven = stdout(&["tennis", "forced", "3:5", "--scoring", "1,0,0,0,0"]);
    assert!(
        uneven.contains("\nBall 1:")
            && uneven.contains("points from which on B forces 0, by A's points"),
        "{uneven}"
    );
    assert!(uneven.contains("What A wins: A 1, B 0;"), "{uneven}");
    assert!(stdout(&["tennis", "forced", "101:2"]).ends_with("--format json has the maps\n"));
}

#[test]
fn forced_compares_with_optimal_play() {
    let comparison = &json(&["tennis", "forced", "50", "--compare"])["comparison"];
    let counts = ["both", "a_alone", "b_alone", "neither", "unknown"]
        .map(|name| comparison[name].as_u64().expect("a count"));
    assert_eq!(counts, [9_331, 2, 2, 3_670, 0]);
    assert!(
        stdout(&["tennis", "forced", "9", "--compare"])
            .lines()
            .filter(|line| line.contains(" alone ") && line.ends_with(" 1"))
            .count()
            == 2
    );
}

#[test]
fn forced_refuses_what_it_cannot_do() {
    assert_eq!(refusal(&["tennis", "forced", "0"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "forced", "ten"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "forced", "--format", "csv"]).0, Some(2));
    // Nothing is solved here: two tables of a byte for each of 5 · 70,001² states.
    let (status, complaint) = refusal(&["tennis", "forced", "70000"]);
    assert_eq!(status, Some(1));
    let sentence = "pencil-tennis: a game of 70000:70000 points would take 45.6 GiB of memory, above the limit of 8.0 GiB\n";
    assert_eq!(complaint, sentence);
    let (status, complaint) = refusal(&["tennis", "forced", "5", "--field", "0"]);
    assert_eq!((status, complaint.contains("from 1 to 99")), (Some(2), true), "{complaint}");
}

#[test]
fn series_tells_the_chance_at_every_score() {
    let report = json(&["tennis", "series", "--to", "3", "--points", "12"]);
    assert_eq!((&report["points"], &report["to"]), (&serde_json::json!([12, 12]), &3.into()));
    let scores = report["scores"].as_array().expect("scores");
    let names: Vec<&str> =
        scores.iter().map(|score| score["score"].as_str().expect("a name")).collect();
    assert_eq!(names, ["0-0", "0-1", "0-2", "1-0", "1-1", "1-2", "2-0", "2-1", "2-2"]);
    for score in scores {
        let [lower, chance, upper] =
            ["lower", "chance", "upper"].map(|name| score[name].as_f64().expect("a number"));
        assert!(lower <= chance && chance <= upper && upper - lower < 1e-14, "{score}");
        for player in ["a", "b"] {
            let bids = score[player].as_array().expect("bids");
            let sum: f64 =
                bids.iter().map(|bid| bid["probability"].as_f64().expect("a number")).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{score}");
        }
    }
    assert_eq!(scores[4]["chance"], 0.5);
    let mut one = json(&["tennis", "series", "--to", "3", "--points", "12", "--score", "2-1"]);
    one.as_object_mut()
        .expect("an object")
        .retain(|name, _| !["format_version", "rules"].contains(&name.as_str()));
    assert_eq!(one, scores[7], "the same score alone");
}

#[test]
fn series_in_words() {
    let text = stdout(&["tennis", "series", "--to", "2", "--points", "9"]);
    assert!(
        text.starts_with(
            "First to 2, games of 9:9 points, field 2, over the net, scoring two-one\n"
        ),
        "{text}"
    );
    assert!(text.contains("50.0000"), "{text}");
    let uneven = stdout(&["tennis", "series", "--to", "1", "--points", "5:4"]);
    assert!(
        uneven.contains("exchanged after every game")
            && uneven.contains("if the next game starts with 4:5"),
        "{uneven}"
    );
    let score = stdout(&[
        "tennis",
        "series",
        "--to",
        "1",
        "--points",
        "5:4",
        "--score",
        "0-0",
        "--exchanged",
    ]);
    assert!(
        score.contains("At 0-0, accounts exchanged, A wins the match with a chance of 0\n"),
        "{score}"
    );
    assert!(
        stdout(&["tennis", "series", "--to", "16", "--points", "1"])
            .ends_with("--format json has the tables\n")
    );
}

#[test]
fn series_refuses_what_it_cannot_do() {
    assert_eq!(refusal(&["tennis", "series"]).0, Some(2), "how far the match goes must be said");
    assert_eq!(refusal(&["tennis", "series", "--to", "2", "--score", "2:1"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "series", "--to", "2", "--exchanged"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "series", "--to", "0"]).0, Some(2));
    assert_eq!(refusal(&["tennis", "series", "--to", "201"]).0, Some(2));
    for (args, word) in [
        (&["tennis", "series", "--to", "2", "--score", "2-1"][..], "over"),
        (&["tennis", "series", "--to", "2", "--scoring", "1,1/2,0,-1/2,-1"], "winning points"),
        (
            &["tennis", "series", "--to", "2", "--scoring", "3,1,0,-1,-2"],
            "cannot be counted as winning points",
        ),
        (&["tennis", "series", "--to", "2", "--scoring", "0,0,0,0,0"], "not all 0"),
        (&["tennis", "series", "--to", "2", "--memory", "0"], "memory"),
    ] {
        let (status, complaint) = refusal(args);
        assert_eq!((status, complaint.contains(word)), (Some(1), true), "{args:?}: {complaint}");
    }
}

#[test]
fn show_says_whether_strategies_are_the_only_ones() {
    assert_eq!(json(&["show", "4:3@-2"])["unique"], serde_json::json!({"a": false, "b": true}));
    let text = stdout(&["show", "4:3@-2"]);
    assert!(
        text.contains("A's strategy is one of several optimal ones, B's is the only optimal one\n"),
        "{text}"
    );
    assert!(
        stdout(&["show", "20:20@0"]).contains("Either player's strategy is the only optimal one\n")
    );
}

#[test]
fn solve_counts_unique_strategies() {
    assert!(json(&["solve", "5"]).get("unique_states").is_none());
    let counts = &json(&["solve", "10", "--exact", "--unique"])["unique_states"];
    for player in ["a", "b"] {
        let [unique, several, unknown] = ["unique", "several", "unknown"]
            .map(|name| counts[player][name].as_u64().expect("a count"));
        assert_eq!(unique + several + unknown, 605);
        assert!(unique > 150 && several > 350 && unknown < 20, "{counts}");
    }
    assert!(
        stdout(&["solve", "5", "--unique"])
            .contains("a player's optimal strategy is   the only one")
    );
}

#[test]
fn solve_tells_how_games_end() {
    assert!(json(&["solve", "5"]).get("outcomes").is_none());
    let outcomes = &json(&["solve", "7:6", "--outcomes"])["outcomes"];
    let ends = outcomes["ends"].as_object().expect("an object");
    let probability = |value: &Value| value.as_f64().expect("a probability");
    assert_eq!(ends.len(), 5);
    assert!((ends.values().map(probability).sum::<f64>() - 1.0).abs() < 1e-12);
    let value = 2.0 * (probability(&ends["out_by_a"]) - probability(&ends["out_by_b"]))
        + probability(&ends["lies_with_b"])
        - probability(&ends["lies_with_a"]);
    // What the ends are worth together is the value of the game.
    let start = &json(&["show", "7:6@0"])["value"];
    assert!((value - start.as_f64().expect("a value")).abs() < 1e-12, "{value} {start}");
    for (number, most) in
        [(&outcomes["turns"], 7), (&outcomes["left"]["a"], 7), (&outcomes["left"]["b"], 6)]
    {
        let probabilities: Vec<f64> = number["probabilities"]
            .as_array()
            .expect("probabilities")
            .iter()
            .map(probability)
            .collect();
        assert!(probabilities.len() <= most + 1, "{number}");
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let mean: f64 =
            probabilities.iter().enumerate().map(|(count, share)| count as f64 * share).sum();
        assert!((mean - probability(&number["mean"])).abs() < 1e-12);
    }

    // With 10 points each both bid 1 until nothing is left.
    let text = stdout(&["solve", "10", "--outcomes"]);
    assert!(text.contains("  draw                        100.0000 %\n"), "{text}");
    assert!(text.contains("  turns                10.00      10      10      10\n"), "{text}");
    let (status, complaint) = refusal(&["solve", "10", "--outcomes", "--strategies", "again"]);
    assert_eq!(
        (status, complaint.contains("--outcomes needs strategies that are kept")),
        (Some(2), true),
        "{complaint}"
    );
    assert_eq!(refusal(&["solve", "--outcomes", "--resume", "no.part"]).0, Some(2));
}

/// A table knows what a fresh solve knows: values are compared exactly. The payoff 1/3 is no
/// multiple of the bounds' unit.
#[test]
fn a_table_is_compared_as_a_fresh_solve_is() {
    let folder = folder();
    let rules = ["--scoring", "1,0,1/3,0,-1", "--min-bid", "0"];
    program::run(folder.path(), &[&["solve", "6", "--save", "t.table"], &rules[..]].concat());
    let fresh = program::json(
        folder.path(),
        &[&["tennis", "forced", "6", "--compare"], &rules[..]].concat(),
    );
    let stored =
        program::json(folder.path(), &["tennis", "forced", "--compare", "--table", "t.table"]);
    assert_eq!(stored["comparison"], fresh["comparison"]);
    assert_eq!(
        (&fresh["comparison"]["unknown"], &fresh["comparison"]["proved"]),
        (&0.into(), &true.into())
    );
}

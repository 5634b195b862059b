//! Policies on the command line: `exploit`, and `export` as arrays and matrices.

use std::fs;
use std::path::Path;

use pencil_tennis::report::{PolicyFormat, read_policy};
use pencil_tennis::{Policy, Rules};
use serde_json::Value;

use crate::program::{self, folder, json, keys, number, run, stdout};

/// The same for a sentence with these words.
fn assert_refused(folder: &Path, args: &[&str], status: i32, words: &str) {
    program::assert_refused(folder, args, status, &[words]);
}

mod exploit {
    use super::*;

    const KNOWN: f64 = 1_420_361.0 / 725_760.0;

    #[test]
    fn uniform_loses_what_is_known() {
        let report = json(folder().path(), &["exploit", "uniform", "--points", "10"]);
        let names = "best_response_value exploitability guaranteed nash_conv points policy proved value value_against_optimum worst";
        assert_eq!(keys(&report), names);
        assert_eq!(report["policy"], "uniform");
        assert_eq!(report["points"], serde_json::json!([10, 10]));
        let best = &report["best_response_value"];
        assert!(
            (number(&best["a"]) - KNOWN).abs() < 1e-15
                && (number(&best["b"]) + KNOWN).abs() < 1e-15,
            "{best}"
        );
        assert!((number(&report["exploitability"]) - KNOWN).abs() < 1e-15);
        assert!((number(&report["nash_conv"]) - 2.0 * KNOWN).abs() < 1e-15);
    }

    #[test]
    fn what_is_guaranteed_surrounds_what_is_said() {
        let report = json(
            folder().path(),
            &["exploit", "uniform", "--points", "9:7", "--scoring", "1,1/3,0,0,-1/2"],
        );
        let guaranteed = &report["guaranteed"];
        assert_eq!(
            keys(guaranteed),
            "best_response_value exploitability nash_conv value value_against_optimum"
        );
        let surrounds = |bounds: &Value, stated: &Value| {
            assert_eq!(keys(bounds), "decimal lower upper");
            let [lower, upper, stated] = [&bounds["lower"], &bounds["upper"], stated].map(number);
            assert!(
                lower <= stated && stated <= upper && upper - lower < 1e-15,
                "{lower} {stated} {upper}"
            );
        };
        for name in ["exploitability", "nash_conv", "value"] {
            surrounds(&guaranteed[name], &report[name]);
        }
        for name in ["best_response_value", "value_against_optimum"] {
            for role in ["a", "b"] {
                surrounds(&guaranteed[name][role], &report[name][role]);
            }
        }
    }

    #[test]
    fn optimal_is_proved_not_to_be_exploitable() {
        let report = json(folder().path(), &["exploit", "optimal"]);
        let solved = json(folder().path(), &["solve"]);
        assert_eq!(
            report["points"],
            serde_json::json!([50, 50]),
            "without --points it is the game of fifty"
        );
        let bounds = &report["guaranteed"]["exploitability"];
        assert!(number(&bounds["upper"]) <= number(&solved["widest_enclosure"]), "{bounds}");
    }

    #[test]
    fn the_worst_states_come_first() {
        let report = json(folder().path(), &["exploit", "uniform", "--points", "12"]);
        let worst = report["worst"].as_array().expect("a list");
        assert_eq!(worst.len(), 10);
        assert!(
            worst
                .iter()
                .all(|entry| keys(entry)
                    == "conceded contribution player reached regret state value")
        );
        assert!(worst.is_sorted_by(
            |one, next| number(&one["contribution"]) >= number(&next["contribution"])
        ));
        assert_eq!(worst[0]["state"], "12:12@0");
        assert_eq!(number(&worst[0]["reached"]), 1.0);
    }

    #[test]
    fn the_map_has_all_states_and_sums_to_the_loss() {
        let folder = folder();
        let report =
            json(folder.path(), &["exploit", "uniform", "--points", "8:6", "--map", "map.csv"]);
        let map = fs::read_to_string(folder.path().join("map.csv")).expect("the map");
        let mut lines = map.lines();
        assert_eq!(
            lines.next(),
            Some("a,b,ball,player,value,conceded,regret,reached,contribution")
        );
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        // Both players at every state but the five where both accounts are empty.
        assert_eq!(rows.len(), 2 * (9 * 7 * 5 - 5));
        for (player, role, sign) in [("A", "b", 1.0), ("B", "a", -1.0)] {
            let rows_of_player = rows.iter().filter(|row| row[3] == player);
            let sum: f64 = rows_of_player.map(|row| row[8].parse::<f64>().expect("a number")).sum();
            let loss =
                sign * (number(&report["value"]) - number(&report["best_response_value"][role]));
            assert!((sum - loss).abs() < 1e-14, "{player}: {sum}, not {loss}");
        }
    }

    #[test]
    fn every_exported_policy_can_be_judged() {
        let folder = folder();
        for (table, format) in [
            ("policy", "csv"),
            ("policy", "json"),
            ("policy", "npz"),
            ("strategies", "csv"),
            ("weights", "csv"),
            ("weights", "npz"),
        ] {
            stdout(folder.path(), &["export", table, "11", "--format", format, "-o", "file"]);
            let report = json(folder.path(), &["exploit", "file", "--points", "11"]);
            // Probabilities in double precision are off by 1e-16, and a game has eleven turns at
            // most.
            assert!(number(&report["exploitability"]) < 1e-15, "{table} as {format}: {report}");
            assert_eq!(report["policy"], "file");
        }
    }

    #[test]
    fn one_player_is_judged_as_far_as_that_goes() {
        let folder = folder();
        let half = Policy::uniform(&Rules::tennis(), [10, 10])
            .and_then(|policy| policy.only(pencil_tennis::Player::A));
        let mut bytes = Vec::new();
        PolicyFormat::Csv
            .write(&half.expect("a small game"), &mut bytes)
            .expect("memory takes everything");
        fs::write(folder.path().join("a.csv"), bytes).expect("a file");
        let report = json(folder.path(), &["exploit", "a.csv", "--points", "10"]);
        assert!(report["exploitability"].is_null() && report["nash_conv"].is_null());
        assert!(
            report["best_response_value"]["a"].is_null()
                && report["value_against_optimum"]["b"].is_null()
        );
        assert!((number(&report["best_response_value"]["b"]) + KNOWN).abs() < 1e-15);
        assert!(
            stdout(folder.path(), &["exploit", "a.csv", "--points", "10"]).contains("--mirror")
        );
        let both = json(folder.path(), &["exploit", "a.csv", "--points", "10", "--mirror"]);
        assert!((number(&both["exploitability"]) - KNOWN).abs() < 1e-15);
    }

    #[test]
    fn people_get_a_list() {
        let text = stdout(folder().path(), &["exploit", "uniform", "--points", "10"]);
        assert!(
            text.starts_with("uniform in 10:10 points, field 2, over the net, scoring two-one\n"),
            "{text}"
        );
        assert!(text.contains("exploitability 1.957"), "{text}");
        assert!(
            text.lines()
                .any(|line| line.trim_start().starts_with("10:10@0 ") && line.contains("100.00 %")),
            "{text}"
        );
        let nothing = stdout(folder().path(), &["exploit", "optimal", "--points", "3"]);
        assert!(nothing.contains("Nothing is lost anywhere"), "{nothing}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let folder = folder();
        let one = stdout(
            folder.path(),
            &["exploit", "uniform", "--points", "15", "--threads", "1", "--format", "json"],
        );
        assert_eq!(
            stdout(
                folder.path(),
                &["exploit", "uniform", "--points", "15", "--threads", "2", "--format", "json"]
            ),
            one
        );
    }

    #[test]
    fn wrong_files_are_refused() {
        let folder = folder();
        let file = |content: &[u8]| fs::write(folder.path().join("file"), content).expect("a file");
        let refused = |words: &str| {
            assert_refused(folder.path(), &["exploit", "file", "--points", "2"], 1, words);
        };
        assert_refused(folder.path(), &["exploit", "nowhere.csv"], 1, "cannot read nowhere.csv");
        assert_refused(folder.path(), &["exploit", "."], 1, "cannot read .");
        file(b"");
        refused("file: not a policy: the weights have 0 rows; expected 45");
        file(b"a,b,ball,player,bid,probability\n1,1,0,A,2,1\n");
        refused("A's policy at 1:1@0: bid 2 has the number 1, but A cannot bid 2");
        file(b"a,b,ball,player,bid,probability\n1,1,0,A,1,1\n");
        refused("A's policy says nothing about 29 states: 1:0@-2");
        file(b"PK\x03\x04 and so on");
        refused("not a policy");
        file(b"{}");
        refused("not a policy");
        stdout(folder.path(), &["export", "policy", "3", "--format", "npz", "-o", "file"]);
        refused("the array policy_a has shape (4, 4, 5, 4); expected (3, 3, 5, 3)");
    }

    #[test]
    fn wrong_words_are_refused() {
        let path = folder();
        assert_refused(path.path(), &["exploit"], 2, "POLICY");
        assert_refused(path.path(), &["exploit", "uniform", "--points", "0"], 2, "at least 1");
        assert_refused(path.path(), &["exploit", "uniform", "--format", "csv"], 2, "csv");
        assert_refused(
            path.path(),
            &["exploit", "uniform", "--map", "no/map.csv"],
            1,
            "there is no folder no",
        );
        assert_refused(
            path.path(),
            &["exploit", "uniform", "--points", "20000", "--field", "99"],
            1,
            "above the limit of",
        );
    }

    #[test]
    fn the_map_does_not_overwrite_the_policy() {
        let folder = folder();
        stdout(folder.path(), &["export", "policy", "4", "-o", "policy.csv"]);
        let before = fs::read(folder.path().join("policy.csv")).expect("a file");
        let args = ["exploit", "policy.csv", "--points", "4", "--map", "./policy.csv"];
        assert_refused(folder.path(), &args, 1, "policy.csv would be overwritten");
        assert_eq!(fs::read(folder.path().join("policy.csv")).expect("a file"), before);
    }
}

mod export {
    use super::*;

    #[test]
    fn arrays_are_the_policy_of_the_table() {
        let folder = folder();
        stdout(folder.path(), &["export", "policy", "9:7", "--format", "npz", "-o", "policy.npz"]);
        stdout(folder.path(), &["export", "policy", "9:7", "-o", "policy.csv"]);
        let [arrays, rows] = ["policy.npz", "policy.csv"].map(|name| {
            read_policy(&folder.path().join(name), &Rules::tennis(), [9, 7])
                .expect("what was written")
        });
        assert_eq!(arrays, rows);
    }

    #[test]
    fn the_same_game_gives_the_same_archive() {
        let archive = |threads| {
            let output = run(
                folder().path(),
                &["export", "policy", "8", "--format", "npz", "--threads", threads],
            );
            assert_eq!(output.status.code(), Some(0));
            output.stdout
        };
        assert!(archive("1") == archive("2"));
    }

    #[test]
    fn the_matrix_of_the_article_has_13005_rows_of_51() {
        let matrix = stdout(folder().path(), &["export", "weights"]);
        let rows: Vec<Vec<f64>> = matrix
            .lines()
            .map(|line| line.split(',').map(|weight| weight.parse().expect("a weight")).collect())
            .collect();
        assert_eq!(rows.len(), 13_005);
        assert!(rows.iter().all(|row| row.len() == 51 && row.iter().all(|&weight| weight >= 0.0)));
        // 4:3@-2 is the article's example: 2 with 2/5, 3 with 3/5.
        let row = &rows[(4 * 51 + 3) * 5];
        assert!(
            (row[2] - 0.4).abs() < 1e-15 && (row[3] - 0.6).abs() < 1e-15 && row[0] == 0.0,
            "{row:?}"
        );
    }

    #[test]
    fn what_has_no_such_form_is_wrong_usage() {
        let folder = folder();
        let refused = |args: &[&str], words| assert_refused(folder.path(), args, 2, words);
        refused(&["export", "weights", "5", "--format", "json"], "expected --format csv or npz");
        refused(
            &["export", "policy", "5", "--format", "npz", "--exact", "-o", "x"],
            "--exact has no place",
        );
        assert!(!folder.path().join("x").exists());
    }

    #[test]
    fn one_matrix_cannot_hold_two_faces() {
        let folder = folder();
        assert_refused(
            folder.path(),
            &["export", "weights", "5:4", "-o", "x"],
            2,
            "the same points for both, not 5:4",
        );
        let skewed = ["export", "weights", "6", "--scoring", "3,1,0,-1,-2", "-o", "x"];
        assert_refused(folder.path(), &skewed, 1, "B's bids are not the mirror image of A's");
        assert!(!folder.path().join("x").exists());
    }
}

/// Probabilities are fractions as in policies of other games, in csv and as texts in JSON; lines
/// are an editor's.
#[test]
fn policies_are_written_in_fractions_and_refused_by_line() {
    let folder = folder();
    let header = "a,b,ball,player,bid,probability\n";
    // The player with 2 points, against every account, and the one with 1 point, whose only bid
    // is 1.
    let rows = |b: u32, ball: i32| {
        format!("1,{b},{ball},A,1,1\n2,{b},{ball},A,1,1/3\n2,{b},{ball},A,2,2/3\n")
    };
    let all: String = (0..=2).flat_map(|b| (-2..=2).map(move |ball| rows(b, ball))).collect();
    fs::write(folder.path().join("p.csv"), header.to_owned() + &all).expect("room");
    let policy =
        read_policy(&folder.path().join("p.csv"), &Rules::tennis(), [2, 2]).expect("a policy");
    let share = policy.probability("2:1@0".parse().expect("a state"), pencil_tennis::Player::A, 1);
    assert_eq!(share, Ok(1.0 / 3.0));
    let shown = stdout(folder.path(), &["exploit", "p.csv", "--points", "2"]);
    assert!(
        shown.contains("judged as stored, in probabilities that are multiples of 2^-62"),
        "{shown}"
    );
    let json = r#"[{"a":1,"b":1,"ball":0,"player":"A","bid":1,"probability":"x/3"}]"#;
    fs::write(folder.path().join("p.json"), json).expect("room");
    assert_refused(
        folder.path(),
        &["exploit", "p.json", "--points", "1"],
        1,
        "`x/3` is no probability",
    );

    for (text, words) in [
        (format!("{header}1,1,0,A,1,x\n"), "line 2: `x` is no probability"),
        (format!("{header}\n\n1,1,0,A,1,x\n"), "line 4: `x` is no probability"),
        (format!("\n\n{header}1,1,0,A,1,x\n"), "line 4: `x` is no probability"),
        (
            format!("{header}1,1,0,A,1,1\n1,1,0,A,1\n").replace('\n', "\r\n"),
            "line 3 has 5 fields; expected 6",
        ),
        (format!("{header}1,1,0,A,1,1\n1,y,0,A,1,1\n").replace('\n', "\r"), "line 3, b: `y`"),
        ("1,0\n\n1,z\n".to_owned(), "line 3 of the weights: `z` is not a number"),
    ] {
        fs::write(folder.path().join("bad.csv"), &text).expect("room");
        assert_refused(folder.path(), &["exploit", "bad.csv", "--points", "1"], 1, words);
    }
    fs::write(folder.path().join("g.csv"), "state,player,action,probability\n\n\nnowhere,A,x,1\n")
        .expect("room");
    assert_refused(
        folder.path(),
        &["exploit", "g.csv", "@soccer"],
        1,
        "line 4: there is no state `nowhere`",
    );
    fs::write(folder.path().join("b.csv"), "player,bids,balls,bid,probability\r\n\r\nA,,0,1,x\r\n")
        .expect("room");
    assert_refused(
        folder.path(),
        &["tennis", "blind", "2", "--policy", "b.csv"],
        1,
        "line 3: `x` is no probability",
    );
}

/// Leaving rarely and waiting for ever may differ arbitrarily: a share that would vanish is
/// refused.
#[test]
fn a_share_that_would_vanish_is_refused_where_bids_of_nothing_repeat() {
    let folder = folder();
    let policy = |share: &str| {
        let rows = |b: u32, ball: i32| format!("1,{b},{ball},A,0,1\n1,{b},{ball},A,1,{share}\n");
        let all: String = (0..=1).flat_map(|b| (-2..=2).map(move |ball| rows(b, ball))).collect();
        "a,b,ball,player,bid,probability\n".to_owned() + &all
    };
    let judge = ["exploit", "p.csv", "--points", "1", "--min-bid", "0"];
    for share in ["1e-20", "1/1000000000000000000000"] {
        fs::write(folder.path().join("p.csv"), policy(share)).expect("room");
        assert_refused(folder.path(), &judge, 1, "which is too small to be told from 0");
    }
    for share in ["2.168404344971009e-19", "0"] {
        fs::write(folder.path().join("p.csv"), policy(share)).expect("room");
        json(folder.path(), &judge);
    }
    // With a smallest bid of 1 every turn ends, and nothing depends on such a share.
    let text = "a,b,ball,player,bid,probability\n";
    let rows = |b: u32, ball: i32| {
        format!("1,{b},{ball},A,1,1\n2,{b},{ball},A,1,1\n2,{b},{ball},A,2,1e-20\n")
    };
    let all: String = (0..=2).flat_map(|b| (-2..=2).map(move |ball| rows(b, ball))).collect();
    fs::write(folder.path().join("p.csv"), text.to_owned() + &all).expect("room");
    json(folder.path(), &["exploit", "p.csv", "--points", "2"]);
}

//! Games of a person against the program, over a pipe.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::program::{array, assert_refused, folder, json, program, stdout, text};

/// Plays with these lines typed.
pub(crate) fn typed(folder: &Path, args: &[&str], lines: &str) -> Output {
    let mut child = program(folder, &[&["play"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A game that is over before all is read closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

pub(crate) fn shown(folder: &Path, args: &[&str], lines: &str) -> String {
    let output = typed(folder, args, lines);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{args:?}");
    let shown = text(&output.stdout);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    shown
}

/// With one point each both must bid 1, and the ball stays on the net.
#[test]
fn the_smallest_game_is_a_draw() {
    let folder = folder();
    let shown = shown(folder.path(), &["1"], "1\n");
    for words in [
        "You bid 1, optimal bids 1: the ball stays at 0",
        "draw: nobody wins",
        "No bid cost anything",
    ] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
}

#[test]
fn the_other_bid_is_fixed_before_ours() {
    let folder = folder();
    for side in ["A", "B"] {
        let against = |bid: u32| {
            let shown = shown(folder.path(), &["--seed", "7", "--as", side], &format!("{bid}\n"));
            let other = shown
                .lines()
                .find_map(|line| line.split_once("optimal bids "))
                .expect("a turn")
                .1
                .to_owned();
            other.split(':').next().expect("a bid").to_owned()
        };
        let first = against(1);
        assert!([2, 9, 30, 50].into_iter().all(|bid| against(bid) == first), "as {side}");
    }
    let bids = |seed: &str| {
        let shown = shown(folder.path(), &["--seed", seed], "1\n");
        shown.lines().find(|line| line.starts_with("You bid")).map(str::to_owned)
    };
    assert!((1..9).any(|seed| bids(&seed.to_string()) != bids("9")), "seeds differ");
}

#[test]
fn illegal_bids_are_explained_and_asked_for_again() {
    let folder = folder();
    let shown = shown(folder.path(), &["3", "--seed", "1"], "4\n0\nten\n-1\n\n?\n3\n");
    for words in [
        "A cannot bid 4: ",
        "A cannot bid 0: ",
        "`ten` is not a bid",
        "`-1` is not a bid",
        "An optimal player in your place",
    ] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    assert!(shown.contains("You bid 3, optimal bids "), "{shown}");
}

#[test]
fn the_end_of_the_input_ends_the_game_and_keeps_it() {
    let folder = folder();
    let folder = folder.path();
    let shown = shown(folder, &["50", "--record", "game", "--seed", "3"], "40\n");
    assert!(
        shown.contains("The game ends at 10:") && shown.contains("A bid 40, which cost "),
        "{shown}"
    );
    let judged = json(folder, &["replay", "game"]);
    assert_eq!(
        (array(&judged["turns"]).len(), judged["turns"][0]["a"]["bid"].as_u64()),
        (1, Some(40))
    );
    let left = text(&typed(folder, &["50"], "").stdout);
    assert!(left.contains("The game ends at 50:50@0"), "{left}");
}

#[test]
fn a_match_goes_to_its_end_and_its_games_are_judged() {
    let folder = folder();
    let folder = folder.path();
    // Who bids 1 whenever the other can hit loses more often than not; 600 lines suffice for any
    // match that ends.
    let shown = shown(
        folder,
        &["6", "--to", "2", "--record", "match", "--seed", "5", "--against", "uniform"],
        &"1\n".repeat(600),
    );
    let verdict = shown.lines().find(|line| line.contains(" the match, ")).expect("a verdict");
    let (you, other) =
        verdict.split_once(", ").and_then(|(_, score)| score.split_once(" to ")).expect("a score");
    let games = json(folder, &["replay", "match"]);
    let games = if games.is_array() { array(&games).to_vec() } else { vec![games] };
    let payoffs: Vec<f64> = games.iter().filter_map(|game| game["payoff"].as_f64()).collect();
    assert_eq!(payoffs.len(), shown.matches("The game is over").count());
    let sum =
        |sign: f64| payoffs.iter().map(|payoff| (sign * payoff).max(0.0)).sum::<f64>().to_string();
    assert_eq!((you.to_owned(), other.to_owned()), (sum(1.0), sum(-1.0)));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("policy.csv"), "nothing").expect("room");
    for (args, status, words) in [
        (&["play", "3", "--as", "C"][..], 2, &["possible values: A, B"][..]),
        (&["play", "3", "--against", "nobody"], 1, &["nobody", "no player of this name"]),
        (
            &["play", "3", "--against", "policy.csv", "--record", "policy.csv"],
            1,
            &["would be overwritten"],
        ),
        (&["play", "3", "--to", "0"], 2, &["winning points"]),
        (&["play", "3", "--playouts", "5"], 2, &["lookahead"]),
    ] {
        assert_refused(folder.path(), args, status, words);
    }
}

#[test]
fn a_blind_game_tells_the_ball_alone() {
    let folder = folder();
    let folder = folder.path();
    let game =
        shown(folder, &["4", "--blind", "--seed", "2", "--record", "game"], "1\n?\n1\n1\n1\n");
    assert!(game.starts_with("Blind Tennis from 4:4@0, "), "{game}");
    let judged = json(folder, &["replay", "game"]);
    let turns = array(&judged["turns"]);
    // The other's account stands in the first picture, and again when all is over.
    let pictures: Vec<&str> =
        game.lines().filter(|line| line.starts_with("A ") && line.contains('│')).collect();
    assert!(
        pictures[0].ends_with("B 4")
            && pictures[1..turns.len()].iter().all(|line| line.ends_with("B ?")),
        "{game}"
    );
    assert!(!game.contains(", optimal bids ") && game.contains("You bid 1: the ball "), "{game}");
    assert!(
        game.contains("left, as")
            && game.contains("Against the way optimal bids it is best to bid\n"),
        "{game}"
    );
    let made: Vec<String> =
        turns.iter().map(|turn| format!("{} to {}", turn["a"]["bid"], turn["b"]["bid"])).collect();
    assert!(
        game.contains(&format!("Your bids, and those of optimal: {}\n", made.join(", "))),
        "{game}"
    );
}

/// With 5 points against 3 of a player who bids at random, bidding all 5 at once leaves nothing to
/// answer with: it costs something, and what the review calls better costs nothing.
#[test]
fn a_blind_bid_is_judged_against_the_way_the_other_bids() {
    let folder = folder();
    let folder = folder.path();
    let game = shown(folder, &["5:3", "--blind", "--against", "uniform", "--seed", "1"], "5\n");
    let better = game
        .lines()
        .find_map(|line| line.strip_prefix("  turn 1: you bid 5, which cost "))
        .expect("a costly bid");
    let bid = better
        .rsplit("better: ")
        .next()
        .and_then(|bids| bids.split([',', ' ']).next())
        .expect("a bid");
    let game = shown(
        folder,
        &["5:3", "--blind", "--against", "uniform", "--seed", "1"],
        &format!("{bid}\n"),
    );
    assert!(game.contains("\n  on average your bid cost you nothing\n"), "{game}");
    stdout(folder, &["tennis", "blind", "5:3", "-o", "blind.csv"]);
    shown(folder, &["5:3", "--blind", "--against", "blind.csv", "--as", "b"], "1\n");
    for (args, status, words) in [
        (
            &["play", "--blind", "4", "--against", "cmd:cat"][..],
            1,
            &["cannot play blind", "optimal, uniform"][..],
        ),
        (&["play", "--blind", "4:3", "--against", "blind.csv"], 1, &["blind.csv"]),
        (&["play", "--blind", "4:3", "--to", "2"], 2, &["same points for both"]),
        (&["play", "--blind", "4", "--method", "lp"], 2, &["--method has no effect"]),
        (&["play", "--blind", "30"], 1, &["would take about", "is enough for"]),
    ] {
        assert_refused(folder, args, status, words);
    }
}

#[test]
fn uneven_accounts_are_exchanged_in_a_match() {
    let folder = folder();
    let folder = folder.path();
    shown(
        folder,
        &["6:4", "--to", "9", "--record", "match", "--seed", "2", "--against", "uniform"],
        &"1\n".repeat(900),
    );
    let games = json(folder, &["replay", "match"]);
    let starts: Vec<&str> =
        array(&games).iter().map(|game| game["start"].as_str().expect("a state")).collect();
    assert!(
        starts.len() > 2 && starts.iter().step_by(2).all(|&start| start == "6:4@0"),
        "{starts:?}"
    );
    assert!(starts.iter().skip(1).step_by(2).all(|&start| start == "4:6@0"), "{starts:?}");
}

/// With a smallest bid of 0 somebody who waits ends the game where the ball lies: at once where the
/// other, who is a policy, waits as well, and after a thousand turns where the other is a program.
#[test]
fn nobody_has_to_bid_for_ever() {
    let folder = folder();
    let folder = folder.path();
    let zero = ["--min-bid", "0", "--field", "1", "--motion", "step", "--scoring", "win-loss"];
    let mut zeros = "a,b,ball,player,bid,probability\n".to_owned();
    for state in 0..3 * 3 * 3 * 2 {
        let (player, ball, b, a) =
            (["A", "B"][state % 2], state / 2 % 3, state / 6 % 3, state / 18);
        writeln!(zeros, "{a},{b},{},{player},0,1", ball as i32 - 1).expect("a text");
    }
    fs::write(folder.join("zeros.csv"), zeros).expect("room");
    fs::write(
        folder.join("bot.sh"),
        "while read word rest; do if [ $word = bid ]; then echo 0; fi; done",
    )
    .expect("room");
    for (against, waited) in
        [("zeros.csv", "You bid 0, zeros.csv bids 0"), ("cmd:sh bot.sh", "You bid 0 in 999 turns")]
    {
        let args = [&["2", "--against", against, "--record", "game"], &zero[..]].concat();
        let printed = shown(folder, &args, "1\nw\n");
        assert!(
            printed.contains("Your bid, 0 to 2 (? for a hint, ?rules, w to wait, q to end)"),
            "{printed}"
        );
        assert!(
            printed.contains(waited)
                && printed
                    .contains("Nobody bids any more: the ball lies on B's side, and you win 1"),
            "{printed}"
        );
        let judged = json(folder, &["replay", "game"]);
        assert_eq!((&judged["end"], &judged["payoff"]), (&"lies_with_b".into(), &1.0.into()));
        assert_eq!(judged["ended_where_it_lies"], true);
        let printed = stdout(folder, &["replay", "game"]);
        assert!(
            printed.contains("The game ends at 1:2@1, decided as if all were spent: "),
            "{printed}"
        );
    }
    // Who has no points left need not say so.
    let printed = shown(folder, &[&["2", "--against", "zeros.csv"], &zero[..]].concat(), "2\n");
    assert!(
        printed.contains("You have no points left and bid 0")
            && printed.contains("Nobody bids any more: "),
        "{printed}"
    );
    // The other may bid after all.
    let printed = shown(
        folder,
        &[&["2", "--against", "uniform", "--seed", "1"], &zero[..]].concat(),
        &"w\n".repeat(9),
    );
    assert!(printed.contains("the ball goes to -1"), "{printed}");
    let printed = shown(folder, &[&["2", "--seed", "1"], &zero[..]].concat(), "?rules\nx\nq\n");
    assert!(
        printed.contains("Two bids of 0 change nothing")
            && printed.contains("`x` is not a bid")
            && printed.contains(", w or q"),
        "{printed}"
    );
    let usual = shown(folder, &["2", "--seed", "1"], "w\nq\n");
    assert!(usual.contains("`w` is not a bid") && !usual.contains("wait"), "{usual}");
}

/// Whoever has never met the game is told the rules by the help, and at the table.
#[test]
fn the_rules_are_printed() {
    let folder = folder();
    let help = stdout(folder.path(), &["play", "--help"]);
    let printed = shown(folder.path(), &["50"], "?rules\nq\n");
    let eight: Vec<&str> =
        printed.lines().skip_while(|line| !line.starts_with("  Both have")).take(8).collect();
    assert_eq!(eight.len(), 8);
    assert!(
        eight.iter().all(|line| line.starts_with("  ") && help.contains(line)),
        "{printed}\n{help}"
    );
    let other = shown(
        folder.path(),
        &["4:3", "--motion", "step", "--scoring", "1,0,0,0,-1"],
        "?rules\nq\n",
    );
    assert!(other.contains("A has 4 points and B 3") && other.contains("one field"), "{other}");
}

/// A player by name is the same here as in a duel.
#[test]
fn levels_are_played_against() {
    let folder = folder();
    for level in ["simple:1000", "quantal:2"] {
        let printed =
            shown(folder.path(), &["5", "--against", level, "--seed", "1"], "1\n1\n1\n1\n1\n");
        assert!(printed.contains(&format!("{level} bids")), "{printed}");
    }
    assert_refused(
        folder.path(),
        &["play", "5", "--against", "simple:0"],
        1,
        &["`simple:0` is not a player"],
    );
    assert_refused(
        folder.path(),
        &["play", "5", "--against", "quantal:-1"],
        1,
        &["`quantal:-1` is not a player"],
    );
}

//! Bots: programs that are asked for their bids.

use std::fmt::Write;
use std::fs;

use crate::play::{shown, typed};
use crate::program::{array, assert_refused, folder, json, number, stdout, text};

/// A bot that bids 1 as long as it has points, and says how often a game ended.
const ONES: &str = r#"
while read word player state; do
    case $word in
        bid)
            points=${state%@*}
            if [ "$player" = A ]; then points=${points%:*}; else points=${points#*:}; fi
            if [ "$points" -gt 0 ]; then echo 1; else echo 0; fi ;;
        over) echo "$state" >>over ;;
    esac
done"#;

/// The same player as a policy.
fn ones(points: u32) -> String {
    let mut rows = "a,b,ball,player,bid,probability\n".to_owned();
    for (a, b) in
        (0..=points).flat_map(|a| (0..=points).map(move |b| (a, b))).filter(|&(a, b)| a + b > 0)
    {
        for ball in -2..=2 {
            writeln!(rows, "{a},{b},{ball},A,{},1\n{a},{b},{ball},B,{},1", a.min(1), b.min(1))
                .expect("room");
        }
    }
    rows
}

#[test]
fn a_bot_is_asked_and_one_that_misbehaves_is_named() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bot.sh"), ONES).expect("room");
    let game = shown(folder, &["1", "--against", "cmd:sh bot.sh"], "1\n");
    assert!(game.contains("bids 1: the ball stays at 0"), "{game}");
    for (args, words) in [
        (&["3", "--against", "cmd:cat"][..], "answered `rules field 2"),
        (&["3", "--against", "cmd:true"], "ended (exit status: 0)"),
        (&["3", "--against", "cmd:./none"], "cannot start the bot ./none"),
        (
            &["3", "--against", "cmd:sleep 77", "--bot-seconds", "1"],
            "made no bid at 3:3@0 within 1 s",
        ),
    ] {
        let output = typed(folder, args, "");
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {sentence}");
        assert!(sentence.contains(words), "{args:?}: {sentence}");
    }
}

/// A bot draws no random numbers of ours: its games are, one by one, those of a policy that bids
/// the same.
#[test]
fn a_duel_with_a_bot_is_that_with_its_policy() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bot.sh"), ONES).expect("room");
    fs::write(folder.join("ones.csv"), ones(4)).expect("room");
    for [first, second] in [["ones", "uniform"], ["uniform", "ones"], ["ones", "ones"]] {
        let duel = |ones: &str| {
            let [first, second] =
                [first, second].map(|name| if name == "ones" { ones } else { name });
            json(folder, &["duel", first, second, "4", "--games", "40", "--seed", "5"])
        };
        let (bot, policy) = (duel("cmd:sh bot.sh"), duel("ones.csv"));
        for name in
            ["games", "mean", "mean_interval", "mean_turns", "standard_error", "start", "seed"]
        {
            assert_eq!(bot[name], policy[name], "{name} of {first} against {second}");
        }
        for (bot, policy) in array(&bot["outcomes"]).iter().zip(array(&policy["outcomes"])) {
            assert_eq!((&bot["count"], &bot["interval"]), (&policy["count"], &policy["interval"]));
            assert!(bot["exact"].is_null() && policy["exact"].is_number());
        }
        assert!(
            bot["exact"].is_null() && bot["exact_bounds"].is_null() && bot["exact_turns"].is_null()
        );
    }
    // Each of two bots is told the end of each of 40 games.
    assert_eq!(fs::read_to_string(folder.join("over")).expect("a file").lines().count(), 4 * 40);
}

/// With a smallest bid of 0 two players who wait play no game that ends.
#[test]
fn a_game_in_which_nothing_is_bid_is_decided_where_the_ball_lies() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("bot.sh"),
        "while read word rest; do if [ $word = bid ]; then echo 0; fi; done",
    )
    .expect("room");
    let report = json(
        folder,
        &["duel", "cmd:sh bot.sh", "cmd:sh bot.sh", "2", "--games", "3", "--min-bid", "0"],
    );
    assert_eq!(array(&report["outcomes"])[2]["count"], 3, "{report}");
    assert_eq!(
        (number(&report["mean_turns"]), &report["endless"]["count"]),
        (0.0, &3.into()),
        "{report}"
    );
    assert!(
        report["endless"]["exact"].is_null() && report["endless"]["exact_standstills"].is_null()
    );
    let report =
        json(folder, &["duel", "uniform", "optimal", "3", "--games", "4000", "--min-bid", "0"]);
    let (share, exact) = (number(&report["endless"]["share"]), number(&report["endless"]["exact"]));
    // Five standard errors of 4,000 games; the seed is fixed.
    assert!((share - exact).abs() < 0.04 && exact > 0.0, "{report}");
    assert!(
        json(folder, &["duel", "uniform", "optimal", "3", "--games", "10"])["endless"].is_null()
    );
}

#[test]
fn a_bot_meets_many() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bot.sh"), ONES).expect("room");
    let line = ["duel", "cmd:sh bot.sh", "uniform", "optimal", "4", "--games", "20"];
    let robin = json(folder, &line);
    let known: Vec<bool> =
        array(&robin["matches"]).iter().map(|game| game["exact"].is_number()).collect();
    assert_eq!(known.iter().filter(|&&known| known).count(), 2, "{robin}");
    let mean: f64 = array(&robin["players"]).iter().map(|player| number(&player["mean"])).sum();
    assert!(
        mean.abs() < 1e-12
            && array(&robin["players"]).iter().all(|player| player["exact"].is_null()),
        "{robin}"
    );
    let printed = stdout(folder, &line);
    assert!(printed.contains("(~ in the games played: a bot's policy is not known)"), "{printed}");
    let pair = stdout(folder, &["duel", "cmd:sh bot.sh", "uniform", "4", "--games", "20"]);
    assert!(pair.contains("sampled only") && !pair.contains("exact"), "{pair}");
}

#[test]
fn a_bot_that_misbehaves_ends_a_duel() {
    let folder = folder();
    for (args, status, words) in [
        (&["duel", "cmd:cat", "uniform", "3"][..], 1, &["answered `rules field 2", "at 3:3@0"][..]),
        (
            &["duel", "uniform", "cmd:true", "3"],
            1,
            &["ended (exit status: 0) at 3:3@0 without a bid"],
        ),
        (&["duel", "uniform", "cmd:./none", "3"], 1, &["cannot start the bot ./none"]),
        (&["duel", "cmd:", "uniform", "3"], 1, &["`cmd:` names no program"]),
        (
            &["duel", "cmd:sleep 77", "uniform", "3", "--bot-seconds", "1"],
            1,
            &["made no bid at 3:3@0 within 1 s"],
        ),
        (
            &["duel", "optimal", "uniform", "3", "--bot-seconds", "1"],
            2,
            &["--bot-seconds has no effect without a bot"],
        ),
        (&["exploit", "cmd:./bot", "3"], 1, &["cmd:./bot is a bot, whose policy is not known"]),
    ] {
        assert_refused(folder.path(), args, status, words);
    }
}

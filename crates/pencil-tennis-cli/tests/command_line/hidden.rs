//! `game` and `verify` with hidden information: trees of Gambit, and games of the gallery.

use std::fs;

use num_bigint::BigUint;

use crate::any_game::typed;
use crate::program::{array, assert_refused, folder, json, number, stdout, text};

/// A bids or folds a card that B does not see; B calls or folds. Worth 1/3. The probabilities, of
/// three cards, are printed in doubles.
pub(crate) const CARDS: &str = r#"EFG 2 R "a card" { "A" "B" }
c "" 1 "" { "red" 0.5 "black" 0.3333333333333333 "dark" 0.16666666666666666 } 0
p "" 1 1 "red" { "bid" "fold" } 0
p "" 2 1 "bid" { "call" "fold" } 0
t "" 1 "" { 2.0 -2.0 }
t "" 2 "" { 1.0 -1.0 }
t "" 3 "" { -1.0 1.0 }
p "" 1 2 "black" { "bid" "fold" } 0
p "" 2 1 0
t "" 4 "" { -2.0 2.0 }
t "" 2
t "" 3
p "" 1 2 0
p "" 2 1 0
t "" 4
t "" 2
t "" 3
"#;

#[test]
fn a_tree_with_hidden_information_is_solved_proved_and_judged() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("cards.efg"), CARDS).expect("room");
    // The error names the option.
    assert_refused(
        folder,
        &["solve", "cards.efg"],
        1,
        &["cards.efg, line 2: the probabilities", "--probabilities nearest"],
    );
    let nearest = ["solve", "cards.efg", "--probabilities", "nearest"];
    let printed = stdout(folder, &nearest);
    let proved =
        stdout(folder, &["prove", "cards.efg", "--probabilities", "nearest", "-o", "cards.proof"]);
    stdout(
        folder,
        &["export", "strategies", "cards.efg", "--probabilities", "nearest", "-o", "how.csv"],
    );
    assert!(
        printed.starts_with(
            "a card\n  assumed: 2 of 3 probabilities are read as the simplest fractions"
        ),
        "{printed}"
    );
    assert!(
        printed.contains(
            "hidden information: 16 nodes, 9 of them ends; 2 information sets of A, 1 of B"
        ),
        "{printed}"
    );
    assert!(printed.contains("The game is worth 0.333333333333333"), "{printed}");
    assert!(printed.contains("A at red (1 node)\n"), "{printed}");
    assert!(printed.contains("A at black (2 nodes)\n"), "{printed}");
    assert!(proved.contains("the certificate was read back and checked: cards.proof"), "{proved}");

    let how = fs::read_to_string(folder.join("how.csv")).expect("a table");
    assert!(how.starts_with("player,set,action,probability\nA,red,bid,1\nA,red,fold,0\n"), "{how}");
    let judge =
        |policy: &'static str| ["exploit", policy, "cards.efg", "--probabilities", "nearest"];
    let judged = json(folder, &judge("how.csv"));
    assert!(number(&judged["guaranteed"]["exploitability"]["upper"]) < 1e-15, "{judged}");
    assert_eq!(judged["exact"]["a"].as_str(), Some("1/3"), "{judged}");

    // B always calls: A bids with red alone, and wins 2/2 − 1/2.
    fs::write(folder.join("calls.csv"), "player,set,action,probability\nB,bid,call,1\n")
        .expect("room");
    let calls = stdout(folder, &judge("calls.csv"));
    assert!(
        calls.contains("B's strategy, against the best response\n  A wins 0.5 (exactly 1/2)"),
        "{calls}"
    );
    assert!(calls.contains("B loses 0.16666666666666"), "{calls}");

    let verified = stdout(folder, &["verify", "cards.proof"]);
    assert!(
        verified.starts_with(
            "valid: a game with hidden information\n  16 nodes; 2 information sets of A, 1 of B"
        ),
        "{verified}"
    );
    let proof = fs::read_to_string(folder.join("cards.proof")).expect("a certificate");
    fs::write(folder.join("forged.proof"), proof.replacen("[\"end\",\"2\"]", "[\"end\",\"1\"]", 1))
        .expect("room");
    assert_refused(folder, &["verify", "forged.proof"], 1, &["A's strategy secures"]);
}

#[test]
fn games_of_the_gallery_hide_information() {
    let folder = folder();
    let folder = folder.path();
    let shown = json(folder, &["show", "@kuhn", "J", "J pass"]);
    let sets: Vec<&str> = array(&shown).iter().filter_map(|set| set["set"].as_str()).collect();
    assert_eq!(sets, ["J", "J pass"]);
    // By hand: B has a king half the time, and calls a bet a third of the time with a queen.
    let payoffs: Vec<&str> = array(&array(&shown)[0]["payoffs"])
        .iter()
        .filter_map(|action| action["exact"].as_str())
        .collect();
    assert_eq!(payoffs, ["-1", "-1"]);
    let queen = stdout(folder, &["show", "@kuhn", "Q"]);
    let expected = "  What A wins by each action against B's strategy, and what A loses by it\n  \
                    pass      -0.33333             -  -1/3\n   bet      -0.50000       0.16667  -1/2\n";
    assert!(queen.ends_with(expected), "{queen}");
    let kuhn = json(folder, &["solve", "@kuhn"]);
    assert_eq!(array(&kuhn["information_sets"]), [6, 6]);
    assert!((number(&kuhn["value"]) + 1.0 / 18.0).abs() < 1e-15);
    // No gap is too small: the search ends where bounds cannot be closer.
    assert_eq!(json(folder, &["solve", "@kuhn", "--gap", "0"])["exact"], "-1/18");
    // Bounds as wide as allowed end the search early: the linear programme does not count
    // iterations.
    let dice = json(folder, &["solve", "@liars-dice", "--gap", "1e-3"]);
    assert!(number(&dice["lower"]) <= 0.008 && 0.008 <= number(&dice["upper"]), "{dice}");
    assert!(number(&dice["iterations"]) > 0.0);
}

/// B does not offer a guess whether a card is the ace; if B does, by mistake, A does not guess the
/// ace.
#[test]
fn strategies_are_refined() {
    let folder = folder();
    let folder = folder.path();
    let tree = "EFG 2 R \"guess the ace\" { \"A\" \"B\" }\np \"\" 2 1 \"deal\" { \"stop\" \"offer\" } 0\nt \"\" 1 \"\" { 0 0 }\n\
                c \"\" 1 \"\" { \"ace\" 1/52 \"another\" 51/52 } 0\np \"\" 1 1 \"guess\" { \"ace\" \"another\" } 0\n\
                t \"\" 2 \"\" { 1 -1 }\nt \"\" 3 \"\" { 0 0 }\np \"\" 1 1 0\nt \"\" 3\nt \"\" 2\n";
    fs::write(folder.join("ace.efg"), tree).expect("room");
    let printed = stdout(folder, &["solve", "ace.efg", "--refine", "quasi-perfect"]);
    assert!(printed.contains("  the strategies are proved to be quasi-perfect\n"), "{printed}");
    let refined = json(folder, &["show", "ace.efg", "guess", "--refine", "quasi-perfect"]);
    assert_eq!(refined["refinement"].as_str(), Some("quasi-perfect"));
    let actions = array(&refined["actions"]);
    assert_eq!(actions.len(), 1);
    assert_eq!(actions[0]["action"].as_str(), Some("another"));
    // B's strategy makes no mistakes, so that A's guess has no payoff against it.
    assert_eq!(number(&refined["reach"]), 0.0);
    assert!(refined["payoffs"].is_null());
    let shown = stdout(folder, &["show", "ace.efg", "guess"]);
    assert!(
        shown.ends_with(
            "  B's strategy never leads here, so that no action has a payoff against it\n"
        ),
        "{shown}"
    );
    let usual = json(folder, &["solve", "ace.efg"]);
    assert!(usual["refinement"].is_null());
}

/// A person sees what the player knows, and in the end what both knew.
#[test]
fn poker_is_played() {
    let folder = folder();
    let folder = folder.path();
    let played = |lines: &str| {
        let output = typed(folder, &["play", "@kuhn", "--seed", "3", "--as", "b"], lines);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let printed = played("?\nfold\n2\n2\n");
    for line in [
        "Kuhn poker\nYou are B and meet optimal",
        "You know: ",
        "An optimal player plays",
        "`fold` is not an action",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    assert!(
        printed.contains("The game is over; A wins ")
            && printed.contains("\n  A at ")
            && printed.contains("\n  B at "),
        "{printed}"
    );
    assert_eq!(printed, played("?\nfold\n2\n2\n"));
    // The end of the input ends the play.
    assert!(!played("").contains("The game is over"));
}

/// A run that is stopped and resumed has the strategies of one that was not.
#[test]
fn a_checkpoint_is_resumed() {
    let folder = folder();
    let folder = folder.path();
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    // Too many sequences for linear programmes to come first.
    let run = |args: &[&str]| {
        stdout(folder, &[&["solve", "@liars-dice", "--threads", "2"], args].concat())
    };
    run(&["--gap", "1e-2", "--checkpoint", "whole.part"]);
    run(&["--gap", "1e-1", "--checkpoint", "stopped.part"]);
    assert_ne!(read("stopped.part"), read("whole.part"));
    run(&["--gap", "1e-2", "--resume", "stopped.part", "--checkpoint", "resumed.part"]);
    assert_eq!(read("resumed.part"), read("whole.part"));
    let export = ["export", "strategies", "@liars-dice", "--threads", "2", "--gap", "1e-2"];
    let resumed =
        stdout(folder, &[&export[..], &["--table", "resumed.part", "--format", "csv"]].concat());
    assert_eq!(resumed, stdout(folder, &export));
    let other = "not a checkpoint of this game: it is of another game";
    assert_refused(folder, &["solve", "@kuhn", "--resume", "whole.part"], 1, &[other]);
    // The time ends it with bounds that are proved.
    let late = json(folder, &["solve", "@liars-dice", "--seconds", "0.2"]);
    let [lower, upper] = ["lower", "upper"].map(|bound| number(&late[bound]));
    assert!(lower <= 1.0 / 125.0 && 1.0 / 125.0 <= upper, "{late}");
}

#[test]
fn what_does_not_fit_hidden_information_is_refused() {
    let folder = folder();
    let folder = folder.path();
    for (args, status, expected) in [
        (
            &["export", "values", "@kuhn", "-o", "v.csv"][..],
            2,
            "has one value, which `solve` prints; expected `export strategies`",
        ),
        (&["show", "@kuhn", "nowhere"], 1, "there is no information set `nowhere`; A's are `J`"),
        (&["solve", "@rps", "--gap", "1"], 2, "--gap is for games with hidden information"),
        (&["solve", "@rps", "--probabilities", "nearest"], 2, "--probabilities is for a TREE.efg"),
        (&["solve", "@kuhn", "--gap", "-1"], 2, "expected a number that is not below 0"),
        (&["solve", "@chess"], 1, "or, with hidden information, @hidden-goofspiel, @kuhn"),
        (
            &["explore", "36:39@2", "--probabilities", "nearest"],
            2,
            "--probabilities is for a TREE.efg",
        ),
        (
            &["plot", "values", "@kuhn", "-o", "k.svg"],
            1,
            "@kuhn has hidden information, which this command does not read; `solve`, `show`",
        ),
        (
            &["solve", "@kuhn", "--width", "1"],
            2,
            "--width is not for a game with hidden information, which takes --threads",
        ),
        (
            &["show", "@kuhn", "--digits", "5"],
            2,
            "--digits is not for a game with hidden information, which takes --table",
        ),
        (
            &["play", "@kuhn", "--against", "person"],
            1,
            "`person` cannot play with hidden information; expected optimal",
        ),
        (
            &["play", "@kuhn", "--record", "p"],
            2,
            "--record is not for games with hidden information",
        ),
        (
            &["solve", "@rps", "--refine", "quasi-perfect"],
            2,
            "--refine is for Tennis (dresher) and for games with hidden information (quasi-perfect)",
        ),
        (
            &["solve", "@liars-dice", "--refine", "quasi-perfect"],
            1,
            "a refinement takes at most 2500",
        ),
        (&["solve", "@rps", "--seconds", "1"], 2, "--seconds is for games with hidden information"),
        (&["solve", "@kuhn", "--memory", "1KiB"], 1, "a game of 55 nodes would take"),
        (&["solve", "@kuhn", "--threads", "0"], 2, "threads"),
    ] {
        assert_refused(folder, args, status, &[expected]);
    }
    // A forgets the own move.
    let forgetful = CARDS.replacen(
        "t \"\" 3 \"\" { -1.0 1.0 }",
        "p \"\" 1 2 \"black\" { \"bid\" \"fold\" } 0\nt \"\" 3 \"\" { -1 1 }\nt \"\" 3",
        1,
    );
    fs::write(folder.join("f.efg"), forgetful).expect("room");
    let expected = "f.efg, line 10: A cannot tell node 6 from node 9";
    assert_refused(folder, &["solve", "f.efg", "--probabilities", "nearest"], 1, &[expected]);
}

/// A set that is reached with the probability 2^-5200, for which exact units are too small, is not
/// said never to be reached.
#[test]
fn a_set_that_is_hardly_ever_reached_is_not_said_never_to_be() {
    let folder = folder();
    let draws = 26;
    let all = BigUint::from(1_u8) << 200_u32;
    let usual = &all - 1_u8;
    let mut lines = vec!["EFG 2 R \"deep\" { \"A\" \"B\" }".to_owned()];
    for draw in 1..=draws {
        lines.push(format!("c \"\" {draw} \"\" {{ \"on\" 1/{all} \"out\" {usual}/{all} }} 0"));
    }
    let rare = r#"c "" 99 "" { "h" 1/2 "t" 1/2 } 0
p "" 1 1 "rare" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 1 1 0
t "" 2
t "" 1"#;
    lines.push(rare.to_owned());
    lines.extend(vec!["t \"\" 2".to_owned(); draws]);
    let tree = lines.join("\n");
    fs::write(folder.path().join("deep.efg"), tree).expect("room");
    let shown = stdout(folder.path(), &["show", "deep.efg", "rare"]);
    assert!(
        shown.ends_with(
            "  B's strategy hardly ever leads here, so that no action has a payoff against it\n"
        ),
        "{shown}"
    );
}

//! Games of other rules, everywhere Tennis is: played, replayed, dueled, drawn, and refused.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::program::{folder, json, program, run, stdout, text};

/// Runs the program with these lines as its input.
pub(crate) fn typed(folder: &Path, args: &[&str], lines: &str) -> Output {
    let mut child = program(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_play_is_recorded_and_judged() {
    let folder = folder();
    let folder = folder.path();
    let output = typed(
        folder,
        &["play", "@snowball", "--against", "person", "--record", "p.jsonl"],
        "?\nx\n1\nwait\nrun\n2\n",
    );
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for line in
        ["Turn 1: hidden", "`x` is not an action", "End: hit", "The play ends at hit; A wins 0"]
    {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    let judged = json(folder, &["replay", "p.jsonl"]);
    // By hand: A hides with a probability near 1, so that running into a throw costs A about 1, and
    // throwing B nothing.
    let action = &judged["turns"][1]["a"]["action"];
    assert_eq!(
        (action, &judged["over"], &judged["payoff"]),
        (&"run".into(), &true.into(), &0.0.into())
    );
    // The same seed and the same actions give the same play.
    let plays: Vec<_> = (0..2)
        .map(|_| typed(folder, &["play", "@rps", "--seed", "4", "--as", "b"], "2\n").stdout)
        .collect();
    assert_eq!(plays[0], plays[1]);
    // A player who follows an optimal file loses nothing.
    stdout(folder, &["export", "strategies", "@inspections", "-o", "how.csv"]);
    let printed =
        text(&typed(folder, &["play", "@inspections", "--against", "how.csv"], "q\n").stdout);
    assert!(printed.contains("Nothing was played"), "{printed}");
}

#[test]
fn a_duel_lies_within_what_both_policies_secure() {
    let folder = folder();
    let report =
        json(folder.path(), &["duel", "uniform", "optimal", "@inspections", "--games", "20000"]);
    let mean = report["mean"].as_f64().unwrap();
    let [lower, upper] =
        ["lower", "upper"].map(|bound| report["guaranteed"][bound].as_f64().unwrap());
    assert!(lower <= mean + 0.03 && mean <= upper + 0.03, "{report}");
    // Optimal play of both is worth −21/44; five standard errors of payoffs within ±1.
    let report = json(
        folder.path(),
        &["duel", "optimal", "quantal:1e9", "@inspections", "--games", "20000"],
    );
    assert!(
        (report["mean"].as_f64().unwrap() + 21.0 / 44.0).abs() < 5.0 / 20_000_f64.sqrt() + 0.01,
        "{report}"
    );
}

/// Both wait for ever: what a game that was cut off would have paid is not known.
#[test]
fn a_duel_that_was_cut_off_has_no_interval() {
    let folder = folder();
    fs::write(folder.path().join("my.jsonl"), crate::game::SNOWBALL).unwrap();
    let waits = "state,player,action,probability\ns,A,hide,1\ns,B,wait,1\n";
    fs::write(folder.path().join("waits.csv"), waits).unwrap();
    let report =
        json(folder.path(), &["duel", "waits.csv", "waits.csv", "my.jsonl", "--games", "3"]);
    assert_eq!(
        (report["unfinished"].as_u64(), report["mean_interval"].is_null()),
        (Some(3), true),
        "{report}"
    );
    let printed =
        stdout(folder.path(), &["duel", "waits.csv", "waits.csv", "my.jsonl", "--games", "3"]);
    assert!(
        printed.contains("3 games stopped after 10,000 turns")
            && !printed.contains("95 % interval"),
        "{printed}"
    );
}

/// With hidden information, too: by hand, uniform play of A against uniform play of B is worth 1/8
/// in Kuhn poker.
#[test]
fn a_duel_with_hidden_information_lies_within_what_both_strategies_secure() {
    let folder = folder();
    let report = json(folder.path(), &["duel", "uniform", "uniform", "@kuhn", "--games", "20000"]);
    let mean = report["mean"].as_f64().unwrap();
    // Five standard errors of payoffs within ±2.
    assert!((mean - 0.125).abs() < 10.0 / 20_000_f64.sqrt(), "{report}");
    let [lower, upper] =
        ["lower", "upper"].map(|bound| report["guaranteed"][bound].as_f64().unwrap());
    assert!(lower <= 0.125 && 0.125 <= upper, "{report}");
    // The value is −1/18, which optimal play of both secures and concedes.
    let report = json(folder.path(), &["duel", "optimal", "optimal", "@kuhn", "--games", "20000"]);
    let [lower, upper] =
        ["lower", "upper"].map(|bound| report["guaranteed"][bound].as_f64().unwrap());
    assert!((lower + 1.0 / 18.0).abs() < 1e-9 && (upper + 1.0 / 18.0).abs() < 1e-9, "{report}");
    assert!(
        (report["mean"].as_f64().unwrap() + 1.0 / 18.0).abs() < 10.0 / 20_000_f64.sqrt(),
        "{report}"
    );
    for (args, words) in [
        (&["duel", "best", "uniform", "@kuhn"][..], "`best` cannot play with hidden information"),
        (
            &["duel", "uniform", "uniform", "@kuhn", "--state", "J"],
            "--state is not for games with hidden information",
        ),
    ] {
        let output = run(folder.path(), args);
        assert!(
            !output.status.success() && text(&output.stderr).contains(words),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn figures_are_drawn() {
    let folder = folder();
    let folder = folder.path();
    for (name, args) in [
        ("\ninspections\n", &["plot", "values", "@inspections"][..]),
        ("along the likeliest play", &["plot", "values", "@snowball"]),
        ("A plays", &["plot", "strategies", "@soccer", "--state", "b2 d3 A"]),
        ("J pass bet: pass", &["plot", "strategies", "@kuhn"]),
        ("Q pass: pass", &["plot", "strategies", "@kuhn", "--state", "Q pass"]),
        ("b2 d3 A", &["plot", "regret", "uniform", "@soccer"]),
    ] {
        let svg = stdout(folder, &[args, &["-o", "-"]].concat());
        assert!(
            svg.starts_with("<svg") && svg.contains(name) | svg.contains("give away"),
            "{args:?}"
        );
    }
}

#[test]
fn the_page_begins_with_a_game() {
    let folder = folder();
    fs::write(folder.path().join("my.jsonl"), crate::game::SNOWBALL).unwrap();
    for (words, link) in [
        (&["--game", "my.jsonl"][..], "#games?game=my.jsonl"),
        (&["my.jsonl"], "#games?game=my.jsonl"),
        (&["@soccer"], "#games?game=soccer"),
        (&["@kuhn"], "#games?game=kuhn"),
    ] {
        let page = stdout(folder.path(), &[&["explore", "-o", "-"], words].concat());
        assert!(
            page.contains(&format!("data-start=\"{link}\"")) && page.len() < 1_100_000,
            "{} bytes",
            page.len()
        );
    }
}

/// A tree with printed probabilities is in the page, and what was assumed is said.
#[test]
fn the_page_begins_with_a_tree() {
    let folder = folder();
    let card = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/hidden/card.efg");
    fs::copy(card, folder.path().join("card.efg")).unwrap();
    let output =
        run(folder.path(), &["explore", "card.efg", "--probabilities", "nearest", "-o", "-"]);
    assert!(text(&output.stdout).contains("data-start=\"#games?game=card.efg\""));
    assert!(
        text(&output.stderr)
            .starts_with("assumed: 2 of 3 probabilities are read as the simplest fractions")
    );
}

/// A hundred wrong calls: a sentence, no panic, exit status 1 or 2.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn wrong_calls_are_refused() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("folder.jsonl")).unwrap();
    for (name, content) in [
        ("empty.jsonl", ""),
        ("broken.jsonl", "{\"format\":\"stochastic-game\"\n"),
        ("m.tra", "1:2 1 1\n"),
        (
            "play.jsonl",
            "{\"format\":\"stochastic-game-play\",\"version\":1,\"game\":\"@rps\"}\n{\"state\":\"round\",\"a\":\"x\",\"b\":\"rock\",\"to\":\"even\"}\n",
        ),
        ("policy.csv", "state,player,action,probability\nround,A,lizard,1\n"),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
    let mut calls: Vec<Vec<&str>> = Vec::new();
    let commands: [&[&str]; 8] = [
        &["solve"],
        &["play"],
        &["duel", "optimal", "uniform"],
        &["replay", "play.jsonl"],
        &["plot", "values", "-o", "x.svg"],
        &["plot", "regret", "uniform", "-o", "x.svg"],
        &["explore", "--no-open", "--game"],
        &["explore", "--no-open"],
    ];
    for game in [
        "@",
        "@chess",
        "@RPS",
        "@../rps",
        "no.jsonl",
        "empty.jsonl",
        "broken.jsonl",
        "folder.jsonl",
        "m.tra",
    ] {
        calls.extend(commands.iter().map(|command| [command, &[game][..]].concat()));
    }
    let tennis: [&[&str]; 10] = [
        &["--points", "5"],
        &["--field", "3"],
        &["--motion", "step"],
        &["--scoring", "win-loss"],
        &["--min-bid", "0"],
        &["--method", "simplex"],
        &["--threads", "1"],
        &["--memory", "1"],
        &["--table", "t"],
        &["--playouts", "5"],
    ];
    for option in tennis {
        calls.push([&["play", "@rps"], option].concat());
        calls.push([&["duel", "optimal", "uniform", "@rps"], option].concat());
        calls.push([&["plot", "values", "@rps", "-o", "x.svg"], option].concat());
    }
    let others: [&[&str]; 30] = [
        &["play", "@rps", "--to", "3"],
        &["play", "@rps", "--blind"],
        &["play", "@rps", "--against", "simple:100"],
        &["play", "@rps", "--against", "lookahead:1:nothing"],
        &["play", "@rps", "--against", "policy.csv"],
        &["play", "@rps", "--against", "nobody"],
        &["play", "@rps", "--against", "quantal:-1"],
        &["play", "@rps", "--as", "C"],
        &["play", "@rps", "--record", "no/such.jsonl"],
        &["duel", "optimal", "@rps"],
        &["duel", "optimal", "uniform", "optimal", "@rps"],
        &["duel", "optimal", "cmd:./bot", "@rps"],
        &["duel", "optimal", "uniform", "@rps", "--games", "0"],
        &["replay", "play.jsonl"],
        &["replay", "play.jsonl", "@snowball"],
        &["replay", "policy.csv", "@rps"],
        &["replay", "play.jsonl", "@rps", "--field", "3"],
        &["plot", "strategies", "@rps", "--state", "nowhere", "-o", "x.svg"],
        &["plot", "strategies", "@rps", "--state", "even", "-o", "x.svg"],
        &["plot", "strategies", "@rps", "--ball", "1", "-o", "x.svg"],
        &["plot", "strategies", "5", "--state", "round", "-o", "x.svg"],
        &["plot", "regret", "policy.csv", "@rps", "-o", "x.svg"],
        &["plot", "values", "@rps", "-o", "x.gif"],
        &["plot", "outcomes", "@rps", "-o", "x.svg"],
        &["exploit", "policy.csv", "@rps"],
        &["exploit", "policy.csv", "@rps", "--field", "3"],
        &["solve", "@rps", "--field", "3"],
        &["export", "weights", "@rps", "-o", "v.csv"],
        &["tennis", "forced", "my.jsonl"],
        &["explore", "--game", "@rps", "--field", "3"],
    ];
    calls.extend(others.iter().map(|call| call.to_vec()));
    assert!(calls.len() >= 100, "{}", calls.len());
    for call in &calls {
        let output = run(folder, call);
        let printed = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{call:?}: {:?} {printed}",
            output.status
        );
        assert!(
            !printed.contains("panicked")
                && printed.contains(": ")
                && text(&output.stdout).is_empty() | call.contains(&"play"),
            "{call:?}: {printed}"
        );
    }
    let errors_of = |call: &[&str]| text(&run(folder, call).stderr);
    assert!(
        errors_of(&["exploit", "policy.csv", "@rps"])
            .contains("policy.csv: line 2: A has no action `lizard`")
    );
    assert!(
        errors_of(&["play", "@rps", "--blind"])
            .contains("--blind is not for @rps, which takes --against")
    );
    assert!(errors_of(&["tennis", "forced", "my.jsonl"]).contains("pencil-tennis solve my.jsonl"));
    assert!(
        errors_of(&["exploit", "@rps"])
            .contains("@rps is a game of other rules, which follows the policy")
    );
    assert!(
        errors_of(&["plot", "regret", "my.jsonl", "-o", "x.svg"]).contains("`uniform my.jsonl`")
    );
}

/// Every command says what a misplaced file is, and names the command that takes it, whatever the
/// file's ending.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn a_file_of_another_kind_is_recognised() {
    let folder = folder();
    let folder = folder.path();
    for name in ["my.jsonl", "my.json", "my"] {
        fs::write(folder.join(name), crate::game::SNOWBALL).unwrap();
    }
    stdout(folder, &["export", "strategies", "my.json", "-o", "how.csv"]);
    stdout(folder, &["export", "values", "my.json", "-o", "v.csv"]);
    stdout(folder, &["prove", "my.json", "-o", "my.proof"]);
    fs::write(folder.join("bad.csv"), "state,player,action,probability\ns,A,fly,1\n").unwrap();
    fs::write(folder.join("bet.csv"), "player,set,action,probability\nA,J,raise,1\n").unwrap();
    fs::write(folder.join("set.csv"), "player,set,action,probability\nA,Jack,pass,1\n").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("empty.props"), "// nothing\n").unwrap();
    fs::write(folder.join("m.csv"), "3,-1\n-2,1\n").unwrap();
    fs::write(folder.join("note.txt"), "hello world\n").unwrap();
    let wide: Vec<u8> = "\u{feff}3,-1\n-2,1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.join("wide.csv"), wide).unwrap();
    fs::write(folder.join("latin.csv"), b"caf\xe9,1\n2,3\n").unwrap();
    stdout(folder, &["export", "policy", "2", "-o", "tennis.csv"]);
    stdout(folder, &["prove", "2", "-o", "2.proof"]);
    stdout(folder, &["export", "values", "2", "-o", "v2.csv"]);
    stdout(folder, &["solve", "my.json", "--save", "my.table"]);
    // A number is points, whatever files there are.
    fs::write(folder.join("7"), crate::game::SNOWBALL).unwrap();
    assert!(stdout(folder, &["solve", "7"]).starts_with("7:7 points"));
    assert!(stdout(folder, &["solve", "./7"]).contains("recursive game"));
    typed(
        folder,
        &["play", "my", "--against", "person", "--record", "play.jsonl"],
        "hide\nwait\nq\n",
    );
    for (line, words) in [
        ("solve my.proof", "my.proof is a certificate of a game; `pencil-tennis verify my.proof`"),
        ("solve play.jsonl", "play.jsonl is a record of play; `pencil-tennis replay play.jsonl`"),
        ("solve how.csv", "`pencil-tennis exploit how.csv GAME`"),
        ("solve v.csv", "v.csv is a table of a game's values"),
        (
            "solve tennis.csv",
            "tennis.csv is a policy of Tennis; `pencil-tennis exploit tennis.csv`",
        ),
        ("solve 2.proof", "2.proof is a certificate or table of Tennis"),
        ("solve v2.csv", "v2.csv is a table of Tennis' values"),
        ("solve my.table", "my.table is a table of a game of other rules, without the game"),
        ("show my.table s", "`pencil-tennis show GAME --table my.table` reads it"),
        ("verify my.table", "is a table of a game of other rules, without the game"),
        ("exploit optimal @kuhn", "`optimal` is no policy of a game with hidden information"),
        ("solve kuhn", "did you mean the game @kuhn?"),
        ("play play.jsonl", "play.jsonl is a record of play"),
        ("play how.csv", "how.csv is a policy of a game"),
        ("play --against how.csv", "how.csv is a policy of a game"),
        ("explore --no-open --game play.jsonl", "play.jsonl is a record of play"),
        ("tennis series my", "my is a game of other rules; `pencil-tennis solve my`"),
        ("tennis limit my.json", "`pencil-tennis solve my.json` solves a game of other rules"),
        ("show 3:2@0 my.jsonl", "invalid value 'my.jsonl'"),
        ("tennis blind my.jsonl", "my.jsonl is a game"),
        ("replay my.jsonl", "my.jsonl is a game"),
        ("exploit how.csv", "`pencil-tennis exploit how.csv GAME`"),
        ("duel how.csv uniform", "with the game as the last word"),
        ("plot regret how.csv -o x.svg", "with the game as the last word"),
        ("duel my.json uniform", "my.json is a game; expected a policy before it"),
        ("exploit my", "my is a game of other rules, which follows the policy"),
        ("play soccer", "did you mean the game @soccer?"),
        ("play none.json", "a game of other rules is a file or @NAME"),
        ("verify play.jsonl", "it is a record of play, not a certificate"),
        ("verify my", "it is a game, not a certificate"),
        (
            "plot values m.csv -o x.svg",
            "m.csv is one matrix game; `pencil-tennis solve m.csv` solves it",
        ),
        ("solve wide.csv", "wide.csv is text in UTF-16; expected a file saved as UTF-8"),
        ("solve latin.csv", "latin.csv: it is no text in UTF-8; expected a file saved as UTF-8"),
        ("solve note.txt", "note.txt is no other game, and is read as a matrix of payoffs: "),
        (
            "check m.csv --property <<1>>Pmax=?[F(s=1)]",
            "expected a model in PRISM's language (.prism, .nm, .pm, .csg, .smg)",
        ),
        ("solve gone.dat", "a game of other rules is a file or @NAME, and no file has this name"),
        // The faults of a file in its place are its own.
        ("exploit bad.csv my", "A has no action `fly` at `s`; expected one of `hide`, `run`"),
        (
            "duel bet.csv optimal @kuhn",
            "bet.csv: not a strategy of this game: line 2: A has no action `raise`",
        ),
        ("solve folder", "a game of other rules is a file or @NAME, and this is a folder"),
        ("check m.csv empty.props", "empty.props: there is no property in it to check"),
        ("exploit bet.csv @kuhn", "A has no action `raise` at `J`; expected one of `pass`, `bet`"),
        (
            "exploit set.csv @kuhn",
            "A has no information set `Jack`; expected one of `J`, `J pass bet`, `Q`",
        ),
        ("exploit v.csv my", "v.csv is a table of a game's values"),
        ("show my nowhere", "there is no state `nowhere`; play starts at `s`"),
        ("show my winn", "did you mean `win`?"),
        ("plot strategies my --state win -o x.svg", "play is over at `win`"),
        ("plot strategies my --state -s -o x.svg", "there is no state `-s`"),
        ("duel uniform optimal --state s", "a game of other rules"),
    ] {
        let output = run(folder, &line.split(' ').collect::<Vec<_>>());
        let printed = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(1 | 2)) && printed.contains(words),
            "{line}: {printed}"
        );
    }
    // A game is a game whatever its name.
    for line in [
        "plot values my.json -o x.svg",
        "duel how.csv uniform my --state s --games 9",
        "exploit how.csv my.json",
    ] {
        stdout(folder, &line.split(' ').collect::<Vec<_>>());
    }
    let printed = text(&typed(folder, &["play", "my", "--state", "s"], "?rules\nq\n").stdout);
    assert!(printed.contains("A game of kind recursive"), "{printed}");
    fs::remove_file(folder.join("my")).unwrap();
    let printed = text(&run(folder, &["replay", "play.jsonl"]).stderr);
    assert!(
        printed.contains("play.jsonl names its game `my`; `replay play.jsonl GAME`"),
        "{printed}"
    );
}

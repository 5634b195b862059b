//! Learners on the command line: `train`, `duel`, `curves`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{self, array, folder, json, keys, number, program, stdout, text};

/// The same for a sentence with these words.
fn assert_refused(folder: &Path, args: &[&str], status: i32, words: &str) {
    program::assert_refused(folder, args, status, &[words]);
}

const SMALL: [&str; 2] = ["--points", "9"];

mod train {
    use super::*;

    #[test]
    fn leaves_a_policy_that_is_judged_the_same() {
        let folder = folder();
        for name in ["policy.npz", "policy.csv", "policy.json"] {
            let args = [&["train", "simple", "--games", "3000", "-o", name][..], &SMALL].concat();
            let report = json(folder.path(), &args);
            assert_eq!(keys(&report), "curve games games_per_second guarantee learner points seed");
            let curve = report["curve"].as_array().expect("a list");
            let games: Vec<_> =
                curve.iter().map(|point| point["games"].as_u64().expect("games")).collect();
            assert_eq!(games, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000]);
            let judged = json(folder.path(), &["exploit", name, "--points", "9"]);
            let last = &curve[11];
            assert_eq!(
                keys(last),
                "against_optimum against_uniform entries_read exploitability games seconds"
            );
            assert!(
                (number(&judged["exploitability"]) - number(&last["exploitability"])).abs() < 1e-12
            );
            assert!(
                (number(&judged["value_against_optimum"]["a"]) - number(&last["against_optimum"]))
                    .abs()
                    < 1e-12
            );
        }
    }

    #[test]
    fn writes_its_curve_and_draws_it() {
        let folder = folder();
        let args = [
            "train", "rm-plus", "--games", "2e4", "--points", "9", "--curve", "c.csv", "--plot",
            "c.svg",
        ];
        let printed = stdout(folder.path(), &args);
        assert!(
            printed.contains("rm-plus learns 9:9 points")
                && printed.contains("guarantee: the average"),
            "{printed}"
        );
        let curve = fs::read_to_string(folder.path().join("c.csv")).expect("a curve");
        assert_eq!(
            curve.lines().next(),
            Some("games,seconds,entries_read,exploitability,against_optimum,against_uniform")
        );
        // Sweeps of 10 · 10 · 5 states: nothing is noted between the first and the second, and the
        // numbers are multiples.
        let games: Vec<u64> = curve
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().expect("games").parse().expect("a number"))
            .collect();
        assert_eq!(games, [500, 1000, 2000, 5000, 10_000, 20_000]);
        assert!(
            fs::read_to_string(folder.path().join("c.svg"))
                .expect("a picture")
                .contains("exploitability")
        );
    }

    #[test]
    fn goes_on_as_if_it_had_not_stopped() {
        let folder = folder();
        let learner =
            ["train", "extended", "--loss", "1", "--every", "64", "--middle", "0.2", "--seed", "7"];
        let whole = [&learner[..], &SMALL, &["--games", "5000", "-o", "whole.csv"]].concat();
        stdout(folder.path(), &whole);
        let first =
            [&learner[..], &SMALL, &["--games", "1234", "--save", "run", "--curve", "c.csv"]]
                .concat();
        stdout(folder.path(), &first);
        let rest = [
            "train", "--resume", "run", "--games", "5000", "--save", "run", "--curve", "c.csv",
            "-o", "rest.csv",
        ];
        stdout(folder.path(), &rest);
        let read = |name| fs::read(folder.path().join(name)).expect("a file");
        assert!(read("whole.csv") == read("rest.csv"));
        let curve = text(&read("c.csv"));
        let games: Vec<&str> =
            curve.lines().skip(1).map(|line| line.split(',').next().expect("games")).collect();
        assert_eq!(
            games,
            ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1000", "2000", "5000"]
        );
        assert_refused(
            folder.path(),
            &["train", "--resume", "run", "--games", "100"],
            1,
            "5,000 games already",
        );
        assert_refused(
            folder.path(),
            &["train", "simple", "--resume", "run", "--games", "9000"],
            1,
            "a training of extended",
        );
        assert_refused(
            folder.path(),
            &["train", "--resume", "run", "--points", "8"],
            2,
            "--points",
        );
        fs::write(folder.path().join("run"), b"nonsense").expect("written");
        assert_refused(folder.path(), &["train", "--resume", "run"], 1, "not a saved training");
    }

    #[test]
    fn says_what_is_wrong_before_it_begins() {
        let folder = folder();
        for (args, status, words) in [
            (&["train"][..], 2, "LEARNER"),
            (&["train", "nobody"], 2, "simple, extended, rm"),
            (&["train", "simple", "--loss", "1"], 1, "the learner simple has no option loss"),
            (&["train", "extended", "--rare", "0"], 2, "expected 1 to 1000"),
            (
                &["train", "simple", "--games", "0"],
                2,
                "expected a number of games, a whole number from 1",
            ),
            (
                &["train", "simple", "--games", "1e30"],
                2,
                "expected a number of games, a whole number from 1",
            ),
            (&["train", "simple", "--games", "5e9"], 1, "at most 4294967245 are possible"),
            (&["train", "simple", "--points", "300"], 1, "at most 200"),
            (&["train", "simple", "--scoring", "1,1,0,0,0"], 1, "1,1,0,0,0 is not"),
            (&["train", "simple", "-o", "policy.txt"], 2, ".csv, .json or .npz"),
            (&["train", "simple", "-o", "nowhere/policy.csv"], 1, "no folder nowhere"),
            (
                &["train", "simple", "--save", "x.csv", "--curve", "x.csv"],
                2,
                "x.csv would be written twice",
            ),
            (&["train", "--resume", "nothing"], 1, "cannot read nothing"),
        ] {
            assert_refused(folder.path(), args, status, words);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn the_help_names_every_learner() {
        let help = stdout(folder().path(), &["train", "--help"]);
        for kind in pencil_tennis::agents::LearnerKind::ALL {
            assert!(help.contains(kind.name()) && help.contains(kind.options()[0]), "{kind}");
        }
    }

    /// Ctrl-C during a training of several minutes: the last judgement's files are whole, and the
    /// training goes on from there.
    #[cfg(unix)]
    #[test]
    fn interrupted_it_leaves_what_it_saved() {
        let folder = folder();
        let args = [
            "train", "simple", "--points", "20", "--games", "4e9", "--save", "run", "--curve",
            "c.csv", "-o", "p.csv", "--plot", "p.svg",
        ];
        let child = program(folder.path(), &args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let begin = std::time::Instant::now();
        let noted = || {
            fs::read_to_string(folder.path().join("c.csv"))
                .is_ok_and(|curve| curve.lines().count() > 12)
        };
        while !noted() && begin.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let killed = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status()
            .expect("a kill command");
        assert!(killed.success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let sentence = text(&output.stderr);
        assert!(
            sentence.starts_with(
                "pencil-tennis: interrupted; p.csv, c.csv, p.svg and run have what was learned in "
            ),
            "{sentence}"
        );
        let how = "; go on with: train simple --games 4e9 --curve c.csv -o p.csv --plot p.svg --resume run --save run\n";
        assert!(sentence.ends_with(how), "{sentence}");
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["c.csv", "p.csv", "p.svg", "run"], "nothing else is left");
        let saved = fs::read(folder.path().join("run")).expect("a file");
        let saved = pencil_tennis::agents::Training::from_bytes(&saved).expect("a whole training");
        let games = pencil_tennis::agents::Learner::games(&saved);
        let curve = fs::read_to_string(folder.path().join("c.csv")).expect("a curve");
        assert!(
            curve
                .trim_end()
                .rsplit('\n')
                .next()
                .is_some_and(|last| last.starts_with(&format!("{games},"))),
            "{curve}"
        );
        let mut policy = Vec::new();
        let learned = pencil_tennis::agents::Learner::policy(&saved).expect("a policy");
        pencil_tennis::report::PolicyFormat::Csv
            .write(&learned, &mut policy)
            .expect("memory takes everything");
        assert!(
            policy == fs::read(folder.path().join("p.csv")).expect("a policy"),
            "all files are of the same lesson"
        );
        let more = (games + 1000).to_string();
        let report = json(folder.path(), &["train", "--resume", "run", "--games", &more]);
        assert_eq!(report["games"].as_u64(), Some(games + 1000));
    }

    /// There are no files of a last judgement if none were asked for.
    #[cfg(unix)]
    #[test]
    fn interrupted_it_speaks_of_no_files_that_are_not_there() {
        use std::io::{BufRead, BufReader};

        let folder = folder();
        let args = ["train", "simple", "--points", "20", "--games", "4e9"];
        let mut child = program(folder.path(), &args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.any(|line| line.expect("text").trim_start().starts_with("1,000 ")));
        let killed = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status()
            .expect("a kill command");
        assert!(killed.success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let sentence = text(&output.stderr);
        assert!(sentence.starts_with("pencil-tennis: interrupted; "), "{sentence}");
        assert!(sentence.ends_with(" games were played; nothing was written\n"), "{sentence}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}

mod duel {
    use super::*;

    #[test]
    fn counts_next_to_what_is_exact() {
        let folder = folder();
        let report = json(
            folder.path(),
            &["duel", "optimal", "uniform", "--points", "12", "--games", "50000", "--seed", "3"],
        );
        assert_eq!(
            keys(&report),
            "a b exact exact_bounds exact_turns games mean mean_interval mean_turns outcomes seed standard_error start"
        );
        assert_eq!(
            (report["start"].as_str(), report["games"].as_u64()),
            (Some("12:12@0"), Some(50_000))
        );
        let outcomes = report["outcomes"].as_array().expect("a list");
        assert_eq!(
            outcomes.iter().map(|end| end["count"].as_u64().expect("a count")).sum::<u64>(),
            50_000
        );
        for end in outcomes {
            let [lower, upper] = ["lower", "upper"].map(|name| number(&end["interval"][name]));
            assert!((lower..=upper).contains(&number(&end["share"])), "{end}");
        }
        let away = (number(&report["mean"]) - number(&report["exact"])).abs();
        assert!(away <= 4.0 * number(&report["standard_error"]), "{report}");
        let judged = json(folder.path(), &["exploit", "uniform", "--points", "12"]);
        assert!(
            (number(&report["exact"]) - number(&judged["value_against_optimum"]["b"])).abs()
                < 1e-12
        );
    }

    /// The article's learner by name is the one that `train` leaves, and its exploitability falls
    /// as it learns.
    #[test]
    fn levels_are_named() {
        let folder = folder();
        stdout(
            folder.path(),
            &["train", "simple", "8", "--games", "5000", "--seed", "1", "-o", "trained.npz"],
        );
        let judged = |player: &str| {
            number(&json(folder.path(), &["exploit", player, "--points", "8"])["exploitability"])
        };
        assert_eq!(judged("simple:5000"), judged("trained.npz"));
        assert_eq!(judged("simple:5e3"), judged("simple:5000"));
        let falling = ["uniform", "simple:1000", "simple:20000", "optimal"].map(judged);
        assert!(falling.is_sorted_by(|one, other| one > other), "{falling:?}");
        // No precision at all is the uniform player.
        assert!((judged("quantal:0") - judged("uniform")).abs() < 1e-12);
        let duel =
            json(folder.path(), &["duel", "quantal:20", "simple:1000", "8", "--games", "10"]);
        assert!(number(&duel["exact"]) > 0.0, "{duel}");
        // With uneven accounts a learner knows the part of its table that is needed.
        assert!(
            json(folder.path(), &["exploit", "simple:1000", "--points", "8:6"])["exploitability"]
                .is_number()
        );
        assert_refused(folder.path(), &["exploit", "simple:x"], 1, "`simple:x` is not a player");
        assert_refused(
            folder.path(),
            &["duel", "lookahead:1:quantal:2", "uniform", "4"],
            1,
            "cannot say what leaves are worth",
        );
    }

    #[test]
    fn players_search_and_read_files() {
        let folder = folder();
        stdout(
            folder.path(),
            &["train", "simple", "--games", "1000", "--points", "8", "-o", "learned.npz"],
        );
        let printed = stdout(
            folder.path(),
            &["duel", "lookahead:2:learned.npz", "learned.npz", "--points", "8", "--games", "2000"],
        );
        assert!(
            printed.contains("2,000 games, seed 1") && printed.contains("95 % interval"),
            "{printed}"
        );
        let args = ["exploit", "lookahead:8:nothing", "--points", "8"];
        assert!(number(&json(folder.path(), &args)["exploitability"]) < 1e-12);
        let sampled = ["exploit", "lookahead:1:uniform", "--points", "8", "--playouts", "500"];
        let exact = number(&json(folder.path(), &sampled[..4])["exploitability"]);
        assert!((number(&json(folder.path(), &sampled)["exploitability"]) - exact).abs() < 0.3);
        assert_refused(
            folder.path(),
            &["duel", "uniform", "learned.npz"],
            1,
            "expected (51, 51, 5, 51)",
        );
        assert_refused(
            folder.path(),
            &["duel", "uniform", "lookahead:two:uniform"],
            2,
            "lookahead:2:uniform",
        );
        assert_refused(
            folder.path(),
            &["duel", "uniform", "lookahead:0:uniform"],
            2,
            "expected 1 at least",
        );
        assert_refused(folder.path(), &["duel", "uniform", "nobody"], 1, "cannot read nobody");
        assert_refused(folder.path(), &["duel", "uniform"], 2, "PLAYER");
    }
}

mod curves {
    use super::*;

    #[test]
    fn several_in_one_picture() {
        let folder = folder();
        for learner in ["simple", "cfr-plus"] {
            let file = format!("my-{learner}.csv");
            stdout(
                folder.path(),
                &["train", learner, "--games", "4000", "--points", "8", "--curve", &file],
            );
        }
        for (x, y) in [("games", "exploitability"), ("seconds", "optimum"), ("entries", "uniform")]
        {
            let args = [
                "plot",
                "curves",
                "my-simple.csv",
                "my-cfr-plus.csv",
                "--x",
                x,
                "--y",
                y,
                "-o",
                "both.svg",
            ];
            stdout(folder.path(), &args);
            let svg = fs::read_to_string(folder.path().join("both.svg")).expect("a picture");
            assert!(
                svg.starts_with("<svg") && svg.contains("my-simple") && svg.contains("my-cfr-plus")
            );
            // One circle for every judgement that can be drawn.
            assert!(svg.matches("<circle").count() >= 12, "{x} {y}");
        }
        assert_refused(
            folder.path(),
            &["plot", "curves", "my-simple.csv", "--from", "1e9", "-o", "none.svg"],
            1,
            "nothing to draw",
        );
        assert_refused(
            folder.path(),
            &["plot", "curves", "my-simple.csv", "-o", "my-simple.csv"],
            1,
            "would be overwritten",
        );
        fs::write(folder.path().join("bad.csv"), "games,exploitability\n1,x\n").expect("written");
        assert_refused(
            folder.path(),
            &["plot", "curves", "bad.csv", "-o", "none.svg"],
            1,
            "not a learning curve",
        );
    }
}

/// The strategies that learners write in games of other rules are read by `exploit`, and judged as
/// `train` judged them.
#[test]
fn learners_play_games_of_other_rules() {
    let folder = folder();
    for game in ["@kuhn", "@soccer"] {
        let trained =
            json(folder.path(), &["train", "cfr-plus", game, "--games", "20000", "-o", "how.csv"]);
        let last = array(&trained["curve"]).last().expect("a point").clone();
        assert_eq!(last["games"], trained["games"]);
        let judged = json(folder.path(), &["exploit", "how.csv", game]);
        let [printed, read] = [&last["exploitability"], &judged["exploitability"]].map(number);
        // Doubles as text are the same doubles; the csv's are divided by their sum once more.
        assert!((printed - read).abs() < 1e-12, "{game}: {printed} and {read}");
        let first = number(&array(&trained["curve"])[0]["exploitability"]);
        assert!(printed < first / 2.0, "{game}: {first} to {printed}");
    }
    for (args, why) in [
        (["train", "simple", "@kuhn"], "the learner simple is not for games of this kind"),
        (["train", "fictitious", "@kuhn"], "expected rm, rm-plus, cfr-plus or exponential"),
        (
            ["train", "outcome", "@soccer"],
            "expected rm, rm-plus, cfr-plus, fictitious or exponential",
        ),
    ] {
        assert_refused(folder.path(), &args, 1, why);
    }
    assert_refused(
        folder.path(),
        &["train", "rm", "@kuhn", "--seed", "3"],
        2,
        "--seed is not for @kuhn",
    );
    assert_refused(
        folder.path(),
        &["train", "rm", "@kuhn", "-o", "x.npz"],
        2,
        "written as csv, not as npz",
    );
    fs::write(folder.path().join("matrix.csv"), "1,0\n0,2\n").expect("room");
    assert_refused(
        folder.path(),
        &["train", "rm", "matrix.csv"],
        2,
        "one matrix game leaves nothing to learn",
    );

    // The table's last column is an upper bound.
    let table = stdout(folder.path(), &["train", "cfr-plus", "@kuhn", "--games", "1000"]);
    let curve = json(folder.path(), &["train", "cfr-plus", "@kuhn", "--games", "1000"]);
    let rows = table.lines().filter(|line| line.starts_with("   ")).skip(1);
    let shown: Vec<f64> = rows
        .map(|line| line.split_whitespace().last().expect("a cell").parse().expect("a number"))
        .collect();
    let proved: Vec<f64> = array(&curve["curve"])
        .iter()
        .map(|point| number(&point["guaranteed"]["exploitability"]["upper"]))
        .collect();
    assert_eq!(shown.len(), proved.len());
    assert!(
        shown.iter().zip(&proved).all(|(shown, proved)| shown >= proved),
        "{shown:?} {proved:?}"
    );
}

//! What is asked for wrongly is said to be that: the status 2, a sentence with what is right, and
//! nothing done.

use std::fs;
use std::process::Stdio;

use crate::program::{assert_refused, folder, json, program, run, stdout, text};

#[test]
fn wrong_usage_has_its_own_status() {
    let folder = folder();
    for (line, words) in [
        ("export values 5 --ball 9", &["ball 9 is outside the field -2 to 2"][..]),
        ("export values 5 --ball -9 --field 4", &["ball -9 is outside the field -4 to 4"]),
        ("export values 5 --a 6..7", &["--a 6", "5 points at most"]),
        ("export strategies 5:3 --b 4", &["--b 4", "3 points at most"]),
        ("export values 5 --states 4:3@-2 --ball 1", &["none of the --states"]),
        ("export weights 5:3", &["the same points for both, not 5:3"]),
        ("tennis series --to 0", &["winning points", "from 1 to 200"]),
        ("duel optimal uniform 0", &["0: A starts with 0 points"]),
        ("tennis blind --resume part --method lp", &["expected --method cfr beside --resume"]),
        ("tennis blind 4 --gap nan", &["not below 0"]),
        ("tennis blind 4 --gap inf", &["not below 0"]),
        ("train extended 4 --middle 2", &["a share from 0 to 1"]),
        ("train outcome 4 --explore 0", &["explore", "positive share"]),
        (
            "train simple 4 --games 9 --plot x.foo",
            &["the format of x.foo; expected a name that ends in .svg\n"],
        ),
        ("train simple 4 --games 9 --plot x.png", &["written as svg, not as png"]),
        ("exploit lookahead:0:uniform 4", &["expected 1 at least"]),
        ("exploit lookahead:two:uniform 4", &["lookahead:DEPTH:LEAVES"]),
        ("play 3 --to 2 --scoring 0,0,0,0,0", &["never ends"]),
        ("play 3 --to 2 --scoring 0,0,0,0,0 --blind", &["never ends"]),
        ("solve 5 --trace-layers x.csv", &["--trace-layers", "expected --mpi"]),
    ] {
        assert_refused(folder.path(), &line.split(' ').collect::<Vec<_>>(), 2, words);
    }
}

/// Usage is that of the command that was given, in two words where it has two.
#[test]
fn usage_names_the_command() {
    let folder = folder();
    for (line, usage) in [
        ("duel optimal 5", "Usage: pencil-tennis duel "),
        ("plot values 5 -o x.gif", "Usage: pencil-tennis plot values "),
        ("export values 5 --ball 9", "Usage: pencil-tennis export "),
    ] {
        assert_refused(folder.path(), &line.split(' ').collect::<Vec<_>>(), 2, &[usage]);
    }
}

/// A number below 0 is refused for what it is, not as an option that there is not.
#[test]
fn negative_numbers_are_values() {
    let folder = folder();
    for (line, words) in [
        ("show 3:3@0 --field -1", &["'-1' for '--field", "a whole number from 1"][..]),
        ("solve -5", &["'-5'", "a number of points"]),
        ("solve 5 --threads -2", &["'-2' for '--threads"]),
        ("plot strategies 5 --against -3 -o x.svg", &["'-3' for '--against"]),
        ("tennis blind 4 --gap -1", &["'-1' for '--gap", "not below 0"]),
    ] {
        let args: Vec<&str> = line.split(' ').collect();
        assert_refused(folder.path(), &args, 2, words);
        assert!(!text(&run(folder.path(), &args).stderr).contains("tip:"), "{line}");
    }
    assert!(
        stdout(folder.path(), &["export", "values", "2", "--ball", "-1"]).contains("\n2,2,-1,")
    );
}

#[test]
fn players_are_named_in_either_case_everywhere() {
    let folder = folder();
    let folder = folder.path();
    let export = |player| stdout(folder, &["export", "strategies", "3", "--player", player]);
    assert_eq!(export("A"), export("a"));
    assert_ne!(export("A"), export("b"));
    let plot =
        |player| stdout(folder, &["plot", "regret", "uniform", "3", "--player", player, "-o", "-"]);
    assert_eq!(plot("B"), plot("b"));
    for player in ["b", "B"] {
        assert!(
            text(&run(folder, &["play", "3", "--as", player]).stdout).contains("You are B"),
            "{player}"
        );
    }
    assert_refused(
        folder,
        &["export", "strategies", "3", "--player", "C"],
        2,
        &["possible values: A, B"],
    );
}

#[test]
fn messages_say_what_is_wrong() {
    let folder = folder();
    let folder = folder.path();
    for (name, content) in [
        ("cut.json", "[{\"a\":3,"),
        ("other.json", "\"text\""),
        ("object.json", "{\"a\": 3}"),
        ("row.json", "[1]"),
    ] {
        fs::write(folder.join(name), content).expect("room");
        let args = ["exploit", name, "3"];
        assert_refused(folder, &args, 1, &[name, "not a policy"]);
        let printed = text(&run(folder, &args).stderr);
        assert!(!printed.contains("weights") && !printed.contains("struct"), "{printed}");
    }
    assert_refused(
        folder,
        &["solve", "100000"],
        1,
        &["100000 points are too many; at most 65535 are supported"],
    );
}

/// What comes through a pipe is checked as a file is, whatever it is.
#[test]
fn certificates_and_tables_can_be_checked_without_a_file() {
    use std::io::Write;
    let folder = folder();
    let folder = folder.path();
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/games/matrix.jsonl");
    for args in [
        &["prove", "4", "-o", "file"][..],
        &["solve", "4", "--save", "file"],
        &["solve", "4", "--strategies", "again", "--save", "file"],
        &["prove", game, "-o", "file"],
    ] {
        run(folder, args);
        let bytes = fs::read(folder.join("file")).expect("it was written");
        let expected = json(folder, &["verify", "file"]);
        // A pipe by a name, as the shell gives it to `verify <(…)`.
        for name in ["-", "/dev/stdin"] {
            if name != "-" && !cfg!(target_os = "linux") {
                continue;
            }
            let verify = |bytes: &[u8]| {
                let mut child = program(folder, &["verify", name, "--format", "json"])
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("the program starts");
                child.stdin.take().expect("a pipe").write_all(bytes).expect("it reads all");
                child.wait_with_output().expect("it ends")
            };
            let output = verify(&bytes);
            assert_eq!(
                (output.status.code(), text(&output.stderr)),
                (Some(0), String::new()),
                "{args:?}"
            );
            assert_eq!(crate::program::parse(&text(&output.stdout)), expected, "{args:?}");
            let refused = verify(&bytes[..bytes.len() - 2]);
            assert_eq!(refused.status.code(), Some(1), "{args:?}");
            assert!(
                text(&refused.stderr).contains(&format!("{name}: ")),
                "{}",
                text(&refused.stderr)
            );
        }
    }
}

/// Whatever is echoed is an excerpt: megabytes on standard input, and arguments of the length that
/// systems allow.
#[test]
fn long_inputs_are_echoed_as_excerpts() {
    use std::io::Write;
    let folder = folder();
    let mut child = program(folder.path(), &["show", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(&vec![b'x'; 10_000_000]).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.len() < 400, "{} bytes", output.stderr.len());
    let long = "x".repeat(100_000);
    let [lookahead, scoring] = [format!("lookahead:1:{long}"), format!("1,{long},0,0,0")];
    for args in [
        ["solve", &long].as_slice(),
        &["show", &long],
        &["solve", "3", "--scoring", &long],
        &["solve", "3", "--scoring", &scoring],
        &["solve", "3", "--motion", &long],
        &["solve", "3", "--threads", &long],
        &["exploit", &lookahead, "--points", "3"],
        &["duel", &long, "uniform", "3"],
        &["solve", &long],
        &["replay", &long],
        &["explore", &long],
        &["train", &long],
        &["tennis", "blind", &long],
    ] {
        let output = run(folder.path(), args);
        assert!(
            !output.status.success() && output.stderr.len() < 2_000,
            "{}: {} bytes",
            args[0],
            output.stderr.len()
        );
    }
}

/// Each option belongs to some kinds of games, and is refused, not ignored, in the others.
#[test]
fn options_of_other_games_are_refused() {
    let folder = folder();
    for (line, words) in [
        ("solve 5 --gap 1e-3", "--gap is not for Tennis"),
        ("solve 5 --property Pmax=?", "--property is not for Tennis"),
        ("solve 5 --dominated weak", "--dominated is not for Tennis"),
        ("solve 5 --refine quasi-perfect", "Tennis has --refine dresher"),
        ("solve 5 --refine dresher --save t", "expected either --save or --refine"),
        ("show 4:3@-2 --width 1", "--width is not for Tennis"),
        ("show 4:3@-2 --refine quasi-perfect", "Tennis has --refine dresher"),
        ("export values 5 --seconds 1", "--seconds is not for Tennis"),
        ("export strategies 5 --refine quasi-perfect", "Tennis has --refine dresher"),
        ("prove 5 -o p --gap 1", "--gap is not for Tennis"),
        ("exploit uniform 5 --width 1", "--width is not for Tennis"),
        ("exploit uniform 5 --state s", "--state is not for Tennis"),
        ("exploit uniform @rps --mirror", "--mirror is not for @rps"),
        ("export values @rps --ball 1", "--ball is not for @rps"),
        ("show @rps --min-bid 0", "--min-bid is not for @rps"),
        ("prove @rps -o p --method lp", "--method is not for @rps"),
        ("solve @kuhn --save t", "--save is not for a game with hidden information"),
        (
            "solve @kuhn --refine dresher",
            "games with hidden information have --refine quasi-perfect",
        ),
    ] {
        assert_refused(folder.path(), &line.split(' ').collect::<Vec<_>>(), 2, &[words]);
    }
}

/// An old command is answered with the new one, and nothing is done.
#[test]
fn old_spellings_name_the_new_command() {
    let folder = folder();
    for (line, new) in [
        ("game my.jsonl s --format json", "`pencil-tennis show my.jsonl s --format json`"),
        ("game @rps --prove p", "`pencil-tennis prove @rps -o p`"),
        ("matrix --help", "`pencil-tennis solve --help`"),
        ("blind 4", "`pencil-tennis tennis blind 4`"),
        ("forced", "`pencil-tennis tennis forced`"),
        ("curves a.csv -o a.svg", "`pencil-tennis plot curves a.csv -o a.svg`"),
    ] {
        assert_refused(
            folder.path(),
            &line.split(' ').collect::<Vec<_>>(),
            2,
            &["has another name now", new],
        );
    }
}

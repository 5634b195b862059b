//! The sentence "go on with …": the whole command that was given, with the file that it resumes,
//! for every command that keeps its work and every option in its help.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{folder, program, stdout, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pencil-tennis");

/// The words of a command, and those with which it goes on; `|` is between two words.
struct Line {
    given: &'static str,
    again: &'static str,
}

/// Options that no line has, with the reason.
type LeftOut = &'static [(&'static str, &'static str)];

const OTHER_BUILD: &str = "of a build with the feature mpi, see ranks.rs";
const JUDGES: &str = "not beside a checkpoint";
const EXPORTS: &str = "of an export; values as those of other options are";
const MATRICES: &str = "of one matrix, which has no checkpoint";

const COMMANDS: [(&str, &[Line], LeftOut); 4] = [
    (
        "solve",
        &[
            Line {
                given: "400|--field|2|--motion=net|--scoring|1,1/2,0,-1/2,-1|--min-bid|1|--method|simplex|--threads|1|--memory|4GiB|\
                    --strategies=again|--save|B's table|--checkpoint|part one|--checkpoint-every=0|--unique|--quiet|--format|json",
                again: "400|--field|2|--motion=net|--scoring|1,1/2,0,-1/2,-1|--min-bid|1|--threads|1|--memory|4GiB|--save|B's table|\
                    --checkpoint-every=0|--unique|--quiet|--format|json|--resume|part one|--checkpoint|part one",
            },
            Line {
                given: "--points|300:290|--exact=64|--refine|dresher|--checkpoint=part one|--outcomes|--checkpoint-every|0",
                again: "--points|300:290|--refine|dresher|--checkpoint-every|0|--resume|part one|--checkpoint|part one",
            },
            Line {
                given: "@liars-dice|--gap=0|--seconds|1000|--threads|1|--checkpoint|part one|--checkpoint-every|0",
                again: "@liars-dice|--gap=0|--seconds|1000|--threads|1|--checkpoint-every|0|--resume|part one|\
                    --checkpoint|part one",
            },
            Line {
                given: "my game.jsonl|--width|1e-30|--threads|1|--memory|2GiB|--save|$table|--checkpoint|part one|\
                    --checkpoint-every|0|--format|json",
                again: "my game.jsonl|--width|1e-30|--threads|1|--memory|2GiB|--save|$table|--checkpoint-every|0|--format|json|\
                    --resume|part one|--checkpoint|part one",
            },
            Line {
                given: "my model.prism|--property|Pmax=? [ F x=3 ]|--const=most=4000|--probabilities=normalised|--checkpoint|part one|--checkpoint-every|0.1",
                again: "my model.prism|--property|Pmax=? [ F x=3 ]|--const=most=4000|--probabilities=normalised|--checkpoint-every|0.1|--resume|part one|\
                    --checkpoint|part one",
            },
        ],
        &[
            ("mpi", OTHER_BUILD),
            ("trace-layers", OTHER_BUILD),
            ("trace-states", OTHER_BUILD),
            ("state-file", EXPORTS),
            ("label-file", EXPORTS),
            ("reward-file", EXPORTS),
            ("players", EXPORTS),
            ("row", MATRICES),
            ("column", MATRICES),
            ("payoffs", MATRICES),
            ("approximate", MATRICES),
            ("all", MATRICES),
            ("max-entropy", MATRICES),
            ("sensitivity", MATRICES),
            ("dominated", MATRICES),
        ],
    ),
    (
        "check",
        &[
            Line {
                given: "my model.prism|my.props|--only|1|--const|most=4000|--probabilities|normalised|--width|1e-9|--prove|a b|--threads|1|--memory|2GiB|--format|json|\
                    --quiet|--checkpoint=part one|--checkpoint-every|0.1",
                again: "my model.prism|my.props|--only|1|--const|most=4000|--probabilities|normalised|--width|1e-9|--prove|a b|--threads|1|--memory|2GiB|--format|json|\
                    --quiet|--checkpoint-every|0.1|--resume|part one|--checkpoint|part one",
            },
            Line {
                given: "my model.prism|--property=Pmax=? [ F y=3 ]|--const=most=4000|--checkpoint=part one|--checkpoint-every|0.1",
                again: "my model.prism|--property=Pmax=? [ F y=3 ]|--const=most=4000|--checkpoint-every|0.1|--resume|part one|\
                    --checkpoint|part one",
            },
        ],
        &[
            ("state-file", EXPORTS),
            ("label-file", EXPORTS),
            ("reward-file", EXPORTS),
            ("players", EXPORTS),
        ],
    ),
    (
        "tennis blind",
        &[
            Line {
                given: "11:9|--field|2|--motion|net|--scoring|two-one|--min-bid|1|--method|cfr|--gap|0|--seconds|1000|--threads|1|\
                    --memory|2GiB|--information|-o|b.csv|--checkpoint|part one|--checkpoint-every|0|--format|json",
                again: "11:9|--field|2|--motion|net|--scoring|two-one|--min-bid|1|--method|cfr|--gap|0|--seconds|1000|--threads|1|\
                    --memory|2GiB|--information|-o|b.csv|--checkpoint-every|0|--format|json|--resume|part one|--checkpoint|part one",
            },
            Line {
                given: "--points|11:9|--gap=0|--output=b.csv|--quiet|--checkpoint|part one|--checkpoint-every|0",
                again: "--points|11:9|--gap=0|--output=b.csv|--quiet|--checkpoint-every|0|--resume|part one|--checkpoint|part one",
            },
        ],
        &[("policy", JUDGES)],
    ),
    (
        "train",
        &[
            Line {
                given: "extended|12|--games|4e9|--seed|3|-op.csv|--curve|c.csv|--plot|p.svg|--save|part one|--save-every|0|--field|2|\
                    --motion|net|--scoring|two-one|--min-bid|1|--reward|points|--loss|1|--rare|10|--every|2|--middle|0.5|--close|\
                    --forget|1000|--format|json",
                again: "extended|--games|4e9|-op.csv|--curve|c.csv|--plot|p.svg|--save-every|0|--format|json|--resume|part one|\
                    --save|part one",
            },
            Line {
                given: "rm|--points|12|--games=4e9|--output|p.csv|--quiet|--save=part one|--schedule|games|--explore|0.1",
                again: "rm|--games=4e9|--output|p.csv|--quiet|--resume|part one|--save|part one",
            },
        ],
        &[],
    ),
];

/// The commands whose help has `--resume`, with the names of all their options.
fn commands(folder: &Path) -> Vec<(String, BTreeSet<String>)> {
    let help = stdout(folder, &["--help"]);
    let of_tennis = stdout(folder, &["tennis", "--help"]);
    let of_tennis = of_tennis
        .split("Commands:")
        .nth(1)
        .expect("a list of commands")
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty());
    let of_tennis = of_tennis
        .filter_map(|line| Some(format!("tennis {}", line.strip_prefix("  ")?.split(' ').next()?)));
    let names = crate::snapshots::commands(&help).into_iter().map(str::to_owned).chain(of_tennis);
    let options = |name: &str| {
        let help = stdout(folder, &name.split(' ').chain(["--help"]).collect::<Vec<_>>());
        let long = |line: &str| {
            let line = line.trim_start();
            let rest =
                if line.starts_with("--") { line } else { line.strip_prefix('-')?.get(3..)? };
            let name: String = rest
                .strip_prefix("--")?
                .chars()
                .take_while(|&part| part == '-' || part.is_ascii_lowercase())
                .collect();
            Some(name)
        };
        help.lines().filter_map(long).collect::<BTreeSet<_>>()
    };
    let all = names
        .filter(|name| !name.ends_with(' ') && name != "tennis help")
        .map(|name| (name.clone(), options(&name)));
    all.filter(|(_, options)| options.contains("resume")).collect()
}

/// The names of the options among words, the short one of which is `-o`.
fn named(words: &str) -> impl Iterator<Item = String> {
    let options = words.split('|').take_while(|&word| word != "--");
    options.filter_map(|word| {
        let short = word.strip_prefix("-o").map(|_| "output");
        word.strip_prefix("--")
            .map(|long| long.split('=').next().unwrap_or(long))
            .or(short)
            .map(str::to_owned)
    })
}

#[test]
fn every_option_in_the_help_of_commands_that_go_on_is_in_this_file() {
    let folder = folder();
    let commands = commands(folder.path());
    assert_eq!(
        commands.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["solve", "check", "train", "tennis blind"]
    );
    for (name, mut options) in commands {
        let (_, lines, left_out) =
            COMMANDS.iter().find(|(command, ..)| *command == name).expect("it is in the list");
        let listed = lines.iter().flat_map(|line| named(line.given).chain(named(line.again)));
        let listed: BTreeSet<String> =
            listed.chain(left_out.iter().map(|(option, _)| (*option).to_owned())).collect();
        assert!(options.remove("help"));
        assert_eq!(listed, options, "{name}");
    }
}

const PATIENCE: Duration = Duration::from_secs(120);

/// What a command says on standard error that is interrupted once its file is there.
fn interrupted(mut child: Child, part: &Path) -> String {
    let begin = Instant::now();
    while !part.exists() && child.try_wait().expect("a process").is_none() {
        assert!(begin.elapsed() < PATIENCE, "{} does not come", part.display());
        thread::sleep(Duration::from_millis(5));
    }
    // It reads its files first.
    thread::sleep(Duration::from_millis(300));
    let _ = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    let output = child.wait_with_output().expect("an end");
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{printed}");
    printed
}

/// Some millions of states.
const LARGE_MODEL: &str = "mdp const int most;
module first x : [0..most]; [] x<most -> (x'=x+1); endmodule
module second y : [0..most]; [] y<most -> (y'=y+1); endmodule";

/// Five floors of purgatory, which take seconds, named -1 to -5.
fn slow_game() -> String {
    let mut game = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["-1"]}
{"id":"won","value":"1"}
{"id":"lost","value":"0"}"#
        .to_owned();
    for floor in 1..=5 {
        let up = if floor == 5 { "won".to_owned() } else { format!("-{}", floor + 1) };
        let cell = |next: &str| format!(r#"{{"to":[["1","{next}"]]}}"#);
        let (up, bottom, lost) = (cell(&up), cell("-1"), cell("lost"));
        write!(
            game,
            "\n{{\"id\":\"-{floor}\",\"a\":[\"0\",\"1\"],\"b\":[\"0\",\"1\"],\"cells\":[[{up},{bottom}],[{lost},{up}]]}}"
        )
        .expect("memory");
    }
    game
}

/// The sentence has the whole command, quoted for a shell, which runs it; interrupted once more, it
/// says the same.
#[test]
fn the_way_on_is_the_whole_command_and_a_shell_runs_it() {
    for (name, lines, _) in COMMANDS {
        for Line { given, again } in lines {
            let folder = folder();
            let folder = folder.path();
            fs::write(folder.join("my game.jsonl"), slow_game()).expect("room");
            fs::write(folder.join("my model.prism"), LARGE_MODEL).expect("room");
            fs::write(folder.join("my.props"), "Pmax=? [ F x=1 ]\n").expect("room");
            let even = (1..=5).flat_map(|floor| {
                ["A,0", "A,1", "B,0", "B,1"].map(|action| format!("-{floor},{action},1/2\n"))
            });
            let policy = format!("state,player,action,probability\n{}", even.collect::<String>());
            fs::write(folder.join("policy.csv"), policy).expect("room");
            let args: Vec<&str> = name.split(' ').chain(given.split('|')).collect();
            let part = folder.join("part one");
            let child = program(folder, &args)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            let printed = interrupted(child, &part);
            let sentence =
                printed.trim_end().rsplit("go on with: ").next().expect("a sentence").to_owned();
            let script = format!("set -- {sentence}; printf '%s\\n' \"$@\"");
            let words = Command::new("sh").args(["-c", &script]).output().expect("a shell").stdout;
            let expected: Vec<&str> = name.split(' ').chain(again.split('|')).collect();
            assert_eq!(text(&words).lines().collect::<Vec<_>>(), expected, "{printed}");
            let shell = format!("exec '{PROGRAM}' {sentence}");
            let mut again = Command::new("sh");
            again
                .args(["-c", &shell])
                .current_dir(folder)
                .env_remove("RUST_BACKTRACE")
                .stdin(Stdio::null());
            let child =
                again.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a shell");
            let printed = interrupted(child, &part);
            assert!(printed.trim_end().ends_with(&format!("go on with: {sentence}")), "{printed}");
        }
    }
}

//! Old spellings of commands, which answer with the new one.

use std::env;

use clap::Args;
use clap::error::ErrorKind;

use super::usage::{command, given};
use super::word::quoted;

/// An old spelling, whatever follows it
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(super) struct Renamed {
    /// The rest of the command line
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<std::ffi::OsString>,
}

impl Renamed {
    /// Ends as wrong usage, with the command that is meant.
    #[expect(clippy::unused_self, reason = "commands run themselves")]
    pub(super) fn run(self) -> anyhow::Result<()> {
        let old = given().next().map_or("", |(name, _)| name);
        let words: Vec<String> =
            env::args_os().skip(2).map(|word| word.to_string_lossy().into_owned()).collect();
        let lines: Vec<String> = new_commands(old, &words)
            .iter()
            .map(|line| format!("`pencil-tennis {line}`"))
            .collect();
        let sentence = format!("`{old}` has another name now; expected {}", lines.join(", then "));
        command().error(ErrorKind::InvalidSubcommand, sentence).exit()
    }
}

/// The new commands for an old one with these words.
fn new_commands(old: &str, words: &[String]) -> Vec<String> {
    match old {
        "game" => of_game(words),
        "matrix" => vec![line("solve", words)],
        "curves" => vec![line("plot curves", words)],
        _ => vec![line(&format!("tennis {old}"), words)],
    }
}

fn line(command: &str, words: &[String]) -> String {
    let words = words.iter().map(quoted);
    std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// `game` did what `solve`, `show`, `export`, `prove` and `exploit` do now.
fn of_game(words: &[String]) -> Vec<String> {
    /// Options whose value is the next word.
    const OTHERS: [&str; 19] = [
        "--property",
        "--const",
        "--state-file",
        "--label-file",
        "--reward-file",
        "--players",
        "--probabilities",
        "--checkpoint",
        "--checkpoint-every",
        "--resume",
        "--digits",
        "--width",
        "--gap",
        "--refine",
        "--seconds",
        "--threads",
        "--memory",
        "--format",
        "-o",
    ];
    let (mut places, mut options, mut deeds) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let (name, joined) = word
            .split_once('=')
            .map_or((word.as_str(), None), |(name, value)| (name, Some(value.to_owned())));
        if ["--values", "--strategies", "--prove", "--policy"].contains(&name) {
            deeds.push((
                name.to_owned(),
                joined.or_else(|| rest.next().cloned()).unwrap_or_default(),
            ));
        } else if word == "--" {
            places.extend(rest.by_ref().cloned());
        } else if word.starts_with('-') && word.len() > 1 {
            options.push(word.clone());
            let takes_next = joined.is_none() && OTHERS.contains(&name);
            options.extend(if takes_next { rest.next().cloned() } else { None });
        } else {
            places.push(word.clone());
        }
    }
    let file = places.first().cloned().unwrap_or_else(|| "GAME".to_owned());
    let states = places.get(1..).unwrap_or_default();
    let with = |command: &str, words: &[&String]| {
        let words: Vec<String> = words.iter().copied().chain(&options).cloned().collect();
        line(command, &words)
    };
    let mut lines = Vec::new();
    for (deed, value) in &deeds {
        let output = "-o".to_owned();
        lines.push(match deed.as_str() {
            "--values" => with("export values", &[&file, &output, value]),
            "--strategies" => with("export strategies", &[&file, &output, value]),
            "--prove" => with("prove", &[&file, &output, value]),
            _ => with("exploit", &[value, &file]),
        });
    }
    if !states.is_empty() {
        let shown: Vec<&String> = std::iter::once(&file).chain(states).collect();
        lines.push(with("show", &shown));
    } else if lines.is_empty() {
        lines.push(with("solve", &[&file]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::new_commands;

    #[test]
    fn old_spellings_answer_with_the_new_command() {
        for (old, words, new) in [
            ("game", "my.jsonl", "solve my.jsonl"),
            ("game", "my.jsonl s t --format json", "show my.jsonl s t --format json"),
            ("game", "@kuhn --policy how.csv --threads 1", "exploit how.csv @kuhn --threads 1"),
            (
                "game",
                "my.jsonl --values v.csv --strategies=s.csv --prove p -- -1",
                "export values my.jsonl -o v.csv; export strategies my.jsonl -o s.csv; prove my.jsonl -o p; show my.jsonl -1",
            ),
            ("matrix", "m.csv --row 1/2,1/2", "solve m.csv --row 1/2,1/2"),
            ("curves", "a.csv -o a.svg", "plot curves a.csv -o a.svg"),
            ("limit", "100", "tennis limit 100"),
        ] {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(new_commands(old, &words).join("; "), new, "{old} {words:?}");
        }
    }
}

//! A report of every command as people read it, kept as snapshots.
//!
//! A snapshot is what was looked at and found good; another one is refused. After a change that is
//! meant, write them again and look at the difference:
//!
//!     INSTA_UPDATE=always cargo test --test command_line snapshots
//!     git diff tests/command_line/snapshots
//!
//! Numbers of seconds are no part of them.

use std::fs;
use std::path::Path;

use crate::program::{folder, program, text};

/// What the program prints with 80 columns.
fn printed(folder: &Path, line: &str) -> String {
    let args: Vec<&str> = line.split_whitespace().collect();
    let output = program(folder, &args).env("COLUMNS", "80").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The text with `[time]` for every duration and `[speed]` for every number a second.
fn timeless(text: &str) -> String {
    // Where a column of seconds ends.
    let mut column = None;
    let lines = text.lines().map(|line| {
        if line.ends_with(" a second") || line.contains(" a second, ") {
            let number = line.trim_start().split(' ').next().unwrap_or_default();
            return line.replacen(number, "[speed]", 1);
        }
        let row = line.chars().collect::<Vec<_>>();
        if let Some(begin) = line.find(" seconds ") {
            column = Some(line[..begin].chars().count() + " seconds".len());
        } else if let Some(end) = column.filter(|&end| row.len() > end) {
            let [before, after]: [String; 2] =
                [row[..end].iter().collect(), row[end..].iter().collect()];
            return format!(
                "{} [time]{after}",
                before.trim_end_matches(|last: char| last != ' ').trim_end()
            );
        } else {
            column = None;
        }
        let mut kept: Vec<&str> = Vec::new();
        for word in line.split(' ') {
            let unit = word.trim_end_matches([',', ';', '.', ')']);
            if matches!(unit, "s" | "ms" | "µs" | "seconds")
                && kept.last().is_some_and(|last| last.parse::<f64>().is_ok())
            {
                kept.pop();
                kept.push("[time]");
                kept.extend(Some(&word[unit.len()..]).filter(|rest| !rest.is_empty()));
            } else {
                kept.push(word);
            }
        }
        kept.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Compares with the snapshot of this name, which has to be there.
fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The names of all commands, from the program's own help.
pub(crate) fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().take_while(|line| *line != "Examples:");
    listed
        .filter_map(|line| {
            let name = line.strip_prefix("  ")?.split(' ').next()?;
            name.starts_with(char::is_alphabetic).then_some(name)
        })
        .collect()
}

/// A run of every command that prints for people: a name, and the arguments.
const REPORTS: [(&str, &str); 17] = [
    ("solve", "solve 6"),
    ("show", "show 4:3@-2 2:2@0 --exact"),
    ("export", "export values 1"),
    ("exploit", "exploit uniform 5"),
    ("forced", "tennis forced 5"),
    ("limit", "tennis limit 12"),
    ("game", "show any.jsonl s"),
    ("check", "check walk.prism walk.props --only win --only 2 --const p=1/4"),
    ("matrix", "solve any.csv --row 1/2,1/2"),
    ("train", "train simple 4 --games 2000"),
    ("duel", "duel optimal uniform 5 --games 500"),
    ("prove", "prove 4 -o 4.proof"),
    ("verify", "verify 4.proof"),
    ("series", "tennis series 4 --to 2"),
    ("blind", "tennis blind 3:2 --method lp"),
    ("play", "play 4 --seed 1"),
    ("replay", "replay game.txt"),
];

#[test]
fn reports() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("game.txt"), "0 4 3 -2\n1 4 2 0 1 1\n2 0 1 0 0 -1\n").expect("room");
    fs::write(folder.join("any.jsonl"), crate::game::SNOWBALL).expect("room");
    crate::check::write(folder);
    fs::write(folder.join("any.csv"), ",left,right\nup,3,-1\ndown,-2,1\n").expect("room");
    for (name, line) in REPORTS {
        assert_snapshot(&format!("report-{name}"), &timeless(&printed(folder, line)));
    }
    let help = printed(folder, "--help");
    assert_snapshot("help", &help);
    let of_tennis = printed(folder, "tennis --help");
    for command in commands(&help).into_iter().chain(commands(&of_tennis)) {
        // Pictures and the page are no reports; Tennis has its own commands.
        let people = !["explore", "plot", "tennis", "help"].contains(&command);
        assert!(
            !people || REPORTS.iter().any(|(name, _)| *name == command),
            "{command} has no report among the snapshots"
        );
    }
}

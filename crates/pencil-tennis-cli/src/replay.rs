//! The command `replay`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use pencil_tennis::analysis::{JudgedGame, JudgedTurn, Mistake};
use pencil_tennis::report::{Document, GamePlay, JudgedMove, JudgedPlay};
use pencil_tennis::{ByPlayer, GameError, GameRecord, Rules, State};

use super::fold::{WIDTH, columns};
use super::game_args::{SolvedArgs, covering, describe};
use super::game_source::solve_game;
use super::numbers::{cost, number};
use super::report::{FormatArgs, OneOrMany};
use super::screen::Screen;
use super::usage::{check_options, wrong_usage};
use super::word::{Word, quoted};

const LONGEST_FILE: u64 = 1 << 24;

/// Judge a written game bid by bid: the payoff and the cost of every bid
#[derive(Debug, Args)]
#[command(after_help = "\
A written game has a line `0 POINTS_A POINTS_B BALL` for the start and a line
`TURN BID_A BID_B POINTS_A POINTS_B BALL` for every turn; the ball is one beyond
the field once it was hit out. Lines that begin with # are comments, and one of
them may name the rules:

  # rules: field 2 motion net scoring two-one
  0 4 3 -2
  1 2 1 2 2 1
  2 2 2 0 0 1

A file may have several games, and one that goes on. One that was cut off, since
both bid 0 for ever or a horizon was reached, ends with the line
`# decided where the ball lies`. Of several games, --format json prints an array.
The cost of a bid is its expected loss against the other's optimal strategy; the
change of the value also depends on chance.

Examples:
  pencil-tennis replay game.txt
  pencil-tennis replay game.txt --format json
  pencil-tennis replay game.txt --scoring win-loss
  pencil-tennis replay - < game.txt
  pencil-tennis replay play.jsonl @soccer     # a play of another game")]
pub(super) struct Replay {
    /// The written game; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game of other rules that was played [default: the one that the file names]
    #[arg(value_name = "GAME")]
    game: Option<Word>,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl Replay {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = name_of(&self.file);
        let text = read_text(&self.file)?;
        if let Some(play) = GamePlay::read(&text).with_context(|| name.clone())? {
            let game = self.game.as_ref().map_or(Path::new(&play.game), Word::path);
            check_options(game.display(), &["format"]);
            let solution = solve_game(game).with_context(|| match &self.game {
                Some(_) => name.clone(),
                None => format!(
                    "{name} names its game `{}`; `replay {} GAME` takes another file",
                    game.display(),
                    quoted(&name)
                ),
            })?;
            let judged = play.judge(&solution).with_context(|| name)?;
            return self
                .format
                .print(&Document::of_no_game(&judged), &[], |out| write_played(out, &judged));
        }
        if let Some(game) = &self.game {
            wrong_usage(format!(
                "{name} is no play of {game}, which `play {game} --record` writes"
            ));
        }
        let named = GameRecord::rules_of_table(&text).with_context(|| name.clone())?;
        // A table file's rules are known once it is open; the games are read by them.
        let rules = named.map_or_else(|| anyhow::Ok(self.solved.open(None, None)?.rules), Ok)?;
        let games = read_games(rules, &text).with_context(|| name)?;
        let starts: Vec<_> = games.iter().map(GameRecord::start).collect();
        let solution = self
            .solved
            .open_played(named, self.solved.table().is_none().then(|| covering(&starts)), None)?
            .stored()?;
        let reports = games
            .iter()
            .map(|game| JudgedGame::new(&solution, game))
            .collect::<Result<Vec<_>, _>>()?;
        let documents = reports.iter().map(|report| {
            let State { a, b, .. } = report.game.start();
            Document::new(solution.rules(), [a, b], report)
        });
        let documents: Vec<_> = documents.collect();
        let text = |out: &mut Screen| {
            for (index, report) in reports.iter().enumerate() {
                if index > 0 {
                    writeln!(out, "\n{}\n", "─".repeat(WIDTH))?;
                }
                write_game(out, report)?;
            }
            if let Some(table) = self.solved.table().filter(|_| !solution.is_proved()) {
                let table = quoted(table);
                writeln!(
                    out,
                    "\nValues are those of {table}: stored, not proved. To prove them: verify {table}"
                )?;
            }
            Ok::<_, io::Error>(())
        };
        self.format.print(&OneOrMany::new(&documents, documents.len()), &[], text)
    }
}

fn name_of(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() }
}

pub(super) fn read_text(file: &Path) -> anyhow::Result<String> {
    let read = |from: &mut dyn Read| io::read_to_string(from.take(LONGEST_FILE + 1));
    let text = if file.as_os_str() == "-" {
        read(&mut io::stdin())
    } else {
        File::open(file).and_then(|mut file| read(&mut file))
    };
    let text = text.with_context(|| format!("cannot read {}", name_of(file)))?;
    if text.len() as u64 > LONGEST_FILE {
        bail!(
            "{} is too long for a written game; expected at most {} MiB",
            name_of(file),
            LONGEST_FILE >> 20
        );
    }
    Ok(text)
}

/// Reads the games of a file, each of which begins with a line for its start.
fn read_games(rules: Rules, text: &str) -> Result<Vec<GameRecord>, GameError> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let first = lines
        .iter()
        .position(|line| !line.is_empty() && !line.starts_with('#'))
        .unwrap_or(lines.len());
    let is_start = |line: &usize| lines[*line].split_whitespace().next() == Some("0");
    let mut starts: Vec<usize> =
        iter::once(first).chain((first + 1..lines.len()).filter(is_start)).collect();
    starts.push(lines.len());
    // Earlier lines are left blank, so that errors name the line of the file.
    let table = |part: &[usize]| "\n".repeat(part[0]) + &lines[part[0]..part[1]].join("\n");
    starts.windows(2).map(|part| GameRecord::from_table(&rules, &table(part))).collect()
}

fn write_game(out: &mut impl Write, report: &JudgedGame) -> io::Result<()> {
    let game = &report.game;
    writeln!(out, "A game from {}, {}", game.start(), describe(game.rules()))?;
    writeln!(out, "\nWhat each turn made of the value to A, and what each bid cost its player")?;
    let line = columns(" ", [5, 14, 9, 6, 9, 6, 9, 9]);
    writeln!(
        out,
        "{}",
        line([&"turn", &"state", &"value", &"A bid", &"cost", &"B bid", &"cost", &"after"])
    )?;
    for JudgedTurn { turn, state, value, bids: ByPlayer { a, b }, value_after, .. } in &report.turns
    {
        let [value, after] = [value, value_after].map(|value| format!("{value:.5}"));
        writeln!(
            out,
            "{}",
            line([turn, state, &value, &a.bid, &cost(a.loss), &b.bid, &cost(b.loss), &after])
        )?;
    }
    writeln!(
        out,
        "{}",
        line([&"", &"in sum", &"", &"", &cost(report.losses.a), &"", &cost(report.losses.b), &""])
    )?;
    let value = report.value;
    match game.outcome() {
        Some(outcome) if game.ended_where_it_lies() => {
            writeln!(
                out,
                "\nThe game ends at {}, decided as if all were spent: {outcome}; A wins {value}",
                game.state()
            )?;
        }
        Some(outcome) => writeln!(out, "\n{outcome}; A wins {value}")?,
        None => {
            writeln!(
                out,
                "\nThe game goes on at {}, which is worth {value:.5} to A",
                game.state()
            )?;
        }
    }
    writeln!(out)?;
    write_costliest(out, report)
}

pub(super) fn write_played(out: &mut impl Write, play: &JudgedPlay) -> io::Result<()> {
    if play.turns.is_empty() {
        return writeln!(out, "Nothing was played");
    }
    writeln!(out, "What each turn made of the value to A, and what each action cost its player")?;
    let line = columns(" ", [4, 9, -16, 9, -16, 9, 9]);
    writeln!(out, "{}", line([&"turn", &"value", &"A", &"cost", &"B", &"cost", &"after"]))?;
    for JudgedMove { turn, value, a, b, value_after, .. } in &play.turns {
        let [value, after] = [value, value_after].map(|value| format!("{value:.5}"));
        writeln!(
            out,
            "{}",
            line([turn, &value, &a.action, &cost(a.loss), &b.action, &cost(b.loss), &after])
        )?;
    }
    writeln!(
        out,
        "{}",
        line([&"", &"in sum", &"", &cost(play.loss_a), &"", &cost(play.loss_b), &""])
    )?;
    if play.over {
        writeln!(out, "\nThe play ends at {}; A wins {}", play.state, number(play.payoff))
    } else {
        writeln!(out, "\nThe play goes on at {}, which is worth {:.5} to A", play.state, play.value)
    }
}

pub(super) fn write_costliest(out: &mut impl Write, report: &JudgedGame) -> io::Result<()> {
    if report.costliest.is_empty() {
        return writeln!(out, "No bid cost anything");
    }
    writeln!(out, "The costliest bids, and what would have been better")?;
    for mistake in &report.costliest {
        let Mistake { turn, player, state, bid, .. } = mistake;
        writeln!(
            out,
            "  turn {turn}, {state}: {player} bid {}, which cost {}",
            bid.bid,
            cost(bid.loss)
        )?;
        writeln!(out, "    better: {}", better(mistake))?;
    }
    Ok(())
}

/// The likeliest bids of an optimal strategy, as many as fit into a line.
fn better(mistake: &Mistake) -> String {
    const MOST: usize = 4;
    if let [certain] = mistake.better.as_slice() {
        return certain.bid.to_string();
    }
    let mut likeliest: Vec<_> = mistake.better.iter().collect();
    likeliest.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    let shown = likeliest
        .iter()
        .take(MOST)
        .map(|bid| format!("{} ({:.1} %)", bid.bid, 100.0 * bid.probability));
    let others = likeliest.len().saturating_sub(MOST);
    let rest = match others {
        0 => String::new(),
        1 => " and another".to_owned(),
        others => format!(" and {others} others"),
    };
    shown.collect::<Vec<_>>().join(", ") + &rest
}

use std::io::{self, Read, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use num_traits::{ToPrimitive, Zero};
use pencil_tennis::matrix_game::{Action, Dominance, ExactSolution, Undominated, Uniqueness};
use pencil_tennis::num_rational::BigRational;
use pencil_tennis::report::{ActionReport, Document, PayoffReading, WrittenMatrix, read_file};
use serde::Serialize;

use super::game::write_actions;
use super::numbers::named;
use super::screen::counted;
use super::{FormatArgs, interrupt};

const MOST_BYTES: u64 = 1 << 28;

const LONGEST_FRACTION: usize = 30;

/// Solve one zero-sum matrix game in fractions, from a file
#[derive(Debug, Args)]
#[command(after_help = "\
FILE is a table (csv, tabs, semicolons or spaces, with names of actions or
without), a JSON array of rows, an array as numpy prints it or as .npy, a
strategic form of Gambit (.nfg) or lrsnash's input, of two players with a
constant sum. Entries are the row player's payoffs, read exactly: -2, 0.25, 1e-3
or 7/8. Names are a first row or column of texts, or what stands to the right of
and below a corner that is blank or a text; the answer says what was taken for
names. Lines that begin with # are skipped.

Examples:
  pencil-tennis matrix pennies.csv
  pencil-tennis matrix pennies.csv --row 1/3,2/3     # the best reply to it
  pencil-tennis matrix pennies.csv --row 1/3,2/3 --column 1,0   # what they pay
  echo '[[3,-1],[-2,1]]' | pencil-tennis matrix -
  pencil-tennis matrix pennies.csv --all             # all optimal strategies
  pencil-tennis matrix pennies.csv --dominated weak  # actions that others dominate
  pencil-tennis matrix game.nfg --payoffs nearest    # 0.30000000000000004 is 3/10")]
pub(super) struct MatrixCommand {
    /// The matrix; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Reply to this strategy of the row player: a probability for each row
    #[arg(long, value_name = "P,P,…", allow_hyphen_values = true)]
    row: Option<String>,
    /// Reply to this strategy of the column player: a probability for each column
    #[arg(long, value_name = "P,P,…", allow_hyphen_values = true)]
    column: Option<String>,
    /// Payoffs that a program rounded: `nearest` reads the simplest fractions near them; `first` takes the first player's where
    /// both players' sums vary by rounding
    #[arg(long, value_name = "READING", default_value_t, hide_default_value = true)]
    #[arg(value_parser = named::<PayoffReading>(["exact", "nearest", "first"]))]
    payoffs: PayoffReading,
    /// List all optimal strategies: those of which all others are mixtures, at most 1,000 for a player
    #[arg(long)]
    all: bool,
    /// Eliminate dominated actions in rounds; tell the mixture that dominates each
    #[arg(long, value_enum, value_name = "HOW")]
    dominated: Option<How>,
    #[command(flatten)]
    format: FormatArgs,
}

/// The most optimal strategies that are listed for a player.
const MOST_STRATEGIES: usize = 1000;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum How {
    /// A mixture of other actions is better against every action
    Strict,
    /// A mixture of other actions is nowhere worse and somewhere better
    Weak,
}

impl From<How> for Dominance {
    fn from(how: How) -> Self {
        match how {
            How::Strict => Self::Strict,
            How::Weak => Self::Weak,
        }
    }
}

/// All optimal strategies of both players.
#[derive(Serialize)]
struct Optimal {
    row: Vec<OptimalStrategy>,
    column: Vec<OptimalStrategy>,
}

#[derive(Serialize)]
struct OptimalStrategy {
    actions: Vec<ActionReport>,
}

impl Optimal {
    fn new(game: &WrittenMatrix, solution: &ExactSolution) -> anyhow::Result<Self> {
        let [rows, columns] = solution.optimal_strategies(MOST_STRATEGIES).context("--all")?;
        let named = |of_column: bool, strategies: Vec<Vec<BigRational>>| {
            let named = |strategy: &Vec<BigRational>| OptimalStrategy { actions: game.actions(of_column, strategy.iter()) };
            strategies.iter().map(named).collect()
        };
        Ok(Self { row: named(false, rows), column: named(true, columns) })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (player, strategies) in [("row", &self.row), ("column", &self.column)] {
            match strategies.len() {
                1 => writeln!(out, "\nThe {player} player has one optimal strategy:")?,
                several => writeln!(out, "\nThe {player} player has {several} optimal strategies, and their mixtures:")?,
            }
            for OptimalStrategy { actions } in strategies {
                writeln!(out, "  {}", actions.iter().map(mixed).collect::<Vec<_>>().join(" + "))?;
            }
        }
        Ok(())
    }
}

/// The actions that are left, and those that were eliminated.
#[derive(Serialize)]
struct DominanceReport {
    row: Vec<String>,
    column: Vec<String>,
    eliminated: Vec<Eliminated>,
}

/// A dominated action.
#[derive(Serialize)]
struct Eliminated {
    round: usize,
    player: &'static str,
    action: String,
    by: Vec<ActionReport>,
}

impl DominanceReport {
    fn new(game: &WrittenMatrix, how: How) -> anyhow::Result<Self> {
        let found = interrupt::with_progress("eliminating", |watch| Undominated::watched(game.payoffs(), how.into(), watch))?;
        let name = |of_column: bool, action: usize| game.name(of_column, action).unwrap_or_default().to_owned();
        let sizes = [game.payoffs().len(), game.payoffs()[0].len()];
        let mut eliminated = Vec::new();
        for elimination in found.eliminations {
            let (of_column, action) = match elimination.action {
                Action::Row(row) => (false, row),
                Action::Column(column) => (true, column),
            };
            let mut mixture = vec![BigRational::zero(); sizes[usize::from(of_column)]];
            for (action, probability) in elimination.by {
                mixture[action] = probability;
            }
            eliminated.push(Eliminated {
                round: elimination.round,
                player: if of_column { "column" } else { "row" },
                action: name(of_column, action),
                by: game.actions(of_column, mixture.iter()),
            });
        }
        let row = found.rows.iter().map(|&row| name(false, row)).collect();
        let column = found.columns.iter().map(|&column| name(true, column)).collect();
        Ok(Self { row, column, eliminated })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out)?;
        for Eliminated { round, player, action, by } in &self.eliminated {
            let by: Vec<String> = by.iter().map(mixed).collect();
            writeln!(out, "Round {round}: the {player} player's {action} is dominated by {}", by.join(" + "))?;
        }
        if self.eliminated.is_empty() {
            return writeln!(out, "No action is dominated");
        }
        writeln!(out, "Left to the row player: {}", self.row.join(", "))?;
        writeln!(out, "Left to the column player: {}", self.column.join(", "))
    }
}

/// An action in a mixture, such as `1/2 up`; alone it has no probability.
fn mixed(action: &ActionReport) -> String {
    match action.exact.as_deref() {
        Some("1") | None => action.action.clone(),
        Some(exact) => format!("{exact} {}", action.action),
    }
}

/// The best replies to a strategy, and the row player's payoff.
#[derive(Serialize)]
struct Reply {
    actions: Vec<String>,
    payoff: Option<f64>,
    exact: String,
    /// The part of the value that the strategy gives away.
    loss: String,
}

impl MatrixCommand {
    /// The content of the file, or of standard input.
    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        if self.file.as_os_str() != "-" {
            return Ok(read_file(&self.file, MOST_BYTES)?);
        }
        let mut bytes = Vec::new();
        io::stdin().take(MOST_BYTES).read_to_end(&mut bytes).context("cannot read standard input")?;
        Ok(bytes)
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(name) = self.file.to_str().filter(|name| name.starts_with('@')) {
            anyhow::bail!("{name} is a game of other rules; `pencil-tennis game {name}` solves it");
        }
        let bytes = self.bytes()?;
        let game = WrittenMatrix::read_as(&bytes, self.payoffs).with_context(|| self.file.display().to_string())?;
        let (solution, unique) = interrupt::with_progress("solving", |watch| {
            let solution = ExactSolution::watched(game.payoffs(), watch)?;
            let unique = solution.uniqueness_watched(watch)?;
            Ok::<_, pencil_tennis::Error>((solution, unique))
        })?;
        // Whether a player's optimal strategy is the only one, if that is known.
        let unique = unique.map(|unique| match unique {
            Uniqueness::Unique => Some(true),
            Uniqueness::Several => Some(false),
            Uniqueness::Unknown => None,
        });
        let reply = |of_column: bool, strategy: &Option<String>| -> anyhow::Result<Option<Reply>> {
            let Some(strategy) = strategy else { return Ok(None) };
            let option = if of_column { "--column" } else { "--row" };
            let (actions, paid) = game.replies(of_column, strategy).with_context(|| option.to_owned())?;
            let loss = if of_column { &paid - solution.value() } else { solution.value() - &paid };
            let payoff = nearest(&paid);
            Ok(Some(Reply { actions, payoff, exact: paid.to_string(), loss: loss.to_string() }))
        };
        let (rows, columns, exact) = (game.payoffs().len(), game.payoffs()[0].len(), solution.value());
        let value = nearest(exact);
        let strategies = [game.actions(false, solution.row_strategy()), game.actions(true, solution.column_strategy())];
        let replies = [reply(false, &self.row)?, reply(true, &self.column)?];
        let expected = match (&self.row, &self.column) {
            (Some(row), Some(column)) => Some(game.expected_payoff(row, column)?),
            _ => None,
        };
        let optimal = self.all.then(|| Optimal::new(&game, &solution)).transpose()?;
        let dominated = self.dominated.map(|how| DominanceReport::new(&game, how)).transpose()?;
        let report = object! {
            rows: rows,
            columns: columns,
            sum: game.sum().to_string(),
            value: value,
            exact: exact.to_string(),
            row: &strategies[0],
            column: &strategies[1],
            assumptions: game.assumptions(),
            unique: object! { row: unique[0], column: unique[1] },
            #[serde(skip_serializing_if = "super::is_null")]
            optimal: &optimal,
            #[serde(skip_serializing_if = "super::is_null")]
            dominated: &dominated,
            #[serde(skip_serializing_if = "super::is_null")]
            reply_to_row: &replies[0],
            #[serde(skip_serializing_if = "super::is_null")]
            reply_to_column: &replies[1],
            #[serde(skip_serializing_if = "super::is_null")]
            expected: expected.as_ref().map(|expected| object! { payoff: nearest(expected), exact: expected.to_string() }),
        };
        self.format.print(&Document::of_no_game(&report), &[], |out| {
            writeln!(out, "matrix game: {}, {}", counted(rows, "row"), counted(columns, "column"))?;
            for assumption in game.assumptions() {
                writeln!(out, "  {assumption}")?;
            }
            if let Some(value) = value {
                writeln!(out, "  worth {value} to the row player")?;
            } else {
                writeln!(out, "  worth more than any double to one of the players")?;
            }
            writeln!(out, "  exactly {exact}")?;
            if !game.sum().is_zero() {
                writeln!(out, "  the column player receives {} less that", game.sum())?;
            }
            let players = ["row", "column"];
            for ((player, actions), unique) in players.into_iter().zip(&strategies).zip(unique) {
                let how = match unique {
                    Some(true) => "the only optimal strategy",
                    Some(false) => "one of several optimal strategies",
                    None => "an optimal strategy",
                };
                writeln!(out, "The {player} player plays ({how})")?;
                write_actions(out, actions, LONGEST_FRACTION)?;
            }
            if let Some(optimal) = &optimal {
                optimal.write(out)?;
            }
            if let Some(dominated) = &dominated {
                dominated.write(out)?;
            }
            if let Some(expected) = &expected {
                writeln!(out, "\nThe given strategies pay the row player {expected}")?;
            }
            for (player, reply) in players.into_iter().zip(&replies) {
                let Some(Reply { actions, exact, loss, .. }) = reply else { continue };
                writeln!(out, "\nBest replies to the given strategy of the {player} player: {}", actions.join(", "))?;
                writeln!(out, "  the row player receives {exact}, and the {player} player loses {loss} of the value")?;
            }
            Ok::<_, io::Error>(())
        })
    }
}

/// The nearest double; `None` beyond the largest one.
fn nearest(number: &BigRational) -> Option<f64> {
    number.to_f64().filter(|number| number.is_finite())
}

//! One matrix game: solved in fractions, or in doubles with proved bounds, and further questions
//! about it.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use anyhow::Context;
use clap::{Args, ValueEnum};
use num_traits::{ToPrimitive, Zero};
use pencil_tennis::Player;
use pencil_tennis::matrix_game::{
    Action, ApproximateSolution, Dominance, ExactSolution, Undominated, Uniqueness,
};
use pencil_tennis::num_rational::BigRational;
use pencil_tennis::report::{ActionReport, Document, PayoffReading, WrittenMatrix, read_file};
use serde::Serialize;

use super::content::Content;
use super::interrupt;
use super::numbers::named;
use super::report::FormatArgs;
use super::screen::counted;
use super::strategies::write_actions;

const MOST_BYTES: u64 = 1 << 28;

const LONGEST_FRACTION: usize = 30;

/// Questions about one zero-sum matrix game.
#[derive(Debug, Args)]
#[command(next_help_heading = "Matrix games")]
pub(super) struct MatrixArgs {
    /// Reply to this strategy of the row player: a probability for each row
    #[arg(long, value_name = "P,P,…", allow_hyphen_values = true)]
    row: Option<String>,
    /// Reply to this strategy of the column player: a probability for each column
    #[arg(long, value_name = "P,P,…", allow_hyphen_values = true)]
    column: Option<String>,
    /// Payoffs that a program rounded: `nearest` reads the simplest fractions near them; `first`
    /// takes the first player's where both players' sums vary by rounding
    #[arg(long, value_name = "READING", default_value_t, hide_default_value = true)]
    #[arg(value_parser = named::<PayoffReading>(["exact", "nearest", "first"]))]
    payoffs: PayoffReading,
    /// Solve in doubles, with proved bounds of the value: quick for large games
    #[arg(long, conflicts_with_all = ["row", "column", "all", "max_entropy", "sensitivity", "dominated"])]
    approximate: bool,
    #[command(flatten)]
    further: Further,
    /// Eliminate dominated actions in rounds; tell the mixture that dominates each
    #[arg(long, value_enum, value_name = "HOW")]
    dominated: Option<How>,
}

/// The options of [`MatrixArgs`], by name or group.
pub(super) const OWN_OPTIONS: [&str; 6] =
    ["row", "column", "payoffs", "approximate", "dominated", "Further"];

/// Whether a file is one matrix game rather than a game with states: by its content or, where that
/// cannot be read, its ending.
pub(super) fn is_matrix(file: &Path) -> bool {
    const ENDINGS: [&str; 6] = ["csv", "tsv", "txt", "json", "nfg", "npy"];
    if file.as_os_str() == "-" {
        // The bytes stay in the buffer to be read. A game with states is JSON Lines, an object a
        // line.
        let beginning = io::stdin().lock().fill_buf().map(<[u8]>::to_vec).unwrap_or_default();
        let text =
            beginning.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&beginning).trim_ascii_start();
        return !text.starts_with(b"{");
    }
    let has_ending =
        || file.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
    match Content::of(file) {
        Some(Content::Matrix) => true,
        None | Some(Content::Text) => file.is_file() && has_ending(),
        Some(_) => false,
    }
}

/// The content of a file, or of standard input.
fn read_matrix(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return Ok(read_file(file, MOST_BYTES)?);
    }
    let mut bytes = Vec::new();
    io::stdin().take(MOST_BYTES).read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}

/// Further questions about the exact solution.
#[derive(Debug, Args)]
#[command(next_help_heading = "Matrix games")]
struct Further {
    /// List all optimal strategies: those of which all others are mixtures, at most 1,000 for a
    /// player
    #[arg(long)]
    all: bool,
    /// Tell the most even of all optimal strategies: those of maximum entropy, mixed from at most
    /// 1,000 for a player
    #[arg(long)]
    max_entropy: bool,
    /// Tell how the value depends on each payoff, and between which payoffs the players mix the
    /// same actions
    #[arg(long)]
    sensitivity: bool,
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
        let named = |player: Player, strategies: Vec<Vec<BigRational>>| {
            let named = |strategy: &Vec<BigRational>| OptimalStrategy {
                actions: game.actions(player, strategy.iter()),
            };
            strategies.iter().map(named).collect()
        };
        Ok(Self { row: named(Player::A, rows), column: named(Player::B, columns) })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (player, strategies) in [("row", &self.row), ("column", &self.column)] {
            match strategies.len() {
                1 => writeln!(out, "\nThe {player} player has one optimal strategy:")?,
                several => writeln!(
                    out,
                    "\nThe {player} player has {several} optimal strategies, and their mixtures:"
                )?,
            }
            for OptimalStrategy { actions } in strategies {
                writeln!(out, "  {}", actions.iter().map(mixed).collect::<Vec<_>>().join(" + "))?;
            }
        }
        Ok(())
    }
}

/// The most even optimal strategies of both players.
#[derive(Serialize)]
struct MaximumEntropy {
    row: Vec<ActionReport>,
    column: Vec<ActionReport>,
}

impl MaximumEntropy {
    fn new(game: &WrittenMatrix, solution: &ExactSolution) -> anyhow::Result<Self> {
        let [row, column] = solution.maximum_entropy(MOST_STRATEGIES).context("--max-entropy")?;
        Ok(Self {
            row: game.actions(Player::A, row.iter()),
            column: game.actions(Player::B, column.iter()),
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (player, actions) in [("row", &self.row), ("column", &self.column)] {
            writeln!(out, "\nThe most even optimal strategy of the {player} player")?;
            write_actions(out, actions, LONGEST_FRACTION)?;
        }
        Ok(())
    }
}

/// How the value depends on one payoff.
#[derive(Serialize)]
struct PayoffChange {
    row: String,
    column: String,
    payoff: String,
    derivative: String,
    /// The payoffs between which the players mix the same actions; none if there is no limit.
    from: Option<String>,
    to: Option<String>,
}

/// The payoffs of which the text tells how the value depends on them.
const MOST_PAYOFFS: usize = 40;

/// How the value depends on each payoff; `None` where a player has several optimal strategies.
fn sensitivity(
    game: &WrittenMatrix,
    solution: &ExactSolution,
) -> anyhow::Result<Option<Vec<PayoffChange>>> {
    let derivatives = interrupt::with_progress("comparing", |watch| {
        solution.sensitivity(watch).map_err(pencil_tennis::Error::from)
    })?;
    let Some(derivatives) = derivatives else { return Ok(None) };
    let name = |player: Player, action: usize| game.names()[player as usize][action].clone();
    let mut changes = Vec::new();
    for (row, (of_row, payoffs)) in derivatives.iter().zip(game.payoffs()).enumerate() {
        for (column, (change, payoff)) in of_row.iter().zip(payoffs).enumerate() {
            changes.push(PayoffChange {
                row: name(Player::A, row),
                column: name(Player::B, column),
                payoff: payoff.to_string(),
                derivative: change.derivative.to_string(),
                from: change.may_fall.as_ref().map(|fall| (payoff - fall).to_string()),
                to: change.may_rise.as_ref().map(|rise| (payoff + rise).to_string()),
            });
        }
    }
    Ok(Some(changes))
}

fn write_sensitivity(out: &mut impl Write, changes: Option<&[PayoffChange]>) -> io::Result<()> {
    let Some(changes) = changes else {
        return writeln!(out, "\nSeveral strategies are optimal: the value may have no derivative");
    };
    writeln!(out, "\nHow the value depends on each payoff, while the others stay:")?;
    for PayoffChange { row, column, payoff, derivative, from, to } in
        changes.iter().take(MOST_PAYOFFS)
    {
        let range = match (from, to) {
            (Some(from), Some(to)) => format!("from {from} to {to}"),
            (Some(from), None) => format!("from {from} on"),
            (None, Some(to)) => format!("up to {to}"),
            (None, None) => "whatever it is".to_owned(),
        };
        writeln!(
            out,
            "  {row}, {column} ({payoff}): derivative {derivative}; the same actions are played {range}"
        )?;
    }
    if changes.len() > MOST_PAYOFFS {
        writeln!(out, "  and {} more; --format json lists all", changes.len() - MOST_PAYOFFS)?;
    }
    Ok(())
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
        let undominated = interrupt::with_progress("eliminating", |watch| {
            Undominated::of(game.payoffs(), how.into(), watch)
        })?;
        let name = |player: Player, action: usize| game.names()[player as usize][action].clone();
        let sizes = [game.payoffs().len(), game.payoffs()[0].len()];
        let mut eliminated = Vec::new();
        for elimination in undominated.eliminations {
            let (player, action) = match elimination.action {
                Action::Row(row) => (Player::A, row),
                Action::Column(column) => (Player::B, column),
            };
            let mut mixture = vec![BigRational::zero(); sizes[player as usize]];
            for (action, probability) in elimination.by {
                mixture[action] = probability;
            }
            eliminated.push(Eliminated {
                round: elimination.round,
                player: chooses(player),
                action: name(player, action),
                by: game.actions(player, mixture.iter()),
            });
        }
        let row = undominated.rows.iter().map(|&row| name(Player::A, row)).collect();
        let column = undominated.columns.iter().map(|&column| name(Player::B, column)).collect();
        Ok(Self { row, column, eliminated })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out)?;
        for Eliminated { round, player, action, by } in &self.eliminated {
            let by: Vec<String> = by.iter().map(mixed).collect();
            writeln!(
                out,
                "Round {round}: the {player} player's {action} is dominated by {}",
                by.join(" + ")
            )?;
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

/// What the player chooses.
const fn chooses(player: Player) -> &'static str {
    match player {
        Player::A => "row",
        Player::B => "column",
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

impl Reply {
    /// The best replies to a player's strategy, as it was typed.
    fn new(
        game: &WrittenMatrix,
        solution: &ExactSolution,
        player: Player,
        strategy: &str,
    ) -> anyhow::Result<Self> {
        let (actions, paid) =
            game.replies(player, strategy).with_context(|| format!("--{}", chooses(player)))?;
        let loss = match player {
            Player::A => solution.value() - &paid,
            Player::B => &paid - solution.value(),
        };
        Ok(Self {
            actions,
            payoff: nearest(&paid),
            exact: paid.to_string(),
            loss: loss.to_string(),
        })
    }
}

/// The exact solution, and of each player whether the optimal strategy is the only one, if that is
/// known.
fn solve_exactly(game: &WrittenMatrix) -> anyhow::Result<(ExactSolution, [Option<bool>; 2])> {
    let (solution, unique) = interrupt::with_progress("solving", |watch| {
        let solution = ExactSolution::new(game.payoffs(), watch)?;
        let unique = solution.uniqueness(watch)?;
        Ok::<_, pencil_tennis::Error>((solution, unique))
    })?;
    let unique = unique.map(|unique| match unique {
        Uniqueness::Unique => Some(true),
        Uniqueness::Several => Some(false),
        Uniqueness::Unknown => None,
    });
    Ok((solution, unique))
}

fn how_optimal(unique: Option<bool>) -> &'static str {
    match unique {
        Some(true) => "the only optimal strategy",
        Some(false) => "one of several optimal strategies",
        None => "an optimal strategy",
    }
}

impl MatrixArgs {
    /// Solves the matrix of a file; `name` is the file as it was given.
    pub(super) fn run(&self, file: &Path, name: &str, format: FormatArgs) -> anyhow::Result<()> {
        let bytes = read_matrix(file)?;
        let game =
            WrittenMatrix::read(&bytes, self.payoffs).with_context(|| match Content::of(file) {
                Some(Content::Text) => {
                    format!("{name} is no other game, and is read as a matrix of payoffs")
                }
                _ => name.to_owned(),
            })?;
        if self.approximate {
            return run_approximately(&game, format);
        }
        let (solution, unique) = solve_exactly(&game)?;
        let (rows, columns, exact) =
            (game.payoffs().len(), game.payoffs()[0].len(), solution.value());
        let value = nearest(exact);
        let strategies = [
            game.actions(Player::A, solution.row_strategy()),
            game.actions(Player::B, solution.column_strategy()),
        ];
        let reply = |player: Player, strategy: &Option<String>| {
            strategy
                .as_deref()
                .map(|strategy| Reply::new(&game, &solution, player, strategy))
                .transpose()
        };
        let replies = [reply(Player::A, &self.row)?, reply(Player::B, &self.column)?];
        let expected = match (&self.row, &self.column) {
            (Some(row), Some(column)) => Some(game.expected_payoff(row, column)?),
            _ => None,
        };
        let optimal = self.further.all.then(|| Optimal::new(&game, &solution)).transpose()?;
        let even =
            self.further.max_entropy.then(|| MaximumEntropy::new(&game, &solution)).transpose()?;
        let changes = if self.further.sensitivity { sensitivity(&game, &solution)? } else { None };
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
            #[serde(skip_serializing_if = "super::report::is_null")]
            optimal: &optimal,
            #[serde(skip_serializing_if = "super::report::is_null")]
            max_entropy: &even,
            #[serde(skip_serializing_if = "super::report::is_null")]
            sensitivity: &changes,
            #[serde(skip_serializing_if = "super::report::is_null")]
            dominated: &dominated,
            #[serde(skip_serializing_if = "super::report::is_null")]
            reply_to_row: &replies[0],
            #[serde(skip_serializing_if = "super::report::is_null")]
            reply_to_column: &replies[1],
            #[serde(skip_serializing_if = "super::report::is_null")]
            expected: expected.as_ref().map(|expected| object! { payoff: nearest(expected), exact: expected.to_string() }),
        };
        format.print(&Document::of_no_game(&report), &[], |out| {
            write_size(out, &game)?;
            if let Some(value) = value {
                writeln!(out, "  worth {value} to the row player")?;
            } else {
                writeln!(out, "  worth more than any double to one of the players")?;
            }
            writeln!(out, "  exactly {exact}")?;
            write_sum(out, &game)?;
            let players = ["row", "column"];
            for ((player, actions), unique) in players.into_iter().zip(&strategies).zip(unique) {
                writeln!(out, "The {player} player plays ({})", how_optimal(unique))?;
                write_actions(out, actions, LONGEST_FRACTION)?;
            }
            if let Some(optimal) = &optimal {
                optimal.write(out)?;
            }
            if let Some(even) = &even {
                even.write(out)?;
            }
            if self.further.sensitivity {
                write_sensitivity(out, changes.as_deref())?;
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

/// Solves in doubles, and prints proved bounds of the value.
fn run_approximately(game: &WrittenMatrix, format: FormatArgs) -> anyhow::Result<()> {
    let solution = interrupt::with_progress("solving", |watch| {
        ApproximateSolution::new(game.payoffs(), watch)
    })?;
    let (rows, columns, bounds) =
        (game.payoffs().len(), game.payoffs()[0].len(), solution.enclosure());
    let strategies = [
        game.approximate_actions(Player::A, solution.row_strategy()),
        game.approximate_actions(Player::B, solution.column_strategy()),
    ];
    let report = object! {
        rows: rows,
        columns: columns,
        sum: game.sum().to_string(),
        value: bounds.middle(),
        #[serde(flatten)]
        bounds: bounds,
        row: &strategies[0],
        column: &strategies[1],
        assumptions: game.assumptions(),
    };
    format.print(&Document::of_no_game(&report), &[], |out| {
        write_size(out, game)?;
        let decimal = bounds.decimal();
        writeln!(out, "  worth {decimal} to the row player")?;
        writeln!(out, "  proved: {} ≤ value ≤ {}", decimal.lower, decimal.upper)?;
        write_sum(out, game)?;
        for (player, actions) in ["row", "column"].into_iter().zip(&strategies) {
            writeln!(out, "The {player} player plays (strategies that prove the bounds)")?;
            write_actions(out, actions, LONGEST_FRACTION)?;
        }
        Ok::<_, io::Error>(())
    })
}

/// The numbers of actions, and what was assumed.
fn write_size(out: &mut impl Write, game: &WrittenMatrix) -> io::Result<()> {
    let (rows, columns) = (game.payoffs().len(), game.payoffs()[0].len());
    writeln!(out, "matrix game: {}, {}", counted(rows, "row"), counted(columns, "column"))?;
    game.assumptions().iter().try_for_each(|assumption| writeln!(out, "  {assumption}"))
}

fn write_sum(out: &mut impl Write, game: &WrittenMatrix) -> io::Result<()> {
    if game.sum().is_zero() {
        return Ok(());
    }
    writeln!(out, "  the column player receives {} less that", game.sum())
}

/// The nearest double; `None` beyond the largest one.
fn nearest(number: &BigRational) -> Option<f64> {
    number.to_f64().filter(|number| number.is_finite())
}

//! `show`: one state in full.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use pencil_tennis::report::{BidReport, DecimalReport, DigitsReport, StateReport};
use pencil_tennis::{Bid, Solver, State};

use super::game_args::{ExactArgs, GameArgs, Refine, RefineArgs, name_table, open_table};
use super::{Format, print_json};

/// The widest stage matrix that is printed for people.
const MATRIX_SIDE: usize = 12;

/// A fraction longer than this is not printed beside a bar.
const LONGEST_FRACTION: usize = 24;

/// The length of a bar for probability 1.
const BAR: f64 = 50.0;

/// Show one state: value, bounds, both strategies, the stage matrix
#[derive(Debug, Args)]
#[command(after_help = "\
A state is POINTS_A:POINTS_B@BALL; a positive ball lies on B's side.

Examples:
  pencil-tennis show 4:3@-2                        the article's example
  pencil-tennis show 50:50@-1 --format json
  pencil-tennis show 7:8@1 --exact                 as fractions
  pencil-tennis show 50:50@-1 --digits 100         100 decimals, and bounds that prove them
  pencil-tennis show 5:5@2 --refine dresher        the optimal strategies that gain most from errors
  pencil-tennis show 20:18@1 --scoring win-loss
  pencil-tennis show 180:150@-1 --table 200.table  from a file that `solve 200 --save 200.table` wrote")]
pub(super) struct Show {
    /// The state, `POINTS_A:POINTS_B@BALL`
    #[arg(value_name = "STATE")]
    state: State,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    /// Print the value and proved bounds to N decimals
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    digits: Option<u32>,
    /// Read the solution from a table file instead of solving
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exact", "method", "threads", "memory"])]
    table: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // A short decimal such as -0.2 has bounds that agree only if it is known to be one.
        let exact_bits = self.exact.exact.or(self.digits.map(|_| Solver::EXACT_BITS));
        let solution = match &self.table {
            None => self.game.solve_state(self.state, exact_bits)?,
            Some(path) => {
                let file = open_table(path)?;
                self.game.check_agrees(None, &file)?;
                file.into_solution().with_context(|| path.display().to_string())?
            }
        };
        let report = match self.refine.refine {
            None => StateReport::new(&solution, self.state),
            Some(Refine::Dresher) => StateReport::refined(&solution, self.state),
        };
        let mut report = report.map_err(|error| name_table(error.into(), self.table.as_deref()))?;
        if let Some(digits) = self.digits {
            let digits = solution.digits(self.state, digits as usize)?;
            report.digits = Some(DigitsReport { lower: digits.lower, value: digits.value, upper: digits.upper });
        }
        match self.format {
            Format::Json => print_json(solution.rules(), [self.state.a, self.state.b], &report),
            Format::Text => {
                let mut out = io::stdout().lock();
                write_text(&mut out, self.state, &report)?;
                if let (Some(bits), None) = (self.exact.exact, &report.exact) {
                    writeln!(out, "\nNo exact value: its denominator, or one it depends on, has more than {bits} bits")?;
                }
                Ok(())
            }
        }
    }
}

fn write_text(out: &mut impl Write, state: State, report: &StateReport) -> io::Result<()> {
    let DecimalReport { lower, value, upper, .. } = &report.bounds.decimal;
    writeln!(out, "{} is worth {value} to A", report.state)?;
    writeln!(out, "  proved: {lower} ≤ value ≤ {upper}")?;
    if let Some(digits) = &report.digits {
        if let Some(value) = &digits.value {
            writeln!(out, "  to nearest  {value}")?;
        }
        writeln!(out, "  lower bound {}\n  upper bound {}", digits.lower, digits.upper)?;
    }
    if let Some(exact) = &report.exact {
        writeln!(out, "  exactly {exact}")?;
    }
    if report.deterministic {
        writeln!(out, "  deterministic: from here on neither player needs luck")?;
    }
    writeln!(out)?;
    write_strategies(out, report)?;
    let [a, b] = [report.unique.a, report.unique.b].map(|unique| match unique {
        Some(true) => "is the only optimal one",
        Some(false) => "is one of several optimal ones",
        None => "may be one of several optimal ones",
    });
    write_of_both(out, a, b)?;
    write_refinement(out, report)?;
    writeln!(out)?;
    write_matrix(out, state, report)
}

/// What is true of A's strategy and of B's.
fn write_of_both(out: &mut impl Write, a: &str, b: &str) -> io::Result<()> {
    if a == b { writeln!(out, "Either player's strategy {a}") } else { writeln!(out, "A's strategy {a}, B's {b}") }
}

/// What became of the strategies, if they were to be refined.
pub(super) fn write_refinement(out: &mut impl Write, report: &StateReport) -> io::Result<()> {
    let Some(refinement) = &report.refinement else { return Ok(()) };
    let [a, b] = [&refinement.a, &refinement.b].map(|refinement| match refinement.as_str() {
        "changed" => "gains more from errors than the usual one",
        "kept" => "could not be refined and is the usual one",
        _ => "gains as much from errors as any and is the usual one",
    });
    write_of_both(out, a, b)
}

/// Both strategies as small bar charts.
pub(super) fn write_strategies(out: &mut impl Write, report: &StateReport) -> io::Result<()> {
    write_bids(out, &report.a, &report.b)
}

/// A's and B's bids, once if they are the same.
pub(super) fn write_bids(out: &mut impl Write, a: &[BidReport], b: &[BidReport]) -> io::Result<()> {
    if a.iter().map(|bid| bid.bid).eq(b.iter().map(|bid| bid.bid))
        && a.iter().zip(b).all(|(a, b)| a.probability.to_bits() == b.probability.to_bits())
    {
        writeln!(out, "Both bid")?;
        return write_bars(out, a);
    }
    writeln!(out, "A bids")?;
    write_bars(out, a)?;
    writeln!(out, "B bids")?;
    write_bars(out, b)
}

fn write_bars(out: &mut impl Write, bids: &[BidReport]) -> io::Result<()> {
    for BidReport { bid, probability, exact } in bids {
        let percent = match 100.0 * probability {
            percent if percent >= 0.01 => format!("{percent:.2} %"),
            _ => format!("{probability:.1e}"),
        };
        let fraction = exact
            .as_ref()
            .filter(|exact| exact.len() <= LONGEST_FRACTION)
            .map_or(String::new(), |exact| format!("{exact:>14}  "));
        writeln!(out, "  {bid:>4}  {percent:>9}  {fraction}{}", bar(*probability))?;
    }
    Ok(())
}

/// A bar of eighths of a block.
fn bar(probability: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (probability * BAR * 8.0).round() as usize;
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

fn write_matrix(out: &mut impl Write, state: State, report: &StateReport) -> io::Result<()> {
    let (rows, columns) = (report.matrix.len(), report.matrix[0].len());
    if rows.max(columns) > MATRIX_SIDE {
        return writeln!(out, "The stage matrix has {rows} rows and {columns} columns; --format json has it in full");
    }
    writeln!(out, "What A wins, by A's bid (rows) and B's bid (columns)")?;
    write!(out, "      ")?;
    for bid in Bid::legal(state.b) {
        write!(out, "{bid:>9}")?;
    }
    writeln!(out)?;
    for (bid, row) in Bid::legal(state.a).zip(&report.matrix) {
        write!(out, "{bid:>6}")?;
        for entry in row {
            write!(out, "{:>9}", format!("{entry:.5}").trim_end_matches('0').trim_end_matches('.'))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

//! `export`: tables of all states.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use pencil_tennis::report::{PolicyFormat, Table, TableFormat, check_folder};
use pencil_tennis::{Policy, Refined, RefinedEquilibrium, Solution};

use super::game_args::{ExactArgs, GameArgs, Points, Refine, RefineArgs};
use super::{interrupt, wrong_usage};

/// Export a table of all states
#[derive(Debug, Args)]
#[command(after_help = "\
values      a,b,ball,value,lower,upper               every state
strategies  a,b,ball,player,bid,probability          the bids an optimal player makes
policy      a,b,ball,player,bid,probability          every legal bid, also those never made
weights     a row for every state, a column for every bid from 0: one matrix for both players

A policy as npz has the arrays policy_a and policy_b with the axes A's points, B's points, field + ball, bid; weights as npz have
the array `weights`. Rows of weights come by the own points, the opponent's, the ball.

With --exact a column `exact` follows: a fraction where the number is known exactly, else empty.

With --refine dresher the optimal strategies are given that gain most when the opponent errs. Should one not be found that is proved to
secure as much as the usual one, the usual one stands in its place, and a line on standard error says in how many cases.

Examples:
  pencil-tennis export values 50 -o values.csv
  pencil-tennis export strategies 20 --format json > strategies.json
  pencil-tennis export strategies 50 --refine dresher -o refined.csv
  pencil-tennis export policy 50 --format npz -o policy.npz     for numpy")]
pub(super) struct Export {
    /// Which table
    #[arg(value_enum, value_name = "TABLE")]
    table: Which,
    /// Points each, or A:B
    #[arg(value_name = "POINTS", default_value = "50")]
    points: Points,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    /// How the table is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    Values,
    Strategies,
    Policy,
    Weights,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Csv,
    Json,
    Npz,
}

/// What is written, and how.
#[derive(Clone, Copy)]
enum Form {
    Table(Table, TableFormat),
    Policy(PolicyFormat),
}

impl Form {
    fn write(self, solution: &Solution, refined: Option<&[RefinedEquilibrium]>, out: impl Write) -> io::Result<()> {
        match (self, refined) {
            (Self::Table(table, format), None) => table.write(solution, format, out),
            (Self::Table(table, format), Some(refined)) => table.write_refined(solution, refined, format, out),
            (Self::Policy(format), None) => format.write(&Policy::optimal(solution), out),
            (Self::Policy(format), Some(refined)) => {
                format.write(&Policy::refined(solution, refined).map_err(io::Error::other)?, out)
            }
        }
    }
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            check_folder(path)?;
        }
        let form = self.form();
        let solution = self.game.solve(self.points, self.exact.exact)?;
        let refined = self.refine.refine.map(|Refine::Dresher| self.game.refine(&solution)).transpose()?;
        let refined = refined.as_deref();
        note_kept(refined.unwrap_or_default());
        if let Some(path) = &self.output {
            interrupt::write(path, |out| form.write(&solution, refined, out))?;
            return Ok(());
        }
        let mut out = BufWriter::new(io::stdout().lock());
        form.write(&solution, refined, &mut out)?;
        Ok(out.flush()?)
    }

    /// What was asked for, if there is such a thing.
    fn form(&self) -> Form {
        let table = match self.table {
            Which::Values => Table::Values,
            Which::Strategies => Table::Strategies,
            Which::Policy | Which::Weights => Table::Policy,
        };
        let form = match (self.table, self.format) {
            (Which::Weights, Format::Csv) => Form::Policy(PolicyFormat::WeightsCsv),
            (Which::Weights, Format::Npz) => Form::Policy(PolicyFormat::WeightsNpz),
            (Which::Weights, Format::Json) => {
                wrong_usage(ErrorKind::ArgumentConflict, "weights are a matrix of numbers; expected --format csv or npz")
            }
            (Which::Policy, Format::Npz) => Form::Policy(PolicyFormat::Npz),
            (_, Format::Npz) => wrong_usage(ErrorKind::ArgumentConflict, "only policy and weights have arrays for --format npz"),
            (_, Format::Csv) => Form::Table(table, TableFormat::Csv),
            (_, Format::Json) => Form::Table(table, TableFormat::Json),
        };
        if matches!(form, Form::Policy(_)) && self.exact.exact.is_some() {
            wrong_usage(ErrorKind::ArgumentConflict, "--exact has no place in arrays and matrices");
        }
        if matches!(self.table, Which::Values) && self.refine.refine.is_some() {
            wrong_usage(ErrorKind::ArgumentConflict, "values are the same for all optimal strategies; --refine has no place");
        }
        if self.format == Format::Npz && self.output.is_none() && io::stdout().is_terminal() {
            wrong_usage(ErrorKind::MissingRequiredArgument, "an npz archive is nothing to look at; expected -o FILE");
        }
        form
    }
}

/// Says how many strategies could not be refined, if any.
fn note_kept(refined: &[RefinedEquilibrium]) {
    let kept = refined.iter().flat_map(|refined| [refined.a, refined.b]).filter(|&refined| refined == Refined::Kept).count();
    if kept > 0 {
        eprintln!("note: {kept} of {} strategies could not be refined; they are the usual ones", 2 * refined.len());
    }
}

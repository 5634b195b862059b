//! `export`: tables of all states.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pencil_tennis::report::{Table, TableFormat, check_folder};

use super::game_args::{ExactArgs, GameArgs, Points};
use super::interrupt;

/// Export a table of all states
#[derive(Debug, Args)]
#[command(after_help = "\
values      a,b,ball,value,lower,upper               every state
strategies  a,b,ball,player,bid,probability          the bids an optimal player makes
policy      a,b,ball,player,bid,probability          every legal bid, also those never made

With --exact a column `exact` follows: a fraction where the number is known exactly, else empty.

Examples:
  pencil-tennis export values 50 -o values.csv
  pencil-tennis export strategies 20 --format json > strategies.json")]
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
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    #[default]
    Csv,
    Json,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            check_folder(path)?;
        }
        let solution = self.game.solve(self.points, self.exact.exact)?;
        let table = match self.table {
            Which::Values => Table::Values,
            Which::Strategies => Table::Strategies,
            Which::Policy => Table::Policy,
        };
        let format = match self.format {
            Format::Csv => TableFormat::Csv,
            Format::Json => TableFormat::Json,
        };
        if let Some(path) = &self.output {
            interrupt::write(path, |out| table.write(&solution, format, out))?;
            return Ok(());
        }
        let mut out = BufWriter::new(io::stdout().lock());
        table.write(&solution, format, &mut out)?;
        Ok(out.flush()?)
    }
}

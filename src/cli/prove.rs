//! `prove`: a certificate anybody can check.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use pencil_tennis::report::check_folder;
use pencil_tennis::rounded_up;
use serde::Serialize;

use super::game_args::{GameArgs, Points};
use super::interrupt;
use super::{Format, grouped, print_json};

/// Solve a game and write a certificate of all its values
#[derive(Debug, Args)]
#[command(after_help = "\
The certificate holds integer strategies for every state; docs/certificate.md describes it byte by byte, and
docs/check_certificate.py checks it with nothing but Python.

Examples:
  pencil-tennis prove 50 -o tennis.proof
  pencil-tennis verify tennis.proof")]
pub(super) struct Prove {
    /// Points each, or A:B
    #[arg(value_name = "POINTS", default_value = "50")]
    points: Points,
    #[command(flatten)]
    game: GameArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    file: String,
    bytes: usize,
    states: usize,
    widest_enclosure: f64,
    /// The same; an older name.
    widest: f64,
}

impl Prove {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_folder(&self.output)?;
        let solution = self.game.solve(self.points, None)?;
        let certificate = solution.certificate();
        interrupt::write(&self.output, |out| out.write_all(&certificate))?;
        let report = Report {
            file: self.output.display().to_string(),
            bytes: certificate.len(),
            states: solution.len(),
            widest_enclosure: solution.widest_enclosure(),
            widest: solution.widest_enclosure(),
        };
        match self.format {
            Format::Json => print_json(solution.rules(), solution.points(), &report),
            Format::Text => {
                let Report { file, bytes, states, widest, .. } = report;
                let (bytes, states, widest) = (grouped(bytes), grouped(states), rounded_up(widest));
                writeln!(io::stdout(), "{file}: {bytes} bytes, {states} states, every value to within {widest}")?;
                Ok(())
            }
        }
    }
}

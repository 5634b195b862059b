//! `verify`: checks a certificate.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::report::{BoundsReport, DecimalReport, Document, check_folder};
use pencil_tennis::{Enclosure, Error, rounded_up};
use serde::Serialize;

use super::game_args::describe;
use super::{Format, grouped, interrupt, print_document, print_json};

/// Check a certificate without trusting the solver, and say what it proves
#[derive(Debug, Args)]
#[command(after_help = "\
Every bound is computed anew from the rules and the strategies in the file. Exit status 1 if the file is no valid certificate.

Examples:
  pencil-tennis verify tennis.proof
  pencil-tennis verify tennis.proof --bounds bounds.csv    a,b,ball,lower,upper,exponent as integers")]
pub(super) struct Verify {
    /// The certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also write the bounds of all states, as integers in units of 2^-exponent
    #[arg(long, value_name = "CSV")]
    bounds: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    valid: bool,
    points: [u32; 2],
    states: usize,
    start: BoundsReport,
    widest_enclosure: f64,
    /// The same; an older name.
    widest: f64,
    unit_exponent: u32,
}

#[derive(Serialize)]
struct Refusal {
    valid: bool,
    reason: String,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.bounds {
            check_folder(path)?;
            if fs::canonicalize(path).ok().is_some_and(|path| fs::canonicalize(&self.file).ok() == Some(path)) {
                anyhow::bail!("--bounds would overwrite the certificate");
            }
        }
        let bytes = fs::read(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?;
        let proof = certificate::verify(&bytes).map_err(|error| self.refuse(error))?;
        if let Some(path) = &self.bounds {
            interrupt::write(path, |out| write_bounds(&proof, out))?;
        }
        let [lower, upper] = proof.bounds(proof.start())?;
        let start = Enclosure::from_integers(lower, upper, proof.exponent());
        let widest = Enclosure::from_integers(0, proof.widest_units(), proof.exponent()).width();
        let report = Report {
            valid: true,
            points: proof.points(),
            states: proof.len(),
            start: start.into(),
            widest_enclosure: widest,
            widest,
            unit_exponent: proof.exponent(),
        };
        match self.format {
            Format::Json => print_json(proof.rules(), proof.points(), &report),
            Format::Text => {
                let mut out = io::stdout().lock();
                let (states, widest) = (grouped(report.states), rounded_up(report.widest));
                writeln!(out, "valid: {}:{} points, {}", report.points[0], report.points[1], describe(proof.rules()))?;
                writeln!(out, "  the values of all {states} states are proved to within {widest}")?;
                let DecimalReport { lower, upper, .. } = &report.start.decimal;
                writeln!(out, "  {lower} ≤ value of {} ≤ {upper}", proof.start())?;
                Ok(())
            }
        }
    }

    /// Says on standard output, too, that the file is no certificate: scripts read only that.
    fn refuse(&self, error: Error) -> anyhow::Error {
        if self.format == Format::Json {
            let refusal = Refusal { valid: false, reason: error.to_string() };
            if let Err(error) = print_document(&Document::of_no_game(&refusal)) {
                return error;
            }
        }
        anyhow::Error::new(error).context(self.file.display().to_string())
    }
}

fn write_bounds(proof: &Proof, out: &mut dyn Write) -> std::io::Result<()> {
    let exponent = proof.exponent();
    writeln!(out, "a,b,ball,lower,upper,exponent")?;
    for (state, [lower, upper]) in proof.iter() {
        writeln!(out, "{},{},{},{lower},{upper},{exponent}", state.a, state.b, state.ball)?;
    }
    Ok(())
}

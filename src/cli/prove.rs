use std::io::{self, Write};

use clap::Args;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::certificate;
use pencil_tennis::report::Document;

use super::game_args::{SolvedArgs, quoted};
use super::output::{Output, check_all};
use super::points::PointsArgs;
use super::screen::counted;
use super::{FormatArgs, interrupt};

/// Solve a game and write a certificate of all its values
#[derive(Debug, Args)]
#[command(after_help = "\
The certificate holds integer strategies for every state. docs/certificate.md
describes it byte by byte, and docs/check_certificate.py checks it with nothing
but Python.

Examples:
  pencil-tennis prove 50 -o tennis.proof
  pencil-tennis prove --table 200.table -o 200.proof
  pencil-tennis verify tennis.proof")]
pub(super) struct Prove {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Output,
    #[command(flatten)]
    format: FormatArgs,
}

impl Prove {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_all(&[Some(&self.output)], self.solved.table().as_slice(), self.format)?;
        let solution = self.solved.open(self.points.asked(), None)?.stored()?;
        let certificate = solution.certificate();
        // The bounds in a table are unproved; the certificate's bounds are proved by checking it.
        let widest = if solution.is_proved() {
            solution.widest_enclosure()
        } else {
            interrupt::with_spinner("checking", || certificate::verify(&certificate))?.widest_enclosure()
        };
        self.output.write(|out| out.write_all(&certificate))?;
        let (file, bytes, states) = (self.output.name(), certificate.len(), solution.len());
        let report = object! { file: &file, bytes: bytes, states: states, widest_enclosure: widest };
        self.format.print(&Document::new(solution.rules(), solution.points(), &report), &[Some(&self.output)], |out| {
            let (bytes, states, widest) = (counted(bytes, "byte"), counted(states, "state"), rounded_up(widest));
            writeln!(out, "{file}: {bytes}, {states}, every value to within {widest}")?;
            let Some(path) = self.output.path() else { return Ok::<_, io::Error>(()) };
            writeln!(out, "Check it with: verify {}", quoted(&path.display().to_string()))
        })
    }
}

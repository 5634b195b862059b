//! The command `prove`: certificates of any game.

use std::io::Write;

use clap::Args;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::Document;

use super::any_game::{self, AnyGameArgs, GameTask};
use super::certificate_file;
use super::game_args::SolvedArgs;
use super::interrupt;
use super::matrix::is_matrix;
use super::output::Output;
use super::points::PointsArgs;
use super::report::{FormatArgs, check_all};
use super::screen::counted;
use super::usage::{refuse_options, wrong_usage};
use super::wanted::Wanted;
use super::word::{Word, quoted};

/// Solve a game and write a certificate of its values
#[derive(Debug, Args)]
#[command(after_help = "\
The certificate holds integer strategies for every state. docs/certificate.md
describes it byte by byte, and docs/check_certificate.py checks it with nothing
but Python. The file is read back and checked before it gets its name.

Of a game of other rules, a file or @NAME, the certificate holds the game and
both strategies (docs/game-format.md, docs/hidden.md). None is written where
nothing is proved of a state.

Examples:
  pencil-tennis prove 50 -o tennis.proof
  pencil-tennis prove --table 200.table -o 200.proof
  pencil-tennis verify tennis.proof
  pencil-tennis prove my.jsonl -o my.proof && pencil-tennis verify my.proof
  pencil-tennis prove @leduc -o leduc.proof")]
pub(super) struct Prove {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Output,
    #[command(flatten)]
    any: AnyGameArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl Prove {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        if let Some(game) = self.points.other() {
            return self.prove_other(game);
        }
        refuse_options("Tennis", &any_game::OWN_OPTIONS);
        check_all(&[Some(&self.output)], self.solved.table().as_slice(), self.format)?;
        let solution = self.solved.open(self.points.asked(), None)?.stored()?;
        let certificate = interrupt::with_progress("proving", |watch| solution.certificate(watch))?;
        // The bytes on the disk prove the reported bounds; the bounds in a table were not proved
        // before.
        let proof = certificate_file::write_tennis(&self.output, &certificate, |proof| {
            solution.agrees_with(proof)
        })?;
        let (file, bytes, states) = (self.output.name(), certificate.len(), proof.iter().len());
        let widest = proof.widest_enclosure();
        let report = object! { file: &file, bytes: bytes, states: states, widest_enclosure: widest, read_back: true };
        self.format.print(
            &Document::new(solution.rules(), solution.points(), &report),
            &[Some(&self.output)],
            |out| {
                let (bytes, states, widest) =
                    (counted(bytes, "byte"), counted(states, "state"), rounded_up(widest));
                writeln!(out, "{file}: {bytes}, {states}, every value to within {widest}")?;
                write!(out, "Read back and checked")?;
                match self.output.path() {
                    Some(path) => writeln!(out, "; check it again with: verify {}", quoted(path)),
                    None => writeln!(out),
                }
            },
        )
    }

    fn prove_other(&self, game: &Word) -> anyhow::Result<()> {
        if is_matrix(game.path()) {
            wrong_usage(
                "one matrix game has no certificate: its value and strategies are printed as exact fractions by `solve`",
            );
        }
        let task = GameTask {
            options: &["table", "output"],
            from: self.solved.table(),
            format: self.format,
            ..GameTask::new(
                game,
                Wanted::Certificate(&self.output),
                &self.any,
                self.solved.game.work(),
            )
        };
        task.run()
    }
}

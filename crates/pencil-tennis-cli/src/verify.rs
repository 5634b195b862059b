//! The command `verify`.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::hidden::HiddenProof;
use pencil_tennis::report::{Document, StochasticProofReport, WriteCsv, read_file};
use pencil_tennis::stochastic_game::{Certainty, StochasticProof};
use pencil_tennis::{Bounds, Error, Player, TableFile};
use tempfile::NamedTempFile;

use super::content::Content;
use super::game_args::describe;
use super::interrupt;
use super::interrupt::Interrupted;
use super::numbers::grouped;
use super::output::{Output, write_to};
use super::report::{FormatArgs, check_all, print_document};
use super::screen::{bounded, counted};
use super::usage::wrong_usage;

/// Check a certificate without trusting the solver and print its bounds, or prove the bounds in a
/// table file
#[derive(Debug, Args)]
#[command(after_help = "\
Every bound is recomputed from the rules and the strategies in the file; for a
table without strategies the game is solved again. A certificate of a game of
other rules, as `prove` writes it, is checked, too, with or without hidden
information. The exit status is 1 if the
file is no valid certificate, or a table with an unproved bound.

Examples:
  pencil-tennis prove 20 -o 20.proof && pencil-tennis verify 20.proof
  pencil-tennis prove 20 -o - | pencil-tennis verify -
  pencil-tennis solve 60 --save 60.table && pencil-tennis verify 60.table
  pencil-tennis verify 20.proof --bounds bounds.csv")]
pub(super) struct Verify {
    /// The certificate or table; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also write the bounds of all states, as integers in units of 2^-exponent
    #[arg(long, value_name = "CSV")]
    bounds: Option<Output>,
    #[command(flatten)]
    format: FormatArgs,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_all(&[self.bounds.as_ref()], &[&self.file], self.format)?;
        if let Some(output) = &self.bounds {
            output.check_only("the table of bounds", "csv");
        }
        let copy = self.copy_of_stream()?;
        let path = copy.as_ref().map_or(&*self.file, NamedTempFile::path);
        let it = match Content::of(path) {
            Some(Content::GameProof | Content::Json) => return self.verify_game(path),
            Some(Content::HiddenProof) => return self.verify_hidden(path),
            None | Some(Content::Proof) => None,
            Some(Content::Game) => {
                Some("is a game, not a certificate; `prove FILE -o FILE.proof` writes one")
            }
            Some(Content::GameTable) => Some(
                "is a table of a game of other rules, without the game; `prove GAME --table FILE -o FILE.proof` writes a certificate",
            ),
            Some(Content::Play) => {
                Some("is a record of play, not a certificate; `replay FILE` judges it")
            }
            Some(_) => Some("is no certificate; `prove GAME -o FILE` writes one"),
        };
        if let Some(it) = it {
            return Err(self.refuse(anyhow::Error::msg(format!("it {it}"))));
        }
        let proof = self.prove(path)?;
        write_to(self.bounds.as_ref(), |out| write_bounds(&proof, out))?;
        let bounds = proof.enclosure(proof.start())?;
        self.format.print(
            &Document::new(proof.rules(), proof.points(), &proof),
            &[self.bounds.as_ref()],
            |out| {
                let [a, b] = proof.points();
                writeln!(out, "valid: {a}:{b} points, {}", describe(proof.rules()))?;
                write_widest(out, proof.iter().len(), proof.widest_enclosure())?;
                writeln!(out, "  {}", bounded(&bounds, &format!("value of {}", proof.start())))
            },
        )
    }

    fn verify_game(&self, path: &Path) -> anyhow::Result<()> {
        let file =
            File::open(path).with_context(|| format!("cannot read {}", self.file.display()))?;
        let proof =
            interrupt::with_spinner("checking", || StochasticProof::verify(BufReader::new(file)));
        let proof = proof.map_err(|error| self.refuse(error.into()))?;
        write_to(self.bounds.as_ref(), |out| proof.write_csv(out))?;
        let report = StochasticProofReport::new(&proof);
        self.format.print(&Document::of_no_game(report), &[self.bounds.as_ref()], |out| {
            writeln!(out, "valid: {} game", proof.game().kind())?;
            if let Some((bound, holds)) = proof.verdict() {
                writeln!(out, "  value {bound} at every start: {holds}")?;
            }
            write_widest(out, proof.game().len(), proof.widest_enclosure())?;
            if proof.approached_states() > 0 {
                writeln!(
                    out,
                    "  approached and not attained: {}",
                    counted(proof.approached_states(), "value")
                )?;
            }
            let starts = proof.game().starts().iter();
            starts
                .map(|&start| start as usize)
                .try_for_each(|start| write_start(out, &proof, start))
        })
    }

    fn verify_hidden(&self, path: &Path) -> anyhow::Result<()> {
        if self.bounds.is_some() {
            wrong_usage(
                "--bounds is for games with states; a game with hidden information has one value, which `verify` prints",
            );
        }
        let file =
            File::open(path).with_context(|| format!("cannot read {}", self.file.display()))?;
        let proof =
            interrupt::with_spinner("checking", || HiddenProof::verify(BufReader::new(file)));
        let proof = proof.map_err(|error| self.refuse(Error::from(error).into()))?;
        self.format.print(&Document::of_no_game(&proof), &[], |out| {
            let tree = proof.tree();
            let [a, b] = Player::BOTH.map(|player| grouped(tree.information_sets(player).len()));
            writeln!(out, "valid: a game with hidden information")?;
            writeln!(
                out,
                "  {}; {a} information sets of A, {b} of B",
                counted(tree.len(), "node")
            )?;
            writeln!(out, "  {}", bounded(&proof.enclosure(), "value"))
        })
    }

    /// Proves the bounds in a Tennis certificate or table.
    fn prove(&self, path: &Path) -> anyhow::Result<Proof> {
        if TableFile::is_table(path) {
            let solution = TableFile::open(path).and_then(TableFile::into_solution);
            let mut solution = solution.map_err(|error| self.refuse(error.into()))?;
            let work = if solution.keeps_strategies() { "proving" } else { "solving" };
            return interrupt::with_progress(work, |watch| solution.prove(watch))
                .map_err(|error| self.refuse(error));
        }
        let bytes = read_file(path, MOST_BYTES)?;
        interrupt::with_spinner("checking", || certificate::verify(&bytes))
            .map_err(|error| self.refuse(error.into()))
    }

    /// A copy of standard input (`-`) or of a pipe, since the file's type is determined by its
    /// beginning and a stream cannot be read twice; `None` for an ordinary file.
    fn copy_of_stream(&self) -> anyhow::Result<Option<NamedTempFile>> {
        let standard_input = self.file.as_os_str() == "-";
        if !standard_input && (self.file.is_file() || !self.file.exists()) {
            return Ok(None);
        }
        let mut copy = NamedTempFile::new().context("cannot keep a copy of what is read")?;
        if standard_input {
            let copied = io::copy(&mut io::stdin().lock().take(MOST_BYTES), &mut copy);
            copied.context("cannot read standard input")?;
        } else {
            copy.write_all(&read_file(&self.file, MOST_BYTES)?)
                .context("cannot keep a copy of what is read")?;
        }
        Ok(Some(copy))
    }

    /// Also reports on standard output that the file proves nothing, for scripts.
    fn refuse(&self, error: anyhow::Error) -> anyhow::Error {
        if error.is::<Interrupted>() {
            return error;
        }
        let sentence = match error.downcast_ref() {
            // The error names the file as given, not the copy.
            Some(Error::TableFile { reason, .. }) => {
                format!("the table file cannot be used: {reason}")
            }
            _ => error.to_string(),
        };
        let refusal = Document::of_no_game(object! { valid: false, reason: &sentence });
        let printed = if self.format.is_json() { print_document(&refusal) } else { Ok(()) };
        printed.err().unwrap_or_else(|| {
            anyhow::Error::msg(sentence).context(self.file.display().to_string())
        })
    }
}

fn write_widest(out: &mut impl Write, states: usize, widest: f64) -> io::Result<()> {
    writeln!(
        out,
        "  the values of all {} are proved to within {}",
        counted(states, "state"),
        rounded_up(widest)
    )
}

fn write_start(out: &mut impl Write, proof: &StochasticProof, start: usize) -> io::Result<()> {
    let bounds = proof.enclosure(&start).map_err(io::Error::other)?;
    let state = proof.game().state(start).map_err(io::Error::other)?;
    let value = bounded(&bounds, &format!("value of {}", state.name()));
    let best = proof.best_payoff(&start).map_err(io::Error::other)?;
    match best.filter(|best| best.certainty != Certainty::AlmostSure) {
        Some(best) => {
            let secured = proof.secured(&start).map_err(io::Error::other)?;
            writeln!(out, "  {value}, approached by {} and not attained", best.player)?;
            writeln!(out, "    the strategies secure: {}", bounded(&secured, "value"))
        }
        None => writeln!(out, "  {value}"),
    }
}

/// Far more than a certificate of 1,000 points has.
const MOST_BYTES: u64 = 1 << 36;

fn write_bounds(proof: &Proof, out: &mut dyn Write) -> std::io::Result<()> {
    let exponent = proof.exponent();
    writeln!(out, "a,b,ball,lower,upper,exponent")?;
    for (state, Bounds { lower, upper }) in proof.iter() {
        writeln!(out, "{},{},{},{lower},{upper},{exponent}", state.a, state.b, state.ball)?;
    }
    Ok(())
}

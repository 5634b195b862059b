//! The command `check`: models and their properties.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use pencil_tennis::Error;
use pencil_tennis::model_checking::language::PropertyFile;

use pencil_tennis::model_checking::{
    Answer, Bound, ExplicitModel, Interval, ModelError, Question, Verdict, is_model_text,
};
use pencil_tennis::report::{Document, read_file};
use pencil_tennis::stochastic_game::{self, StochasticGame, StochasticSolution, StochasticSolver};
use serde::Serialize;

use super::checkpoints::{self, CheckpointArgs, Resumed};
use super::game_args::WorkArgs;
use super::game_source::{KeptStates, ModelFiles};
use super::numbers::gap;
use super::output::Output;
use super::report::{FormatArgs, check_all};
use super::screen::counted;
use super::usage::wrong_usage;
use super::word::quoted;
use super::{certificate_file, interrupt};

/// The sentence about a file with the ending of neither.
const WANTED_MODEL: &str = "expected a model in PRISM's language (.prism, .nm, .pm, .csg, .smg) or an explicit export (MODEL.tra)";

/// The longest file of properties that is read.
const MOST_BYTES: u64 = 1 << 24;

/// Check properties of a model of PRISM or PRISM-games: proved numbers, proved verdicts
#[derive(Debug, Args)]
#[command(after_help = "\
MODEL is a model in PRISM's language (csg, smg, mdp, dtmc), or MODEL.tra, an
explicit export. PROPS is a file of properties; --property asks one more.

A property that asks for a number is answered by proved bounds; one with a
bound, such as <<1>>P>=0.5 [ F s=3 ], by true, false or undecided.

A checkpoint keeps the states of MODEL.prism that are found, until all
properties are answered; then it is removed.

The exit status is 0 if every property is answered and none is false; else 1.

Examples:
  pencil-tennis check model.prism model.props --const k=5,q=0.1
  pencil-tennis check model.prism --property '<<robot>>P>=0.9 [ F \"goal\" ]'
  pencil-tennis check model.prism model.props --only 2 --prove answer.proof
  pencil-tennis check model.tra model.props --players robot,wind --format json")]
pub(super) struct Check {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// File of properties
    #[arg(value_name = "PROPS")]
    properties: Option<PathBuf>,
    /// A property; may be repeated
    #[arg(long, value_name = "PROPERTY", allow_hyphen_values = true)]
    property: Vec<String>,
    /// Of the file, check only the property of this name or number, counted from 1; may be repeated
    #[arg(long, value_name = "NAME", requires = "properties")]
    only: Vec<String>,
    /// The width of bounds that is narrow enough, in the unit of the property; a verdict that is
    /// still open is narrowed until it is decided [default: as narrow as numbers allow]
    #[arg(long, value_name = "W", value_parser = gap)]
    width: Option<f64>,
    /// Write a certificate of the only property that is asked: of its verdict, or of the number
    #[arg(long, value_name = "FILE")]
    prove: Option<Output>,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    /// Find the states of MODEL.prism from a checkpoint on
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    files: ModelFiles,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// A property to check.
struct Asked {
    name: Option<String>,
    line: Option<u32>,
    text: String,
    question: Result<Question, Refused>,
}

/// A property with its answer.
#[derive(Serialize)]
struct Checked {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    property: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    #[serde(flatten)]
    refused: Option<Refused>,
}

/// Why a property is not answered, in words and by the error's code.
#[derive(Clone, Serialize)]
struct Refused {
    error: String,
    code: &'static str,
}

impl Refused {
    /// The refusal of a property that is not in the language.
    fn malformed(error: String) -> Self {
        let refusal = ModelError::Property { reason: error.clone() };
        Self { error, code: refusal.code() }
    }
}

impl From<&Error> for Refused {
    fn from(error: &Error) -> Self {
        Self { error: error.to_string(), code: error.code() }
    }
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.properties.is_none() && self.property.is_empty() {
            wrong_usage(
                "there is no property to check; add a file of properties or --property '<<1>>Pmax=? [ F … ]'",
            );
        }
        let checkpoint = self.checkpoints.output();
        check_all(&[self.prove.as_ref(), checkpoint.as_ref()], &[&self.model], self.format)?;
        self.checkpoints.check_new(self.resume.as_deref())?;
        let is_kept = self.checkpoints.path().is_some() || self.resume.is_some();
        if is_kept && !is_model_text(&self.model) {
            wrong_usage(
                "checkpoints keep the states of a model in PRISM's language, such as model.prism; an export has its states",
            );
        }
        let limit = self.work.memory();
        let file = match &self.properties {
            Some(path) => Some(read_properties(path)?),
            None => None,
        };
        let asked = self.asked(file.as_ref())?;
        if let (Some(path), true) = (&self.properties, asked.is_empty()) {
            anyhow::bail!("{}: there is no property in it to check", path.display());
        }
        if self.prove.is_some() && asked.len() != 1 {
            anyhow::bail!(
                "--prove is of one property, and {} are asked; --only names one",
                asked.len()
            );
        }
        let model = self.read(file.as_ref()).map_err(|error| {
            let is_export = self.model.extension().is_some_and(|ending| ending == "tra");
            if is_export || is_model_text(&self.model) {
                error
            } else {
                error.context(WANTED_MODEL)
            }
        })?;
        let mut checked = Vec::with_capacity(asked.len());
        for property in asked {
            let answer = match &property.question {
                Ok(question) => match &self.prove {
                    Some(output) => Ok(self.prove(&model, question, limit, output)?),
                    None => self.answer(&model, question, limit)?,
                },
                Err(reason) => Err(reason.clone()),
            };
            checked.push(Checked::new(property, answer));
        }
        let report = object! {
            model: self.model.display().to_string(),
            states: model.states(),
            assumptions: model.assumptions(),
            properties: &checked,
        };
        self.format.print(&Document::of_no_game(&report), &[self.prove.as_ref()], |out| {
            write_text(out, &model, &checked)?;
            match self.prove.as_ref().and_then(Output::path) {
                Some(path) => {
                    let path = quoted(path);
                    writeln!(out, "\nThe certificate is read back and checked; check it again with: verify {path}")
                }
                None => Ok(()),
            }
        })?;
        if let Some(path) = self.checkpoints.path() {
            checkpoints::remove(path)?;
        }
        failed(&checked)
    }

    /// Reads the model, or goes on finding its states.
    fn read(&self, properties: Option<&PropertyFile>) -> anyhow::Result<ExplicitModel> {
        let keeper = self.checkpoints.keeper();
        let mut resumed = self.resume.as_deref().map(Resumed::open).transpose()?;
        if let Some(resumed) = &mut resumed
            && resumed.states.is_none()
        {
            let path = self.resume.as_deref().unwrap_or(&self.model);
            anyhow::bail!("{}: it is no checkpoint of a model's states", path.display());
        }
        let kept = KeptStates::new(&keeper, resumed.as_mut());
        self.files.read(&self.model, properties, self.work, kept)
    }

    fn asked(&self, file: Option<&PropertyFile>) -> anyhow::Result<Vec<Asked>> {
        let mut asked = Vec::new();
        let properties = file.map(|file| file.properties.as_slice()).unwrap_or_default();
        for wanted in &self.only {
            let is_known = |(number, name): (usize, Option<&String>)| {
                name == Some(wanted) || (number + 1).to_string() == *wanted
            };
            let names = properties.iter().map(|property| property.name.as_ref());
            if !names.enumerate().any(is_known) {
                anyhow::bail!(
                    "there is no property `{wanted}`; the file has {} of them",
                    properties.len()
                );
            }
        }
        for (number, property) in properties.iter().enumerate() {
            let number = (number + 1).to_string();
            let is_wanted =
                |wanted: &String| property.name.as_ref() == Some(wanted) || number == *wanted;
            if !self.only.is_empty() && !self.only.iter().any(is_wanted) {
                continue;
            }
            let question = match &property.property {
                Ok(expression) => Ok(Question::from(expression.clone())),
                Err(error) => Err(Refused::malformed(error.to_string())),
            };
            let line = Some(property.at.line);
            asked.push(Asked {
                name: property.name.clone(),
                line,
                text: one_line(&property.text),
                question,
            });
        }
        for text in &self.property {
            let question = text.parse::<Question>()?;
            asked.push(Asked {
                name: None,
                line: None,
                text: one_line(text),
                question: Ok(question),
            });
        }
        Ok(asked)
    }

    /// The answer, or why there is none: one property that cannot be answered does not prevent the
    /// others.
    fn answer(
        &self,
        model: &ExplicitModel,
        question: &Question,
        limit: u64,
    ) -> anyhow::Result<Result<Answer, Refused>> {
        let outcome = interrupt::with_progress("solving", |watch| {
            let mut narrowed = |width: Option<f64>| {
                model.answer(question, limit, &mut |game| self.solve(game, width, watch))
            };
            let answer = narrowed(self.width)?;
            if self.width.is_some() && answer.is_undecided() {
                return narrowed(None);
            }
            Ok(answer)
        });
        match outcome {
            Ok(answer) => Ok(Ok(answer)),
            Err(error) => match error.downcast_ref::<Error>() {
                Some(refused) => Ok(Err(refused.into())),
                None => Err(error),
            },
        }
    }

    fn solve(
        &self,
        game: StochasticGame,
        width: Option<f64>,
        watch: &mut interrupt::SendWatch<'_>,
    ) -> Result<StochasticSolution, stochastic_game::Error> {
        let mut solver = StochasticSolver::new(game).width(width.unwrap_or(0.0));
        if let Some(threads) = self.work.threads {
            solver = solver.threads(threads);
        }
        solver.on_progress(watch).solve()
    }

    /// The answer, of which a certificate is written and read back.
    ///
    /// # Errors
    /// An answer that no certificate proves: by several games, by the graph, or by exact values; an
    /// undecided one.
    fn prove(
        &self,
        model: &ExplicitModel,
        question: &Question,
        limit: u64,
        output: &Output,
    ) -> anyhow::Result<Answer> {
        let bound = model.bound(question)?;
        // A verdict is narrowed until it is decided.
        let width = self.width.filter(|_| bound.is_none());
        let mut certificate = Certificate::default();
        let answer = interrupt::with_progress("solving", |watch| {
            model.answer_by_games(question, limit, &mut |game| {
                let solution = self.solve(game, width, watch)?;
                certificate.bytes.clear();
                certificate.games += 1;
                certificate.starts = solution.game().starts().len();
                // Where the bounds decide nothing, the verdict below says so.
                let _ = match &bound {
                    Some(bound) => solution.write_verdict(bound, &mut certificate.bytes),
                    None => solution.write_certificate(&mut certificate.bytes),
                };
                Ok(solution)
            })
        })?;
        let verdict = match &answer {
            Answer::Verdict { verdict: Verdict::Undecided, .. } => {
                anyhow::bail!("the property is undecided")
            }
            Answer::Verdict { verdict, .. } => Some(*verdict == Verdict::True),
            Answer::Number(_) => None,
        };
        let is_of_one_game = certificate.games == 1 && certificate.starts == model.starts();
        if !is_of_one_game || certificate.bytes.is_empty() || verdict.is_some() != bound.is_some() {
            anyhow::bail!(
                "no certificate proves this answer; expected a single operator whose value or bound is decided by one game, \
                 not by the graph, by infinite rewards or by exact fractions"
            );
        }
        certificate_file::write_verdict(output, &certificate.bytes, bound.as_ref().zip(verdict))?;
        Ok(answer)
    }
}

/// The certificate of the game that answers a property.
#[derive(Default)]
struct Certificate {
    bytes: Vec<u8>,
    /// The games that were solved: a certificate is of one.
    games: usize,
    /// The starts of the game; those of the model may be more, where rewards are infinite.
    starts: usize,
}

fn read_properties(path: &Path) -> anyhow::Result<PropertyFile> {
    let name = path.display().to_string();
    let bytes = read_file(path, MOST_BYTES)?;
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is no text"))?;
    PropertyFile::read(&text).with_context(|| name)
}

/// A text without line breaks and repeated spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Checked {
    fn new(asked: Asked, answer: Result<Answer, Refused>) -> Self {
        let mut checked = Self {
            name: asked.name,
            line: asked.line,
            property: asked.text,
            verdict: None,
            lower: None,
            upper: None,
            exact: None,
            refused: None,
        };
        match answer {
            Ok(Answer::Number(interval)) => checked.set_interval(&interval),
            Ok(Answer::Verdict { verdict, value }) => {
                checked.verdict = Some(verdict.to_string());
                if let Some(interval) = value {
                    checked.set_interval(&interval);
                }
            }
            Err(refused) => checked.refused = Some(refused),
        }
        checked
    }

    fn set_interval(&mut self, interval: &Interval) {
        let [lower, upper] = interval.decimals();
        self.lower = Some(lower);
        self.upper = Some(upper);
        self.exact = match (interval.exact(), &interval.lower) {
            (Some(value), _) => Some(value.to_string()),
            (None, Bound::Infinite) => Some("Infinity".to_owned()),
            (None, Bound::Finite(_)) => None,
        };
    }
}

fn write_text(out: &mut impl Write, model: &ExplicitModel, checked: &[Checked]) -> io::Result<()> {
    writeln!(out, "{}", counted(model.states(), "state"))?;
    for assumption in model.assumptions() {
        writeln!(out, "  assumed: {assumption}")?;
    }
    for property in checked {
        writeln!(out)?;
        if let Some(name) = &property.name {
            write!(out, "\"{name}\": ")?;
        }
        writeln!(out, "{}", property.property)?;
        if let Some(verdict) = &property.verdict {
            writeln!(out, "  {verdict}")?;
        }
        match (&property.exact, &property.lower, &property.upper) {
            (Some(exact), ..) => writeln!(out, "  proved: {exact}")?,
            (None, Some(lower), Some(upper)) => {
                writeln!(out, "  proved: {lower} ≤ value ≤ {upper}")?;
            }
            _ => {}
        }
        if let Some(refused) = &property.refused {
            writeln!(out, "  refused: {}", refused.error)?;
        }
    }
    Ok(())
}

/// The error that counts properties that are not true, or not answered.
fn failed(checked: &[Checked]) -> anyhow::Result<()> {
    let with = |verdict: Verdict| {
        let text = verdict.to_string();
        checked.iter().filter(|property| property.verdict.as_deref() == Some(&text)).count()
    };
    let refused = checked.iter().filter(|property| property.refused.is_some()).count();
    let counts = [
        (with(Verdict::False), "false"),
        (with(Verdict::Undecided), "undecided"),
        (refused, "refused"),
    ];
    let failed = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"));
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() {
        return Ok(());
    }
    anyhow::bail!("of {}: {}", counted(checked.len(), "answer"), failed.join(", "))
}

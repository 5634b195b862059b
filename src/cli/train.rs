//! `train`: a learner plays, is judged, and leaves its policy.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use clap::error::ErrorKind;
use pencil_tennis::report::{CurveX, CurveY, PolicyFormat, TrainReport, check_folder, plot_curves, read_curve, write_curve};
use pencil_tennis::{
    CurvePoint, Error, Learner, LearnerKind, LearnerOptions, LearningCurve, Motion, Reward, Rules, Schedule, Scoring, Solution,
    Solver, Training,
};

use super::game_args::describe;
use super::{Format, grouped, interrupt, number, print_json, wrong_usage};

/// Train a learner by playing against itself, and judge it exactly on the way
#[derive(Debug, Args)]
#[command(after_help = learners())]
pub(super) struct Train {
    /// Which learner, see below
    #[arg(value_name = "LEARNER", required_unless_present = "resume")]
    learner: Option<LearnerKind>,
    /// Games to play, in all
    #[arg(long, value_name = "N", default_value = "100000", value_parser = games)]
    games: u64,
    /// Seed of the random numbers: the same seed gives the same policy [default: 1]
    #[arg(long, value_name = "S", conflicts_with = "resume")]
    seed: Option<u64>,
    /// The policy to write: FILE.csv, FILE.json or FILE.npz
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The learning curve to write, as csv
    #[arg(long, value_name = "CSV")]
    curve: Option<PathBuf>,
    /// The learning curve to draw, as SVG
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
    /// Where to save the training at every judgement, to be resumed
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a saved training, whose settings hold; a curve goes on where --curve has one
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    game: LearnedGame,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The game that is learned.
#[derive(Debug, Args)]
struct LearnedGame {
    /// Points each [default: 50]
    #[arg(long, value_name = "POINTS", conflicts_with = "resume", help_heading = "Rules")]
    points: Option<u32>,
    /// Positions on either side of the net [default: 2]
    #[arg(long, value_name = "K", conflicts_with = "resume", help_heading = "Rules")]
    field: Option<u32>,
    /// Whether a hit goes over the net or one field: net, step [default: net]
    #[arg(long, value_name = "MOTION", conflicts_with = "resume", help_heading = "Rules")]
    motion: Option<Motion>,
    /// What A wins at each end: two-one, win-loss or five numbers [default: two-one]
    #[arg(long, value_name = "SCORING", conflicts_with = "resume", allow_hyphen_values = true, help_heading = "Rules")]
    scoring: Option<Scoring>,
}

/// What can be changed about learners.
#[derive(Debug, Args)]
struct OptionArgs {
    /// What a won game is worth: win (1), points [default: win]
    #[arg(long, value_name = "REWARD", conflicts_with = "resume", help_heading = "Learning")]
    reward: Option<Reward>,
    /// A lost game takes W from the weights of the loser's bids, down to 1 [default: 0]
    #[arg(long, value_name = "W", conflicts_with = "resume", help_heading = "Learning")]
    loss: Option<u32>,
    /// A won bid counts up to F times as much if it is rare [default: 1]
    #[arg(long, value_name = "F", conflicts_with = "resume", help_heading = "Learning")]
    rare: Option<u32>,
    /// Weights change every X games [default: 1]
    #[arg(long, value_name = "X", conflicts_with = "resume", help_heading = "Learning")]
    every: Option<u64>,
    /// The share of games that start in the middle: a fifth to four fifths of the points, the ball anywhere [default: 0]
    #[arg(long, value_name = "SHARE", conflicts_with = "resume", help_heading = "Learning")]
    middle: Option<f64>,
    /// Such starts have a small difference of points more often
    #[arg(long, conflicts_with = "resume", help_heading = "Learning")]
    close: bool,
    /// Weights are halved every X games [default: never]
    #[arg(long, value_name = "X", conflicts_with = "resume", help_heading = "Learning")]
    forget: Option<u64>,
    /// Where to learn: sweeps over all states, or games [default: sweeps]
    #[arg(long, value_name = "SCHEDULE", conflicts_with = "resume", help_heading = "Learning")]
    schedule: Option<Schedule>,
    /// The share of bids drawn evenly from all legal ones [default: 0.05]
    #[arg(long, value_name = "SHARE", conflicts_with = "resume", help_heading = "Learning")]
    explore: Option<f64>,
}

impl OptionArgs {
    fn options(&self) -> LearnerOptions {
        let usual = LearnerOptions::default();
        LearnerOptions {
            reward: self.reward.unwrap_or(usual.reward),
            loss: self.loss.unwrap_or(usual.loss),
            rare: self.rare.unwrap_or(usual.rare),
            every: self.every.unwrap_or(usual.every),
            middle: self.middle.unwrap_or(usual.middle),
            close: self.close,
            forget: self.forget.unwrap_or(usual.forget),
            schedule: self.schedule.unwrap_or(usual.schedule),
            explore: self.explore.unwrap_or(usual.explore),
        }
    }
}

/// The learners there are, for the help.
fn learners() -> String {
    let mut text = "Learners:\n".to_owned();
    for kind in LearnerKind::ALL {
        let options = kind.options().join(" --");
        text.extend([format!("  {kind:<12} {}\n", kind.description()), format!("  {:12} options: --{options}\n", "")]);
    }
    text += "
At 1, 2, 5, 10, 20, … games the learner is judged: its exploitability, and what it wins against optimal play and against a player at
random. Of a training that Ctrl-C ends, the last judgement stays in the files of --curve and --save.

Examples:
  pencil-tennis train simple --games 500000 -o policy.npz && pencil-tennis exploit policy.npz
  pencil-tennis train extended --loss 1 --rare 10 --curve curve.csv
  pencil-tennis train simple --games 1000000 --save run.tennis
  pencil-tennis train --resume run.tennis --games 2000000 --save run.tennis";
    text
}

/// A number of games; 1e6 will do for 1000000.
pub(super) fn games(text: &str) -> Result<u64, String> {
    let plain = text.replace(['_', ','], "");
    let games = match plain.split_once(['e', 'E']) {
        Some((digits, exponent)) => {
            let power = exponent.parse().ok().and_then(|exponent| 10_u64.checked_pow(exponent));
            digits.parse().ok().zip(power).and_then(|(digits, power): (u64, u64)| digits.checked_mul(power))
        }
        None => plain.parse().ok(),
    };
    games.filter(|&games| games > 0).ok_or_else(|| "expected a number of games from 1, such as 500000 or 1e6".to_owned())
}

impl Train {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let paths = [&self.output, &self.curve, &self.plot, &self.save];
        for (place, path) in paths.iter().enumerate() {
            let Some(path) = path else { continue };
            check_folder(path)?;
            if paths[..place].iter().any(|other| other.as_ref() == Some(path)) {
                wrong_usage(ErrorKind::ArgumentConflict, &format!("{} would be written twice", path.display()));
            }
        }
        let format = self.output.as_deref().map(policy_format);
        let mut training = self.training()?;
        if training.games() > self.games {
            anyhow::bail!(
                "the saved training has played {} games already; expected more with --games",
                grouped(training.games() as usize)
            );
        }
        if self.games > training.most_games() {
            return Err(Error::TooManyGames { games: self.games, most: training.most_games() }.into());
        }
        let before = self.earlier_points(&training)?;
        let points = training.points();
        let solution = interrupt::solve(Solver::new(*training.rules()).points(points, points), None)?;
        let mut curve = LearningCurve::new(&solution)?;
        if self.format == Format::Text {
            write_head(&mut io::stdout().lock(), &training, &solution)?;
        }
        curve.resume(before);
        interrupt::watched(|| self.learn(&mut training, &mut curve))??;
        if curve.points().is_empty() {
            curve.note(&training)?;
        }
        self.keep(&training, curve.points())?;
        if let (Some(path), Some(format)) = (&self.output, format) {
            let policy = training.policy()?;
            interrupt::write(path, |out| format.write(&policy, out))?;
        }
        if let Some(path) = &self.plot {
            let curves = [(training.kind().to_string(), curve.points().to_vec())];
            let svg = plot_curves(&curves, CurveX::Games, CurveY::Exploitability)?;
            interrupt::write(path, |out| out.write_all(svg.as_bytes()))?;
        }
        let report = TrainReport::new(&training, curve.points());
        match self.format {
            Format::Json => print_json(solution.rules(), [points; 2], &report),
            Format::Text => Ok(write_tail(&mut io::stdout().lock(), &report)?),
        }
    }

    /// Plays all games, is judged on the way, and keeps the files up to date.
    fn learn(&self, training: &mut Training, curve: &mut LearningCurve) -> anyhow::Result<()> {
        let first = training.games();
        let mut kept = false;
        for games in LearningCurve::ladder(self.games).filter(|&games| games > first) {
            if training.games() >= games {
                // A learner that works in pieces is there already.
                continue;
            }
            let played = interrupt::play(self.games, |watch| curve.train_watched(training, games, watch))?;
            if let Err(Error::Cancelled) = played {
                let left = if kept { "the files are those of the last judgement" } else { interrupt::NOTHING };
                anyhow::bail!("interrupted; {left}");
            }
            played?;
            if let (Format::Text, Some(point)) = (self.format, curve.points().last()) {
                write_point(&mut io::stdout().lock(), point)?;
            }
            self.keep(training, curve.points())?;
            kept = self.curve.is_some() || self.save.is_some();
        }
        Ok(())
    }

    /// The training to begin or to go on with.
    fn training(&self) -> anyhow::Result<Training> {
        if let Some(path) = &self.resume {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let training = Training::from_bytes(&bytes).with_context(|| path.display().to_string())?;
            if let Some(asked) = self.learner.filter(|&asked| asked != training.kind()) {
                anyhow::bail!("{} holds a training of {}, not of {asked}", path.display(), training.kind());
            }
            return Ok(training);
        }
        let game = &self.game;
        let rules =
            Rules::new(game.field.unwrap_or(2), game.motion.unwrap_or_default(), game.scoring.unwrap_or_else(Scoring::two_one))?;
        let kind = self.learner.unwrap_or(LearnerKind::Simple);
        Ok(Training::new(kind, &rules, game.points.unwrap_or(50), self.options.options(), self.seed.unwrap_or(1))?)
    }

    /// The points of the curve that a resumed training goes on with.
    fn earlier_points(&self, training: &Training) -> anyhow::Result<Vec<CurvePoint>> {
        let Some(path) = self.curve.as_ref().filter(|path| self.resume.is_some() && path.exists()) else {
            return Ok(Vec::new());
        };
        let mut points = read_curve(path)?;
        points.retain(|point| point.games <= training.games());
        Ok(points)
    }

    /// Writes what can be taken up again.
    fn keep(&self, training: &Training, points: &[CurvePoint]) -> anyhow::Result<()> {
        if let Some(path) = &self.curve {
            interrupt::write(path, |out| write_curve(points, out))?;
        }
        if let Some(path) = &self.save {
            let bytes = training.to_bytes();
            interrupt::write(path, |out| out.write_all(&bytes))?;
        }
        Ok(())
    }
}

/// The format that a file's name asks for.
fn policy_format(path: &Path) -> PolicyFormat {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => PolicyFormat::Csv,
        Some("json") => PolicyFormat::Json,
        Some("npz") => PolicyFormat::Npz,
        _ => wrong_usage(
            ErrorKind::InvalidValue,
            &format!("cannot tell the format of {}; expected a name that ends in .csv, .json or .npz", path.display()),
        ),
    }
}

fn write_head(out: &mut impl Write, training: &Training, solution: &Solution) -> io::Result<()> {
    let points = training.points();
    writeln!(out, "{} learns {points}:{points} points, {}", training.kind(), describe(solution.rules()))?;
    writeln!(out, "  seed {}; guarantee: {}", training.seed(), training.kind().guarantee())?;
    writeln!(out)?;
    writeln!(
        out,
        "{:>15} {:>10} {:>16} {:>16} {:>16}",
        "games", "seconds", "exploitability", "against optimum", "against uniform"
    )
}

fn write_point(out: &mut impl Write, point: &CurvePoint) -> io::Result<()> {
    let games = grouped(point.games as usize);
    let CurvePoint { seconds, exploitability, against_optimum, against_uniform, .. } = point;
    writeln!(out, "{games:>15} {seconds:>10.3} {exploitability:>16.6} {against_optimum:>16.6} {against_uniform:>16.6}")
}

fn write_tail(out: &mut impl Write, report: &TrainReport) -> io::Result<()> {
    writeln!(out)?;
    if let Some(last) = report.curve.last() {
        writeln!(out, "  exploitability {} after {} games", number(last.exploitability), grouped(report.games as usize))?;
    }
    if let Some(speed) = report.games_per_second {
        writeln!(out, "  {} games a second, judging aside", grouped(speed as usize))?;
    }
    Ok(())
}

//! The command `train`.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use pencil_tennis::agents::{
    AgentError, CurvePoint, Learner, LearnerKind, LearnerOptions, LearningCurve, Reward, Schedule,
    Training,
};
use pencil_tennis::figures::{CurveX, CurveY, curve_figure};
use pencil_tennis::report::{Document, WriteCsv, read_curve, read_file};
use pencil_tennis::{Error, Solution, Solver};
use serde::Serialize;

use super::again::Kept;
use super::checkpoints::{self, Keeper, check_new};
use super::fold::columns;
use super::game_args::{RulesArgs, describe};
use super::interrupt::Interrupted;
use super::numbers::{between, grouped, named, number, seconds};
use super::output::{FileFormat, Output, settle, write_to};
use super::points::PointsArgs;
use super::progress::Bar;
use super::report::{FormatArgs, beside, check_all};
use super::screen::{Screen, counted, note};
use super::sentences::listed;
use super::usage::{check_options, wrong_usage};
use super::{interrupt, train_any};

/// A saved training knows its game.
const KEPT: Kept =
    Kept { option: "save", known: &["place", "points", "field", "motion", "scoring", "min_bid"] };

/// Train a learner by playing against itself, and judge it exactly on the way
#[derive(Debug, Args)]
#[command(after_help = learners())]
pub(super) struct Train {
    /// The learner, see below
    #[arg(value_name = "LEARNER", required_unless_present = "resume", value_parser = named::<LearnerKind>(LearnerKind::ALL.map(LearnerKind::name)))]
    learner: Option<LearnerKind>,
    #[command(flatten)]
    points: PointsArgs,
    /// Games to play, in all
    #[arg(long, value_name = "N", default_value = "100000", value_parser = games)]
    games: u64,
    /// Seed of the random numbers: the same seed gives the same policy [default: 1]
    #[arg(long, value_name = "S", conflicts_with = "resume", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    seed: Option<u64>,
    /// The policy to write: FILE.csv, FILE.json or FILE.npz
    #[arg(short, long, value_name = "FILE", help_heading = "Files")]
    output: Option<Output>,
    /// The learning curve to write, as csv
    #[arg(long, value_name = "CSV", help_heading = "Files")]
    curve: Option<Output>,
    /// The learning curve to draw, as SVG
    #[arg(long, value_name = "SVG", help_heading = "Files")]
    plot: Option<Output>,
    /// File for the training, a new one or that of --resume: written at every judgement, and
    /// regularly in between
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    save: Option<PathBuf>,
    /// Least number of seconds between two such writes
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, requires = "save")]
    #[arg(help_heading = "Files")]
    save_every: f64,
    /// Resume a saved training with its settings; --curve continues an existing curve
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
struct OptionArgs {
    /// Reward for a won game: win (1), points [default: win]
    #[arg(long, value_name = "REWARD", conflicts_with = "resume")]
    reward: Option<Reward>,
    /// A lost game takes W from the weights of the loser's bids, down to 1 [default: 0]
    #[arg(long, value_name = "W", value_parser = between::<u32>("a weight", 0, u64::from(u32::MAX)), conflicts_with = "resume")]
    loss: Option<u32>,
    /// A won bid counts up to F times as much if it is rare [default: 1]
    #[arg(long, value_name = "F", value_parser = between::<u32>("a factor", 0, u64::from(u32::MAX)), conflicts_with = "resume")]
    rare: Option<u32>,
    /// Weights change every X games [default: 1]
    #[arg(long, value_name = "X", value_parser = between::<u64>("a number of games", 0, u64::MAX), conflicts_with = "resume")]
    every: Option<u64>,
    /// The share of games that start in the middle: a fifth to four fifths of the points, the ball
    /// anywhere [default: 0]
    #[arg(long, value_name = "SHARE", conflicts_with = "resume")]
    middle: Option<f64>,
    /// Prefer such starts with a small difference of points
    #[arg(long, conflicts_with = "resume")]
    close: bool,
    /// Weights are halved every X games [default: never]
    #[arg(long, value_name = "X", value_parser = between::<u64>("a number of games", 0, u64::MAX), conflicts_with = "resume")]
    forget: Option<u64>,
    /// States to learn at: sweeps over all, or games [default: sweeps]
    #[arg(long, value_name = "SCHEDULE", conflicts_with = "resume")]
    schedule: Option<Schedule>,
    /// The share of bids drawn evenly from all legal ones [default: 0.05]
    #[arg(long, value_name = "SHARE", conflicts_with = "resume")]
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

fn learners() -> String {
    let mut text = "Learners:\n".to_owned();
    for kind in LearnerKind::ALL {
        let options = kind.options().join(" --");
        text.extend([
            format!("  {kind:<12} {}\n", kind.description()),
            format!("  {:12} options: --{options}\n", ""),
        ]);
    }
    text += "
After 1, 2, 5, 10, 20, … games the learner is judged: by its exploitability, and
by its payoffs against optimal play and a random player. Ctrl-C saves policy,
curve and training as they are, and prints how to continue.

In a game of other rules, with hidden information or without, `rm`, `rm-plus`,
`cfr-plus`, `exponential` (and `fictitious` where nothing is hidden) learn at
every state or information set in turn, each of which counts as a game.
`-o FILE.csv` writes what was learned as `export strategies` does.

Examples:
  pencil-tennis train simple --games 5e5 -o policy.npz
  pencil-tennis train extended --loss 1 --rare 10 --curve curve.csv
  pencil-tennis train simple 20 --games 1e6 --save run.tennis
  pencil-tennis train --resume run.tennis --games 2e6 --save run.tennis
  pencil-tennis train cfr-plus @kuhn -o how.csv   # another game";
    text
}

pub(super) fn games(text: &str) -> Result<u64, String> {
    between("a number of games", 1, u64::MAX)(text)
}

#[derive(Serialize)]
struct Report<'t> {
    learner: LearnerKind,
    guarantee: &'static str,
    points: [u32; 2],
    seed: u64,
    games: u64,
    games_per_second: Option<f64>,
    curve: &'t [CurvePoint],
}

/// More than the file of a training with the most points has.
const MOST_BYTES: u64 = 1 << 34;

impl Train {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(game) = self.points.other() {
            check_options(game, &["games", "output", "format"]);
            return train_any::train(
                self.learner,
                game,
                self.games,
                self.output.as_ref(),
                self.format,
            );
        }
        self.check()?;
        let keeper = Keeper::new(self.save.as_deref(), self.save_every, KEPT);
        let mut training = self.training()?;
        if training.games() > self.games {
            let played = counted(training.games() as usize, "game");
            anyhow::bail!(
                "the saved training has played {played} already; expected more with --games"
            );
        }
        if self.games > training.most_games() {
            return Err(Error::Agent(AgentError::TooManyGames {
                games: self.games,
                most: training.most_games(),
            })
            .into());
        }
        let before = self.earlier_points(&training)?;
        let points = training.points();
        let solution = checkpoints::solve(
            Solver::new(training.rules()).points([points, points]),
            &Keeper::default(),
        )?;
        let mut curve = LearningCurve::new(&solution)?;
        let mut out = beside(&self.outputs());
        if !self.format.is_json() {
            write_head(&mut out, &training, &solution)?;
        }
        curve.resume(before);
        interrupt::interruptible(|| {
            self.learn_and_write(&mut training, &mut curve, &keeper, &mut out)
        })?;
        let (learner, games, curve) = (training.kind(), training.games(), curve.points());
        let report = Report {
            learner,
            guarantee: learner.guarantee(),
            points: [points; 2],
            seed: training.seed(),
            games,
            // Judging takes time of its own.
            games_per_second: curve
                .last()
                .filter(|last| last.seconds > 0.0)
                .map(|last| games as f64 / last.seconds),
            curve,
        };
        self.format.print(
            &Document::new(solution.rules(), [points; 2], &report),
            &self.outputs(),
            |out| {
                writeln!(out)?;
                if let Some(last) = curve.last() {
                    writeln!(
                        out,
                        "  exploitability {} after {}",
                        number(last.exploitability),
                        counted(games as usize, "game")
                    )?;
                }
                let Some(speed) = report.games_per_second else { return Ok::<_, io::Error>(()) };
                writeln!(out, "  {} games a second, judging aside", grouped(speed as usize))
            },
        )
    }

    /// Trains and writes what was learned, also when interrupted.
    fn learn_and_write(
        &self,
        training: &mut Training,
        curve: &mut LearningCurve<'_>,
        keeper: &Keeper<'_>,
        out: &mut Screen,
    ) -> anyhow::Result<()> {
        let interrupted = match self.learn(training, curve, keeper, out) {
            Ok(()) => false,
            Err(error) if error.is::<Interrupted>() => true,
            Err(error) => return Err(error),
        };
        if interrupted {
            // The training is saved; a second Ctrl-C interrupts the saving.
            interrupt::acknowledge();
            if self.outputs().iter().all(Option::is_none) && self.save.is_none() {
                let played = counted(training.games() as usize, "game");
                return Err(
                    Interrupted(format!("{played} were played; {}", interrupt::remains())).into()
                );
            }
        }
        if curve.points().last().is_none_or(|last| last.games < training.games()) {
            curve.note(training)?;
        }
        self.write_results(training, curve.points())?;
        if interrupted { Err(Interrupted(self.how_to_go_on(training)).into()) } else { Ok(()) }
    }

    fn outputs(&self) -> [Option<&Output>; 3] {
        [self.output.as_ref(), self.curve.as_ref(), self.plot.as_ref()]
    }

    /// Checks all files before training.
    fn check(&self) -> anyhow::Result<()> {
        let save = self.save.clone().map(Output::File);
        let [output, curve, plot] = self.outputs();
        check_all(&[output, curve, plot, save.as_ref()], &[], self.format)?;
        if let Some(save) = &self.save {
            check_new(save, self.resume.as_deref())?;
        }
        if let Some(curve) = curve {
            curve.check_only("a curve", "csv");
        }
        if let Some(plot) = plot {
            plot.check_only("a picture", "svg");
            settle(
                Some(plot),
                None,
                plot.is_stdout().then_some(FileFormat::Svg),
                &[FileFormat::Svg],
            );
        }
        if self.resume.is_some() && (self.points.asked().is_some() || !self.rules.are_usual()) {
            wrong_usage(
                "a saved training knows its game; expected neither points (--points) nor rules beside --resume",
            );
        }
        if let Some([a, b]) = self.points.asked().filter(|[a, b]| a != b) {
            wrong_usage(format!(
                "learners play both sides; expected as many points for A as for B, not {a}:{b}"
            ));
        }
        // Exits if the name ends in no format of policies.
        output.map(Output::policy_format);
        Ok(())
    }

    fn learn(
        &self,
        training: &mut Training,
        curve: &mut LearningCurve<'_>,
        keeper: &Keeper<'_>,
        out: &mut Screen,
    ) -> anyhow::Result<()> {
        let mut bar = Bar::new("learning");
        let mut saved = Instant::now();
        for games in LearningCurve::ladder(self.games) {
            // A learner that works in batches may have passed it.
            if training.games() >= games {
                continue;
            }
            let trained = curve.train(training, games, |training| {
                bar.show(training.games() as f64 / self.games as f64);
                // It is judged before it is saved or stopped, so that no row of the curve is
                // missing when it goes on.
                if training.games() >= games {
                    return ControlFlow::Continue(());
                }
                if saved.elapsed() >= keeper.every() {
                    save_with(keeper, training);
                    saved = Instant::now();
                }
                interrupt::check_cancel()
            });
            interrupt::explained(trained)?;
            if let Some(point) = curve.points().last().filter(|_| !self.format.is_json()) {
                bar.aside(|| Ok(write_point(out, point)?))?;
            }
            if let Some(path) = self.curve.as_ref().and_then(Output::path)
                && let Err(error) =
                    interrupt::write_whole(path, &|out| curve.points().write_csv(out))
            {
                note(&format!("warning: {:#}; the training goes on", anyhow::Error::from(error)));
            }
            save_with(keeper, training);
            saved = Instant::now();
        }
        Ok(())
    }

    fn training(&self) -> anyhow::Result<Training> {
        if let Some(path) = &self.resume {
            let bytes = read_file(path, MOST_BYTES)?;
            let training =
                Training::from_bytes(&bytes).with_context(|| path.display().to_string())?;
            if let Some(asked) = self.learner.filter(|&asked| asked != training.kind()) {
                anyhow::bail!(
                    "{} holds a training of {}, not of {asked}",
                    path.display(),
                    training.kind()
                );
            }
            return Ok(training);
        }
        let kind = self.learner.unwrap_or(LearnerKind::Simple);
        match Training::new(
            kind,
            &self.rules.get()?,
            self.points.get()[0],
            self.options.options(),
            self.seed.unwrap_or(1),
        ) {
            Err(error @ Error::Agent(AgentError::LearnerOption { .. })) => wrong_usage(error),
            training => Ok(training?),
        }
    }

    fn earlier_points(&self, training: &Training) -> anyhow::Result<Vec<CurvePoint>> {
        let curve = self.curve.as_ref().and_then(Output::path);
        let Some(path) = curve.filter(|path| self.resume.is_some() && path.exists()) else {
            return Ok(Vec::new());
        };
        Ok(points_on_ladder(read_curve(path)?, training.games(), self.games))
    }

    /// Writes all files, also those after one that cannot be written.
    fn write_results(&self, training: &Training, points: &[CurvePoint]) -> anyhow::Result<()> {
        interrupt::together([
            self.write_training(training),
            write_to(self.curve.as_ref(), |out| points.write_csv(out)),
            self.write_policy(training),
            self.write_plot(training, points),
        ])
    }

    fn write_training(&self, training: &Training) -> anyhow::Result<()> {
        let Some(path) = &self.save else { return Ok(()) };
        let bytes = training.to_bytes();
        interrupt::write(path, None, &|out| out.write_all(&bytes))?;
        interrupt::set_resuming_command(Some(KEPT.again(path)));
        Ok(())
    }

    fn write_policy(&self, training: &Training) -> anyhow::Result<()> {
        if let Some(output) = &self.output {
            let policy = training.policy()?;
            output.write(|out| output.policy_format().write(&policy, out))?;
        }
        Ok(())
    }

    fn write_plot(&self, training: &Training, points: &[CurvePoint]) -> anyhow::Result<()> {
        if let Some(output) = &self.plot {
            let curves = [(training.kind().to_string(), points.to_vec())];
            let (each, rules) = (training.points(), describe(training.rules()));
            let svg = curve_figure(
                &format!("{each}:{each} points, {rules}"),
                &curves,
                CurveX::Games,
                CurveY::Exploitability,
            )?;
            output.write(|out| out.write_all(svg.as_bytes()))?;
        }
        Ok(())
    }

    fn how_to_go_on(&self, training: &Training) -> String {
        let files = self.outputs().into_iter().flatten().map(Output::name);
        let files: Vec<String> =
            files.chain(self.save.as_ref().map(|path| path.display().to_string())).collect();
        let have = if files.len() == 1 { "has" } else { "have" };
        let played = counted(training.games() as usize, "game");
        let files = listed(files);
        let Some(path) = &self.save else {
            return format!(
                "{files} {have} what was learned in {played}; only a training that --save keeps can go on"
            );
        };
        format!("{files} {have} what was learned in {played}; go on with: {}", KEPT.again(path))
    }
}

/// Saves a training on the way.
fn save_with(keeper: &Keeper<'_>, training: &Training) {
    let bytes = training.to_bytes();
    keeper.save(&|out| out.write_all(&bytes));
}

/// The rows of an earlier curve that a training of this many `games` in all, `played` of them so
/// far, has without interruptions: the first one at or after each step of the ladder.
fn points_on_ladder(points: Vec<CurvePoint>, played: u64, games: u64) -> Vec<CurvePoint> {
    let mut kept: Vec<CurvePoint> = Vec::new();
    for point in points.into_iter().filter(|point| point.games <= played) {
        let before = kept.last().map_or(0, |last| last.games);
        if LearningCurve::ladder(games).any(|step| before < step && step <= point.games) {
            kept.push(point);
        }
    }
    kept
}

fn write_head(out: &mut impl Write, training: &Training, solution: &Solution) -> io::Result<()> {
    let points = training.points();
    writeln!(
        out,
        "{} learns {points}:{points} points, {}",
        training.kind(),
        describe(solution.rules())
    )?;
    writeln!(out, "  seed {}", training.seed())?;
    writeln!(out, "  guarantee: {}", training.kind().guarantee())?;
    writeln!(
        out,
        "\n{}",
        curve_row([
            &"games",
            &"seconds",
            &"exploitability",
            &"against optimum",
            &"against uniform"
        ])
    )
}

fn write_point(out: &mut impl Write, point: &CurvePoint) -> io::Result<()> {
    let (games, seconds) = (grouped(point.games as usize), format!("{:.3}", point.seconds));
    let [a, b, c] = [point.exploitability, point.against_optimum, point.against_uniform]
        .map(|payoff| format!("{payoff:.6}"));
    writeln!(out, "{}", curve_row([&games, &seconds, &a, &b, &c]))
}

fn curve_row(cells: [&dyn Display; 5]) -> String {
    columns(" ", [15, 10, 16, 16, 16])(cells)
}

//! The command `tennis blind`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use pencil_tennis::blind::{
    BlindCheckpoint, BlindMethod, BlindPolicy, BlindSize, BlindSolution, BlindSolver,
    ValueOfInformation,
};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{Document, read_blind_policy, read_file, write_blind_policy};
use pencil_tennis::{Ball, DecimalBounds, Player, Rules, Solver, State};

use super::checkpoints::{self, CheckpointArgs, Keeper, Reached};
use super::game_args::{RulesArgs, WorkArgs, describe};
use super::interrupt::{self, Interrupted};
use super::numbers::{gap, grouped, seconds};
use super::output::{FileFormat, Output, settle};
use super::points::{PointsOption, read_points};
use super::report::{FormatArgs, check_all};
use super::screen::bounded;
use super::strategies::write_bids;
use super::usage::wrong_usage;

/// Solve blind Tennis: only the ball is announced, nobody knows the opponent's account
#[derive(Debug, Args)]
#[command(after_help = "\
Bids go to a game master, who announces only the ball. Whenever solving stops,
by the gap, by the time or by Ctrl-C, the bounds are proved: the security levels
of A's and of B's strategy. A checkpoint replaces no file but that of --resume.

Examples:
  pencil-tennis tennis blind 10:8                  # to a gap of 1e-6
  pencil-tennis tennis blind 8:7 --method lp       # as exactly as doubles allow
  pencil-tennis tennis blind 12 --seconds 60 --checkpoint 12.part
  pencil-tennis tennis blind --resume 12.part
  pencil-tennis tennis blind 7:5 --information     # beside the open game
  pencil-tennis tennis blind 6 -o blind.csv        # both strategies
  pencil-tennis tennis blind 6 --policy blind.csv  # how exploitable they are")]
pub(super) struct Blind {
    /// Points each, or A:B for A and B [default: 8]
    #[arg(value_name = "POINTS | A:B", conflicts_with = "points", value_parser = read_points)]
    place: Option<[u32; 2]>,
    #[command(flatten)]
    option: PointsOption,
    #[command(flatten)]
    rules: RulesArgs,
    /// Method: cfr, lp, or ipm (an interior-point method) [default: cfr, and ipm once that is
    /// likely to be faster]
    #[arg(long, value_name = "METHOD", help_heading = "Solving")]
    method: Option<BlindMethod>,
    /// Width of the bounds at which the search ends, as a share of the span of payoffs
    #[arg(long, value_name = "G", default_value_t = BlindSolver::GAP, value_parser = gap, help_heading = "Solving")]
    gap: f64,
    /// Seconds after which the search ends with the bounds reached
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Solving")]
    seconds: Option<f64>,
    #[command(flatten)]
    work: WorkArgs,
    /// Also compare with the open game, and with those in which one player alone is blind
    #[arg(long, conflicts_with = "policy")]
    information: bool,
    /// Judge a policy of blind Tennis (csv or json) instead of solving
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "checkpoint", "resume"], help_heading = "Files")]
    policy: Option<PathBuf>,
    /// Write both strategies: csv or json, by the ending
    #[arg(short, long, value_name = "FILE", help_heading = "Files")]
    output: Option<Output>,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    /// Resume from a checkpoint, which determines the game
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// The usual points of the blind game.
pub(super) const USUAL: [u32; 2] = [8; 2];

impl Blind {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.resume.is_some() && self.method.is_some_and(|method| method != BlindMethod::Regret)
        {
            wrong_usage(
                "a checkpoint has the state of cfr; expected --method cfr beside --resume, or no method",
            );
        }
        let [a, b] = self.place.or(self.option.points).unwrap_or(USUAL);
        let (rules, start) = (self.rules.get()?, State::new(a, b, Ball::NET));
        if let Some(path) = &self.policy {
            return self.judge(path, &rules, start);
        }
        let form = self
            .output
            .as_ref()
            .map(|output| settle(Some(output), None, None, &[FileFormat::Csv, FileFormat::Json]));
        let checkpoint = self.checkpoints.output();
        check_all(&[self.output.as_ref(), checkpoint.as_ref()], &[], self.format)?;
        self.checkpoints.check_new(self.resume.as_deref())?;
        let keeper = self.checkpoints.keeper();
        let Reached { solution, mut is_interrupted } = interrupt::interruptible(|| {
            let solved = self.solve(rules, start, &keeper)?;
            if let (Some(output), Some(form)) = (&self.output, form) {
                let policy = solved.solution.policy();
                output.write(|out| write_blind_policy(&policy, form.of_table(), out))?;
            }
            anyhow::Ok(solved)
        })?;
        let points = [solution.start().a, solution.start().b];
        let mut information = None;
        if self.information && !is_interrupted {
            let open = Solver::new(solution.rules()).points(points).solve()?;
            let compare = || {
                ValueOfInformation::new(&solution, &open, self.gap, |_| interrupt::check_cancel())
            };
            information = Some(interrupt::interruptible(compare)?);
            is_interrupted = interrupt::check_cancel().is_break();
        }
        let report = object! {
            #[serde(flatten)]
            solution: &solution,
            #[serde(skip_serializing_if = "super::report::is_null")]
            information: &information,
        };
        let text = |out: &mut _| write_text(out, &solution, information.as_ref());
        self.format.print(
            &Document::new(solution.rules(), points, &report),
            &[self.output.as_ref()],
            text,
        )?;
        if is_interrupted {
            let reached = "the bounds are those reached so far".to_owned();
            return Err(
                Interrupted(interrupt::remains_of(Some(reached)).unwrap_or_default()).into()
            );
        }
        Ok(())
    }

    fn solve(
        &self,
        rules: Rules,
        start: State,
        keeper: &Keeper<'_>,
    ) -> anyhow::Result<Reached<BlindSolution>> {
        let mut solver =
            BlindSolver::new(&rules).start(start).gap(self.gap).memory_limit(self.work.memory());
        if let Some(method) = self.method {
            solver = solver.method(method);
        }
        if let Some(seconds) = self.seconds {
            solver = solver.time_limit(Duration::from_secs_f64(seconds));
        }
        if let Some(threads) = self.work.threads {
            solver = solver.threads(threads);
        }
        if let Some(path) = &self.resume {
            let checkpoint = BlindCheckpoint::read(&read_file(path, MOST_BYTES)?);
            solver = solver.resume(checkpoint.with_context(|| path.display().to_string())?);
        }
        checkpoints::solve_blind(solver, self.gap, keeper)
    }

    fn judge(&self, path: &Path, rules: &Rules, start: State) -> anyhow::Result<()> {
        let policy = read_policy(path, rules, start)?;
        let (points, bounds) = ([start.a, start.b], policy.enclosure());
        // Half of the sum of both players' losses against best responses.
        let exploitability = bounds.width() / 2.0;
        let report = object! {
            points: points,
            #[serde(flatten)]
            bounds: bounds,
            exploitability: exploitability,
            information_sets: BlindSize::new(rules, start).information_sets,
        };
        let DecimalBounds { lower, upper, .. } = bounds.decimal();
        self.format.print(&Document::new(rules, points, &report), &[], |out| {
            writeln!(
                out,
                "{}:{} points, {}, only the ball is announced",
                start.a,
                start.b,
                describe(rules)
            )?;
            writeln!(out, "  as A the policy secures {lower}\n  as B the policy concedes {upper}")?;
            writeln!(out, "  exploitability {}", rounded_up(exploitability))
        })
    }
}

/// More than the file of the largest game has.
const MOST_BYTES: u64 = 1 << 36;

pub(super) fn read_policy(path: &Path, rules: &Rules, start: State) -> anyhow::Result<BlindPolicy> {
    read_blind_policy(&read_file(path, MOST_BYTES)?, rules, start)
        .with_context(|| path.display().to_string())
}

fn write_text(
    out: &mut impl Write,
    solution: &BlindSolution,
    information: Option<&ValueOfInformation>,
) -> io::Result<()> {
    let State { a, b, .. } = solution.start();
    let bounds = solution.enclosure();
    writeln!(out, "{a}:{b} points, {}, only the ball is announced", describe(solution.rules()))?;
    writeln!(out, "\n  worth {} to A", bounds.decimal())?;
    writeln!(out, "    proved: {}", bounded(&bounds, "value"))?;
    writeln!(out, "    a gap of {}", rounded_up(bounds.width()))?;
    let size = BlindSize::new(solution.rules(), solution.start());
    let [sets_a, sets_b] = size.information_sets.map(|sets| grouped(sets as usize));
    let [left_a, left_b] = solution.decisions().map(grouped);
    writeln!(out, "  {sets_a} information sets of A, {sets_b} of B")?;
    writeln!(out, "    of which {left_a} and {left_b} leave a choice that matters")?;
    let iterations = if solution.iterations() > 0 {
        format!(", {} iterations", solution.iterations())
    } else {
        String::new()
    };
    writeln!(
        out,
        "  {:.3} s (method {}{iterations})\n",
        solution.elapsed().as_secs_f64(),
        solution.method()
    )?;
    let [a, b] = Player::BOTH.map(|player| Vec::from(&solution.opening(player)));
    write_bids(out, &a, &b)?;
    if let Some(information) = information {
        writeln!(out)?;
        write_information(out, information)?;
    }
    Ok(())
}

fn write_information(out: &mut impl Write, information: &ValueOfInformation) -> io::Result<()> {
    writeln!(out, "What knowing is worth: proved bounds of the value to A")?;
    let rows = [
        ("both see all bids", information.open),
        ("both are blind", information.blind),
        ("A alone is blind", information.one_blind.a),
        ("B alone is blind", information.one_blind.b),
    ];
    for (who, bounds) in rows {
        let DecimalBounds { lower, upper, .. } = bounds.decimal();
        writeln!(out, "  {who:<20} {lower} to {upper}")?;
    }
    writeln!(out, "Bids of the open game, for a guess of the points that the opponent has:")?;
    for (guess, bounds) in &information.guesses {
        let DecimalBounds { lower, upper, .. } = bounds.decimal();
        writeln!(out, "  the {guess:<7} A secures {lower}, B concedes {upper}")?;
    }
    Ok(())
}

//! `solve`: every state, reported in a few lines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use pencil_tennis::report::{OutcomesReport, SolveReport, StateReport, UniqueCounts, check_folder};
use pencil_tennis::{Outcome, Solution, rounded_up};

use super::game_args::{ExactArgs, GameArgs, Points, Refine, RefineArgs, describe, name_table, open_table};
use super::interrupt::{self, Checkpoints};
use super::show::{write_refinement, write_strategies};
use super::{Format, grouped, print_json, wrong_usage};

/// Solve every state of the game and report
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pencil-tennis solve                              50 points each, two-one scoring
  pencil-tennis solve 50:40                        A starts with 50 points, B with 40
  pencil-tennis solve 50 --motion step --scoring 1,0,0,0,-1     Footsteps
  pencil-tennis solve 50 --field 3 --motion step --scoring win-loss     Oshi-Zumo
  pencil-tennis solve 100 --format json
  pencil-tennis solve --outcomes                   how games end among perfect players
  pencil-tennis solve 200 --save 200.table         then: show 180:150@-1 --table 200.table
  pencil-tennis solve 1000 --strategies again --checkpoint 1000.part     after a crash: --resume 1000.part")]
pub(super) struct Solve {
    /// Points each, or A:B [default: 50]
    #[arg(value_name = "POINTS")]
    points: Option<Points>,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    /// Write the solution to a table file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    save: Option<PathBuf>,
    /// Write what is solved so far to this file now and then
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    checkpoint: Option<PathBuf>,
    /// How often, at most
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, requires = "checkpoint", help_heading = "Files")]
    checkpoint_every: f64,
    /// Go on from a checkpoint; the file says which game it is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exact", "strategies", "method"], help_heading = "Files")]
    resume: Option<PathBuf>,
    /// Whether strategies are kept, or found again when they are asked for, which takes less memory
    #[arg(long, value_enum, default_value_t, help_heading = "Solving")]
    strategies: Strategies,
    /// Also count the states whose optimal strategies are the only ones; --exact decides more of them
    #[arg(long)]
    unique: bool,
    /// Also tell how games end, how long they last and what is left, if both players bid optimally; takes about three times as long
    #[arg(long, conflicts_with = "resume")]
    outcomes: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Strategies {
    #[default]
    Keep,
    Again,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds, 0 or more".to_owned())
}

impl Solve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.outcomes && self.strategies == Strategies::Again {
            wrong_usage(ErrorKind::ArgumentConflict, "--outcomes needs strategies that are kept; expected no --strategies again");
        }
        for path in [&self.save, &self.checkpoint].into_iter().flatten() {
            check_folder(path)?;
        }
        let mut solver = self.game.solver(self.points.unwrap_or(Points { a: 50, b: 50 }), self.exact.exact)?;
        solver = solver.keep_strategies(self.strategies == Strategies::Keep);
        if let Some(path) = &self.resume {
            let file = open_table(path)?;
            self.game.check_agrees(self.points, &file)?;
            solver = solver.resume(file);
        }
        let every = Duration::from_secs_f64(self.checkpoint_every);
        let checkpoints = self.checkpoint.as_deref().map(|path| Checkpoints { path, every });
        let solution = interrupt::solve(solver, checkpoints).map_err(|error| name_table(error, self.resume.as_deref()))?;
        if let Some(path) = &self.save {
            interrupt::write(path, |out| solution.write_table(out))?;
        }
        let mut report = SolveReport::new(&solution)?;
        if self.unique {
            report.unique_states = Some(UniqueCounts::new(&solution)?);
        }
        if self.outcomes {
            report.outcomes = Some(OutcomesReport::new(&solution)?);
        }
        if let Some(Refine::Dresher) = self.refine.refine {
            report.start = StateReport::refined(&solution, solution.start())?;
        }
        match self.format {
            Format::Json => print_json(solution.rules(), solution.points(), &report),
            Format::Text => Ok(write_text(&mut io::stdout().lock(), &solution, &report)?),
        }
    }
}

fn write_text(out: &mut impl Write, solution: &Solution, report: &SolveReport) -> io::Result<()> {
    let [a, b] = report.points;
    let seconds = &report.seconds;
    let states = report.states;
    let randomised = report.randomised_states;
    writeln!(out, "{a}:{b} points, {}", describe(solution.rules()))?;
    writeln!(out)?;
    writeln!(out, "  {} states solved in {:.3} s", grouped(states), seconds.total)?;
    writeln!(
        out,
        "    strategies {:.3} s (method {}), proof of the bounds {:.3} s",
        seconds.solve, report.method, seconds.certify
    )?;
    writeln!(out, "    widest guaranteed interval of any value: {}", rounded_up(report.widest_enclosure))?;
    if let Some(exact) = report.exact_states {
        writeln!(out, "  {} states have an exact value within the limit", grouped(exact))?;
    }
    writeln!(out, "  {} states need luck: an optimal player randomises", grouped(randomised))?;
    writeln!(out, "  {} states do not: one bid is best, even if it is announced", grouped(states - randomised))?;
    if let Some(counts) = report.unique_states {
        for (player, count) in [("A", counts.a), ("B", counts.b)] {
            let [unique, several, unknown] = [count.unique, count.several, count.unknown].map(grouped);
            writeln!(
                out,
                "  {player}'s optimal strategy is the only one in {unique} states, one of several in {several}, undecided in {unknown}"
            )?;
        }
    }
    writeln!(out)?;
    writeln!(out, "The start, {}, is worth {} to A", report.start.state, report.start.bounds.decimal.value)?;
    writeln!(out)?;
    write_strategies(out, &report.start)?;
    write_refinement(out, &report.start)?;
    writeln!(out)?;
    if let Some(outcomes) = &report.outcomes {
        write_outcomes(out, outcomes)?;
    }
    writeln!(out, "Look at any state with `show`, for example: show {a}:{b}@-1")
}

/// How games end, how long they last, what is left.
fn write_outcomes(out: &mut impl Write, outcomes: &OutcomesReport) -> io::Result<()> {
    writeln!(out, "Among optimal players")?;
    for (outcome, probability) in Outcome::ALL.into_iter().zip(outcomes.ends.probabilities()) {
        writeln!(out, "  {outcome:<26} {:>9.4} %", 100.0 * probability)?;
    }
    writeln!(out)?;
    let rows = [("turns", &outcomes.turns), ("points A has left", &outcomes.left.a), ("points B has left", &outcomes.left.b)];
    writeln!(out, "  {:<18} {:>7} {:>7} {:>7} {:>7}", "", "mean", "5 %", "median", "95 %")?;
    for (what, number) in rows {
        let [low, middle, high] = [0.05, 0.5, 0.95].map(|share| number.quantile(share));
        writeln!(out, "  {what:<18} {:>7.2} {low:>7} {middle:>7} {high:>7}", number.mean)?;
    }
    writeln!(out)
}

//! `solve`: every state, reported in a few lines.

use std::io::{self, Write};

use clap::Args;
use pencil_tennis::Solution;
use pencil_tennis::report::{SolveReport, UniqueCounts};

use super::game_args::{ExactArgs, GameArgs, Points, describe};
use super::show::write_strategies;
use super::{Format, grouped, number, print_json};

/// Solve every state of the game and report
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pencil-tennis solve                              50 points each, two-one scoring
  pencil-tennis solve 50:40                        A starts with 50 points, B with 40
  pencil-tennis solve 50 --motion step --scoring 1,0,0,0,-1     Footsteps
  pencil-tennis solve 50 --field 3 --motion step --scoring win-loss     Oshi-Zumo
  pencil-tennis solve 100 --format json")]
pub(super) struct Solve {
    /// Points each, or A:B
    #[arg(value_name = "POINTS", default_value = "50")]
    points: Points,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    exact: ExactArgs,
    /// Also count the states whose optimal strategies are the only ones; --exact decides more of them
    #[arg(long)]
    unique: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Solve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let solution = self.game.solve(self.points, self.exact.exact)?;
        let mut report = SolveReport::new(&solution)?;
        if self.unique {
            report.unique = Some(UniqueCounts::new(&solution)?);
        }
        match self.format {
            Format::Json => print_json(&report),
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
    writeln!(out, "    widest guaranteed interval of any value: {}", number(report.widest_enclosure))?;
    if let Some(exact) = report.exact_states {
        writeln!(out, "  {} states have an exact value within the limit", grouped(exact))?;
    }
    writeln!(out, "  {} states need luck: an optimal player randomises", grouped(randomised))?;
    writeln!(out, "  {} states do not: one bid is best, even if it is announced", grouped(states - randomised))?;
    if let Some(counts) = report.unique {
        for (player, count) in [("A", counts.a), ("B", counts.b)] {
            let [unique, several, unknown] = [count.unique, count.several, count.unknown].map(grouped);
            writeln!(
                out,
                "  {player}'s optimal strategy is the only one in {unique} states, one of several in {several}, undecided in {unknown}"
            )?;
        }
    }
    writeln!(out)?;
    writeln!(out, "The start, {}, is worth {} to A", report.start.state, report.start.value)?;
    writeln!(out)?;
    write_strategies(out, &report.start)?;
    writeln!(out)?;
    writeln!(out, "Look at any state with `show`, for example: show {a}:{b}@-1")
}

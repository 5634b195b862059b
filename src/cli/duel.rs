//! `duel`: two players meet.

use std::io::{self, Write};
use std::ops::ControlFlow;

use clap::Args;
use pencil_tennis::report::{DuelReport, IntervalReport};
use pencil_tennis::{Ball, Duel as Games, Error, State};

use super::agent::{AGENTS, Agent};
use super::game_args::{GameArgs, Points, describe};
use super::train::games;
use super::{Format, grouped, interrupt, print_json};

/// Games are played in pieces of so many between two looks at the keyboard.
const PIECE: u64 = 10_000;

/// Let two players play many games, next to what is expected exactly
#[derive(Debug, Args)]
#[command(after_help = format!("\
{AGENTS}

Examples:
  pencil-tennis duel optimal uniform
  pencil-tennis duel lookahead:2:nothing uniform --points 20
  pencil-tennis train simple --games 500000 -o simple.npz && pencil-tennis duel simple.npz optimal --games 1e6"))]
pub(super) struct Duel {
    /// Who plays A
    #[arg(value_name = "AGENT")]
    a: String,
    /// Who plays B
    #[arg(value_name = "AGENT")]
    b: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value = "100000", value_parser = games)]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Sampled games for every leaf of a lookahead [default: the exact expectation]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Points each, or A:B
    #[arg(long, value_name = "POINTS", default_value = "50", help_heading = "Rules")]
    points: Points,
    #[command(flatten)]
    game: GameArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Duel {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let rules = self.game.rules()?;
        let points = [self.points.a, self.points.b];
        let read = |name| Agent::read(name, &rules, points, self.playouts);
        let [a, b] = [read(&self.a)?, read(&self.b)?];
        let solution = if a.is_optimal() || b.is_optimal() { Some(self.game.solve(self.points, None)?) } else { None };
        let [a, b] = [a.policy(solution.as_ref())?, b.policy(solution.as_ref())?];
        let mut duel = Games::new(&rules, State::new(points[0], points[1], Ball::NET), &a, &b, self.seed)?;
        let played = interrupt::play(self.games, |watch| {
            while duel.games() < self.games {
                duel.play(PIECE.min(self.games - duel.games()));
                if let ControlFlow::Break(()) = watch(duel.games()) {
                    return Err(Error::Cancelled);
                }
            }
            Ok(())
        })?;
        if played.is_err() {
            anyhow::bail!("interrupted after {} games", grouped(duel.games() as usize));
        }
        let report = DuelReport::new(&duel, [&self.a, &self.b], self.seed);
        match self.format {
            Format::Json => print_json(&rules, points, &report),
            Format::Text => Ok(write_text(&mut io::stdout().lock(), &report, &describe(&rules))?),
        }
    }
}

fn write_text(out: &mut impl Write, report: &DuelReport, rules: &str) -> io::Result<()> {
    writeln!(out, "{} as A meets {} as B from {}, {rules}", report.a, report.b, report.start)?;
    writeln!(out, "  {} games, seed {}", grouped(report.games as usize), report.seed)?;
    writeln!(out)?;
    writeln!(out, "  {:<27} {:>13} {:>10} {:>23} {:>11}", "", "games", "share", "95 % interval", "exact")?;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    for end in &report.outcomes {
        let interval = format!("{} to {}", percent(end.interval.lower), percent(end.interval.upper));
        let count = grouped(end.count as usize);
        writeln!(out, "  {:<27} {count:>13} {:>10} {interval:>23} {:>11}", end.outcome, percent(end.share), percent(end.exact))?;
    }
    writeln!(out)?;
    match report.mean_interval {
        Some(IntervalReport { lower, upper }) => {
            writeln!(out, "  A wins {:.6} a game, 95 % interval {lower:.6} to {upper:.6}", report.mean)?;
        }
        None => writeln!(out, "  A wins {}", report.mean)?,
    }
    writeln!(out, "    exactly {}", report.exact_bounds.decimal.value)?;
    writeln!(out, "  {:.4} turns a game, exactly {:.4}", report.mean_turns, report.exact_turns)
}

//! `duel`: players meet, two of them or each with every other.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;
use clap::error::ErrorKind;
use pencil_tennis::report::{DuelReport, IntervalReport};
use pencil_tennis::{Ball, Duel as Games, Error, Policy, Rules, State};
use serde::Serialize;

use super::agent::{AGENTS, check_playouts, read_attended};
use super::fold::write_folded;
use super::game_args::{SolvedArgs, describe};
use super::interrupt::Interrupted;
use super::numbers::between;
use super::points::{Points, PointsOption};
use super::progress::Bar;
use super::screen::counted;
use super::train::games;
use super::{Format, Screen, grouped, interrupt, print_json, wrong_usage};

/// The number of games played between two looks at the keyboard.
const PIECE: u64 = 10_000;

/// Let players play many games, next to what is expected exactly
#[derive(Debug, Args)]
#[command(after_help = format!("\
Of two players the first plays A. More than two meet in a round robin: everybody
plays A against everybody else.

{AGENTS}

Examples:
  pencil-tennis duel optimal uniform
  pencil-tennis duel lookahead:2:nothing uniform 20
  pencil-tennis duel optimal uniform lookahead:1:uniform 10 --games 1e4
  pencil-tennis train simple --games 5e5 -o simple.npz
  pencil-tennis duel simple.npz optimal --games 1e6"))]
pub(super) struct Duel {
    /// Two players or more; the points may follow: `50`, or `50:40` for A and B
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Games to play, for each two players
    #[arg(long, value_name = "N", default_value = "100000", value_parser = games)]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value = "1", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    seed: u64,
    /// Sampled games for every leaf of a lookahead [default: the exact expectation]
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of games", 1, u32::MAX as u64))]
    playouts: Option<u32>,
    #[command(flatten)]
    points: PointsOption,
    #[command(flatten)]
    solved: SolvedArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A round robin, for scripts.
#[derive(Serialize)]
struct RoundRobin {
    players: Vec<Standing>,
    matches: Vec<DuelReport>,
}

/// The results of a player against all others.
#[derive(Serialize)]
struct Standing {
    player: String,
    /// The player's expected payoff a game over all others and both roles, computed exactly.
    exact: f64,
    /// The same in the games played.
    mean: f64,
}

impl Duel {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        let points = self.points()?;
        check_playouts(self.playouts, &self.players);
        let game = self.solved.open(points, None)?;
        let (rules, points) = (game.rules, game.points.both());
        let read = |name: &String| read_attended(name, &rules, points, self.playouts);
        let agents = self.players.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if self.solved.table().is_some() && !agents.iter().any(super::agent::Agent::is_optimal) {
            wrong_usage(ErrorKind::ArgumentConflict, "--table has no effect: none of the players is `optimal`");
        }
        let solution = if agents.iter().any(super::agent::Agent::is_optimal) { Some(game.solution()?) } else { None };
        let policies = agents.into_iter().map(|agent| agent.policy(solution.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let pairs: Vec<[usize; 2]> = if policies.len() == 2 {
            vec![[0, 1]]
        } else {
            let all = 0..policies.len();
            all.clone().flat_map(|a| all.clone().map(move |b| [a, b])).filter(|[a, b]| a != b).collect()
        };
        let reports = self.play(&rules, points, &policies, &pairs)?;
        let mut out = Screen::new();
        match (reports.as_slice(), self.format) {
            ([report], Format::Json) => print_json(&rules, points, report),
            ([report], Format::Text) => Ok(write_text(&mut out, report, &describe(&rules))?),
            (_, format) => {
                let robin = RoundRobin { players: self.standings(&pairs, &reports), matches: reports };
                match format {
                    Format::Json => print_json(&rules, points, &robin),
                    Format::Text => Ok(self.write_robin(&mut out, &pairs, &robin, points, &describe(&rules))?),
                }
            }
        }
    }

    /// The points, which may stand behind the players.
    fn points(&mut self) -> anyhow::Result<Option<Points>> {
        let last = self.players.last().filter(|last| !Path::new(last).exists());
        let starts_like = last.is_some_and(|last| last.starts_with(|first: char| first.is_ascii_digit()));
        let behind =
            last.filter(|_| starts_like).map(|last| last.parse::<Points>().map_err(|reason| anyhow::anyhow!("{last}: {reason}")));
        let Some(behind) = behind.transpose()? else { return Ok(self.points.points) };
        self.players.pop();
        if self.players.len() < 2 {
            wrong_usage(ErrorKind::TooFewValues, "a duel needs two players; expected another one before the points");
        }
        if self.points.points.is_some() {
            wrong_usage(ErrorKind::ArgumentConflict, "the points are given twice; expected them once");
        }
        Ok(Some(behind))
    }

    /// Plays all games of all pairs.
    fn play(
        &self,
        rules: &Rules,
        [a, b]: [u32; 2],
        policies: &[Policy],
        pairs: &[[usize; 2]],
    ) -> anyhow::Result<Vec<DuelReport>> {
        let mut bar = Bar::new("playing");
        let all = self.games as f64 * pairs.len() as f64;
        let mut reports = Vec::new();
        for &[first, second] in pairs {
            let start = State::new(a, b, Ball::NET);
            let mut duel = Games::new(rules, start, &policies[first], &policies[second], self.seed)?;
            let played = interrupt::attended(|| {
                while duel.games() < self.games {
                    duel.play(PIECE.min(self.games - duel.games()));
                    bar.show((reports.len() as f64 * self.games as f64 + duel.games() as f64) / all);
                    if let ControlFlow::Break(()) = interrupt::asked() {
                        return Err(Error::Cancelled);
                    }
                }
                Ok(())
            });
            if played.is_err() {
                bar.clear();
                let games = reports.len() as u64 * self.games + duel.games();
                return Err(Interrupted(format!("{} were played; nothing was written", counted(games as usize, "game"))).into());
            }
            reports.push(DuelReport::new(&duel, [&self.players[first], &self.players[second]], self.seed));
        }
        bar.clear();
        Ok(reports)
    }

    /// The expected payoff of every player.
    fn standings(&self, pairs: &[[usize; 2]], reports: &[DuelReport]) -> Vec<Standing> {
        let of = |player: usize| {
            let [mut exact, mut mean, mut matches] = [0.0; 3];
            for (&[a, b], report) in pairs.iter().zip(reports) {
                let sign = if a == player { 1.0 } else { -1.0 };
                if a == player || b == player {
                    exact += sign * report.exact;
                    mean += sign * report.mean;
                    matches += 1.0;
                }
            }
            Standing { player: self.players[player].clone(), exact: exact / matches, mean: mean / matches }
        };
        (0..self.players.len()).map(of).collect()
    }

    fn write_robin(
        &self,
        out: &mut impl Write,
        pairs: &[[usize; 2]],
        robin: &RoundRobin,
        [a, b]: [u32; 2],
        rules: &str,
    ) -> io::Result<()> {
        writeln!(out, "Round robin from {}, {rules}", State::new(a, b, Ball::NET))?;
        writeln!(out, "  {} for each two players, seed {}", counted(self.games as usize, "game"), self.seed)?;
        writeln!(out, "\nWhat a player wins a game, on average over all others and both roles")?;
        writeln!(out, "  {:>3}  {:>12} {:>12}  player", "", "exactly", "played")?;
        for (place, Standing { player, exact, mean }) in (1..).zip(&robin.players) {
            writeln!(out, "  {place:>3}  {exact:>12.6} {mean:>12.6}  {player}")?;
        }
        writeln!(out, "\nWhat A wins a game exactly, by the player who is A (rows) and who is B")?;
        let numbers: Vec<String> = (1..=robin.players.len()).map(|place| place.to_string()).collect();
        let cell = |a: usize, b: usize| {
            let place = pairs.iter().position(|&pair| pair == [a, b]);
            place.map_or("-".to_owned(), |place| format!("{:.4}", robin.matches[place].exact))
        };
        let rows: Vec<(String, Vec<String>)> =
            (0..numbers.len()).map(|a| (numbers[a].clone(), (0..numbers.len()).map(|b| cell(a, b)).collect())).collect();
        write_folded(out, (5, 10), &numbers, &rows)
    }
}

fn write_text(out: &mut impl Write, report: &DuelReport, rules: &str) -> io::Result<()> {
    writeln!(out, "{} as A meets {} as B from {}", report.a, report.b, report.start)?;
    writeln!(out, "  {rules}")?;
    writeln!(out, "  {}, seed {}", counted(report.games as usize, "game"), report.seed)?;
    writeln!(out)?;
    writeln!(out, "  {:<25} {:>12} {:>9} {:>20} {:>8}", "", "games", "share", "95 % interval", "exact")?;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    for end in &report.outcomes {
        let interval = format!("{:.3} to {}", 100.0 * end.interval.lower, percent(end.interval.upper));
        let count = grouped(end.count as usize);
        writeln!(out, "  {:<25} {count:>12} {:>9} {interval:>20} {:>8}", end.outcome, percent(end.share), percent(end.exact))?;
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

//! The command `tennis series`.

use std::io::{self, Write};

use clap::Args;
use pencil_tennis::analysis::{Score, Series, SeriesError, SolvedScore};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::Document;
use pencil_tennis::{Error, Player, Solver};

use super::fold::{Widths, write_folded};
use super::game_args::{GameArgs, describe, hint};
use super::interrupt;
use super::numbers::between;
use super::points::PointsArgs;
use super::report::FormatArgs;
use super::screen::bounded;
use super::strategies::write_bids;
use super::usage::wrong_usage;

const TABLE_SIDE: u32 = 15;

/// Solve a match: games until a player has N winning points
#[derive(Debug, Args)]
#[command(after_help = "\
The scoring says how many winning points an end gives: by default two for
hitting the ball out, one for the ball on the other side. A game that gives none
is played again. If the players start with different points, the accounts are
exchanged after every game.

Examples:
  pencil-tennis tennis series --to 10             # the chance at every score
  pencil-tennis tennis series --to 3 --score 2-1  # how to open the game at 2-1
  pencil-tennis tennis series 30:28 --to 5 --format json")]
pub(super) struct SeriesCommand {
    /// The winning points that take the match
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of winning points", 1, Series::LONGEST as u64))]
    to: u32,
    #[command(flatten)]
    points: PointsArgs,
    /// Show this score alone, `A-B`, with the first bids of the next game
    #[arg(long, value_name = "A-B")]
    score: Option<Score>,
    /// With --score: the accounts are exchanged in the next game
    #[arg(long, requires = "score")]
    exchanged: bool,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl SeriesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let points @ [a, b] = self.points.get();
        if self.exchanged && a == b {
            wrong_usage(
                "--exchanged has no effect: accounts are exchanged only if the players start with different points",
            );
        }
        if let Some(score) = self.score.filter(|score| score.a >= self.to || score.b >= self.to) {
            return Err(Error::Series(SeriesError::Outside {
                score: score.to_string(),
                to: self.to,
            })
            .into());
        }
        let solver = self.game.set(Solver::new(&self.game.rules.get()?).points(points), None);
        let series =
            interrupt::with_progress("solving", |watch| solver.on_progress(watch).series(self.to))?;
        let (rules, points) = (series.rules(), series.points());
        let Some(score) = self.score else {
            return self.format.print(&Document::new(rules, points, &series), &[], |out| {
                write_text(out, &series)
            });
        };
        let solved = series.solved(if self.exchanged { score.exchanged() } else { score })?;
        self.format.print(&Document::new(rules, points, &solved), &[], |out| {
            write_score(out, &series, &solved)
        })
    }
}

fn write_head(out: &mut impl Write, series: &Series) -> io::Result<()> {
    let ([a, b], to) = (series.points(), series.to());
    let exchanged =
        if series.alternates() { "\n  accounts are exchanged after every game" } else { "" };
    writeln!(out, "First to {to}, games of {a}:{b} points, {}{exchanged}", describe(series.rules()))
}

fn write_text(out: &mut impl Write, series: &Series) -> io::Result<()> {
    write_head(out, series)?;
    writeln!(
        out,
        "  widest guaranteed interval of any chance: {}",
        rounded_up(series.widest_enclosure())
    )?;
    if series.to() > TABLE_SIDE {
        return writeln!(out, "\n--format json has the tables");
    }
    for exchanged in if series.alternates() { &[false, true][..] } else { &[false] } {
        let [mut a, mut b] = series.points();
        if *exchanged {
            std::mem::swap(&mut a, &mut b);
        }
        let scores: Vec<SolvedScore<'_>> =
            series.scores().filter(|solved| solved.score.exchanged == *exchanged).collect();
        let next = if series.alternates() {
            format!(" if the next game starts with {a}:{b}")
        } else {
            String::new()
        };
        writeln!(
            out,
            "\nA's chance of winning the match in per cent{next},\nby A's winning points (rows) and B's"
        )?;
        write_table(out, series.to(), &scores, |score| {
            format!("{:.4}", 100.0 * score.chance.middle())
        })?;
        for player in if series.alternates() { &Player::BOTH[..] } else { &[Player::A] } {
            writeln!(out, "\n{player}'s first bid on average{next}")?;
            write_table(out, series.to(), &scores, |score| {
                format!("{:.3}", score.opening.strategy(*player).mean())
            })?;
        }
    }
    if !series.alternates() {
        writeln!(out, "\nB bids at a score as A does at its mirror image")?;
    }
    let ([a, b], to) = (series.points(), series.to());
    let game = if a == b { a.to_string() } else { format!("{a}:{b}") };
    let example =
        hint(&format!("tennis series {game} --to {to} --score 0-0"), series.rules(), None);
    writeln!(out, "Look at one score alone, for example: {example}")
}

fn write_table(
    out: &mut impl Write,
    to: u32,
    scores: &[SolvedScore<'_>],
    cell: impl Fn(&SolvedScore<'_>) -> String,
) -> io::Result<()> {
    write_folded(
        out,
        Widths { names: 4, cell: 10 },
        0..to,
        scores.chunks(to as usize).map(|row| row.iter().map(&cell)).enumerate(),
    )
}

fn write_score(
    out: &mut impl Write,
    series: &Series,
    SolvedScore { score, chance, opening, .. }: &SolvedScore<'_>,
) -> io::Result<()> {
    write_head(out, series)?;
    let exchanged = if score.exchanged { ", accounts exchanged," } else { "" };
    writeln!(
        out,
        "At {}-{}{exchanged} A wins the match with a chance of {}",
        score.a,
        score.b,
        chance.decimal()
    )?;
    writeln!(out, "  proved: {}", bounded(chance, "chance"))?;
    writeln!(out, "\nThe next game begins")?;
    write_bids(out, &Vec::from(&opening.a), &Vec::from(&opening.b))
}

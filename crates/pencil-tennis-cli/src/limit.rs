//! The command `tennis limit`.

use std::io::Write;

use clap::Args;
use pencil_tennis::bounds::Enclosure;
use pencil_tennis::report::Document;
use pencil_tennis::{Ball, GameError, Limit, Player, Solver, State};
use serde::Serialize;

use super::game_args::{GameArgs, describe};
use super::numbers::grouped;
use super::output::Output;
use super::points::PointsArgs;
use super::report::{FormatArgs, check_all};
use super::solve::Strategies;
use super::{certificate_file, interrupt};

/// Bound the value at all multiples of some points, by two small games
#[derive(Debug, Args)]
#[command(after_help = "\
A game in which A may bid 0 and hits on ties, and its mirror image, bound the
value with k times the points, for every k: docs/limit.md has the theorem and
its proof. Bids are multiplied by k, too.

Examples:
  pencil-tennis tennis limit 100
  pencil-tennis tennis limit 400 --format json
  pencil-tennis tennis limit 60:50 --scoring win-loss
  pencil-tennis tennis limit 50 --upper upper.proof && pencil-tennis verify upper.proof")]
pub(super) struct LimitCommand {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Write a certificate of the game that bounds from above
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    upper: Option<Output>,
    /// Write a certificate of the game that bounds from below; its mirror image proves the same
    /// where the game is even
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    lower: Option<Output>,
    #[command(flatten)]
    format: FormatArgs,
}

impl LimitCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let outputs = [self.upper.as_ref(), self.lower.as_ref()];
        check_all(&outputs, &[], self.format)?;
        // Certificates are made of strategies.
        let is_certified = self.upper.is_some() || self.lower.is_some();
        let strategies = if is_certified { Strategies::Keep } else { Strategies::Again };
        let limit = self.game.limit(self.points.get(), strategies)?;
        let mut certificates = Vec::new();
        for (output, favoured) in outputs.into_iter().zip(Player::BOTH) {
            let Some(output) = output else { continue };
            let Some(game) = limit.game(favoured) else {
                anyhow::bail!(
                    "the lower game is the mirror image of the upper one; expected --upper alone"
                );
            };
            let certificate = interrupt::with_progress("proving", |watch| game.certificate(watch))?;
            certificates.push((output, game, certificate));
        }
        for (output, game, certificate) in certificates {
            certificate_file::write_tennis(output, &certificate, |proof| game.agrees_with(proof))?;
        }
        let balls = limit
            .rules()
            .balls()
            .map(|ball| at_ball(&limit, ball))
            .collect::<anyhow::Result<Vec<_>>>()?;
        // The report begins with the entries for the ball on B's first position.
        let first = &balls[limit.rules().field() as usize + 1];
        let report = object! { #[serde(flatten)] first: first, balls: &balls };
        let document = Document::new(limit.rules(), limit.points(), &report);
        self.format.print(&document, &outputs, |out| write_text(out, &limit))
    }
}

impl GameArgs {
    pub(super) fn limit(&self, points: [u32; 2], strategies: Strategies) -> anyhow::Result<Limit> {
        let solver = self
            .set(Solver::new(&self.rules.get()?).points(points), None)
            .keep_strategies(strategies == Strategies::Keep);
        interrupt::with_progress("solving", |watch| solver.on_progress(watch).limit())
    }
}

fn at_ball(limit: &Limit, ball: Ball) -> anyhow::Result<impl Serialize> {
    let [a, b] = limit.points();
    let state = State::new(a, b, ball);
    let shares = |player: Player| -> anyhow::Result<Vec<_>> {
        let share = |bid: u32| f64::from(bid) / f64::from(state.points(player));
        let strategy = limit.strategy(player, state)?;
        let bids = strategy.probabilities();
        Ok(bids.map(|(bid, probability)| object! { bid: bid, share: share(bid), probability: probability }).collect())
    };
    Ok(object! {
        state: state,
        #[serde(flatten)]
        bounds: limit.bounds(state)?,
        #[serde(skip_serializing_if = "super::report::is_null")]
        all: bounds_of_all(limit, ball)?.map(|(from, bounds)| object! { from: from, #[serde(flatten)] bounds: bounds }),
        a: shares(Player::A)?,
        b: shares(Player::B)?,
    })
}

/// Bounds for all equal accounts from some size on.
fn bounds_of_all(limit: &Limit, ball: Ball) -> Result<Option<(u64, Enclosure)>, GameError> {
    let [a, b] = limit.points();
    (a == b && a > 1).then(|| limit.bounds_of_all(ball)).transpose()
}

/// Writes both bounds in millionths, rounded outward.
fn between(bounds: &Enclosure) -> String {
    let [lower, upper] = [bounds.integers().lower, -bounds.integers().upper].map(|bound| {
        // A bound has 62 bits, a million 20. Shifting rounds down.
        (i128::from(bound) * 1_000_000) >> bounds.unit_exponent()
    });
    let decimal = |millionths: i128| {
        let size = millionths.unsigned_abs();
        format!(
            "{}{}.{:06}",
            if millionths < 0 { "-" } else { "" },
            size / 1_000_000,
            size % 1_000_000
        )
    };
    format!("{:>9} and {:>9}", decimal(lower), decimal(-upper))
}

fn write_text(out: &mut impl Write, limit: &Limit) -> anyhow::Result<()> {
    let ([a, b], balls) = (limit.points(), || limit.rules().balls());
    writeln!(out, "{a}:{b} points times k, {}", describe(limit.rules()))?;
    writeln!(out, "\nFor every k >= 1 the value lies between (proved)")?;
    for ball in balls() {
        writeln!(
            out,
            "  at {a}k:{b}k@{:<3} {}",
            ball.position(),
            between(&limit.bounds(State::new(a, b, ball))?)
        )?;
    }
    if let Some((from, _)) = bounds_of_all(limit, Ball::NET)? {
        writeln!(
            out,
            "\nFor every N >= {} the value lies between (proved)",
            grouped(from as usize)
        )?;
        for ball in balls() {
            let (_, bounds) = limit.bounds_of_all(ball)?;
            writeln!(out, "  at N:N@{:<5} {}", ball.position(), between(&bounds))?;
        }
    }
    writeln!(
        out,
        "\nHow A secures the first of these numbers: bids in each tenth of the account, %"
    )?;
    writeln!(out, "  ball    0  10  20  30  40  50  60  70  80  90")?;
    for ball in balls() {
        write!(out, "  {:>4} ", ball.position())?;
        let mut tenths = [0.0; 10];
        for (bid, probability) in limit.strategy(Player::A, State::new(a, b, ball))?.probabilities()
        {
            tenths[((f64::from(bid) / f64::from(a) * 10.0) as usize).min(9)] += probability;
        }
        for probability in tenths {
            write!(out, "{:>4.0}", 100.0 * probability)?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(
        out,
        "\nA bid i of the small game is a bid of k times i; --format json has all of them"
    )?)
}

use std::io::{self, Write};

use clap::Args;
use pencil_tennis::bounds::Enclosure;
use pencil_tennis::report::Document;
use pencil_tennis::{Ball, BidStrategy, Limit, Player, Solver, State};
use serde::Serialize;

use super::game_args::{GameArgs, describe};
use super::output::{Output, check_all};
use super::points::PointsArgs;
use super::{FormatArgs, grouped, interrupt};

/// Bound the value at all multiples of some points, by two small games
#[derive(Debug, Args)]
#[command(after_help = "\
A game in which A may bid 0 and hits on ties, and its mirror image, bound the
value with k times the points, for every k: docs/limit.md has the theorem and
its proof. Bids are multiplied by k, too.

Examples:
  pencil-tennis limit 100
  pencil-tennis limit 400 --format json
  pencil-tennis limit 60:50 --scoring win-loss
  pencil-tennis limit 50 --upper upper.proof && pencil-tennis verify upper.proof")]
pub(super) struct LimitCommand {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Write a certificate of the game that bounds from above
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    upper: Option<Output>,
    /// Write a certificate of the game that bounds from below; its mirror image proves the same where the game is even
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    lower: Option<Output>,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Serialize)]
struct Report {
    /// With the ball on B's first field.
    #[serde(flatten)]
    first: AtBall,
    balls: Vec<AtBall>,
}

#[derive(Clone, Serialize)]
struct AtBall {
    state: State,
    #[serde(flatten)]
    bounds: Enclosure,
    /// For all equal accounts from some size on.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<All>,
    a: Vec<BidShare>,
    b: Vec<BidShare>,
}

#[derive(Clone, Serialize)]
struct All {
    from: u64,
    #[serde(flatten)]
    bounds: Enclosure,
}

#[derive(Clone, Serialize)]
struct BidShare {
    bid: u32,
    share: f64,
    probability: f64,
}

impl LimitCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let outputs = [self.upper.as_ref(), self.lower.as_ref()];
        check_all(&outputs, &[], self.format)?;
        let limit = self.game.limit(self.points.get(), self.upper.is_some() || self.lower.is_some())?;
        let mut certificates = Vec::new();
        for (output, favoured) in outputs.into_iter().zip(Player::BOTH) {
            let Some(output) = output else { continue };
            let Some(certificate) = interrupt::with_spinner("proving", || limit.certificate(favoured)) else {
                anyhow::bail!("the lower game is the mirror image of the upper one; expected --upper alone");
            };
            certificates.push((output, certificate));
        }
        for (output, certificate) in certificates {
            output.write(|out| out.write_all(&certificate))?;
        }
        let field = limit.rules().field();
        let balls = (-field..=field).map(|ball| AtBall::new(&limit, Ball::new(ball)?)).collect::<anyhow::Result<Vec<_>>>()?;
        let report = Report { first: balls[field as usize + 1].clone(), balls };
        let document = Document::new(limit.rules(), limit.points(), &report);
        self.format.print(&document, &outputs, |out| write_text(out, &limit, &report.balls))
    }
}

impl GameArgs {
    pub(super) fn limit(&self, points: [u32; 2], keep_strategies: bool) -> anyhow::Result<Limit> {
        let solver = self.set(Solver::new(&self.rules.get()?).points(points), None).keep_strategies(keep_strategies);
        interrupt::with_progress("solving", |watch| solver.on_progress(|progress| watch(progress.work)).limit())
    }
}

impl AtBall {
    fn new(limit: &Limit, ball: Ball) -> anyhow::Result<Self> {
        let [a, b] = limit.points();
        let state = State::new(a, b, ball);
        let all = if a == b && a > 1 { Some(limit.bounds_of_all(ball)?) } else { None };
        let shares = |player: Player| -> anyhow::Result<Vec<BidShare>> {
            let share =
                |(bid, probability)| BidShare { bid, share: f64::from(bid) / f64::from(state.points(player)), probability };
            Ok(BidStrategy::probabilities(&limit.strategy(player, state)?).map(share).collect())
        };
        let all = all.map(|(from, bounds)| All { from, bounds });
        Ok(Self { state, bounds: limit.bounds(state)?, all, a: shares(Player::A)?, b: shares(Player::B)? })
    }
}

/// Writes both bounds in millionths, rounded outward.
fn between(bounds: &Enclosure) -> String {
    let [lower, upper] = [bounds.integers().lower, -bounds.integers().upper].map(|bound| {
        // A bound has 62 bits, a million 20. Shifting rounds down.
        (i128::from(bound) * 1_000_000) >> bounds.unit_exponent()
    });
    let decimal = |millionths: i128| {
        let size = millionths.unsigned_abs();
        format!("{}{}.{:06}", if millionths < 0 { "-" } else { "" }, size / 1_000_000, size % 1_000_000)
    };
    format!("{:>9} and {:>9}", decimal(lower), decimal(-upper))
}

fn write_text(out: &mut impl Write, limit: &Limit, balls: &[AtBall]) -> io::Result<()> {
    let [a, b] = limit.points();
    writeln!(out, "{a}:{b} points times k, {}", describe(limit.rules()))?;
    writeln!(out, "\nFor every k >= 1 the value lies between (proved)")?;
    for AtBall { state, bounds, .. } in balls {
        writeln!(out, "  at {a}k:{b}k@{:<3} {}", state.ball.position(), between(bounds))?;
    }
    if let Some(All { from, .. }) = &balls[0].all {
        writeln!(out, "\nFor every N >= {} the value lies between (proved)", grouped(*from as usize))?;
        for AtBall { state, all, .. } in balls {
            if let Some(All { bounds, .. }) = all {
                writeln!(out, "  at N:N@{:<5} {}", state.ball.position(), between(bounds))?;
            }
        }
    }
    writeln!(out, "\nHow A secures the first of these numbers: bids in each tenth of the account, %")?;
    writeln!(out, "  ball    0  10  20  30  40  50  60  70  80  90")?;
    for ball in balls {
        write!(out, "  {:>4} ", ball.state.ball.position())?;
        let mut tenths = [0.0; 10];
        for BidShare { share, probability, .. } in &ball.a {
            tenths[((share * 10.0) as usize).min(9)] += probability;
        }
        for probability in tenths {
            write!(out, "{:>4.0}", 100.0 * probability)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nA bid i of the small game is a bid of k times i; --format json has all of them")
}

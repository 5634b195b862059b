//! Tennis in which A's points may double, solved with proof: `cargo run --release --example doubled_tennis -- 6`.
//!
//! A may bid 0 and hits on ties, as in the game that bounds Tennis at all multiples of some points from above. Where both accounts
//! are at most half of the most points, A chooses: to double them both, or to play real Tennis with what is there. The value bounds
//! Tennis with 2, 4, 8 … times the points: `docs/limit.md` has the proof.

use std::process::ExitCode;

use num_rational::BigRational;
use pencil_tennis::stochastic_game::{GameRules, Kind, Node, Outcomes, StochasticGameError, StochasticSolution};
use pencil_tennis::{Ball, State};
use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules: Tennis' field and payoffs.
#[derive(Clone, Copy, Debug)]
pub struct Doubled {
    /// The most points of a player.
    pub points: i32,
}

/// A's points, B's points, the ball, and whether A has chosen real Tennis.
pub type Position = (i32, i32, i32, bool);

impl Doubled {
    /// Whether A chooses, and nobody bids.
    fn doubles(self, (a, b, _, real): Position) -> bool {
        !real && a.max(b) <= self.points / 2
    }
}

/// The bids of both players begin here.
fn smallest((a, b, _, real): Position) -> [i32; 2] {
    [a.min(real.into()), b.min(1)]
}

impl GameRules for Doubled {
    type State = Position;

    fn starts(&self) -> Vec<Position> {
        let accounts = || 0..=self.points;
        accounts().flat_map(|a| accounts().flat_map(move |b| (-2..=2).map(move |ball| (a, b, ball, false)))).collect()
    }

    fn node(&self, &position: &Position) -> Node {
        let (a, b, ball, _) = position;
        let [least_a, least_b] = smallest(position);
        match ball {
            -2..=2 if a == 0 && b == 0 => Node::over(ball.signum()),
            -2..=2 if self.doubles(position) => Node::Choose { a: 2, b: 1 },
            -2..=2 => Node::Choose { a: (a - least_a + 1) as usize, b: (b - least_b + 1) as usize },
            _ => Node::over(2 * ball.signum()),
        }
    }

    fn after(&self, &position: &Position, own: usize, other: usize, outcomes: &mut Outcomes<Position>) {
        let (a, b, ball, real) = position;
        if self.doubles(position) {
            return outcomes.to(if own == 0 { (2 * a, 2 * b, ball, false) } else { (a, b, ball, true) });
        }
        let [least_a, least_b] = smallest(position);
        let [bid_a, bid_b] = [least_a + own as i32, least_b + other as i32];
        let hit = match bid_a.cmp(&bid_b) {
            std::cmp::Ordering::Less => (ball - 1).min(-1),
            std::cmp::Ordering::Equal if real => ball,
            _ => (ball + 1).max(1),
        };
        outcomes.to((a - bid_a, b - bid_b, hit, real));
    }

    fn kind(&self) -> Kind {
        Kind::Recursive
    }

    /// The worst for A, who never needs to double for ever.
    fn endless(&self, _: &Position) -> BigRational {
        BigRational::from_integer((-2).into())
    }
}

/// Bounds of Tennis at equal accounts of the most points, times every power of 2, with this ball.
pub fn bounds(solution: &StochasticSolution<Doubled>, points: i32, ball: i32) -> Result<[f64; 2], StochasticGameError> {
    let upper = |ball| solution.enclosure(&(points, points, ball, false)).map(|enclosure| enclosure.upper());
    Ok([-upper(-ball)?, upper(ball)?])
}

fn main() -> ExitCode {
    run("doubled_tennis [POINTS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let points = argument(1, "number of points", 6, 1..=100)?;
    let solution = solve(Doubled { points })?;
    for ball in 0..=2 {
        let [lower, upper] = bounds(&solution, points, ball)?;
        say!("for every power of 2, times {points}:{points}@{ball} is worth {lower:.6} to {upper:.6}");
    }
    let strategies = solution.strategies(&(points, points, 1, false))?;
    say!("at {points}:{points}@1 B bids {}", shown(&strategies[1], |bid| (bid + 1).to_string()));
    let real = pencil_tennis::solve(4 * points as u32)?;
    for position @ (a, b, ball, _) in (Doubled { points }).starts() {
        for power in [1, 2, 4] {
            let state = State::new((power * a) as u32, (power * b) as u32, Ball::new(ball)?);
            let [value, upper] = [real.enclosure(state)?.lower(), solution.enclosure(&position)?.upper()];
            if value > upper {
                return Err(format!("{state} is worth {value}, more than {upper}").into());
            }
        }
    }
    say!("every state of Tennis with 1, 2 and 4 times the points is worth no more than its bound");
    Ok(())
}

//! Littman's soccer, solved with proof: `cargo run --release --example markov_soccer -- 10`.
//!
//! On 4 × 5 squares both players choose at the same time to step up, down, left or right, or to
//! stand; a coin decides who moves first. Who steps on the ball has it. Who steps onto the other's
//! square with the ball loses it to the other; no one moves then. A player with the ball who leaves
//! the field through the goal, the two middle squares of the other's end, has scored. Every turn
//! takes a tenth off what a goal is worth. (Littman 1994, in the rules of `markov_soccer` in
//! `OpenSpiel`.)

use std::process::ExitCode;

use num_rational::BigRational;
use pencil_tennis::num_rational;
use pencil_tennis::stochastic_game::{GameRules, Kind, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Soccer {
    /// After how many turns a goal is worth nothing if every turn took as much as the first: the
    /// discount is 1 − 1/this.
    pub turns: i64,
}

/// A row and a column.
pub type Square = (i8, i8);

/// Who has the ball, or where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ball {
    /// A has it, or B.
    With(usize),
    /// It lies on a square.
    On(Square),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Play goes on.
    Play {
        /// A's and B's square.
        players: [Square; 2],
        /// The ball.
        ball: Ball,
    },
    /// A has scored, or B.
    Goal(usize),
}

const NAMES: [&str; 5] = ["up", "down", "left", "right", "stand"];
const STEPS: [Square; 5] = [(-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)];

/// The position after a player's step.
fn step(position: Position, player: usize, (down, right): Square) -> Position {
    let Position::Play { mut players, ball } = position else { return position };
    let to = (players[player].0 + down, players[player].1 + right);
    let is_inside = (0..4).contains(&to.0) && (0..5).contains(&to.1);
    let goal = if player == 0 { 5 } else { -1 };
    if ball == Ball::With(player) && to.1 == goal && (1..=2).contains(&to.0) {
        return Position::Goal(player);
    }
    if !is_inside || to == players[player] {
        return position;
    }
    if to == players[1 - player] {
        let ball = if ball == Ball::With(player) { Ball::With(1 - player) } else { ball };
        return Position::Play { players, ball };
    }
    players[player] = to;
    Position::Play { players, ball: if ball == Ball::On(to) { Ball::With(player) } else { ball } }
}

impl Soccer {
    /// The position at the start with this ball.
    pub fn start(ball: Ball) -> Position {
        Position::Play { players: [(2, 1), (1, 3)], ball }
    }
}

impl GameRules for Soccer {
    type State = Position;

    /// The ball lies before either player.
    fn starts(&self) -> Vec<Position> {
        [(1, 2), (2, 2)].map(|square| Self::start(Ball::On(square))).into()
    }

    fn kind(&self) -> Kind {
        Kind::Discounted
    }

    fn discount(&self) -> BigRational {
        BigRational::new((self.turns - 1).into(), self.turns.into())
    }

    fn node(&self, position: &Position) -> Node {
        match position {
            Position::Goal(player) => Node::over(if *player == 0 { 1 } else { -1 }),
            Position::Play { .. } => Node::Choose { a: 5, b: 5 },
        }
    }

    fn after(&self, &position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let steps = [STEPS[a], STEPS[b]];
        for first in [0, 1] {
            outcomes.by_chance(
                1,
                step(step(position, first, steps[first]), 1 - first, steps[1 - first]),
            );
        }
    }
}

fn main() -> ExitCode {
    run("markov_soccer [TURNS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let solution = solve(Soccer { turns: argument(1, "number of turns", 10, 2..=1_000_000)? })?;
    for (where_it_is, ball) in [
        ("lies before B", Ball::On((1, 2))),
        ("lies before A", Ball::On((2, 2))),
        ("is with A", Ball::With(0)),
        ("is with B", Ball::With(1)),
    ] {
        let start = Soccer::start(ball);
        let [a, b] = solution
            .strategies(&start)?
            .map(|strategy| shown(&strategy, |step| NAMES[step].to_owned()));
        say!(
            "the ball {where_it_is}: worth {:.12} to A; A: {a}; B: {b}",
            solution.enclosure(&start)?.middle()
        );
    }
    Ok(())
}

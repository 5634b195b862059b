//! Pursuit on a grid, solved with proof: `cargo run --release --example pursuit -- 8 30`.
//!
//! Two kings on a chessboard: A hunts B. At the same time both step to one of the eight squares
//! around their own, or stay. B is caught on A's square, and when both change places. A wins 1 if
//! that happens within so many turns, else nothing.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Pursuit {
    /// The length of the board's side, at least 2.
    pub side: i8,
    /// The number of turns.
    pub turns: u8,
}

/// A column and a row.
pub type Square = (i8, i8);

/// Where both are; nowhere when B is caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A's and B's square.
    pub squares: Option<[Square; 2]>,
    /// The turns left.
    pub turns: u8,
}

impl Pursuit {
    /// Where one can go.
    fn steps(&self, (x, y): Square) -> impl Iterator<Item = Square> {
        let last = self.side - 1;
        let near = move |at: i8| (at - 1).max(0)..=(at + 1).min(last);
        near(y).flat_map(move |y| near(x).map(move |x| (x, y)))
    }

    /// The player who stands in one corner hunts the one in the opposite corner.
    pub fn corners(&self) -> Position {
        let last = self.side - 1;
        Position { squares: Some([(0, 0), (last, last)]), turns: self.turns }
    }
}

impl GameRules for Pursuit {
    type State = Position;

    fn starts(&self) -> Vec<Position> {
        vec![self.corners()]
    }

    fn node(&self, position: &Position) -> Node {
        match (position.squares, position.turns) {
            (None, _) => Node::over(1),
            (_, 0) => Node::over(0),
            (Some([a, b]), _) => {
                Node::Choose { a: self.steps(a).count(), b: self.steps(b).count() }
            }
        }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let Some([from_a, from_b]) = position.squares else { return };
        let (Some(to_a), Some(to_b)) = (self.steps(from_a).nth(a), self.steps(from_b).nth(b))
        else {
            return;
        };
        let is_caught = to_a == to_b || (to_a, to_b) == (from_b, from_a);
        outcomes.to(if is_caught {
            Position { squares: None, turns: 0 }
        } else {
            Position { squares: Some([to_a, to_b]), turns: position.turns - 1 }
        });
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1)
    }

    /// The board may be turned and mirrored.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let last = self.side - 1;
        let images = (0..8).map(|symmetry| {
            position.squares.map(|squares| {
                squares.map(|(x, y)| {
                    let x = if symmetry & 1 == 1 { last - x } else { x };
                    let y = if symmetry & 2 == 2 { last - y } else { y };
                    if symmetry & 4 == 4 { (y, x) } else { (x, y) }
                })
            })
        });
        (Position { squares: images.min().unwrap_or_default(), ..position }, false)
    }
}

fn main() -> ExitCode {
    run("pursuit [SIDE] [TURNS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Pursuit {
        side: argument(1, "length of a side", 5, 2..=100)?,
        turns: argument(2, "number of turns", 20, 0..=255)?,
    };
    let (start, last) = (rules.corners(), rules.side - 1);
    let solution = solve(rules)?;
    say!(
        "within {} turns B is caught from corner to corner with {}",
        start.turns,
        solution.enclosure(&start)?.middle()
    );
    let near = |turns| Position { squares: Some([(1, 1), (0, 0)]), turns };
    let later = start.turns.saturating_sub(last as u8);
    for turns in (1..=later).filter(|turns| turns % 5 == 0 || *turns < 5) {
        say!(
            "within {turns:3} turns in the corner with {:.6}",
            solution.enclosure(&near(turns))?.middle()
        );
    }
    if later > 0 {
        let [a, b] = solution.strategies(&near(later))?;
        say!(
            "in the corner A goes {}; B goes {}",
            shown(&a, |step| step.to_string()),
            shown(&b, |step| step.to_string())
        );
    }
    Ok(())
}

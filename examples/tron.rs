//! Tron on a small grid, solved with proof: `cargo run --release --example tron -- 4`.
//!
//! Two riders draw walls behind them. At the same time both ride to a square beside their own where
//! no wall is and nobody was. Who has no such square crashes, and both do who ride to the same
//! square. Who crashes alone has lost; else it is a draw.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Tron {
    /// The squares beside each square.
    neighbours: Vec<Vec<u8>>,
    /// For each way to turn and mirror the board where its squares go.
    symmetries: Vec<Vec<u8>>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// The ride goes on.
    Ride {
        /// The squares of A and B.
        riders: [u8; 2],
        /// The squares where one can not go, theirs among them, by their bits.
        walls: u64,
    },
    /// The ride is over, and A receives this.
    Over(i8),
}

impl Tron {
    /// On a board with this length of a side, from 2 to 8.
    pub fn new(side: u8) -> Self {
        let squares = || (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let neighbours_of = |(x, y): (u8, u8)| {
            let neighbours = squares().filter(|&(u, v)| x.abs_diff(u) + y.abs_diff(v) == 1);
            neighbours.map(|(u, v)| v * side + u).collect()
        };
        let symmetries = (0..8).map(|symmetry| {
            let image = |(x, y): (u8, u8)| {
                let x = if symmetry & 1 == 1 { side - 1 - x } else { x };
                let y = if symmetry & 2 == 2 { side - 1 - y } else { y };
                if symmetry & 4 == 4 { x * side + y } else { y * side + x }
            };
            squares().map(image).collect()
        });
        Self {
            neighbours: squares().map(neighbours_of).collect(),
            symmetries: symmetries.collect(),
        }
    }

    /// The riders on these squares, before the first turn.
    pub fn start(riders: [u8; 2]) -> Position {
        Position::Ride { riders, walls: riders.iter().map(|square| 1_u64 << square).sum() }
    }

    /// The squares to which a rider can go.
    fn free(&self, rider: u8, walls: u64) -> impl Iterator<Item = u8> {
        self.neighbours[usize::from(rider)]
            .iter()
            .copied()
            .filter(move |square| walls >> square & 1 == 0)
    }
}

impl GameRules for Tron {
    type State = Position;

    /// All pairs of squares.
    fn starts(&self) -> Vec<Position> {
        let squares = 0..self.neighbours.len() as u8;
        let pairs = squares.clone().flat_map(|a| squares.clone().map(move |b| [a, b]));
        pairs.filter(|[a, b]| a != b).map(Self::start).collect()
    }

    fn node(&self, position: &Position) -> Node {
        match *position {
            Position::Over(payoff) => Node::over(payoff),
            Position::Ride { riders, walls } => {
                // Who can not go anywhere has one action: to crash.
                let [a, b] = riders.map(|rider| self.free(rider, walls).count().max(1));
                Node::Choose { a, b }
            }
        }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let &Position::Ride { riders, walls } = position else { return };
        let next = [self.free(riders[0], walls).nth(a), self.free(riders[1], walls).nth(b)];
        outcomes.to(match next {
            [Some(a), Some(b)] if a != b => {
                Position::Ride { riders: [a, b], walls: walls | 1 << a | 1 << b }
            }
            [a, b] => Position::Over(i8::from(a.is_some()) - i8::from(b.is_some())),
        });
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1)
    }

    /// The board may be turned and mirrored, and the players exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let Position::Ride { riders: [a, b], walls } = position else { return (position, false) };
        let images = [false, true].into_iter().flat_map(|exchanged| {
            let riders = if exchanged { [b, a] } else { [a, b] };
            self.symmetries
                .iter()
                .map(move |image| (riders.map(|rider| image[usize::from(rider)]), image, exchanged))
        });
        // Only those whose riders come first are looked at.
        let least = images.clone().map(|(riders, ..)| riders).min();
        let walled = images.filter(|(riders, ..)| Some(*riders) == least).map(
            |(riders, image, exchanged)| {
                let squares = (0..image.len()).filter(|square| walls >> square & 1 == 1);
                (
                    Position::Ride {
                        riders,
                        walls: squares.map(|square| 1 << image[square]).sum(),
                    },
                    exchanged,
                )
            },
        );
        walled.min().unwrap_or((position, false))
    }
}

fn main() -> ExitCode {
    run("tron [SIDE]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let side = argument(1, "length of a side", 4, 2..=8)?;
    let solution = solve(Tron::new(side))?;
    let corner = 0;
    say!("A in the upper left corner, B where the number stands, which is what A wins on average:");
    for row in 0..side {
        let values = (0..side).map(|column| match row * side + column {
            0 => Ok("      A".to_owned()),
            square => {
                Ok(format!("{:7.3}", solution.enclosure(&Tron::start([corner, square]))?.middle()))
            }
        });
        say!("{}", values.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?.concat());
    }
    let [a, b] = solution.strategies(&Tron::start([corner, side * side - 1]))?;
    say!(
        "from opposite corners A goes {} and B goes {}",
        shown(&a, |way| way.to_string()),
        shown(&b, |way| way.to_string())
    );
    Ok(())
}

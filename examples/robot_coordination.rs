//! Robot coordination, a case study of the model checker PRISM-games, solved with proof:
//! `cargo run --release --example robot_coordination -- 5`.
//!
//! Two robots on a square grid cross it from opposite corners, one to the north-east, one to the
//! south-west. At the same time both choose one of two sides to go to, or the corner between; with
//! 1/10 the wheels slip, to either side alike. Robot 1 is to come to its goal before both stand on
//! one square, whatever robot 2 does. (Kwiatkowska, Norman, Parker and Santos 2019.)

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Kind, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Robots {
    /// The length of the grid's side, at least 2.
    pub side: u8,
}

/// The steps that either robot has come, to the east or west and to the north or south.
pub type Position = [[u8; 2]; 2];

/// Squares with weights out of 20.
type Step = [(u64, [u8; 2]); 3];

const NAMES: [&str; 3] = ["ahead", "aside", "across"];

impl Robots {
    /// What a robot can do: the two straight moves and the one between that do not leave the grid;
    /// at the goal nothing.
    fn moves(&self, [x, y]: [u8; 2]) -> Vec<Step> {
        let last = self.side - 1;
        let [east, north] = [x, y].map(|at| at.saturating_add(1).min(last));
        let [west, south] = [x, y].map(|at| at.saturating_sub(1));
        let mut moves = Vec::new();
        if y < last {
            moves.push([(18, [x, north]), (1, [east, north]), (1, [west, north])]);
        }
        if x < last {
            moves.push([(18, [east, y]), (1, [east, north]), (1, [east, south])]);
        }
        if x < last && y < last {
            moves.push([(18, [east, north]), (1, [x, north]), (1, [east, y])]);
        }
        if moves.is_empty() {
            moves.push([(20, [x, y]), (0, [x, y]), (0, [x, y])]);
        }
        moves
    }
}

impl GameRules for Robots {
    type State = Position;

    fn starts(&self) -> Vec<Position> {
        vec![[[0, 0], [0, 0]]]
    }

    /// Robots that move come to the end of the grid with certainty.
    fn kind(&self) -> Kind {
        Kind::Stopping
    }

    fn node(&self, &[first, second]: &Position) -> Node {
        let last = self.side - 1;
        if first == [last; 2] {
            return Node::over(1);
        }
        if first == second.map(|steps| last - steps) {
            return Node::over(0);
        }
        Node::Choose { a: self.moves(first).len(), b: self.moves(second).len() }
    }

    fn after(
        &self,
        &[first, second]: &Position,
        a: usize,
        b: usize,
        outcomes: &mut Outcomes<Position>,
    ) {
        for (weight, first) in self.moves(first)[a] {
            for (other_weight, second) in self.moves(second)[b] {
                outcomes.by_chance(weight * other_weight, [first, second]);
            }
        }
    }
}

fn main() -> ExitCode {
    run("robot_coordination [SIDE]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Robots { side: argument(1, "length of a side", 5, 2..=40)? };
    let start = rules.starts()[0];
    let solution = solve(rules)?;
    let bounds = solution.enclosure(&start)?.decimal();
    say!("robot 1 comes to its goal with a probability in [{}, {}]", bounds.lower, bounds.upper);
    let [a, b] = solution
        .strategies(&start)?
        .map(|strategy| shown(&strategy, |step| NAMES[step].to_owned()));
    say!("first move of robot 1: {a}; of robot 2: {b}");
    Ok(())
}

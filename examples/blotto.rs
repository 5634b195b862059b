//! Colonel Blotto, hill after hill, solved with proof: `cargo run --release --example blotto -- 20 5`.
//!
//! A and B have soldiers and fight for an odd number of hills, one after the other. Both send soldiers to the hill at the same
//! time; none of them comes back. More soldiers win the hill, as many win it for nobody. Who holds more hills in the end has won.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes};

use shared::{argument, run, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Blotto {
    /// The most soldiers that a player begins with.
    pub soldiers: u8,
    /// The number of hills, from 1 to 127.
    pub hills: u8,
}

/// What is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A's and B's soldiers.
    pub soldiers: [u8; 2],
    /// The hills that are not fought for yet.
    pub hills: u8,
    /// A's hills less B's.
    pub lead: i8,
}

impl GameRules for Blotto {
    type State = Position;

    /// All pairs of armies.
    fn starts(&self) -> Vec<Position> {
        let armies = (0..=self.soldiers).flat_map(|a| (0..=self.soldiers).map(move |b| [a, b]));
        armies.map(|soldiers| Position { soldiers, hills: self.hills, lead: 0 }).collect()
    }

    fn node(&self, &Position { soldiers: [a, b], hills, lead }: &Position) -> Node {
        if hills == 0 || lead.unsigned_abs() > hills {
            return Node::over(lead.signum());
        }
        Node::Choose { a: usize::from(a) + 1, b: usize::from(b) + 1 }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let soldiers = [position.soldiers[0] - a as u8, position.soldiers[1] - b as u8];
        let won = i8::from(a > b) - i8::from(a < b);
        outcomes.to(Position { soldiers, hills: position.hills - 1, lead: position.lead + won });
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1)
    }

    /// The players may be exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let Position { soldiers: [a, b], lead, .. } = position;
        let exchanged = (a, lead) < (b, -lead);
        (if exchanged { Position { soldiers: [b, a], lead: -lead, ..position } } else { position }, exchanged)
    }
}

fn main() -> ExitCode {
    run("blotto [SOLDIERS] [HILLS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let rules =
        Blotto { soldiers: argument(1, "number of soldiers", 10, 0..=255)?, hills: argument(2, "number of hills", 5, 1..=127)? };
    let (most, hills) = (rules.soldiers, rules.hills);
    let solution = solve(rules)?;
    let start = |a, b| Position { soldiers: [a, b], hills, lead: 0 };
    for fewer in 0..=most {
        println!("{most} soldiers against {fewer} are worth {:.4}", solution.enclosure(&start(most, fewer))?.middle());
    }
    let [a, _] = solution.strategies(&start(most, most))?;
    println!("to the first hill one sends {}", shown(&a, |soldiers| soldiers.to_string()));
    Ok(())
}

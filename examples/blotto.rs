//! Colonel Blotto, hill after hill, solved with proof: `cargo run --release --example blotto -- 20
//! 5`.
//!
//! A and B have soldiers and fight for an odd number of hills, one after the other. Both send
//! soldiers to the hill at the same time; none of them comes back. More soldiers win the hill, as
//! many win it for nobody. Who holds more hills in the end has won.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, RankedRules};

use shared::{argument, run, say, shown, solve_ranked};

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
        (
            if exchanged {
                Position { soldiers: [b, a], lead: -lead, ..position }
            } else {
                position
            },
            exchanged,
        )
    }
}

/// A layer has the positions with as many hills that are not decided.
impl RankedRules for Blotto {
    type Layer = ();

    fn layers(&self) -> u32 {
        u32::from(self.hills) + 1
    }

    fn len(&self, hills: u32) -> u64 {
        let armies = u64::from(self.soldiers) + 1;
        armies * (armies - 1) / 2 * self.leads(hills) + armies * self.leads(hills).div_ceil(2)
    }

    /// Unlike armies come first: the larger one, the smaller one, the lead. Of equal ones the lead
    /// is not B's.
    fn state(&self, hills: u32, rank: u64) -> Position {
        let (armies, leads) = (u64::from(self.soldiers) + 1, self.leads(hills));
        let unlike = armies * (armies - 1) / 2 * leads;
        let (a, b, lead) = if rank < unlike {
            let pair = rank / leads;
            let a = (1..armies).find(|a| a * (a + 1) / 2 > pair).unwrap_or(0);
            (a, pair - a * (a - 1) / 2, (rank % leads) as i8 - (leads / 2) as i8)
        } else {
            let (army, lead) =
                ((rank - unlike) / leads.div_ceil(2), (rank - unlike) % leads.div_ceil(2));
            (army, army, lead as i8)
        };
        Position { soldiers: [a as u8, b as u8], hills: hills as u8, lead }
    }

    fn rank(&self, &Position { soldiers, hills, lead }: &Position) -> Option<(u32, u64)> {
        if lead.unsigned_abs() > hills {
            return None;
        }
        let ([a, b], armies, leads) =
            (soldiers.map(u64::from), u64::from(self.soldiers) + 1, self.leads(hills.into()));
        let rank = if a == b {
            armies * (armies - 1) / 2 * leads + a * leads.div_ceil(2) + lead as u64
        } else {
            (a * (a - 1) / 2 + b) * leads + (i64::from(lead) + (leads / 2) as i64) as u64
        };
        Some((hills.into(), rank))
    }

    fn layer(&self, _: u32) {}
}

impl Blotto {
    /// The leads that are possible and not decisive.
    fn leads(&self, hills: u32) -> u64 {
        2 * u64::from(hills.min(u32::from(self.hills) - hills)) + 1
    }
}

fn main() -> ExitCode {
    run("blotto [SOLDIERS] [HILLS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Blotto {
        soldiers: argument(1, "number of soldiers", 10, 0..=255)?,
        hills: argument(2, "number of hills", 5, 1..=127)?,
    };
    let (most, hills) = (rules.soldiers, rules.hills);
    let Some(solution) = solve_ranked(rules)? else { return Ok(()) };
    let start = |a, b| Position { soldiers: [a, b], hills, lead: 0 };
    for fewer in 0..=most {
        say!(
            "{most} soldiers against {fewer} are worth {:.4}",
            solution.enclosure(&start(most, fewer))?.middle()
        );
    }
    let [a, _] = solution.strategies(&start(most, most))?;
    say!("to the first hill one sends {}", shown(&a, |soldiers| soldiers.to_string()));
    Ok(())
}

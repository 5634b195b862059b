//! Inspections, matching pennies over time, solved with proof: `cargo run --release --example
//! inspections -- 10`.
//!
//! B has some days to smuggle once. A has fewer inspections than days. Every day, at the same time,
//! A inspects or stays at home, and B smuggles or waits. Who smuggles on a day without an
//! inspection wins 1 from A, and loses 1 to A if there is one; nobody wins if B never smuggles.
//! (Dresher 1962; both know how many inspections are left.)

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Inspections {
    /// The most days and inspections.
    pub days: u8,
}

/// Where the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// B has not smuggled yet.
    Waiting {
        /// The days left.
        days: u8,
        /// The inspections left.
        inspections: u8,
    },
    /// B has smuggled, and A receives this.
    Smuggled(i8),
}

impl GameRules for Inspections {
    type State = Standing;

    /// All pairs of days and inspections.
    fn starts(&self) -> Vec<Standing> {
        let pairs =
            (0..=self.days).flat_map(|days| (0..=days).map(move |inspections| (days, inspections)));
        pairs.map(|(days, inspections)| Standing::Waiting { days, inspections }).collect()
    }

    fn node(&self, standing: &Standing) -> Node {
        match *standing {
            Standing::Smuggled(payoff) => Node::over(payoff),
            Standing::Waiting { days: 0, .. } => Node::over(0),
            Standing::Waiting { inspections, .. } => {
                Node::Choose { a: if inspections > 0 { 2 } else { 1 }, b: 2 }
            }
        }
    }

    fn after(&self, standing: &Standing, a: usize, b: usize, outcomes: &mut Outcomes<Standing>) {
        let &Standing::Waiting { days, inspections } = standing else { return };
        outcomes.to(match b {
            0 => Standing::Waiting { days: days - 1, inspections: inspections - a as u8 },
            _ => Standing::Smuggled(if a == 1 { 1 } else { -1 }),
        });
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1)
    }
}

fn main() -> ExitCode {
    run("inspections [DAYS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let days = argument(1, "number of days", 10, 1..=255)?;
    let solution = solve(Inspections { days })?;
    for inspections in 0..=days {
        let start = Standing::Waiting { days, inspections };
        let value = solution.enclosure(&start)?.middle();
        let [a, b] = solution.strategies(&start)?;
        let a = shown(&a, |action| ["stays at home", "inspects"][action].to_owned());
        let b = shown(&b, |action| ["waits", "smuggles"][action].to_owned());
        say!(
            "{inspections} inspections on {days} days are worth {value:.4}; on the first day A {a}; B {b}"
        );
    }
    Ok(())
}

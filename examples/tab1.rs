//! Rebuilds Tab. 1 of the article: what follows each pair of bids at 4:3@-2, and how to play there.
//!
//! The article (A. Ring, "Tennis. Ein Bleistiftspiel mit künstlicher Intelligenz", Wurzel 08/2012)
//! prints the best possible final result after each pair of bids. Every successor is decided by
//! pure play, so that the table is the stage matrix of the state, built here from the solved
//! successors.

use std::error::Error;
use std::process::ExitCode;

use pencil_tennis::analysis::ForcedPlay;
use pencil_tennis::{Rules, State};

#[path = "shared/program.rs"]
#[allow(dead_code, reason = "this program takes no argument")]
mod program;
use program::say;

fn main() -> ExitCode {
    program::run("tab1", print)
}

fn print() -> Result<(), Box<dyn Error>> {
    let rules = Rules::tennis();
    let state: State = "4:3@-2".parse()?;
    let solution = pencil_tennis::solve(4)?;
    let forced = ForcedPlay::new(&rules, [4, 4])?;

    say!("What A wins at {state}, by A's bid (rows) and B's bid (columns):");
    let article = [[1, -2, -2], [1, 1, -2], [-1, 1, 1], [-1, -1, 1]];
    for bid_a in rules.legal_bids(state.a) {
        let mut row = Vec::new();
        for bid_b in rules.legal_bids(state.b) {
            let next = rules.play(state, bid_a, bid_b)?;
            let entry = match rules.payoff(next) {
                Some(payoff) => payoff,
                None => forced.value(next)?.expect("every successor is decided by pure play"),
            };
            row.push(format!("{entry:>4}"));
            assert_eq!(entry, article[bid_a as usize - 1][bid_b as usize - 1].into());
        }
        say!("{}", row.concat());
    }

    let equilibrium = solution.equilibrium(state)?;
    say!("\nvalue {}", equilibrium.value);
    for (player, strategy) in [("A", &equilibrium.a), ("B", &equilibrium.b)] {
        let bids: Vec<String> =
            strategy.probabilities().map(|(bid, p)| format!("{bid} with {p:.1}")).collect();
        say!("{player} bids {}", bids.join(", "));
    }
    assert_eq!(equilibrium.value, -0.2);
    assert_eq!(equilibrium.a.probabilities().collect::<Vec<_>>(), [(2, 0.4), (3, 0.6)]);
    assert_eq!(equilibrium.b.probabilities().collect::<Vec<_>>(), [(1, 0.6), (3, 0.4)]);
    Ok(())
}

//! Judges a policy and prints its costliest states: `judge FILE POINTS` for a file of any format
//! (50 points unless it is said), or without arguments a policy that a beginner might have.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use pencil_tennis::analysis::PolicyEvaluation;
use pencil_tennis::report::read_policy;
use pencil_tennis::{Player, Policy, Rules, Solver, unwatched};

/// Bids about a fifth of the points, give or take: 1 to twice as much, all equally often.
fn beginner(rules: &Rules, points: u32) -> Result<Policy, pencil_tennis::Error> {
    Policy::from_weights(
        rules,
        [points, points],
        &Player::BOTH,
        &mut unwatched,
        |state, player, weights| {
            let most = (2 * state.points(player) / 5).max(1) as usize;
            weights[..most].fill(1.0);
        },
    )
}

#[path = "shared/program.rs"]
mod program;
use program::say;

fn main() -> ExitCode {
    program::run("judge [FILE POINTS]", judge)
}

fn judge() -> Result<(), Box<dyn Error>> {
    let rules = Rules::tennis();
    let (policy, points) = match std::env::args().nth(1) {
        Some(file) => {
            let points = program::argument(2, "number of points", 50, 0..=1_000)?;
            (
                read_policy(Path::new(&file), &rules, [points, points])?.completed_by_mirror()?,
                points,
            )
        }
        None => (beginner(&rules, 50)?, 50),
    };
    let solution = Solver::new(&rules).points([points, points]).solve()?;
    let evaluation = PolicyEvaluation::new(&solution, &policy, &mut unwatched)?;
    if let Some(exploitability) = evaluation.exploitability() {
        say!(
            "An opponent who knows this policy wins {:.5} a game on average, where perfect players win 0.",
            exploitability.mean().middle()
        );
    }
    for (player, place) in Player::BOTH.into_iter().zip(["the row", "the column"]) {
        if let Some(value) = evaluation.value_against_optimum(player) {
            say!(
                "As {player}, who picks {place}, it comes to {:+.5} for A against a perfect player.",
                value.middle()
            );
        }
    }
    say!("\nThe states that cost it most:");
    for entry in evaluation.worst(10) {
        let most = policy
            .probabilities(entry.state, entry.player)?
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let (bid, probability) = most.unwrap_or_default();
        say!(
            "  {:<10} {} loses {:.5} a game: reached in {:6.2} %, bids {bid} in {:.0} % of the cases, \
             where it gives away up to {:.3}",
            entry.state.to_string(),
            entry.player,
            entry.contribution,
            100.0 * entry.reached,
            100.0 * probability,
            entry.regret
        );
    }
    Ok(())
}

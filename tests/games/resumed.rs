//! Solves of explicit games that are interrupted and go on.

use std::ops::ControlFlow;
use std::time::Duration;

use pencil_tennis::stochastic_game::{GameRules, StochasticCheckpoint, StochasticGame, StochasticSolution, StochasticSolver};

use crate::goofspiel::Goofspiel;
use crate::markov_soccer::Soccer;

/// The bytes before the first state.
const FIRST: usize = 8 + 4 + 3 * 8;

fn solver<'p>(rules: impl GameRules) -> StochasticSolver<'p> {
    StochasticSolver::new(StochasticGame::from_rules(rules).unwrap()).threads(1)
}

/// Bounds and strategies of all states, to the bit.
fn certificate(solution: &StochasticSolution) -> Vec<u8> {
    let mut bytes = Vec::new();
    solution.write_certificate(&mut bytes).unwrap();
    bytes
}

/// All checkpoints of a solve, as bytes.
fn kept(solver: StochasticSolver<'_>) -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    let keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    solver.on_checkpoint(Duration::ZERO, keep).solve().unwrap();
    kept
}

fn read(bytes: &[u8]) -> StochasticCheckpoint<'static> {
    StochasticCheckpoint::read(bytes).unwrap()
}

#[test]
fn from_every_checkpoint_the_same_solution_is_reached() {
    let game = || solver(Goofspiel::new(4, true));
    let whole = certificate(&game().solve().unwrap());
    let checkpoints = kept(game());
    assert!(checkpoints.len() > 6, "{} levels", checkpoints.len());
    for bytes in &checkpoints {
        assert!(certificate(&game().resume(read(bytes)).solve().unwrap()) == whole);
    }
    // A cycle is gone on with from the beginning of any of its rounds.
    let game = || solver(Soccer { turns: 1_000 });
    let solution = game().solve().unwrap();
    let whole = certificate(&solution);
    let checkpoints = kept(game());
    assert!(checkpoints.len() > 8, "{} rounds", checkpoints.len());
    for bytes in [&checkpoints[3], &checkpoints[checkpoints.len() - 3]] {
        assert!(certificate(&game().resume(read(bytes)).solve().unwrap()) == whole);
    }
    let mut all = Vec::new();
    solution.checkpoint().unwrap().write(&mut all).unwrap();
    let mut shares = Vec::new();
    let resumed = game().resume(read(&all)).on_progress(|share| {
        shares.push(share);
        ControlFlow::Continue(())
    });
    assert!(certificate(&resumed.solve().unwrap()) == whole);
    assert_eq!(shares, [1.0], "nothing is left to do");
}

#[test]
fn a_solve_that_is_stopped_in_a_cycle_leaves_its_last_round() {
    let game = || solver(Soccer { turns: 1_000 });
    let (mut asked, mut bytes) = (0, Vec::new());
    let stopped = game()
        .on_checkpoint(Duration::from_secs(3_600), |checkpoint| {
            bytes.clear();
            checkpoint.write(&mut bytes).unwrap();
        })
        .on_progress(|_| {
            asked += 1;
            if asked < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    assert!(stopped.solve().is_err());
    let resumed = game().resume(read(&bytes)).solve().unwrap();
    assert!(certificate(&resumed) == certificate(&game().solve().unwrap()));
}

#[test]
fn checkpoints_of_other_games_and_forged_ones_are_refused() {
    let bytes = kept(solver(Soccer { turns: 10 })).pop().unwrap();
    let refused = |game: StochasticSolver<'_>, bytes: &[u8], expected: &str| {
        let checkpoint = StochasticCheckpoint::read(bytes);
        let sentence = match checkpoint {
            Err(error) => error.to_string(),
            Ok(checkpoint) => game.resume(checkpoint).solve().map(|_| ()).unwrap_err().to_string(),
        };
        assert!(sentence.contains(expected), "{sentence}");
    };
    let own = || solver(Soccer { turns: 10 });
    refused(solver(Soccer { turns: 11 }), &bytes, "the checkpoint is of another game");
    refused(solver(Goofspiel::new(3, false)), &bytes, "the checkpoint is of another game");
    for (place, expected) in [(0, "does not begin"), (8, "another version"), (20, "checksum"), (bytes.len() - 1, "checksum")] {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1;
        refused(own(), &wrong, expected);
    }
    refused(own(), &bytes[..bytes.len() - 1], "ends too early");
    refused(own(), &[&bytes[..], &[0]].concat(), "goes on");
    // Bounds of the first state, which is no end, that are better than its strategies prove: whoever changes them can also put the
    // right checksum behind them.
    let number = |place: usize| i64::from_le_bytes(bytes[place..place + 8].try_into().unwrap());
    let (lower, upper) = (number(FIRST), number(FIRST + 8));
    for (lower, upper) in [(lower + (1 << 20), upper + (1 << 20)), (lower - (1 << 20), upper - (1 << 20))] {
        let mut forged = bytes.clone();
        forged[FIRST..FIRST + 8].copy_from_slice(&lower.to_le_bytes());
        forged[FIRST + 8..FIRST + 16].copy_from_slice(&upper.to_le_bytes());
        let end = forged.len() - 4;
        let checksum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&checksum.to_le_bytes());
        refused(own(), &forged, "the checkpoint does not prove its bounds at state");
    }
}

//! Properties of any bytes read as a game of any rules, or as a certificate of one.
//!
//! The fuzz target `fuzz/fuzz_targets/games.rs` includes this file.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::BigRational;
use pencil_tennis::stochastic_game::{
    Certainty, StochasticGame, StochasticGameError, StochasticProof, StochasticSolution,
    StochasticSolver,
};

/// Games with more states or cells are read, but not solved.
const MOST_STATES: usize = 40;
const MOST_CELLS: usize = 200;

/// Cycles that take longer are left, so that an input takes some milliseconds.
const MOST_TIME: Duration = Duration::from_millis(200);

/// The most characters of a refusal: a sentence, not a file that is told again.
const LONGEST: usize = 800;

/// Takes the bytes as a game and as a certificate; returns how many of the two they are.
///
/// # Panics
/// When what is accepted is not read again as it is written, when something false is proved, or
/// when a refusal is not what refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let accepted = [
        StochasticGame::read(bytes).map(check_game),
        StochasticProof::verify(bytes).map(|proof| check_proof(&proof)),
    ];
    accepted.into_iter().filter(|result| result.as_ref().map_err(assert_sentence).is_ok()).count()
}

fn check_game(game: StochasticGame) {
    let written = text(&game);
    let again = StochasticGame::read(&written[..]).expect("it was written");
    assert_eq!(text(&again), written);
    let Some(solution) = solve(game) else { return };
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).expect("memory");
    let proof = StochasticProof::verify(&certificate[..]).expect("what was solved is proved");
    for state in 0..solution.game().len() {
        assert_eq!(proof.secured(&state), solution.secured(&state));
        let best = solution.best_payoff(&state).expect("a state");
        if best.as_ref().is_some_and(|best| best.certainty == Certainty::LimitSure) {
            assert_eq!(proof.best_payoff(&state).expect("a state"), best);
        }
    }
    assert_sound(&proof);
}

/// What a certificate proves has something in common with what the solver does: the value.
fn check_proof(proof: &StochasticProof) {
    assert_sound(proof);
    let Some(solution) = solve(proof.game().clone()) else { return };
    for state in 0..proof.game().len() {
        let [[low, high], [least, most]] = [proof.enclosure(&state), solution.enclosure(&state)]
            .map(|enclosure| enclosure.unwrap().fractions());
        let name = proof.game().state(state).unwrap().name();
        assert!(low <= most && least <= high, "{name}: [{low}, {high}] and [{least}, {most}]");
    }
}

/// No interval is empty, ends are worth what they are, and the widest interval is not called
/// narrower than it is.
fn assert_sound(proof: &StochasticProof) {
    let widest = BigRational::from_float(proof.widest_enclosure()).expect("a number");
    for state in 0..proof.game().len() {
        let enclosure = proof.enclosure(&state).unwrap();
        let [lower, upper] = enclosure.fractions();
        assert!(
            lower <= upper && &upper - &lower <= widest,
            "[{lower}, {upper}], the widest of {widest}"
        );
        if let Some(value) = proof.game().state(state).unwrap().end_value() {
            assert!(enclosure.contains(value), "[{lower}, {upper}] and {value}");
        }
        // All weights of 62 bits and numbers of 62 bits: no bound is larger.
        assert!(
            upper.numer() <= &(BigInt::from(1) << 62) && -lower.numer() <= BigInt::from(1) << 62
        );
    }
}

fn text(game: &StochasticGame) -> Vec<u8> {
    let mut written = Vec::new();
    game.write(&mut written).expect("memory");
    written
}

/// The solution of a small game; `None` where it takes too long or cannot be counted in integers.
fn solve(game: StochasticGame) -> Option<StochasticSolution> {
    if game.len() > MOST_STATES || game.cells() > MOST_CELLS {
        return None;
    }
    let begin = Instant::now();
    let watch = |_| {
        if begin.elapsed() < MOST_TIME { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let solved = StochasticSolver::new(game).threads(1).on_progress(watch).solve();
    solved.ok()
}

/// A refusal is a line, however long the names in it are.
fn assert_sentence(error: &StochasticGameError) {
    let sentence = error.to_string();
    assert!(!sentence.is_empty() && sentence.chars().count() <= LONGEST, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::fuzzing::{feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_solved_or_refused() {
        feed("games", 12, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_games_are_solved_or_refused() {
        mutate("games", check);
    }
}

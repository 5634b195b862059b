//! Properties of any bytes read as a tree of Gambit, or as a certificate of a game with hidden
//! information.
//!
//! The fuzz target `fuzz/fuzz_targets/hidden.rs` includes this file.

use std::time::Duration;

use pencil_tennis::Error;
use pencil_tennis::hidden::{GameTree, HiddenProof, HiddenSolution, HiddenSolver};
use pencil_tennis::model_checking::Probabilities;
use pencil_tennis::report::ExtensiveForm;

/// Trees with more nodes are read, but not solved.
const MOST_NODES: usize = 60;

/// A search that takes longer is left, so that an input takes some milliseconds.
const MOST_TIME: Duration = Duration::from_millis(200);

/// The most characters of a refusal: a sentence, not a file that is told again.
const LONGEST: usize = 800;

/// Takes the bytes as a tree and as a certificate; returns how many of the two they are.
///
/// # Panics
/// When something false is proved, or when a refusal is not what refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let mut accepted = 0;
    let form = ExtensiveForm::read("input.efg", bytes, Probabilities::Nearest);
    match form.and_then(|form| form.game_tree()) {
        Ok(tree) => {
            check_tree(tree);
            accepted += 1;
        }
        Err(error) => assert_sentence(&error),
    }
    match HiddenProof::verify(bytes) {
        Ok(proof) => {
            check_proof(&proof);
            accepted += 1;
        }
        Err(error) => assert_sentence(&Error::from(error)),
    }
    accepted
}

/// What is solved has a certificate, which proves the same.
fn check_tree(tree: GameTree) {
    let Some(solution) = solve(tree) else { return };
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).expect("memory");
    let proof = HiddenProof::verify(&certificate[..]).expect("what was solved is proved");
    assert_eq!(proof.enclosure(), solution.enclosure());
}

/// What a certificate proves has something in common with what the solver does: the value.
fn check_proof(proof: &HiddenProof) {
    let [low, high] = proof.enclosure().fractions();
    assert!(low <= high);
    let Some(solution) = solve(proof.tree().clone()) else { return };
    let [least, most] = solution.enclosure().fractions();
    assert!(low <= most && least <= high, "[{low}, {high}] and [{least}, {most}]");
}

/// The solution of a small game.
fn solve(tree: GameTree) -> Option<HiddenSolution> {
    let is_small = tree.len() <= MOST_NODES;
    is_small.then(|| HiddenSolver::new(tree).time_limit(MOST_TIME).solve().expect("a sound gap"))
}

/// A refusal is a line, however long the names in it are.
fn assert_sentence(error: &Error) {
    let sentence = error.to_string();
    assert!(!sentence.is_empty() && sentence.chars().count() <= LONGEST, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_hidden_games_is_solved_or_refused() {
        feed("hidden", 3, check);
    }

    #[test]
    fn altered_hidden_games_are_solved_or_refused() {
        alter("hidden", 60, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_hidden_games_are_solved_or_refused() {
        mutate("hidden", check);
    }
}

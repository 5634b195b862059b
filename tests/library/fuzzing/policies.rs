//! Properties of any bytes read as a policy of any format.
//!
//! The fuzz target `fuzz/fuzz_targets/policies.rs` includes this file.

use std::io::{Cursor, Write};

use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::report::PolicyFormat;
use pencil_tennis::{Error, GameError, Player, Policy, PolicyError, Rules, Scoring};

const FORMATS: [PolicyFormat; 5] = [
    PolicyFormat::Csv,
    PolicyFormat::Json,
    PolicyFormat::Npz,
    PolicyFormat::WeightsCsv,
    PolicyFormat::WeightsNpz,
];

/// The most characters of a refusal: a sentence, not a file that is told again.
const LONGEST: usize = 400;

/// Takes the bytes as a policy of every format, for games with two points each, 2:1 points and one
/// point each; an array for numpy is put into an archive as well. Returns how many times they were
/// accepted.
///
/// # Panics
/// When what is accepted is no policy or is not read again as it is written; when a refusal is not
/// what refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let mut accepted = 0;
    for (rules, points) in games() {
        for format in FORMATS {
            accepted += usize::from(is_sound(format, bytes, &rules, points));
        }
        if bytes.starts_with(b"\x93NUMPY") {
            accepted += usize::from(is_sound(
                PolicyFormat::Npz,
                &archive("policy_a", bytes),
                &rules,
                points,
            ));
            accepted += usize::from(is_sound(
                PolicyFormat::WeightsNpz,
                &archive("weights", bytes),
                &rules,
                points,
            ));
        }
    }
    if let Err(error) = PolicyFormat::of(bytes) {
        assert_sentence(&error);
    }
    accepted
}

/// The games that policies are read for.
pub(crate) fn games() -> [(Rules, [u32; 2]); 3] {
    let small =
        Rules::new(1, pencil_tennis::Motion::Step, Scoring::two_one()).expect("a small field");
    [(Rules::tennis(), [2, 2]), (small, [2, 1]), (small, [1, 1])]
}

/// An archive with one array, not compressed.
fn archive(name: &str, array: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let plain =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file(format!("{name}.npy"), plain).expect("memory");
    archive.write_all(array).expect("memory");
    archive.finish().expect("memory").into_inner()
}

/// Whether the bytes are a policy in this format; that it is one then, and is read again as it is
/// written, is asserted.
pub(crate) fn is_sound(
    format: PolicyFormat,
    bytes: &[u8],
    rules: &Rules,
    points: [u32; 2],
) -> bool {
    let policy = match format.read(bytes, rules, points) {
        Ok(policy) => policy,
        Err(error) => {
            assert_sentence(&error);
            return false;
        }
    };
    assert_eq!((policy.points(), policy.field()), (points, rules.field()));
    assert_distributions(&policy);
    let players = Player::BOTH.into_iter().filter(|&player| policy.covers(player)).count();
    assert!(players > 0, "nothing is said of anybody");
    for other in [PolicyFormat::Csv, PolicyFormat::Json, PolicyFormat::Npz] {
        let read = again(other, &policy, rules, points);
        assert!(
            distance(&policy, &read) <= 1 << 10,
            "{other:?} moves a probability by more than 2^-52"
        );
        // Rounded to what can be written, it is the same for ever.
        assert!(
            again(other, &read, rules, points) == read,
            "{other:?} changes what it has written"
        );
    }
    true
}

/// The policy that is read from what is written.
fn again(format: PolicyFormat, policy: &Policy, rules: &Rules, points: [u32; 2]) -> Policy {
    let mut written = Vec::new();
    format.write(policy, &mut written).expect("memory takes everything");
    format
        .read(&written, rules, points)
        .unwrap_or_else(|error| panic!("{format:?} does not read what it writes: {error}"))
}

/// Whether all rows sum to 1 and no bid is illegal.
fn assert_distributions(policy: &Policy) {
    for state in policy.states() {
        for player in Player::BOTH {
            let Ok(weights) = policy.weights(state, player) else { continue };
            let legal = Rules::tennis().legal_bids(state.points(player));
            let mut sum = 0_u128;
            for (bid, weight) in weights {
                assert!(legal.contains(&bid) && weight > 0, "{player} at {state}");
                sum += u128::from(weight);
            }
            assert_eq!(sum, u128::from(DyadicStrategy::WHOLE), "{player} at {state}");
        }
    }
}

/// The largest difference of two policies of the same players in a weight.
fn distance(one: &Policy, other: &Policy) -> u64 {
    let mut largest = 0;
    for state in one.states() {
        for player in Player::BOTH {
            assert_eq!(one.covers(player), other.covers(player));
            let weight = |policy: &Policy, bid| {
                let mut weights = policy.weights(state, player).ok()?;
                Some(weights.find(|&(played, _)| played == bid).map_or(0, |(_, weight)| weight))
            };
            for bid in Rules::tennis().legal_bids(state.points(player)) {
                if let Some((one, other)) = weight(one, bid).zip(weight(other, bid)) {
                    largest = largest.max(one.abs_diff(other));
                }
            }
        }
    }
    largest
}

/// A refusal is a line that says what is wrong with a policy.
fn assert_sentence(error: &Error) {
    let kind = matches!(
        error,
        Error::Policy(
            PolicyError::File { .. }
                | PolicyError::Distribution { .. }
                | PolicyError::Incomplete { .. }
                | PolicyError::Mirror { .. }
        ) | Error::Game(GameError::BallOutside { .. } | GameError::Outside { .. })
    );
    let sentence = error.to_string();
    assert!(kind && sentence.chars().count() <= LONGEST, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_a_policy_or_refused() {
        feed("policies", 8, check);
    }

    #[test]
    fn altered_policies_are_policies_or_refused() {
        alter("policies", 40, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_policies_are_policies_or_refused() {
        mutate("policies", check);
    }
}

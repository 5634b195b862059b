//! Properties of any bytes read as a saved training.
//!
//! The fuzz target `fuzz/fuzz_targets/trainings.rs` includes this file.

use pencil_tennis::agents::{AgentError, Learner, Training};
use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::{Error, GameError, Player, WorkError};

/// Trainings for more points are read, but do not play on, so that an input takes some
/// milliseconds.
const MOST_POINTS: u32 = 6;

/// The offset of the words of the payoffs: after the magic, the learner, the points, the seed, the
/// field, the motion.
#[cfg(test)]
const PAYOFFS: usize = 6 * 8;

/// Takes the bytes as a saved training: as they are, as the content before a fitting checksum, and
/// with a fitting checksum in place of theirs. Returns how many of the three were accepted.
///
/// # Panics
/// When what is accepted is not what would be written, or cannot go on; when a refusal is not what
/// refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let checksum = crc32fast::hash(bytes).to_le_bytes();
    let body = bytes.split_last_chunk::<4>().map_or(bytes, |(body, _)| body);
    let fitting = crc32fast::hash(body).to_le_bytes();
    let candidates = [bytes.to_vec(), [bytes, &checksum].concat(), [body, &fitting].concat()];
    candidates.into_iter().filter(|candidate| is_sound(candidate)).count()
}

fn is_sound(bytes: &[u8]) -> bool {
    let mut training = match Training::from_bytes(bytes) {
        Ok(training) => training,
        Err(error) => {
            let is_format = error.to_string().starts_with("not a saved training: ");
            let settings = matches!(
                error,
                Error::Agent(
                    AgentError::LearnerScoring { .. }
                        | AgentError::LearnerOption { .. }
                        | AgentError::LearnerLacksOption { .. }
                ) | Error::Game(
                    GameError::NoPoints { .. }
                        | GameError::TooManyPoints { .. }
                        | GameError::ZeroBids { .. }
                ) | Error::Work(WorkError::Memory { .. })
            );
            assert!(is_format || settings, "{error}");
            return false;
        }
    };
    assert!(training.to_bytes() == bytes, "what was read is written in other bytes");
    if training.points() > MOST_POINTS {
        return true;
    }
    assert_distributions(&training);
    let mut again = Training::from_bytes(bytes).expect("it was accepted before");
    for _ in 0..2 {
        // A learner that is full says so.
        let [one, other] = [training.play(1), again.play(1)];
        assert!(
            matches!(one, Ok(()) | Err(Error::Agent(AgentError::TooManyGames { .. }))),
            "{one:?}"
        );
        assert_eq!(one, other);
    }
    assert!(training.to_bytes() == again.to_bytes(), "the same training went on in two ways");
    true
}

/// Whether what was learned is a policy whose rows sum to 1.
fn assert_distributions(training: &Training) {
    let policy = training.policy().expect("a policy of what was learned");
    for state in policy.states() {
        for player in Player::BOTH {
            let weights = policy.weights(state, player).expect("both players");
            assert_eq!(
                weights.map(|(_, weight)| u128::from(weight)).sum::<u128>(),
                u128::from(DyadicStrategy::WHOLE),
                "{state}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use pencil_tennis::Rules;
    use pencil_tennis::agents::{LearnerKind, LearnerOptions, Training};

    use super::{PAYOFFS, check};
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_goes_on_or_is_refused() {
        feed("trainings", 8, check);
    }

    #[test]
    fn altered_trainings_go_on_or_are_refused() {
        alter("trainings", 40, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_trainings_go_on_or_are_refused() {
        mutate("trainings", check);
    }

    /// Settings of a few hundred bytes must not take the memory of the game that they name.
    #[test]
    fn a_promise_of_a_large_game_is_refused_before_memory_is_taken() {
        for kind in LearnerKind::ALL {
            let training =
                Training::new(kind, &Rules::tennis(), 1, LearnerOptions::default(), 1).unwrap();
            let mut bytes = training.to_bytes();
            bytes.truncate(PAYOFFS + (10 + 9) * 8);
            // With 150 points and a field of 99 tables would take 3 GiB and more.
            bytes[16..24].copy_from_slice(&150_u64.to_le_bytes());
            bytes[32..40].copy_from_slice(&99_u64.to_le_bytes());
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            let refusal = Training::from_bytes(&bytes).expect_err("there is nothing in it");
            // Memory was not taken: otherwise what the learner remembers would be missed later, in
            // other words.
            assert_eq!(
                refusal.to_string(),
                "not a saved training: it ends too soon for its game",
                "{kind}"
            );
        }
    }
}

//! Properties of any text read as a model in PRISM's language, and as a file of properties.
//!
//! The fuzz target `fuzz/fuzz_targets/models.rs` includes this file.

use num_rational::BigRational;
use num_traits::One;
use pencil_tennis::model_checking::language::{Instance, LanguageError, Model, PropertyFile};

/// So many initial states are looked for, and so many states expanded, so that an input takes some
/// milliseconds.
const MOST_INITIAL: u64 = 1_000;
const MOST_STATES: usize = 30;

/// The most characters of a refusal: a sentence, not a file that is told again.
const LONGEST: usize = 1_000;

/// Takes the bytes as a model and as a file of properties; returns how many times they were
/// accepted.
///
/// # Panics
/// When the probabilities of a choice do not sum to 1, or a refusal is not what refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let Ok(text) = std::str::from_utf8(bytes) else { return 0 };
    let mut accepted = 0;
    match Model::read(text).and_then(|model| Instance::new(&model, None, &[])) {
        Ok(instance) => accepted += usize::from(is_sound(&instance)),
        Err(error) => assert_sentence(&error),
    }
    match PropertyFile::read(text) {
        Ok(file) => {
            for property in file.properties {
                match property.property {
                    Ok(property) => accepted += usize::from(property.has_operator()),
                    Err(error) => assert_sentence(&error),
                }
            }
        }
        Err(error) => assert_sentence(&error),
    }
    accepted
}

/// Whether the first states of a model are sound.
fn is_sound(instance: &Instance) -> bool {
    let mut states = match instance.initial_states(MOST_INITIAL) {
        Ok(states) => states,
        Err(error) => {
            assert_sentence(&error);
            return false;
        }
    };
    for number in 0..MOST_STATES {
        let Some(state) = states.get(number).cloned() else { break };
        let choices = match instance.choices(&state) {
            Ok(choices) => choices.choices,
            Err(error) => {
                assert_sentence(&error);
                return false;
            }
        };
        for choice in choices {
            let least: BigRational = choice.to.iter().map(|(_, share)| share.least()).sum();
            let most: BigRational = choice.to.iter().map(|(_, share)| share.most()).sum();
            let one = BigRational::one();
            assert!(least <= one && one <= most, "{}", instance.describe(&state));
            states.extend(choice.to.into_iter().map(|(next, _)| next));
        }
    }
    true
}

fn assert_sentence(error: &LanguageError) {
    assert!(error.at.line > 0 && error.at.column > 0, "{error}");
    let length = error.to_string().chars().count();
    assert!(length <= LONGEST, "a refusal of {length} characters: {error}");
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_read_or_refused() {
        feed("models", 4, check);
    }

    #[test]
    fn altered_models_are_read_or_refused() {
        alter("models", 200, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_models_are_read_or_refused() {
        mutate("models", check);
    }
}

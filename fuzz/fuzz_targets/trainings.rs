//! Any bytes as a saved training: refused with a sentence, or a learner that goes on.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/trainings.rs"]
mod trainings;

fuzz_target!(|bytes: &[u8]| {
    trainings::check(bytes);
});

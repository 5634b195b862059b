//! Any bytes as a checkpoint of an exploration: refused with a sentence, or the exploration comes
//! to the same model.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/explorations.rs"]
mod explorations;

static KNOWN: LazyLock<Vec<explorations::Known>> = LazyLock::new(explorations::known);

fuzz_target!(|bytes: &[u8]| {
    explorations::check(&KNOWN, bytes);
});

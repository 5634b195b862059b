//! Any text as a model in PRISM's language, and as a file of properties: refused with a sentence,
//! or states whose probabilities sum to 1.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/models.rs"]
mod models;

fuzz_target!(|bytes: &[u8]| {
    models::check(bytes);
});

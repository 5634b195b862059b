//! Any bytes as a tree of Gambit and as a certificate of a game with hidden information: refused
//! with a sentence, or what is proved is true.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/hidden.rs"]
mod hidden;

fuzz_target!(|bytes: &[u8]| {
    hidden::check(bytes);
});

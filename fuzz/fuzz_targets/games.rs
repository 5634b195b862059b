//! Any bytes as a game of any rules and as a certificate of one: refused with a sentence, or what
//! is proved is true.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/games.rs"]
mod games;

fuzz_target!(|bytes: &[u8]| {
    games::check(bytes);
});

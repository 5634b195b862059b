//! Any bytes as a policy in JSON and as a written game: refused with a sentence, or what it says is
//! legal and is read again.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/policies.rs"]
#[expect(dead_code, reason = "another target uses the rest")]
mod policies;
#[path = "../../tests/library/fuzzing/texts.rs"]
mod texts;

fuzz_target!(|bytes: &[u8]| {
    texts::check(bytes);
});

//! Any bytes as a policy of every format: refused with a sentence, or a policy that is read again
//! as it is written.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/policies.rs"]
mod policies;

fuzz_target!(|bytes: &[u8]| {
    policies::check(bytes);
});

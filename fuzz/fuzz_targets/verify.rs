//! Any bytes as a certificate: refused with a sentence, or what they prove is true.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use std::sync::{LazyLock, Mutex, PoisonError};

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/certificates.rs"]
mod certificates;

static ORACLE: LazyLock<Mutex<certificates::Oracle>> = LazyLock::new(Mutex::default);

fuzz_target!(|bytes: &[u8]| {
    let mut oracle = ORACLE.lock().unwrap_or_else(PoisonError::into_inner);
    oracle.check(bytes);
});

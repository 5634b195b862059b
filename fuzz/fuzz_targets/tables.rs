//! Any bytes as a table file: refused with a sentence, or a table in which nothing is impossible.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/tables.rs"]
mod tables;

static READER: LazyLock<tables::Reader> = LazyLock::new(|| tables::Reader::new("fuzz"));

fuzz_target!(|bytes: &[u8]| {
    READER.check(bytes);
});

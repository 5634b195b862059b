//! Any bytes as a table file: refused with a sentence, or a table in which nothing is impossible.
//!
//! What is asserted of an input is written once, beside the test that feeds the corpus to it without a fuzzer.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/tables.rs"]
mod tables;

static READER: LazyLock<tables::Reader> = LazyLock::new(|| tables::Reader::new("fuzz"));

fuzz_target!(|bytes: &[u8]| {
    READER.check(bytes);
});

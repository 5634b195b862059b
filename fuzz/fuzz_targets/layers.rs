//! Any bytes as the file of a layer: refused with a sentence, or what the folder says is true.
//!
//! The assertions about an input stand once, beside the test that feeds the corpus to it without a
//! fuzzer.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/fuzzing/layers.rs"]
mod layers;

static READER: LazyLock<layers::Reader> = LazyLock::new(|| layers::Reader::new("fuzz"));

fuzz_target!(|bytes: &[u8]| {
    READER.check(bytes);
});

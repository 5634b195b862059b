//! Properties of any bytes that the crate reads, each kind of file in a module of its own.
//!
//! The fuzz targets (`fuzz/fuzz_targets`) include these modules, so that what is asserted of an
//! input is written once. The corpus is fed to them here without a fuzzer: an input that one finds
//! becomes a regression test by being put into `tests/corpus`.

mod certificates;
#[cfg(feature = "report")]
mod explorations;
#[cfg(feature = "report")]
mod games;
#[cfg(feature = "report")]
mod hidden;
mod layers;
#[cfg(feature = "report")]
mod models;
#[cfg(feature = "report")]
mod policies;
#[cfg(feature = "report")]
mod tables;
#[cfg(feature = "report")]
mod texts;
mod trainings;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The inputs of a target by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    let entries = fs::read_dir(folder).unwrap();
    let mut inputs: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
        })
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "there is no corpus of {target}");
    inputs
}

/// Feeds every input of a target to `check`, which says how often it was accepted: an input named
/// `refused…` never is, one named `found…` may be, every other is; `least` valid and `least`
/// refused ones have to be there.
fn feed(target: &str, least: usize, mut check: impl FnMut(&[u8]) -> usize) {
    let (mut valid, mut refused) = (0, 0);
    for (name, bytes) in corpus(target) {
        println!("{name}");
        let accepted = check(&bytes);
        if name.starts_with("refused") {
            assert_eq!(accepted, 0, "{name} is accepted");
            refused += 1;
        } else if !name.starts_with("found") {
            assert!(accepted > 0, "{name} is refused");
            valid += 1;
        }
    }
    assert!(
        valid >= least && refused >= least,
        "{valid} valid inputs and {refused} broken ones: the corpus is not complete"
    );
}

/// Feeds every input of a target `alterations` times, with one byte altered each time.
fn alter(target: &str, alterations: usize, mut check: impl FnMut(&[u8]) -> usize) {
    let mut random = Random(1);
    for (name, bytes) in corpus(target) {
        println!("{name}");
        for _ in 0..alterations.min(8 * bytes.len()) {
            let mut altered = bytes.clone();
            let offset = random.below(bytes.len());
            altered[offset] ^= 1 << random.below(8);
            check(&altered);
        }
        // An end that is missing, at any place.
        check(&bytes[..random.below(bytes.len() + 1)]);
    }
}

/// A fuzzer for machines without one: inputs of the corpus, altered blindly, for as many seconds as
/// `FUZZ_SECONDS` says.
fn mutate(target: &str, mut check: impl FnMut(&[u8]) -> usize) {
    let seconds =
        std::env::var("FUZZ_SECONDS").map_or(60, |text| text.parse().expect("a number of seconds"));
    let seed = std::env::var("FUZZ_SEED").map_or(1, |text| text.parse().expect("a number"));
    let inputs = corpus(target);
    let failing = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}-{seed}"));
    let (mut random, begin) = (Random(seed), Instant::now());
    let (mut executions, mut accepted, mut slowest) = (0, 0, Duration::ZERO);
    while begin.elapsed() < Duration::from_secs(seconds) {
        let input = random.mutated(&inputs);
        // Should the check panic, this is the input.
        fs::write(&failing, &input).unwrap();
        let begin = Instant::now();
        accepted += check(&input).min(1);
        slowest = slowest.max(begin.elapsed());
        executions += 1;
    }
    println!(
        "{target}: {executions} executions, {accepted} accepted, the slowest took {slowest:?}"
    );
}

/// Random numbers by splitmix64 (Steele, Lea, Flood 2014), the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// An input of a corpus after one to five changes.
    fn mutated(&mut self, inputs: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = inputs[self.below(inputs.len())].1.clone();
        for _ in 0..=self.below(5) {
            let (offset, length) = (self.below(bytes.len()), 1 + self.below(9));
            let end = (offset + length).min(bytes.len());
            match self.below(8) {
                0 => bytes[offset..end].fill(0),
                1 => bytes[offset..end].fill(0xff),
                2 => drop(bytes.drain(offset..end)),
                3 => {
                    let copy = bytes[offset..end].to_vec();
                    let to = self.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
                4 => {
                    let other = &inputs[self.below(inputs.len())].1;
                    let from = self.below(other.len());
                    let part = &other[from..(from + 4 * length).min(other.len())];
                    let end = (offset + part.len()).min(bytes.len());
                    bytes.splice(offset..end, part.iter().copied());
                }
                5 if offset < bytes.len() => {
                    bytes[offset] = bytes[offset].wrapping_add([1, 255][self.below(2)]);
                }
                6 if offset < bytes.len() => bytes[offset] = self.next() as u8,
                _ if offset < bytes.len() => bytes[offset] ^= 1 << self.below(8),
                _ => {}
            }
        }
        bytes
    }
}

//! Properties of any bytes read as the file of a layer.
//!
//! The fuzz target `fuzz/fuzz_targets/layers.rs` includes this file.

use std::fs;
use std::path::PathBuf;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use pencil_tennis::stochastic_game::{
    Error, GameRules, LayerFolder, Node, Outcomes, RankedRules, StochasticGameFault,
    StochasticSolver,
};

/// Layers of 2×2 games with rewards and chance, so few states that opening a folder proves all of
/// them; layer 0 has ends.
#[derive(Clone, Copy)]
struct Steps;

const LAYERS: u32 = 3;
const STATES: u64 = 6;

/// The reward of a pair of actions.
fn reward(rank: u64, a: usize, b: usize) -> i64 {
    (rank as i64 * 5 + a as i64 * 3 + b as i64 * 7) % 4 - 1
}

/// The two states that follow a pair of actions, the first of them twice as often.
fn next(rank: u64, a: usize, b: usize) -> [u64; 2] {
    let first = (rank * 5 + a as u64 * 2 + b as u64 * 3) % STATES;
    [first, (first + 1) % STATES]
}

fn payoff(rank: u64) -> BigRational {
    BigRational::new(BigInt::from(rank * rank) - 11, 7.into())
}

impl GameRules for Steps {
    /// The layer and the rank.
    type State = (u32, u64);

    fn starts(&self) -> Vec<(u32, u64)> {
        vec![(LAYERS - 1, 0)]
    }

    fn node(&self, &(layer, rank): &(u32, u64)) -> Node {
        if layer == 0 { Node::Over(payoff(rank)) } else { Node::Choose { a: 2, b: 2 } }
    }

    fn after(
        &self,
        &(layer, rank): &(u32, u64),
        a: usize,
        b: usize,
        outcomes: &mut Outcomes<(u32, u64)>,
    ) {
        let [first, second] = next(rank, a, b);
        outcomes.reward(reward(rank, a, b));
        outcomes.by_chance(2, (layer - 1, first));
        outcomes.by_chance(1, (layer - 1, second));
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(100)
    }
}

impl RankedRules for Steps {
    type Layer = ();

    fn layers(&self) -> u32 {
        LAYERS
    }

    fn len(&self, _: u32) -> u64 {
        STATES
    }

    fn state(&self, layer: u32, rank: u64) -> (u32, u64) {
        (layer, rank)
    }

    fn rank(&self, state: &(u32, u64)) -> Option<(u32, u64)> {
        Some(*state)
    }

    fn layer(&self, _: u32) {}
}

/// The values of all states, layer by layer, in fractions: a 2×2 game without a saddle point has a
/// value by a formula.
fn truth() -> Vec<Vec<BigRational>> {
    let mut layers: Vec<Vec<BigRational>> = vec![(0..STATES).map(payoff).collect()];
    for layer in 1..LAYERS as usize {
        let value = |rank: u64| {
            let entry = |a: usize, b: usize| {
                let [first, second] =
                    next(rank, a, b).map(|next| layers[layer - 1][next as usize].clone());
                let twice = &first + &first + second;
                BigRational::from_integer(reward(rank, a, b).into())
                    + twice / BigRational::from_integer(3.into())
            };
            let [[p, q], [r, s]] = [0, 1].map(|a| [0, 1].map(|b| entry(a, b)));
            let lower = p.clone().min(q.clone()).max(r.clone().min(s.clone()));
            let upper = p.clone().max(r.clone()).min(q.clone().max(s.clone()));
            if lower == upper { lower } else { (&p * &s - &q * &r) / (&p + &s - &q - &r) }
        };
        let values = (0..STATES).map(value).collect();
        layers.push(values);
    }
    layers
}

/// Reads files of layers in one folder, the files of which are written again for every input.
pub(crate) struct Reader {
    folder: PathBuf,
    /// The sound files of all layers.
    sound: Vec<Vec<u8>>,
    truth: Vec<Vec<BigRational>>,
}

impl Reader {
    /// A reader whose folder has this name among the temporary files.
    ///
    /// # Panics
    /// Where there is no room.
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir()
            .join(format!("pencil-tennis-layers-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("room for a folder");
        let mut reader = Self { folder, sound: Vec::new(), truth: truth() };
        reader.clear();
        assert!(reader.is_true().expect("the rules have no fault"), "a folder without files");
        reader.sound = (0..LAYERS)
            .map(|layer| fs::read(reader.file(layer)).expect("the layer is kept"))
            .collect();
        reader
    }

    fn file(&self, layer: u32) -> PathBuf {
        self.folder.join(format!("layer-{layer:03}"))
    }

    fn clear(&self) {
        for entry in fs::read_dir(&self.folder).expect("the folder") {
            let _ = fs::remove_file(entry.expect("an entry").path());
        }
    }

    /// Takes the bytes as the file of every layer behind sound ones, and as that of the layer in
    /// work; each as they are and with a fitting checksum. Returns how many of these folders were
    /// accepted.
    ///
    /// # Panics
    /// When a folder is accepted and bounds in it are false, or a refusal is not what refusals are.
    pub(crate) fn check(&self, bytes: &[u8]) -> usize {
        let mut fitting = bytes.to_vec();
        if let Some((body, sum)) = fitting.split_last_chunk_mut::<4>() {
            *sum = crc32fast::hash(body).to_le_bytes();
        }
        let mut accepted = 0;
        for content in [bytes, &fitting] {
            for layer in 0..LAYERS {
                for name in [format!("layer-{layer:03}"), "part".to_owned()] {
                    self.clear();
                    for before in 0..layer {
                        fs::write(self.file(before), &self.sound[before as usize])
                            .expect("room for a small file");
                    }
                    fs::write(self.folder.join(name), content).expect("room for a small file");
                    accepted += usize::from(self.is_true().is_ok_and(|is_read| is_read));
                }
            }
        }
        accepted
    }

    /// Goes on from the folder; whether it is accepted. What was solved is then true.
    fn is_true(&self) -> Result<bool, Error> {
        let folder = LayerFolder::new(&self.folder).keep_all().seed(1);
        let solution = match StochasticSolver::new(Steps).threads(1).solve_ranked(Some(folder)) {
            Ok(solution) => solution,
            Err(error) => {
                let is_refusal = match &error {
                    Error::StochasticGame(error) => {
                        matches!(error.fault(), StochasticGameFault::Checkpoint { .. })
                    }
                    _ => false,
                };
                assert!(is_refusal, "{error}");
                return Err(error);
            }
        };
        for (layer, values) in (0..).zip(&self.truth) {
            for (rank, value) in (0..).zip(values) {
                let enclosure = solution.enclosure(&(layer, rank)).expect("every state is kept");
                assert!(
                    enclosure.contains(value),
                    "{rank} in layer {layer}: {value} is not within {}",
                    enclosure.decimal()
                );
            }
        }
        let all = u64::from(LAYERS) * STATES;
        assert_eq!(solution.verify(u64::MAX).expect("what was accepted is proved"), all);
        assert!(!self.truth.iter().flatten().all(Zero::is_zero));
        Ok(true)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // A folder that stays among the temporary files is harmless.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Reader;
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_true_or_refused() {
        let reader = Reader::new("corpus");
        feed("layers", 3, |bytes| reader.check(bytes));
    }

    #[test]
    fn altered_layers_are_true_or_refused() {
        let reader = Reader::new("altered");
        alter("layers", 4, |bytes| reader.check(bytes));
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_layers_are_true_or_refused() {
        let reader = Reader::new("mutated");
        mutate("layers", |bytes| reader.check(bytes));
    }

    /// Writes the corpus: a sound file of every layer, and of the last one files that break one
    /// rule each.
    #[test]
    #[ignore = "writes tests/corpus/layers"]
    fn the_seeds_of_layers_are_written() {
        let reader = Reader::new("seeds");
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/layers");
        fs::create_dir_all(&corpus).unwrap();
        for (layer, bytes) in reader.sound.iter().enumerate() {
            fs::write(corpus.join(format!("layer-{layer}")), bytes).unwrap();
        }
        let last = reader.sound.last().unwrap();
        for (name, offset, value) in [
            ("magic", 0, 0),
            ("version", 8, 1),
            ("game", 12, last[12] ^ 1),
            ("exponent", 20, last[20] ^ 1),
            ("layer", 24, 3),
            ("states", 28, 7),
            ("solved", 36, 5),
            ("widest", 44, last[44] ^ 1),
            ("digest", 52, last[52] ^ 1),
            ("lower", 84 + 4, last[84 + 4].wrapping_add(1)),
            ("upper", 84 + 12, last[84 + 12].wrapping_sub(1)),
            ("sign", 84 + 7, last[84 + 7] ^ 0x80),
        ] {
            let mut broken = last.clone();
            broken[offset] = value;
            fs::write(corpus.join(format!("refused-{name}")), broken).unwrap();
        }
        let states = last.len() - 4;
        fs::write(
            corpus.join("refused-byte-more"),
            [&last[..states], &[0], &last[states..]].concat(),
        )
        .unwrap();
        fs::write(
            corpus.join("refused-byte-less"),
            [&last[..states - 1], &last[states..]].concat(),
        )
        .unwrap();
    }
}

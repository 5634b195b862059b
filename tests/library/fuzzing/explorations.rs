//! Properties of any bytes read as a checkpoint of an exploration.
//!
//! Nothing in a checkpoint is trusted, so that whatever it says, an exploration that goes on from
//! it refuses it or finds the same model as one from the beginning. The fuzz target
//! `fuzz/fuzz_targets/explorations.rs` includes this file.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::time::Duration;

use pencil_tennis::Error;
use pencil_tennis::model_checking::language::{Instance, Model};
use pencil_tennis::model_checking::{ExplicitModel, Exploration, ExplorationCheckpoint};
use sha2::{Digest, Sha256};

/// One model of each kind, with 3 to 16 states, deadlocks, labels, rewards, and intervals.
const MODELS: [&str; 4] = [
    "mdp
    module m x : [0..9]; [up] x<9 -> 1/3 : (x'=x+1) + 2/3 : true; [] x<8 -> (x'=x+2); endmodule
    label \"even\" = mod(x,2)=0;
    rewards \"r\" x=3 : x; [up] x>4 : 1/(x+1); endrewards",
    "csg
    player one first endplayer player two second endplayer
    module first x : [0..3]; [up] x<3 -> [0.1,0.3] : (x'=x+1) + [0.7,0.9] : true; [stay] true -> true; endmodule
    module second y : [0..3]; [left] y<3 -> (y'=y+1); [wait] true -> true; endmodule
    rewards [up,left] true : 1; x=y : 3; endrewards",
    "smg
    player one first, [go] endplayer player two second, [back] endplayer
    module first x : [0..4]; t : bool; [go] t & x<4 -> 1/2 : (x'=x+1) & (t'=false) + 1/2 : (t'=false); endmodule
    module second z : [0..2]; [back] !t -> (z'=mod(z+1,3)); [] !t & z=2 -> true; endmodule
    module third [back] true -> true; endmodule
    label \"end\" = x=4;",
    "dtmc
    module m x : [0..12]; [] x<12 -> 1/(x+1) : (x'=x+1) + 1-1/(x+1) : (x'=0); endmodule
    init x<=2 endinit
    rewards [] x>3 : x; endrewards",
];

/// Where the digest of the model is.
const DIGEST: std::ops::Range<usize> = 12..44;

/// The bytes before the first checksum.
const HEADER: usize = 8 + 4 + 32 + 7 * 8;

/// No small model takes as much.
const MEMORY: u64 = 16 << 20;

/// A model, with what an exploration from the beginning finds.
pub(crate) struct Known {
    instance: Instance,
    content: Vec<String>,
    /// A checkpoint of the states where play starts, and one of all states.
    pub(crate) checkpoints: [Vec<u8>; 2],
}

/// Explores all models.
pub(crate) fn known() -> Vec<Known> {
    MODELS.into_iter().map(Known::new).collect()
}

impl Known {
    fn new(text: &str) -> Self {
        let model = Model::read(text).expect("a model");
        let instance = Instance::new(&model, None, &[]).expect("an instance");
        let exploration = Exploration::within(MEMORY).threads(1);
        let alone = exploration
            .explore("m.prism", &instance, &mut |_| ControlFlow::Continue(()))
            .expect("states");

        // Small models end before a checkpoint is due; one that was resumed is written again, with
        // all states.
        let first = checkpoint_of_start(&instance);
        let mut whole = Vec::new();
        let exploration =
            Exploration::within(MEMORY).threads(1).resume(read(&first).expect("a checkpoint"));
        let exploration =
            exploration.on_checkpoint(Duration::ZERO, |checkpoint| whole = bytes_of(checkpoint));
        exploration
            .explore("m.prism", &instance, &mut |_| ControlFlow::Continue(()))
            .expect("states");
        Self { content: content(&alone), instance, checkpoints: [first, whole] }
    }

    /// Whether an exploration goes on from a checkpoint.
    fn can_resume(&self, checkpoint: ExplorationCheckpoint<'static>) -> bool {
        let exploration = Exploration::within(MEMORY).threads(1).resume(checkpoint);
        match exploration.explore("m.prism", &self.instance, &mut |_| ControlFlow::Continue(())) {
            Ok(model) => {
                assert!(
                    content(&model) == self.content,
                    "another model is found than without the checkpoint"
                );
                true
            }
            Err(error) => is_refusal(&error.into()),
        }
    }
}

/// Takes the bytes as a checkpoint: as they are, and of each model, with fitting checksums. Returns
/// how often an exploration goes on from it.
///
/// # Panics
/// When another model is found than without the checkpoint, when what is read is written in other
/// bytes, or a refusal is not what refusals are.
pub(crate) fn check(known: &[Known], bytes: &[u8]) -> usize {
    let mut accepted = usize::from(
        known.iter().any(|known| read(bytes).is_some_and(|read| known.can_resume(read))),
    );
    for known in known {
        let mut fitting = bytes.to_vec();
        if let Some(digest) = fitting.get_mut(DIGEST) {
            digest.copy_from_slice(&known.checkpoints[0][DIGEST]);
        }
        fit(&mut fitting);
        accepted += usize::from(read(&fitting).is_some_and(|read| known.can_resume(read)));
    }
    accepted
}

/// A checkpoint of the states where play starts, by the description of the format.
fn checkpoint_of_start(instance: &Instance) -> Vec<u8> {
    let mut resolved = String::new();
    instance.write_resolved(&mut resolved).expect("memory");
    let states = instance.initial_states(1_000).expect("states");
    let variables = instance.variables_of_states().len();
    let counts =
        [variables, instance.reward_structures().len(), 0, 0, states.len(), states.len(), 0];

    let mut bytes = b"PTSTATES\x01\0\0\0".to_vec();
    bytes.extend(Sha256::digest(resolved));
    for count in counts {
        bytes.extend((count as u64).to_le_bytes());
    }
    bytes.extend([0; 4]);
    for value in states.iter().flatten() {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    fit(&mut bytes);
    bytes
}

fn read(bytes: &[u8]) -> Option<ExplorationCheckpoint<'static>> {
    match ExplorationCheckpoint::read(Cursor::new(bytes)) {
        Ok(checkpoint) => {
            assert!(checkpoint.expanded() <= checkpoint.states());
            // Numbers may have been written otherwise, such as 2/4; the second time they are not.
            let written = bytes_of(&checkpoint);
            let again =
                ExplorationCheckpoint::read(Cursor::new(&written)).expect("what was written");
            assert!(bytes_of(&again) == written, "written again it differs");
            Some(checkpoint)
        }
        Err(error) => {
            is_refusal(&error.into());
            None
        }
    }
}

fn bytes_of(checkpoint: &ExplorationCheckpoint<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    checkpoint.write(&mut bytes).expect("memory");
    bytes
}

/// Asserts that a refusal is a sentence about the checkpoint; `false`.
fn is_refusal(error: &Error) -> bool {
    let sentence = error.to_string();
    assert!(sentence.contains("checkpoint") && sentence.chars().count() <= 1_000, "{sentence}");
    false
}

/// Gives both parts the checksums that fit, as the description of the format says.
fn fit(bytes: &mut [u8]) {
    if bytes.len() < HEADER + 8 {
        return;
    }
    let end = bytes.len() - 4;
    let header = crc32fast::hash(&bytes[..HEADER]);
    bytes[HEADER..HEADER + 4].copy_from_slice(&header.to_le_bytes());
    let rest = crc32fast::hash(&bytes[HEADER + 4..end]);
    bytes[end..].copy_from_slice(&rest.to_le_bytes());
}

/// All that a model holds, in an order that does not depend on its hash tables.
fn content(model: &ExplicitModel) -> Vec<String> {
    let debug = format!("{model:?}");
    let mut words: Vec<String> =
        debug.split(|sign: char| !sign.is_alphanumeric()).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{HEADER, check, fit, known};
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_comes_to_the_same_model_or_is_refused() {
        let known = known();
        feed("explorations", 8, |bytes| check(&known, bytes));
    }

    #[test]
    fn altered_explorations_come_to_the_same_model_or_are_refused() {
        let known = known();
        alter("explorations", 100, |bytes| check(&known, bytes));
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_explorations_come_to_the_same_model_or_are_refused() {
        let known = known();
        mutate("explorations", |bytes| check(&known, bytes));
    }

    /// Writes the corpus: both checkpoints of each model, and files that break one rule each.
    #[test]
    #[ignore = "writes tests/corpus/explorations"]
    fn the_seeds_of_explorations_are_written() {
        let known = known();
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/explorations");
        fs::create_dir_all(&corpus).unwrap();
        let names = ["mdp", "csg", "smg", "dtmc"];
        for (name, known) in names.into_iter().zip(&known) {
            for (part, bytes) in ["start", "whole"].into_iter().zip(&known.checkpoints) {
                fs::write(corpus.join(format!("{name}-{part}")), bytes).unwrap();
            }
        }
        let [_, whole] = &known[0].checkpoints;
        let count = |index: usize| 44 + 8 * index;
        let changes = [
            ("magic", 0, b'Q'),
            ("version", 8, 2),
            ("variables", count(0), 2),
            ("structures", count(1), 2),
            ("probabilities", count(2), 1),
            ("actions", count(3), 9),
            ("starts", count(4), 2),
            ("more-starts", count(4) + 3, 1),
            ("fewer-states", count(5), 2),
            ("promise", count(5) + 3, 0x7f),
            ("more-expanded", count(6), 0xff),
            ("text-not-utf8", HEADER + 8, 0xff),
            ("long-text", HEADER + 4 + 3, 0x7f),
        ];
        for (name, offset, value) in changes {
            let mut broken = whole.clone();
            broken[offset] = value;
            fit(&mut broken);
            fs::write(corpus.join(format!("refused-{name}")), broken).unwrap();
        }
        fs::write(corpus.join("refused-half"), &whole[..whole.len() / 2]).unwrap();
    }
}

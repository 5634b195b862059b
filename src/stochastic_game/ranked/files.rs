//! Layers on disk: a folder with a file for each, and one for what is known of the layer at hand.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::RankedRules;
use super::stages::Limits;
use super::sweep::Tally;
use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::sealed::{Format, SealedReader, SealedWriter};
use crate::stochastic_game::model::Digest;
use crate::stochastic_game::proof::refusal;

const FORMAT: Format = Format { magic: *b"GAMLAYER", version: 1, name: "the file of a layer" };

/// The bytes before the bounds: format, version, game, exponent, layer, states, states that are known, matrix games, widest bounds,
/// digest.
const HEADER: u64 = 8 + 4 + 8 + 4 + 4 + 4 * 8 + 32;

/// SHA-256 of the bounds of all layers up to one: of the digest up to the layer before, and the layer's bounds as in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain(pub(super) [u8; 32]);

impl Chain {
    /// Goes on with the next layer.
    #[cfg_attr(not(feature = "report"), expect(clippy::unused_self, reason = "there is nothing to digest with"))]
    pub(super) fn add(&mut self, bounds: &[Bounds]) {
        #[cfg(feature = "report")]
        {
            use sha2::Digest as _;
            let mut digest = sha2::Sha256::new_with_prefix(self.0);
            for bounds in bounds.chunks(1 << 12) {
                digest.update(as_bytes(bounds).collect::<Vec<u8>>());
            }
            self.0 = digest.finalize().into();
        }
        #[cfg(not(feature = "report"))]
        let _ = bounds;
    }
}

pub(super) fn as_bytes(bounds: &[Bounds]) -> impl Iterator<Item = u8> + '_ {
    bounds.iter().flat_map(|bounds| [bounds.lower, bounds.upper]).flat_map(i64::to_le_bytes)
}

/// The files of one game in a folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    game: u64,
    exponent: u32,
    limits: Limits,
}

/// A layer, or the first states of one.
pub(super) struct LayerFile<'b> {
    pub(super) layer: u32,
    /// The states of the layer, known or not.
    pub(super) len: u64,
    pub(super) tally: Tally,
    pub(super) bounds: std::borrow::Cow<'b, [Bounds]>,
}

impl Folder {
    pub(super) fn new(path: &Path, rules: &impl RankedRules, limits: Limits) -> Self {
        let mut digest = Digest::new(rules.layers() as usize, limits.payoff as usize);
        for layer in 0..rules.layers() {
            let len = rules.len(layer);
            digest.add_number(len);
            for rank in [0, len / 3, len.saturating_sub(1)] {
                rules.name(&rules.state(layer, rank)).bytes().for_each(|byte| digest.add_number(byte.into()));
            }
        }
        Self { path: path.to_owned(), game: digest.long(), exponent: limits.scale.exponent, limits }
    }

    /// The file of a layer, or of what is known of the one at hand.
    fn file(&self, layer: Option<u32>) -> PathBuf {
        self.path.join(layer.map_or("part".to_owned(), |layer| format!("layer-{layer:03}")))
    }

    fn about(&self, layer: Option<u32>, error: &dyn std::fmt::Display) -> StochasticGameError {
        refusal(format!("{} cannot be used: {error}", self.file(layer).display()))
    }

    /// Writes a layer that is done with, or the one at hand, beside its place, and renames it.
    ///
    /// # Errors
    /// The system's, with the name of the file.
    pub(super) fn write(&self, is_done: bool, file: &LayerFile<'_>) -> Result<(), StochasticGameError> {
        let place = is_done.then_some(file.layer);
        self.write_to(place, file).map_err(|error| self.about(place, &error))?;
        if is_done {
            self.remove(None);
        }
        Ok(())
    }

    fn write_to(&self, place: Option<u32>, file: &LayerFile<'_>) -> io::Result<()> {
        let (target, beside) = (self.file(place), self.path.join("unfinished"));
        fs::create_dir_all(&self.path)?;
        let output = File::create(&beside)?;
        let mut out = SealedWriter::new(BufWriter::new(&output), &FORMAT)?;
        let Tally { matrices, widest, chain } = file.tally;
        out.put(self.game.to_le_bytes())?;
        out.put(self.exponent.to_le_bytes())?;
        out.put(file.layer.to_le_bytes())?;
        for number in [file.len, file.bounds.len() as u64, matrices, widest as u64] {
            out.put(number.to_le_bytes())?;
        }
        out.put(chain.0)?;
        for bounds in file.bounds.chunks(1 << 10) {
            out.put(as_bytes(bounds).collect::<Vec<u8>>())?;
        }
        out.end_part()?;
        drop(out);
        output.sync_all()?;
        fs::rename(beside, target)
    }

    /// Removes the file of a layer, if there is one.
    pub(super) fn remove(&self, layer: Option<u32>) {
        // What is left lies there unused.
        let _ = fs::remove_file(self.file(layer));
    }

    pub(super) fn has(&self, layer: Option<u32>) -> bool {
        self.file(layer).exists()
    }

    /// Reads a layer and checks every byte.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`](crate::stochastic_game::StochasticGameFault::Checkpoint) with what is wrong.
    pub(super) fn read(&self, layer: Option<u32>) -> Result<LayerFile<'static>, StochasticGameError> {
        let file = File::open(self.file(layer)).map_err(|error| self.about(layer, &error))?;
        let size = file.metadata().map_err(|error| self.about(layer, &error))?.len();
        self.take(file, size).map_err(|error| self.about(layer, &error))
    }

    fn take(&self, file: File, size: u64) -> Result<LayerFile<'static>, StochasticGameError> {
        let mut input = SealedReader::new(file, &FORMAT)?;
        if input.u64()? != self.game || input.u32()? != self.exponent {
            return Err(refusal("is of another game"));
        }
        let layer = input.u32()?;
        let [len, known, matrices, widest] = [input.u64()?, input.u64()?, input.u64()?, input.u64()?];
        let tally = Tally { matrices, widest: widest as i64, chain: Chain(input.take()?) };
        if known > len || u128::from(size) != u128::from(HEADER) + 16 * u128::from(known) + 4 {
            return Err(refusal("has another length than it says"));
        }
        let mut bounds = Vec::with_capacity(known as usize);
        for _ in 0..known {
            let own = Bounds::new(input.u64()? as i64, input.u64()? as i64);
            if own.lower > own.upper || !self.limits.allow(own) {
                return Err(refusal("holds bounds that no state has"));
            }
            bounds.push(own);
        }
        input.end_part()?;
        input.end()?;
        Ok(LayerFile { layer, len, tally, bounds: bounds.into() })
    }

    /// The bounds of a rank as they are stored, if they are.
    pub(super) fn look_up(&self, layer: u32, rank: u64) -> Option<Bounds> {
        let mut file = File::open(self.file(Some(layer))).ok()?;
        file.seek(SeekFrom::Start(HEADER + 16 * rank)).ok()?;
        let mut bytes = [0; 16];
        file.read_exact(&mut bytes).ok()?;
        let [lower, upper] = [0, 8].map(|begin| bytes[begin..][..8].try_into().map_or(0, i64::from_le_bytes));
        // Behind the last bounds stands the checksum, too short for others.
        (lower <= upper).then_some(Bounds::new(lower, upper))
    }
}

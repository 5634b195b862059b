//! Layers on disk: a folder with a file for each, and one for the states of the next layer that are solved.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RankedRules;
use super::sweep::Tally;
use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::sealed::{Format, SealedReader, SealedWriter};
use crate::stochastic_game::model::{Digest, PayoffLimit};
use crate::stochastic_game::proof::refusal;

const FORMAT: Format = Format { magic: *b"GAMLAYER", version: 1, name: "the file of a layer" };

/// The bytes before the bounds: magic and version; game, exponent and layer, states, solved states, matrix games, widest bounds;
/// digest.
const HEADER: u64 = 12 + 6 * 8 + 32;

/// The time between two checkpoints within a layer, unless another is set: writing a gigabyte takes seconds.
const EVERY: Duration = Duration::from_secs(600);

/// A folder in which [`solve_ranked`](crate::stochastic_game::StochasticSolver::solve_ranked) keeps layers, and from which it
/// resumes a solve that was interrupted, by `kill -9`, too; the result is the same to the byte.
///
/// Every complete layer is written at once, and the solved states of the next one every ten minutes. A file is written beside its
/// place and renamed. A file read is checked by its checksum, and a sample of its states is proved again from the layers before.
#[derive(Clone, Debug)]
pub struct LayerFolder {
    path: PathBuf,
    pub(super) every: Duration,
    pub(super) keeps_all: bool,
}

impl LayerFolder {
    /// A folder, made where there is none, that keeps the layers that are needed to go on.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned(), every: EVERY, keeps_all: false }
    }

    /// Sets the time between two checkpoints within a layer.
    #[must_use]
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Keeps all layers, so that the solution knows every state.
    #[must_use]
    pub const fn keep_all(mut self) -> Self {
        self.keeps_all = true;
        self
    }
}

/// A folder with the layers of one game.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) own: LayerFolder,
    pub(super) game: u64,
    pub(super) limit: PayoffLimit,
}

/// A number by which a game is recognised: its size, and the names of some states.
pub(super) fn identity(rules: &impl RankedRules) -> u64 {
    let mut digest = Digest::new(rules.layers() as usize, rules.payoff_bound().unwrap_or(0) as usize);
    for layer in 0..rules.layers() {
        let len = rules.len(layer);
        digest.add_number(len);
        for rank in [0, len / 3, len.saturating_sub(1)] {
            rules.name(&rules.state(layer, rank)).bytes().for_each(|byte| digest.add_number(byte.into()));
        }
    }
    digest.long()
}

/// The lower and the upper bound of each state in eight bytes each, little end first.
pub(super) fn as_bytes(bounds: &[Bounds]) -> Vec<u8> {
    bounds.iter().flat_map(|bounds| [bounds.lower, bounds.upper]).flat_map(i64::to_le_bytes).collect()
}

impl Folder {
    /// The file of a complete layer, or of the incomplete one.
    fn file(&self, layer: Option<u32>) -> PathBuf {
        self.own.path.join(layer.map_or("part".to_owned(), |layer| format!("layer-{layer:03}")))
    }

    fn about(&self, layer: Option<u32>, error: impl std::fmt::Display) -> StochasticGameError {
        refusal(format!("{} {error}", self.file(layer).display()))
    }

    /// Writes a layer with this number of states, complete or not.
    ///
    /// # Errors
    /// The system's, with the name of the file.
    pub(super) fn write(
        &self,
        is_complete: bool,
        (layer, len): (u32, u64),
        tally: Tally,
        bounds: &[Bounds],
    ) -> Result<(), StochasticGameError> {
        let place = is_complete.then_some(layer);
        let (target, beside) = (self.file(place), self.own.path.join("unfinished"));
        let write = || {
            fs::create_dir_all(&self.own.path)?;
            let output = File::create(&beside)?;
            let mut out = SealedWriter::new(BufWriter::new(&output), &FORMAT)?;
            let place = u64::from(self.limit.scale.exponent) | u64::from(layer) << 32;
            out.numbers([self.game, place, len, bounds.len() as u64, tally.matrices, tally.widest as u64])?;
            out.put(tally.chain)?;
            bounds.chunks(1 << 12).try_for_each(|bounds| out.put(as_bytes(bounds)))?;
            out.end_part()?;
            drop(out);
            output.sync_all()?;
            fs::rename(&beside, target)
        };
        write().map_err(|error| self.about(place, format_args!("cannot be written: {error}")))
    }

    /// Removes the file of a layer, if there is one.
    pub(super) fn remove(&self, layer: Option<u32>) {
        // A file that cannot be removed is never read.
        let _ = fs::remove_file(self.file(layer));
    }

    pub(super) fn has(&self, layer: Option<u32>) -> bool {
        self.file(layer).exists()
    }

    /// Reads a layer with this number of states, or the first states of it, and checks every byte. Returns its number, too: a
    /// layer may have been completed since its first states were written.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`](crate::stochastic_game::StochasticGameFault::Checkpoint) with the name of the file.
    pub(super) fn read(&self, place: Option<u32>) -> Result<(u32, Tally, Vec<Bounds>), StochasticGameError> {
        let read = || -> Result<_, Box<dyn std::error::Error>> {
            let file = File::open(self.file(place)).map_err(|error| format!("cannot be read: {error}"))?;
            let size = file.metadata().map_or(0, |about| about.len());
            let mut input = SealedReader::new(file, &FORMAT)?;
            let (game, place_and_exponent, len, solved) = (input.u64()?, input.u64()?, input.u64()?, input.u64()?);
            let tally = Tally { matrices: input.u64()?, widest: input.u64()? as i64, chain: input.take()? };
            let layer = (place_and_exponent >> 32) as u32;
            if game != self.game || place_and_exponent as u32 != self.limit.scale.exponent {
                return Err("is of another game".into());
            }
            let is_whole = place.is_none_or(|place| place == layer && solved == len);
            if !is_whole || solved > len || u128::from(size) != u128::from(HEADER) + 16 * u128::from(solved) + 4 {
                return Err("has another length than it says".into());
            }
            let mut bounds = Vec::with_capacity(solved as usize);
            for _ in 0..solved {
                bounds.push(Bounds::new(input.u64()? as i64, input.u64()? as i64));
            }
            if !bounds.iter().all(|own| own.lower <= own.upper && self.limit.allows_bounds(*own)) {
                return Err("holds bounds that no state has".into());
            }
            input.end_part()?;
            input.end()?;
            Ok((layer, tally, bounds))
        };
        read().map_err(|reason| self.about(place, reason))
    }

    /// The bounds of a rank as they are stored, if they are.
    pub(super) fn find(&self, layer: u32, rank: u64) -> Option<Bounds> {
        let mut file = File::open(self.file(Some(layer))).ok()?;
        file.seek(SeekFrom::Start(HEADER.checked_add(rank.checked_mul(16)?)?)).ok()?;
        // Behind the last bounds stands the checksum, too short for others.
        let mut bytes = [0; 16];
        file.read_exact(&mut bytes).ok()?;
        let [lower, upper] = [0, 8].map(|begin| bytes[begin..][..8].try_into().map_or(0, i64::from_le_bytes));
        let bounds = Bounds::new(lower, upper);
        (lower <= upper && self.limit.allows_bounds(bounds)).then_some(bounds)
    }
}

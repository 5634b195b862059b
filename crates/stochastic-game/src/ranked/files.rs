//! Layers on disk: a folder with a file for each, and one for the states of the next layer that are
//! solved.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::kept_layer::{Account, KeptLayer, as_bytes};
use crate::atomic_file::AtomicFile;
use crate::bounds::Bounds;
use crate::error::StochasticGameFault;
use crate::model::PayoffLimit;
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter, only};

const FORMAT: Format =
    Format { magic: *b"GAMLAYER", versions: [2, 2], name: "the file of a layer" };

/// The bytes before the bounds: magic and version; game; exponent and layer; states, and solved
/// states; the account of the layers before, which is their largest width and their digest.
const HEADER: u64 = 12 + 8 + 8 + 16 + 8 + 32;

/// The bytes of a state's bounds.
const STATE: u64 = 16;

/// The states that a look-up reads, and checks, together: a page of 4 KiB.
const BLOCK: usize = 256;

/// The time between two checkpoints within a layer, unless another is set: writing a gigabyte takes
/// seconds.
const EVERY: Duration = Duration::from_secs(600);

/// A folder in which [`solve_ranked`](crate::StochasticSolver::solve_ranked) keeps
/// layers, and from which it resumes a solve that was interrupted, by `kill -9`, too; the result is
/// the same to the byte.
///
/// Every complete layer is written at once, and the solved states of the next one every ten
/// minutes. A file is written under a name of its own and renamed. Where one cannot be written, the
/// solve ends, and the next one goes on from the layers on disk.
///
/// One process at a time solves in a folder: it locks the file `lock`, in which its number stands,
/// and any other is refused. Reading takes no lock.
///
/// *Checked on opening.* Every file: that it is of this game and this layer, its length, its
/// checksum, that its bounds are possible, and that it goes on from the file before it (SHA-256).
/// Of every layer that follows from layers in the folder, 256 random states are proved by the
/// rules. Of the last layer, from which a solve goes on, all states are proved where the layers
/// that it needs are there, as they are with [`keep_all`](Self::keep_all). A look-up compares what
/// it reads with what was checked on opening.
///
/// *Trusted.* Bounds outside these samples, and the first layer in the folder where the layers
/// before it were not kept. [`RankedSolution::stored_states`](super::RankedSolution::stored_states)
/// counts these states, and [`RankedSolution::verify`](super::RankedSolution::verify) proves all of
/// a folder that has all layers.
#[derive(Clone, Debug)]
pub struct LayerFolder {
    pub(super) path: PathBuf,
    pub(super) every: Duration,
    pub(super) keeps_all: bool,
    pub(super) seed: Option<u64>,
}

impl LayerFolder {
    /// A folder, made where there is none, that keeps the layers that are needed to go on.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned(), every: EVERY, keeps_all: false, seed: None }
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

    /// Sets the seed of the states that are proved on opening; without one, every opening draws
    /// others.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}

/// A folder with the layers of one game.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) settings: LayerFolder,
    pub(super) game: u64,
    pub(super) limit: PayoffLimit,
    /// The number of states of each layer.
    pub(super) lens: Vec<u64>,
    /// The complete layers that were checked, or that this process found.
    pub(super) checked: BTreeMap<u32, Checksums>,
}

/// The number of states of a layer, and the CRC-32 of each block of their bounds.
#[derive(Debug)]
pub(super) struct Checksums {
    states: u64,
    blocks: Vec<u32>,
}

impl Checksums {
    pub(super) fn of(bounds: &[Bounds]) -> Self {
        let blocks = bounds.chunks(BLOCK).map(|block| crc32fast::hash(&as_bytes(block))).collect();
        Self { states: bounds.len() as u64, blocks }
    }
}

/// A layer's file: its layer, the account of the layers before, and the bounds of its first states.
pub(super) struct LayerFile {
    pub(super) layer: u32,
    pub(super) before: Account,
    pub(super) bounds: Vec<Bounds>,
}

/// The bounds that [`as_bytes`] has written.
pub(super) fn from_bytes(bytes: &[u8]) -> Vec<Bounds> {
    let (numbers, _) = bytes.as_chunks::<8>();
    let (pairs, _) = numbers.as_chunks::<2>();
    pairs
        .iter()
        .map(|[lower, upper]| Bounds::new(i64::from_le_bytes(*lower), i64::from_le_bytes(*upper)))
        .collect()
}

impl Folder {
    /// The file of a complete layer, or of the incomplete one.
    fn file(&self, layer: Option<u32>) -> PathBuf {
        self.settings
            .path
            .join(layer.map_or("part".to_owned(), |layer| format!("layer-{layer:03}")))
    }

    /// A fault about the file of a layer, in words that follow its name.
    pub(super) fn fault(
        &self,
        layer: Option<u32>,
        words: impl std::fmt::Display,
    ) -> StochasticGameFault {
        StochasticGameFault::Checkpoint {
            reason: format!("{} {words}", self.file(layer).display()),
        }
    }

    /// Writes a complete layer to its place, or the solved states of the incomplete one to the
    /// place that has no number.
    ///
    /// # Errors
    /// The system's; then nothing is left of the file.
    pub(super) fn write(
        &self,
        place: Option<u32>,
        layer: u32,
        kept: &KeptLayer<'_>,
    ) -> io::Result<()> {
        let output = AtomicFile::create(&self.file(place))?;
        let mut out =
            SealedWriter::new(BufWriter::new(output.file()), &FORMAT, FORMAT.versions[1])?;
        out.numbers([self.game, u64::from(self.limit.scale.exponent) | u64::from(layer) << 32])?;
        out.numbers([self.lens[layer as usize], kept.bounds.len() as u64])?;
        out.put(kept.before.widest.to_le_bytes())?;
        out.put(kept.before.digest)?;
        for bounds in kept.bounds.chunks(1 << 12) {
            out.put(as_bytes(bounds))?;
        }
        out.end_part()?;
        drop(out);
        output.complete()
    }

    /// Removes the file of a layer, if there is one.
    pub(super) fn remove(&self, layer: Option<u32>) {
        // A file that cannot be removed is checked like any other.
        let _ = fs::remove_file(self.file(layer));
    }

    pub(super) fn has(&self, layer: Option<u32>) -> bool {
        self.file(layer).exists()
    }

    /// Reads a complete layer with this number of states, or the first states of the incomplete
    /// one, and checks every byte.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the name of the file.
    pub(super) fn read(&self, place: Option<u32>) -> Result<LayerFile, StochasticGameFault> {
        self.read_file(place).map_err(|words| self.fault(place, words))
    }

    /// The same, or words that follow the name of the file.
    fn read_file(&self, place: Option<u32>) -> Result<LayerFile, Box<dyn std::error::Error>> {
        let file =
            File::open(self.file(place)).map_err(|error| format!("cannot be read: {error}"))?;
        let size = file.metadata().map_or(0, |about| about.len());
        let mut input = SealedReader::new(file, &FORMAT).map_err(|fault| match fault {
            SealFault::OtherVersion { found, known } => {
                format!("is of version {found} of the format; {}, so that the game is to be solved again", only(known))
            }
            fault => fault.to_string(),
        })?;
        let [game, place_and_exponent, len, solved] =
            [input.u64()?, input.u64()?, input.u64()?, input.u64()?];
        let before = Account { widest: input.u64()? as i64, digest: input.take()? };
        if game != self.game || place_and_exponent as u32 != self.limit.scale.exponent {
            return Err("is of another game".into());
        }
        let layer = (place_and_exponent >> 32) as u32;
        if place.is_some_and(|place| place != layer) {
            return Err(format!("is the file of layer {layer}").into());
        }
        if self.lens.get(layer as usize) != Some(&len) {
            return Err(format!("says that layer {layer} has {len} states").into());
        }
        let is_whole = place.is_none() || solved == len;
        let bytes = u128::from(HEADER) + u128::from(STATE) * u128::from(solved) + 4;
        if !is_whole || solved > len || u128::from(size) != bytes {
            return Err("has another length than it says".into());
        }
        let mut bounds = Vec::with_capacity(solved as usize);
        for _ in 0..solved {
            bounds.push(Bounds::new(input.u64()? as i64, input.u64()? as i64));
        }
        input.end_part()?;
        input.end()?;
        if !bounds
            .iter()
            .all(|bounds| bounds.lower <= bounds.upper && self.limit.allows_bounds(*bounds))
        {
            return Err("holds bounds that no state has".into());
        }
        Ok(LayerFile { layer, before, bounds })
    }

    /// The bounds of a rank of a layer that was checked; `None` where there is no such layer or
    /// rank.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] where the block of the rank is not what was checked.
    pub(super) fn find(
        &self,
        layer: u32,
        rank: u64,
    ) -> Result<Option<Bounds>, StochasticGameFault> {
        let Some(checksums) = self.checked.get(&layer).filter(|checksums| rank < checksums.states)
        else {
            return Ok(None);
        };
        let Some(mut file) = self.reopen(layer)? else { return Ok(None) };
        let block = rank as usize / BLOCK;
        let bounds = self.read_block(&mut file, layer, checksums, block)?;
        Ok(bounds.get(rank as usize % BLOCK).copied())
    }

    /// The bounds of a layer that was checked; `None` where there is no such layer.
    ///
    /// # Errors
    /// As for [`Self::find`].
    pub(super) fn load(&self, layer: u32) -> Result<Option<Vec<Bounds>>, StochasticGameFault> {
        let Some(checksums) = self.checked.get(&layer) else { return Ok(None) };
        let Some(mut file) = self.reopen(layer)? else { return Ok(None) };
        let mut bounds = Vec::with_capacity(checksums.states as usize);
        for block in 0..checksums.blocks.len() {
            bounds.append(&mut self.read_block(&mut file, layer, checksums, block)?);
        }
        Ok(Some(bounds))
    }

    /// Opens the file of a layer that was checked; `None` where it was removed since.
    fn reopen(&self, layer: u32) -> Result<Option<File>, StochasticGameFault> {
        match File::open(self.file(Some(layer))) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fault(Some(layer), format_args!("cannot be read: {error}"))),
        }
    }

    /// Reads a block of a layer, and compares it with what was checked.
    fn read_block(
        &self,
        file: &mut File,
        layer: u32,
        checksums: &Checksums,
        block: usize,
    ) -> Result<Vec<Bounds>, StochasticGameFault> {
        let first = (block * BLOCK) as u64;
        let states = (checksums.states - first).min(BLOCK as u64);
        let mut bytes = vec![0; (STATE * states) as usize];
        let read = file
            .seek(SeekFrom::Start(HEADER + STATE * first))
            .and_then(|_| file.read_exact(&mut bytes));
        if read.is_err() || crc32fast::hash(&bytes) != checksums.blocks[block] {
            return Err(self.fault(Some(layer), "has changed since it was checked"));
        }
        Ok(from_bytes(&bytes))
    }
}

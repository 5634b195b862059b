//! An interrupted solve as bytes.

use std::borrow::Cow;
use std::io::{self, BufReader, BufWriter, Read, Write};

use super::error::{GameFault, StochasticGameError};
use crate::bounds::Bounds;

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"SIMGAMCP";

/// The version of the format that is written; the only one that is read.
const VERSION: u32 = 1;

/// Magic, version, digest of the game, solved states, all states.
const HEADER: usize = 8 + 4 + 3 * 8;

/// No bound is larger, see `scale`.
const LARGEST: i64 = 1 << 62;

/// The bounds of the states that are solved so far, which a [`RulesSolver`](super::RulesSolver) goes on from.
///
/// Bytes of integers, little end first: `SIMGAMCP`, the version 1 in four bytes; in eight each a digest of the game, the states that
/// are solved and the numbers of states; a lower and an upper bound for each number, 0 where none is known; in four bytes the
/// CRC-32 of all before. What is read is trusted as far as checksum and digest go: bounds are not proved again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesCheckpoint<'b> {
    pub(super) game: u64,
    pub(super) solved: u64,
    pub(super) bounds: Cow<'b, [Bounds]>,
}

pub(super) fn refusal(reason: impl Into<String>) -> StochasticGameError {
    StochasticGameError::new(GameFault::Checkpoint { reason: reason.into() })
}

impl RulesCheckpoint<'_> {
    /// The states that are solved.
    pub const fn solved(&self) -> u64 {
        self.solved
    }

    /// Writes the checkpoint. What is to survive a crash should be written beside its place and renamed.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        let mut checksum = crc32fast::Hasher::new();
        let mut put = |bytes: &[u8]| {
            checksum.update(bytes);
            out.write_all(bytes)
        };
        put(&MAGIC)?;
        put(&VERSION.to_le_bytes())?;
        for number in [self.game, self.solved, self.bounds.len() as u64] {
            put(&number.to_le_bytes())?;
        }
        for bounds in self.bounds.iter() {
            put(&bounds.lower.to_le_bytes())?;
            put(&bounds.upper.to_le_bytes())?;
        }
        out.write_all(&checksum.finalize().to_le_bytes())?;
        out.flush()
    }
}

impl RulesCheckpoint<'static> {
    /// Reads a checkpoint and checks every byte of it.
    ///
    /// # Errors
    /// [`GameFault::Checkpoint`] with what is wrong.
    pub fn read(bytes: impl Read) -> Result<Self, StochasticGameError> {
        let mut bytes = BufReader::new(bytes);
        let mut checksum = crc32fast::Hasher::new();
        let header: [u8; HEADER] = take(&mut bytes, &mut checksum)?;
        if header[..8] != MAGIC {
            return Err(refusal("does not begin as a checkpoint of a game does"));
        }
        if header[8..12] != VERSION.to_le_bytes() {
            return Err(refusal(format!("has another version of the format; only version {VERSION} is known")));
        }
        let [game, solved, count] = [12, 20, 28].map(|at| integer(&header[at..]) as u64);
        let mut bounds = Vec::new();
        for _ in 0..count {
            let pair: [u8; 16] = take(&mut bytes, &mut checksum)?;
            let own = Bounds { lower: integer(&pair), upper: integer(&pair[8..]) };
            if own.lower > own.upper || own.lower < -LARGEST || own.upper > LARGEST {
                return Err(refusal("holds bounds that no game has"));
            }
            bounds.push(own);
        }
        let expected = checksum.finalize().to_le_bytes();
        if take::<4>(&mut bytes, &mut crc32fast::Hasher::new())? != expected {
            return Err(refusal("has a wrong checksum"));
        }
        if bytes.read(&mut [0]).map_err(|error| refusal(error.to_string()))? > 0 {
            return Err(refusal("goes on after its end"));
        }
        Ok(Self { game, solved, bounds: Cow::Owned(bounds) })
    }

    /// The bounds and how many states they are of, if it is a checkpoint of this game.
    pub(super) fn of_game(self, game: u64, numbers: usize) -> Result<(u64, Vec<Bounds>), StochasticGameError> {
        if self.game != game || self.bounds.len() != numbers {
            return Err(refusal("is of another game, or of other rules"));
        }
        Ok((self.solved, self.bounds.into_owned()))
    }
}

fn take<const COUNT: usize>(bytes: &mut impl Read, checksum: &mut crc32fast::Hasher) -> Result<[u8; COUNT], StochasticGameError> {
    let mut taken = [0; COUNT];
    bytes.read_exact(&mut taken).map_err(|error| refusal(format!("cannot be read: {error}")))?;
    checksum.update(&taken);
    Ok(taken)
}

/// The first eight of at least as many bytes.
fn integer(bytes: &[u8]) -> i64 {
    bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

//! An interrupted solve as bytes.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use super::sealed::{SealedReader, SealedWriter, refusal};
use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::stochastic_game::sweep::Reached;

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"SIMGAMCP";

/// The version of the format that is written; the only one that is read.
const VERSION: u32 = 1;

/// The bounds of the states that are solved so far, which a [`RulesSolver`](crate::stochastic_game::RulesSolver) goes on from.
///
/// Bytes of integers, little end first: `SIMGAMCP`, the version 1 in four bytes; in eight each a digest of the game, the states that
/// are solved and the numbers of states; a lower and an upper bound for each number, 0 where none is known; in four bytes the
/// CRC-32 of all before. What is read is trusted as far as checksum and digest go: bounds are not proved again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesCheckpoint<'b> {
    pub(crate) game: u64,
    pub(crate) solved: u64,
    pub(crate) bounds: Cow<'b, [Bounds]>,
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
        let mut out = SealedWriter::new(out, MAGIC, VERSION)?;
        for number in [self.game, self.solved, self.bounds.len() as u64] {
            out.put_u64(number)?;
        }
        for &bounds in self.bounds.iter() {
            out.put_bounds(bounds)?;
        }
        out.finish()
    }
}

impl RulesCheckpoint<'static> {
    /// Reads a checkpoint and checks every byte of it.
    ///
    /// # Errors
    /// [`GameFault::Checkpoint`](crate::stochastic_game::GameFault::Checkpoint) with what is wrong.
    pub fn read(bytes: impl Read) -> Result<Self, StochasticGameError> {
        let mut input = SealedReader::new(bytes, MAGIC, VERSION)?;
        let (game, solved, count) = (input.take_u64()?, input.take_u64()?, input.take_u64()?);
        let mut bounds = Vec::new();
        for _ in 0..count {
            bounds.push(input.take_bounds()?);
        }
        input.finish()?;
        Ok(Self { game, solved, bounds: Cow::Owned(bounds) })
    }

    /// What was reached, if it is a checkpoint of this game.
    pub(crate) fn of_game(self, game: u64, numbers: usize) -> Result<Reached, StochasticGameError> {
        if self.game != game || self.bounds.len() != numbers {
            return Err(refusal("is of another game, or of other rules"));
        }
        Ok(Reached { solved: self.solved, bounds: self.bounds.into_owned(), strategies: None })
    }
}

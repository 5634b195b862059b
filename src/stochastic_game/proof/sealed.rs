//! Bytes with a checksum behind them: what checkpoints are written in.

use std::io::{self, BufReader, BufWriter, Read, Write};

use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};

/// No bound is larger, see `scale`.
const LARGEST: i64 = 1 << 62;

/// A checkpoint that is not gone on from, with what is wrong with it.
pub(crate) fn refusal(reason: impl Into<String>) -> StochasticGameError {
    StochasticGameFault::Checkpoint { reason: reason.into() }.into()
}

/// Writes bytes and then their CRC-32.
pub(crate) struct SealedWriter<W: Write> {
    out: BufWriter<W>,
    checksum: crc32fast::Hasher,
}

impl<W: Write> SealedWriter<W> {
    /// Begins with the name of a format and its version.
    pub(crate) fn new(out: W, magic: [u8; 8], version: u32) -> io::Result<Self> {
        let mut writer = Self { out: BufWriter::new(out), checksum: crc32fast::Hasher::new() };
        writer.put(&magic)?;
        writer.put(&version.to_le_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.out.write_all(bytes)
    }

    pub(crate) fn put_u32(&mut self, number: u32) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn put_u64(&mut self, number: u64) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn put_bounds(&mut self, bounds: Bounds) -> io::Result<()> {
        self.put(&bounds.lower.to_le_bytes())?;
        self.put(&bounds.upper.to_le_bytes())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.checksum.finalize().to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads what a [`SealedWriter`] wrote.
pub(crate) struct SealedReader<R: Read> {
    bytes: BufReader<R>,
    checksum: crc32fast::Hasher,
}

impl<R: Read> SealedReader<R> {
    /// Begins with the name of a format and its version.
    pub(crate) fn new(bytes: R, magic: [u8; 8], version: u32) -> Result<Self, StochasticGameError> {
        let mut reader = Self { bytes: BufReader::new(bytes), checksum: crc32fast::Hasher::new() };
        if reader.take::<8>()? != magic {
            return Err(refusal("does not begin as a checkpoint of a game does"));
        }
        if reader.take_u32()? != version {
            return Err(refusal(format!("has another version of the format; only version {version} is known")));
        }
        Ok(reader)
    }

    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], StochasticGameError> {
        let mut taken = [0; COUNT];
        self.bytes.read_exact(&mut taken).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => refusal("ends too early"),
            _ => refusal(format!("cannot be read: {error}")),
        })?;
        self.checksum.update(&taken);
        Ok(taken)
    }

    pub(crate) fn take_u32(&mut self) -> Result<u32, StochasticGameError> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn take_u64(&mut self) -> Result<u64, StochasticGameError> {
        self.take().map(u64::from_le_bytes)
    }

    pub(crate) fn take_bounds(&mut self) -> Result<Bounds, StochasticGameError> {
        let [lower, upper] = [self.take()?, self.take()?].map(i64::from_le_bytes);
        if lower > upper || lower < -LARGEST || upper > LARGEST {
            return Err(refusal("holds bounds that no game has"));
        }
        Ok(Bounds { lower, upper })
    }

    pub(crate) fn finish(mut self) -> Result<(), StochasticGameError> {
        let expected = self.checksum.clone().finalize();
        if self.take_u32()? != expected {
            return Err(refusal("has a wrong checksum"));
        }
        if self.bytes.read(&mut [0]).map_err(|error| refusal(error.to_string()))? > 0 {
            return Err(refusal("goes on after its end"));
        }
        Ok(())
    }
}

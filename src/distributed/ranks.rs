use crate::error::{DistributedError, Error};

/// The processes that solve a game together. All of them make each of these calls, in the same order.
pub(crate) trait Ranks {
    fn rank(&self) -> usize;

    fn size(&self) -> usize;

    /// Sends bytes of every rank to all.
    ///
    /// # Errors
    /// [`DistributedError::Message`], on all ranks.
    fn all_gather(&self, own: &[u8], all: &mut Gathered) -> Result<(), Error>;

    /// Sends bytes of every rank to rank 0; elsewhere `all` is undefined.
    ///
    /// # Errors
    /// [`DistributedError::Message`], on all ranks.
    fn gather(&self, own: &[u8], all: &mut Gathered) -> Result<(), Error>;

    /// Sends bytes of rank 0 to all; the others provide room for as many.
    fn broadcast(&self, bytes: &mut [u8]);
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    pub(super) bytes: Vec<u8>,
    pub(super) counts: Vec<i32>,
    pub(super) starts: Vec<i32>,
}

impl Gathered {
    /// Makes room for `counts` bytes of the ranks.
    ///
    /// # Errors
    /// [`DistributedError::Message`]: messages are counted in integers of 32 bits.
    pub(super) fn prepare(&mut self, counts: &[u64]) -> Result<(), Error> {
        let (bytes, most) = (counts.iter().sum(), i32::MAX as u64);
        if bytes > most {
            return Err(DistributedError::Message { bytes, most }.into());
        }
        self.counts.clear();
        self.starts.clear();
        let mut start = 0;
        for &count in counts {
            self.counts.push(count as i32);
            self.starts.push(start);
            start += count as i32;
        }
        self.bytes.clear();
        self.bytes.resize(bytes as usize, 0);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn by_rank(&self) -> impl Iterator<Item = &[u8]> {
        self.starts.iter().zip(&self.counts).map(|(&start, &count)| &self.bytes[start as usize..][..count as usize])
    }
}

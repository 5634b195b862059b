//! Ranks that are processes of MPI.

use mpi::Count;
use mpi::datatype::PartitionMut;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};

use super::ranks::{Gathered, Ranks};
use crate::error::Error;

const MOST_BYTES: usize = 1 << 30;

/// The ranks of an MPI communicator. If the thread that holds it panics, the job aborts; the other
/// ranks would wait for ever.
pub struct Communicating<'c, C: Communicator> {
    world: &'c C,
}

impl<'c, C: Communicator> Communicating<'c, C> {
    /// The exit status that MPI reports where a rank panicked.
    const PANICKED: i32 = 101;

    pub const fn new(world: &'c C) -> Self {
        Self { world }
    }

    /// Room for the bytes of all ranks.
    fn room(&self, message: &[u8]) -> Result<Gathered, Error> {
        let mut counts = vec![0; self.size()];
        self.world.all_gather_into(&(message.len() as u64), &mut counts[..]);
        Gathered::room(&counts)
    }
}

impl<C: Communicator> Ranks for Communicating<'_, C> {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn all_gather(&self, message: &[u8]) -> Result<Gathered, Error> {
        let mut all = self.room(message)?;
        if !all.bytes.is_empty() {
            self.world.all_gather_varcount_into(addressed(message), &mut parts(&mut all));
        }
        Ok(all)
    }

    fn gather(&self, message: &[u8]) -> Result<Gathered, Error> {
        let mut all = self.room(message)?;
        if !all.bytes.is_empty() {
            let root = self.world.process_at_rank(0);
            match self.rank() {
                0 => root.gather_varcount_into_root(addressed(message), &mut parts(&mut all)),
                _ => root.gather_varcount_into(addressed(message)),
            }
        }
        Ok(all)
    }

    fn broadcast(&self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(MOST_BYTES) {
            self.world.process_at_rank(0).broadcast_into(part);
        }
    }
}

fn parts(
    Gathered { bytes, counts, starts }: &mut Gathered,
) -> PartitionMut<'_, [u8], &[Count], &[Count]> {
    PartitionMut::new(bytes, counts, starts)
}

/// The same bytes; without any, at a valid address: Open MPI takes the address of an empty vector,
/// 1, for `MPI_IN_PLACE`.
fn addressed(bytes: &[u8]) -> &[u8] {
    const SOMEWHERE: &[u8] = &[0];
    if bytes.is_empty() { &SOMEWHERE[..0] } else { bytes }
}

impl<C: Communicator> Drop for Communicating<'_, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.abort(Self::PANICKED);
        }
    }
}

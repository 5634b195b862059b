//! The interface of a sweep to the processes that share it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Display;

use crate::error::{DistributedError, Error};

/// The processes that solve a game together. All of them make each of these calls, in the same
/// order.
pub trait Ranks {
    fn rank(&self) -> usize;

    fn size(&self) -> usize;

    /// Sends bytes of every rank to all.
    ///
    /// # Errors
    /// [`DistributedError::Message`], on all ranks.
    fn all_gather(&self, message: &[u8]) -> Result<Gathered, Error>;

    /// Sends bytes of every rank to rank 0; elsewhere the result is undefined.
    ///
    /// # Errors
    /// [`DistributedError::Message`], on all ranks.
    fn gather(&self, message: &[u8]) -> Result<Gathered, Error>;

    /// Sends bytes of rank 0 to all; the others provide room for as many.
    fn broadcast(&self, bytes: &mut [u8]);
}

#[derive(Clone, Debug, Default)]
pub struct Gathered {
    pub bytes: Vec<u8>,
    pub counts: Vec<i32>,
    pub starts: Vec<i32>,
}

impl Gathered {
    /// Room for `counts` bytes of the ranks.
    ///
    /// # Errors
    /// [`DistributedError::Message`]: messages are counted in integers of 32 bits.
    pub fn room(counts: &[u64]) -> Result<Self, Error> {
        let (bytes, most) = (counts.iter().sum(), i32::MAX as u64);
        if bytes > most {
            return Err(DistributedError::Message { bytes, most }.into());
        }
        let mut all = Self { bytes: vec![0; bytes as usize], ..Self::default() };
        let mut start = 0;
        for &count in counts {
            all.counts.push(count as i32);
            all.starts.push(start);
            start += count as i32;
        }
        Ok(all)
    }

    pub fn by_rank(&self) -> impl Iterator<Item = &[u8]> {
        self.starts
            .iter()
            .zip(&self.counts)
            .map(|(&start, &count)| &self.bytes[start as usize..][..count as usize])
    }
}

/// Assigns items to `size` ranks, given the estimated seconds of each and the rank that must solve
/// it, if any; the free items, longest first, go to the rank with the least work.
///
/// All ranks know the same times, and compute the same shares.
pub(super) fn assign(items: impl Iterator<Item = (f32, Option<u16>)>, size: usize) -> Vec<u16> {
    let mut owners = Vec::new();
    let mut loads = vec![0.0_f32; size];
    let mut free = Vec::new();
    for (index, (seconds, owner)) in items.enumerate() {
        owners.push(owner.unwrap_or_default());
        match owner {
            Some(owner) => loads[usize::from(owner)] += seconds,
            None => free.push((seconds, index)),
        }
    }
    // Positive numbers compare as their bits; a stable sort keeps equal ones in the order of the
    // items.
    free.sort_by_key(|&(seconds, _)| Reverse(seconds.to_bits()));
    let mut heap: BinaryHeap<_> =
        loads.into_iter().enumerate().map(|(rank, load)| Reverse((load.to_bits(), rank))).collect();
    for (seconds, index) in free {
        if let Some(Reverse((load, rank))) = heap.pop() {
            owners[index] = rank as u16;
            heap.push(Reverse(((f32::from_bits(load) + seconds).to_bits(), rank)));
        }
    }
    owners
}

/// Checks that all ranks run the same program: the same version of this crate, from the same file.
///
/// # Errors
/// [`DistributedError::OtherProgram`], on all ranks.
pub fn check_program(ranks: &impl Ranks) -> Result<(), Error> {
    let mut program = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
    // A program that cannot read its own file is identified by its version.
    if let Ok(file) = std::env::current_exe().and_then(std::fs::read) {
        program.extend((file.len() as u64).to_le_bytes());
        program.extend(crc32fast::hash(&file).to_le_bytes());
    }
    check_same(ranks, &program, |rank| DistributedError::OtherProgram { rank })
}

/// Checks that the bytes of every rank are those of rank 0.
///
/// # Errors
/// `other` of the first rank whose bytes differ, on all ranks.
pub fn check_same(
    ranks: &impl Ranks,
    message: &[u8],
    other: impl FnOnce(usize) -> DistributedError,
) -> Result<(), Error> {
    let all = ranks.all_gather(message)?;
    let first = all.by_rank().next().unwrap_or_default();
    all.by_rank().position(|bytes| bytes != first).map_or(Ok(()), |rank| Err(other(rank).into()))
}

/// Waits until all ranks have finished their preparation; if one failed, fails on all.
///
/// # Errors
/// The rank's own; [`DistributedError::Rank`] if another rank failed.
pub fn agree<T, E: Display + From<Error>>(
    ranks: &impl Ranks,
    result: Result<T, E>,
) -> Result<T, E> {
    let reason = result.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let all = ranks.all_gather(reason.as_bytes())?;
    let failed = all.by_rank().enumerate().find(|(_, reason)| !reason.is_empty());
    match (result, failed) {
        (Err(error), _) => Err(error),
        (Ok(result), None) => Ok(result),
        (Ok(_), Some((rank, reason))) => Err(Error::from(DistributedError::Rank {
            rank,
            reason: String::from_utf8_lossy(reason).into_owned(),
        })
        .into()),
    }
}

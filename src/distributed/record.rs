//! The solution of a state as ranks send it to each other.

use std::time::Duration;

use crate::bounds::Bounds;
use crate::game::codec::{Bytes, CodecError};
use crate::game::{Secured, State};
use crate::induction::{Batch, KeptSystem, Packed, SolvedState};

/// The flags of a record: a player randomises; a system is handed on.
const RANDOMISED: u8 = 1;
const HANDED_ON: u8 = 2;

/// Appends what all ranks need to know of the states of a batch: bounds, bases, how large a system is handed on, and the time
/// that it took.
pub(super) fn write(batch: &Batch, out: &mut Vec<u8>) {
    let mut systems = batch.systems.iter().peekable();
    for solved in &batch.solved {
        let system = systems.next_if(|(state, _)| *state == solved.state).map(|(_, system)| system);
        let flags = u8::from(solved.randomised) * RANDOMISED + u8::from(system.is_some()) * HANDED_ON;
        out.push(flags);
        let Bounds { lower, upper } = solved.secured.bounds();
        for bound in [lower, upper] {
            out.extend(bound.to_le_bytes());
        }
        for time in [solved.solving, solved.certifying] {
            out.extend(time.as_secs_f32().to_le_bytes());
        }
        if let Some(system) = system {
            out.extend((system.bytes() as u64).to_le_bytes());
        }
        for number in basis(batch, solved) {
            out.extend(number.to_le_bytes());
        }
    }
}

/// The basis of a state as it lies in its batch.
fn basis<'b>(batch: &'b Batch, solved: &SolvedState) -> &'b [u16] {
    let size = usize::from(batch.bases[solved.basis]);
    &batch.bases[solved.basis..][..=2 * size]
}

/// Reads the record of a state, with its basis and system into a batch. `own` is the system that is handed on, if it lies here.
pub(super) fn read(
    bytes: &mut Bytes<'_>,
    state: State,
    own: impl FnOnce() -> Option<KeptSystem>,
    batch: &mut Batch,
) -> Result<SolvedState, CodecError> {
    let [flags] = bytes.take()?;
    let [lower, upper] = [bytes.u64()?, bytes.u64()?].map(|word| word as i64);
    let mut time = || bytes.take().map(|bytes| Duration::try_from_secs_f32(f32::from_le_bytes(bytes)).unwrap_or_default());
    let (solving, certifying) = (time()?, time()?);
    if flags & HANDED_ON != 0 {
        let size = bytes.u64()? as usize;
        batch.systems.push((state, own().unwrap_or_else(|| KeptSystem::elsewhere(size))));
    }
    let basis = batch.bases.len();
    let size = bytes.u16()?;
    batch.bases.push(size);
    for _ in 0..2 * usize::from(size) {
        batch.bases.push(bytes.u16()?);
    }
    let secured = Secured::from_bounds(Bounds { lower, upper });
    let randomised = flags & RANDOMISED != 0;
    Ok(SolvedState { state, secured, strategies: 0, randomised, basis, solving, certifying })
}

/// Appends the strategies of the states of a batch, which only rank 0 keeps.
pub(super) fn write_strategies(batch: &Batch, out: &mut Vec<u8>) {
    for solved in &batch.solved {
        for (bids, weights) in batch.strategies.pair(solved.strategies) {
            out.extend((bids.len() as u16).to_le_bytes());
            for (bid, weight) in bids.iter().zip(weights) {
                out.extend(bid.to_le_bytes());
                out.extend(weight.to_le_bytes());
            }
        }
    }
}

/// Reads the strategies of a state and returns where they begin.
pub(super) fn read_strategies(bytes: &mut Bytes<'_>, strategies: &mut Packed) -> Result<u64, CodecError> {
    let [start, _] = [read_strategy(bytes, strategies)?, read_strategy(bytes, strategies)?];
    Ok(start)
}

fn read_strategy(bytes: &mut Bytes<'_>, strategies: &mut Packed) -> Result<u64, CodecError> {
    let mut support = Vec::new();
    for _ in 0..bytes.u16()? {
        support.push((u32::from(bytes.u16()?), bytes.u64()?));
    }
    Ok(strategies.push(support.into_iter()))
}

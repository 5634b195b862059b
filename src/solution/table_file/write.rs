//! Writes table files and checkpoints.

use std::io::{self, Write};

use super::stored::{FORMAT, Header};
use crate::bounds::Bounds;
use crate::game::State;
use crate::induction::{LayerCheckpoint, Tables, Task};
use crate::solution::BidStrategy;
use crate::solution::bid_strategy::LastWeight;
use stochastic_game::internal::sealed::{SealedWriter, seal};

/// Writes a sweep's solved layers; `strategies` gives both players' strategies of a solved state,
/// if the file is to hold them.
pub(in crate::solution) fn write(
    tables: &Tables,
    strategies: Option<&dyn Fn(State) -> io::Result<[BidStrategy; 2]>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Tables { rules, order, method, .. } = *tables;
    let LayerCheckpoint { layers_done, randomised, ref bases } = tables.checkpoint;
    let task = Task {
        rules,
        points: order.space.points(),
        method,
        mirrored: order.mirrored,
        keep_strategies: strategies.is_some(),
    };
    let mut out = SealedWriter::new(out, &FORMAT, FORMAT.versions[1])?;
    out.put(Header { task, layers_done, randomised }.write())?;
    out.end_part()?;
    let solved = || order.solved_up_to(layers_done);
    for state in solved() {
        let Bounds { lower, upper } = tables.bounds_at(state);
        out.put(lower.to_le_bytes())?;
        out.put(upper.to_le_bytes())?;
    }
    out.end_part()?;
    for state in last_layers(layers_done).flat_map(|total| order.solved(total)) {
        let basis = bases.get(&state).map_or(&[][..], Vec::as_slice);
        for number in [(basis.len() / 2) as u16].iter().chain(basis) {
            out.put(number.to_le_bytes())?;
        }
    }
    out.end_part()?;
    let Some(strategies) = strategies else { return Ok(()) };
    let mut start = 0_u64;
    for state in solved() {
        out.put(start.to_le_bytes())?;
        start += record(&strategies(state)?).len() as u64;
    }
    out.end_part()?;
    for state in solved() {
        // Records are read one by one, so that each has a checksum.
        out.put(record(&strategies(state)?))?;
    }
    Ok(())
}

/// The totals whose bases are kept: a sweep continues from the last two.
pub(super) fn last_layers(layers_done: u32) -> impl Iterator<Item = u32> {
    layers_done.saturating_sub(1).max(1)..=layers_done
}

fn record(pair: &[BidStrategy; 2]) -> Vec<u8> {
    let mut bytes = Vec::new();
    BidStrategy::write(pair, &mut bytes, LastWeight::Written);
    seal(bytes)
}

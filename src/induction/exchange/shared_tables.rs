use crate::bounds::Bounds;
use crate::distributed::Ranks;
use crate::error::{DistributedError, Error};
use crate::game::State;
use crate::game::codec::{Bytes, CodecError};
use crate::induction::tables::{LayerBases, LayerCheckpoint, Tables};

/// Sends rank 0's solved states, without strategies, to all ranks, whose tables are empty.
pub(crate) fn share_tables(ranks: &impl Ranks, tables: &mut Tables) -> Result<(), Error> {
    let order = tables.order;
    let sends = ranks.rank() == 0;
    let mut numbers = [0; 12];
    if sends {
        numbers[..4].copy_from_slice(&tables.checkpoint.layers_done.to_le_bytes());
        numbers[4..].copy_from_slice(&tables.checkpoint.randomised.to_le_bytes());
    }
    ranks.broadcast(&mut numbers);
    let mut numbers = Bytes(&numbers);
    let garbled = |_: CodecError| DistributedError::Garbled { rank: 0 };
    let (layers_done, randomised) = (numbers.u32().map_err(garbled)?, numbers.u64().map_err(garbled)?);
    let mut message = Vec::new();
    for total in 1..=layers_done {
        let states: Vec<State> = order.solved(total).collect();
        message.clear();
        if sends {
            for Bounds { lower, upper } in states.iter().map(|&state| tables.bounds_at(state)) {
                message.extend([lower, upper].into_iter().flat_map(i64::to_le_bytes));
            }
        }
        message.resize(states.len() * 16, 0);
        ranks.broadcast(&mut message);
        let mut bytes = Bytes(&message);
        for state in states.into_iter().filter(|_| !sends) {
            let mut bound = || bytes.u64().map(|word| word as i64).map_err(garbled);
            tables.store(state, Bounds { lower: bound()?, upper: bound()? });
        }
    }
    let [newest, before] = std::mem::take(&mut tables.checkpoint.bases).map(|layer| share_bases(ranks, layer));
    let bases = [newest.map_err(garbled)?, before.map_err(garbled)?];
    tables.checkpoint = LayerCheckpoint { layers_done, randomised, bases };
    Ok(())
}

fn share_bases(ranks: &impl Ranks, layer: LayerBases) -> Result<LayerBases, CodecError> {
    let mut bytes = if ranks.rank() == 0 { layer.into_bytes() } else { Vec::new() };
    let mut length = (bytes.len() as u64).to_le_bytes();
    ranks.broadcast(&mut length);
    bytes.resize(u64::from_le_bytes(length) as usize, 0);
    ranks.broadcast(&mut bytes);
    LayerBases::from_bytes(&bytes)
}

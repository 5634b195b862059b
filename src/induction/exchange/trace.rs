//! The time of ranks that solve together, layer by layer.

use crate::distributed::ExchangeTimes;
use crate::game::State;
use crate::induction::tables::Batch;

pub(crate) type TraceCallback<'t> = dyn FnMut(&LayerTrace<'_>) + 't;

/// The time that one exchange of the ranks, and the work before it, took: of a layer, or of a part of one that takes long.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayerTrace<'l> {
    /// The points of both players together.
    pub total: u32,
    batches: &'l [Batch],
    /// The bytes that were sent to all ranks, and the strategies that were sent to rank 0.
    pub bytes: usize,
    /// The seconds of solving of the rank that took longest.
    pub longest: f64,
    /// The mean of all ranks: as much shorter as their shares are uneven.
    pub mean: f64,
    /// The seconds of the exchange, counted from when the last rank had solved its share.
    pub exchange: f64,
    /// The seconds of all else since the exchange before: entering what was solved into the tables, sharing out, checkpoints.
    pub rest: f64,
}

impl<'l> LayerTrace<'l> {
    pub(crate) fn new(batches: &'l [Batch], times: ExchangeTimes) -> Self {
        let ExchangeTimes { bytes, longest, mean, exchange, rest } = times;
        let total = batches.iter().flat_map(|batch| &batch.solved).next().map_or(0, |first| first.state.a + first.state.b);
        Self { total, batches, bytes, longest, mean, exchange, rest }
    }

    /// The states that were solved, and the seconds that each of them took.
    ///
    /// States whose mirror image stands for them are left out.
    pub fn states(&self) -> impl Iterator<Item = (State, f64)> {
        let solved = self.batches.iter().flat_map(|batch| &batch.solved);
        solved.map(|solved| (solved.state, (solved.solving + solved.certifying).as_secs_f64()))
    }
}

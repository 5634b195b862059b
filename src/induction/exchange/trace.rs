//! Where the time of a sweep on several ranks goes.

use crate::game::State;
use crate::induction::tables::SolvedState;

pub(crate) type TraceCallback<'t> = dyn FnMut(&LayerTrace<'_>) + Send + 't;

/// The times of one exchange between the ranks and of the work before it: for a layer, or for a
/// part of a long one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayerTrace<'l> {
    pub total: u32,
    batches: &'l [Vec<SolvedState>],
    /// The bytes sent to all ranks, and the strategies sent to rank 0.
    pub bytes: usize,
    pub longest: f64,
    /// The mean solving time of all ranks; the difference shows the imbalance of the shares.
    pub mean: f64,
    /// The seconds of the exchange, from when the last rank had solved its share.
    pub exchange: f64,
    /// The seconds since the previous exchange spent on entering solutions, sharing out and
    /// checkpoints.
    pub rest: f64,
}

impl<'l> LayerTrace<'l> {
    /// `times` are the longest and the mean solving time, those of the exchange and the rest.
    pub(crate) fn new(batches: &'l [Vec<SolvedState>], bytes: usize, times: [f64; 4]) -> Self {
        let [longest, mean, exchange, rest] = times;
        let total =
            batches.iter().flatten().next().map_or(0, |first| first.state.a + first.state.b);
        Self { total, batches, bytes, longest, mean, exchange, rest }
    }

    /// The solved states, without those that follow by symmetry, and the seconds of each.
    pub fn states(&self) -> impl Iterator<Item = (State, f64)> {
        self.batches.iter().flatten().map(|solved| (solved.state, solved.time().as_secs_f64()))
    }
}

use std::collections::HashMap;

use crate::distributed::ExchangeTimes;
use crate::game::{Ball, State};
use crate::induction::sweep::{Sweep, work};
use crate::induction::tables::{SolvedState, Tables};
use crate::layers::Layered;

/// The ranks and the seconds of the last solved state with each difference of points and each ball.
///
/// A state takes about as long as the one before it in this sense, two layers earlier, with one point less on either side.
#[derive(Debug, Default)]
pub(crate) struct History(HashMap<(i64, Ball), (u16, f32)>);

fn line(state: State) -> (i64, Ball) {
    (i64::from(state.a) - i64::from(state.b), state.ball)
}

impl History {
    /// The estimated seconds of a state, and the rank that holds the system it starts from.
    pub(super) fn expected(&self, tables: &Tables, state: State) -> (f32, Option<u16>) {
        match self.0.get(&line(state)) {
            Some(&(owner, seconds)) => {
                let before = State::new(state.a - 1, state.b - 1, state.ball);
                (seconds, tables.systems.is_kept(before).then_some(owner))
            }
            None => ((Sweep::SECONDS * work(state)) as f32, None),
        }
    }

    /// Records the rank and the seconds of a solved state.
    pub(super) fn note(&mut self, state: State, owner: u16, seconds: f32) {
        self.0.insert(line(state), (owner, seconds.max(0.0)));
    }
}

pub(crate) type TraceCallback<'t> = dyn FnMut(&LayerTrace<'_>) + 't;

/// The times of one exchange between the ranks and of the work before it: for a layer, or for a part of a long one.
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
    /// The seconds since the previous exchange spent on entering solutions, sharing out and checkpoints.
    pub rest: f64,
}

impl<'l> LayerTrace<'l> {
    pub(crate) fn new(batches: &'l [Vec<SolvedState>], times: ExchangeTimes) -> Self {
        let ExchangeTimes { bytes, longest, mean, exchange, rest } = times;
        let total = batches.iter().flatten().next().map_or(0, |first| first.state.a + first.state.b);
        Self { total, batches, bytes, longest, mean, exchange, rest }
    }

    /// The solved states, without those that follow by symmetry, and the seconds of each.
    pub fn states(&self) -> impl Iterator<Item = (State, f64)> {
        self.batches.iter().flatten().map(|solved| (solved.state, solved.time().as_secs_f64()))
    }
}

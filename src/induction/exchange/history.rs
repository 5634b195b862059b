use crate::distributed::ExchangeTimes;
use crate::game::State;
use crate::induction::sweep::{Sweep, work};
use crate::induction::tables::{Layer, Order, SolvedState, Tables};
use crate::layers::Layered;

/// The ranks and the seconds of the states of the layer that is being solved and of the two before it, the newest first.
///
/// A state takes about as long as the state with one point less on either side and the same ball, two layers before, whose
/// measured time is the estimate.
#[derive(Debug, Default)]
pub(crate) struct History {
    layers: [Layer<(u16, f32)>; 3],
}

impl History {
    /// The estimated seconds of a state, and the rank that holds the system it starts from.
    pub(super) fn expected(&self, tables: &Tables, state: State) -> (f32, Option<u16>) {
        let before = before(state);
        let known = before.and_then(|before| self.layers.iter().find_map(|layer| layer.of(tables.order, before)));
        match known {
            Some(&(owner, seconds)) => (seconds, before.filter(|&before| tables.hands_on(before)).map(|_| owner)),
            None => ((Sweep::SECONDS * work(state)) as f32, None),
        }
    }

    /// Records the rank and the seconds of a solved state.
    pub(super) fn note(&mut self, order: Order, state: State, owner: u16, seconds: f32) {
        let total = state.a + state.b;
        if self.layers[0].total != total {
            self.layers.rotate_right(1);
            self.layers[0] = Layer::new(order, total);
        }
        self.layers[0].set(order, state, (owner, seconds.max(0.0)));
    }
}

fn before(state: State) -> Option<State> {
    Some(State::new(state.a.checked_sub(1)?, state.b.checked_sub(1)?, state.ball))
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

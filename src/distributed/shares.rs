//! The states of a layer, shared out to the ranks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::game::State;
use crate::induction::{Order, Tables, work};

/// The shares of the ranks in one layer after the other, by the time that states take.
///
/// A state takes about as long as the state with one point less on either side and the same ball, two layers before, so that
/// what was measured there is what is expected here. All ranks are told the same measurements and share alike.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// The layer that is being solved and the two before it, the newest first.
    layers: [Layer; 3],
}

/// The states of a layer, by A's points and the ball: who solved them, and the seconds that it took.
#[derive(Debug, Default)]
struct Layer {
    total: u32,
    solved: Vec<Option<(u16, f32)>>,
}

impl Shares {
    /// Shares some states of a layer out to `size` ranks. The system that a state starts from lies where it was solved; all other
    /// states go, the longest first, to the rank that has least to do.
    pub(super) fn assign(&self, tables: &Tables, states: &[State], size: usize, owners: &mut Vec<u16>) {
        let order = tables.order;
        owners.clear();
        owners.resize(states.len(), 0);
        let mut loads = vec![0.0_f32; size];
        let mut free = Vec::new();
        for (index, &state) in states.iter().enumerate() {
            let before = before(state);
            let known = before.and_then(|before| self.layers.iter().find_map(|layer| layer.of(order, before)));
            let seconds = known.map_or_else(|| expected_seconds(state), |(_, seconds)| seconds);
            match known.filter(|_| before.is_some_and(|before| tables.hands_on(before))) {
                Some((owner, _)) => {
                    owners[index] = owner;
                    loads[usize::from(owner)] += seconds;
                }
                None => free.push((seconds, index)),
            }
        }
        // Positive numbers are in the order of their bits; a stable sort keeps equal ones in the order of the states.
        free.sort_by_key(|&(seconds, _)| Reverse(seconds.to_bits()));
        let mut heap: BinaryHeap<_> = loads.into_iter().enumerate().map(|(rank, load)| Reverse((load.to_bits(), rank))).collect();
        for (seconds, index) in free {
            if let Some(Reverse((load, rank))) = heap.pop() {
                owners[index] = rank as u16;
                heap.push(Reverse(((f32::from_bits(load) + seconds).to_bits(), rank)));
            }
        }
    }

    /// Notes who has solved a state, and the seconds that it took.
    pub(super) fn note(&mut self, order: Order, state: State, owner: u16, seconds: f32) {
        let total = state.a + state.b;
        if self.layers[0].total != total {
            self.layers.rotate_right(1);
            self.layers[0].total = total;
            self.layers[0].solved.clear();
            self.layers[0].solved.resize((order.space.points()[0] as usize + 1) * order.space.positions(), None);
        }
        let place = place(order, state);
        self.layers[0].solved[place] = Some((owner, seconds.max(0.0)));
    }
}

impl Layer {
    fn of(&self, order: Order, state: State) -> Option<(u16, f32)> {
        if self.total == state.a + state.b { *self.solved.get(place(order, state))? } else { None }
    }
}

/// The state with one point less on either side.
fn before(state: State) -> Option<State> {
    Some(State::new(state.a.checked_sub(1)?, state.b.checked_sub(1)?, state.ball))
}

fn place(order: Order, state: State) -> usize {
    state.a as usize * order.space.positions() + (state.ball.position() + order.space.field()) as usize
}

/// About the seconds that a state takes of which nothing was measured.
fn expected_seconds(state: State) -> f32 {
    /// By the solve of 1,000 points in docs/performance.md: 55 minutes for the work of 2.5 million states.
    const SECONDS: f64 = 2.3e-12;
    (SECONDS * work(state)) as f32
}

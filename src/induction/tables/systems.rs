//! Bases of the last layers, from which later states start, and their factorised systems, which
//! save a factorisation.
//!
//! On the last field the entry for two bids depends on the points left and on the higher bidder,
//! both of which are unchanged when accounts and bids rise by one: the matrix of `(a − 1, b − 1)`
//! is the submatrix of that of `(a, b)` from the second row and column on. A basis shifted likewise
//! has the same system of equations.

use hashbrown::HashMap;

use super::order::Order;
use crate::game::State;
use crate::matrix_game::BasisFactorisation;

/// Smaller systems are factorised faster than handed on.
const LEAST_SIZE: usize = 24;

/// A system with more changes since its factorisation is not handed on: every change costs time and
/// accuracy.
const MOST_CHANGES: usize = 24;

/// The memory limit of a layer's systems in bytes. Two layers are kept.
const BYTES_A_LAYER: usize = 160 << 20;

/// The period of layers that start afresh, two in a row, so that all systems before them can be
/// dropped.
const LAYERS_BETWEEN_CHECKPOINTS: u32 = 32;

/// The bases of the last layers: A's bids, then as many of B.
pub(crate) type Bases = HashMap<State, Vec<u16>>;

/// The systems of the last layers, as many of each as its memory limit leaves room for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Systems {
    kept: HashMap<State, KeptSystem>,
    /// The bytes of the systems kept in the layer in progress.
    bytes: usize,
}

/// A system that is handed on. Its size counts against the memory of its layer wherever it is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptSystem {
    pub(crate) bytes: usize,
    /// `None` if another process keeps it, which will solve the state that starts from it.
    pub(crate) factorisation: Option<Box<BasisFactorisation>>,
}

impl Systems {
    /// Keeps a system while memory lasts. States come in rising order of A's points, so that the
    /// result is deterministic.
    pub(crate) fn keep(&mut self, state: State, system: KeptSystem) {
        if self.bytes + system.bytes <= BYTES_A_LAYER {
            self.bytes += system.bytes;
            self.kept.insert(state, system);
        }
    }

    /// Completes a layer, which forgets those before the last two.
    pub(crate) fn end_layer(&mut self, total: u32) {
        self.bytes = 0;
        self.kept.retain(|&state, _| is_recent(state, total));
    }

    /// The system of a state of the last two layers, if it was kept here.
    pub(crate) fn of(&self, state: State) -> Option<&BasisFactorisation> {
        self.kept.get(&state)?.factorisation.as_deref()
    }

    /// Whether the system of a state of the last two layers was kept anywhere.
    #[cfg(any(test, feature = "mpi"))]
    pub(crate) fn is_kept(&self, state: State) -> bool {
        self.kept.contains_key(&state)
    }
}

/// Whether a state belongs to one of two layers, of which the second has this total.
pub(crate) const fn is_recent(state: State, total: u32) -> bool {
    state.a + state.b + 1 >= total
}

/// Whether states of this layer start afresh, without systems of earlier ones.
pub(crate) const fn starts_afresh(total: u32) -> bool {
    total % LAYERS_BETWEEN_CHECKPOINTS < 2
}

/// Whether a sweep can continue from the bases up to this layer alone.
pub(crate) const fn is_checkpoint(total: u32) -> bool {
    starts_afresh(total + 1) && starts_afresh(total + 2)
}

/// Whether the system of a state is worth handing on.
///
/// More even accounts have larger systems. If half a layer of systems of this size would exceed the
/// limit, smaller ones have used it up.
pub(crate) fn is_worth_keeping(order: Order, state: State, system: &BasisFactorisation) -> bool {
    let more_even = state.a.abs_diff(state.b) as usize / 2;
    is_on_last_field(order, state)
        && system.bytes() * more_even <= BYTES_A_LAYER
        && !starts_afresh(state.a + state.b + 2)
        && system.size() >= LEAST_SIZE
        && system.updates() <= MOST_CHANGES
}

/// Whether the ball lies on the last field of either side.
pub(crate) fn is_on_last_field(order: Order, state: State) -> bool {
    state.ball.position().abs() == order.space.field()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_that_lie_elsewhere_take_room_as_well() {
        let mut systems = Systems::default();
        let [first, second, third] =
            ["6:4@2", "7:3@2", "8:2@2"].map(|state| state.parse().expect("a state"));
        let half = BYTES_A_LAYER / 2;
        for (state, bytes) in [(first, half), (second, half + 1), (third, half)] {
            systems.keep(state, KeptSystem { bytes, factorisation: None });
        }
        assert_eq!([first, second, third].map(|state| systems.is_kept(state)), [true, false, true]);
        // Every layer has as much room.
        systems.end_layer(10);
        let next = "5:6@2".parse().expect("a state");
        systems.keep(next, KeptSystem { bytes: half, factorisation: None });
        assert!(systems.is_kept(next));
    }
}

//! Bases of the last layers, from which later states start, and their factorised systems, which save a factorisation.
//!
//! On the last field the entry for two bids depends on the points left and on the higher bidder, both of which are unchanged when
//! accounts and bids rise by one: the matrix of `(a − 1, b − 1)` is the submatrix of that of `(a, b)` from the second row and
//! column on. A basis shifted likewise has the same system of equations.

use super::order::Order;
use crate::game::State;
use crate::matrix_game::BasisFactorisation;

/// Smaller systems are factorised faster than handed on.
const LEAST_SIZE: usize = 24;

/// A system with more changes since its factorisation is not handed on: every change costs time and accuracy.
const MOST_CHANGES: usize = 24;

/// The memory limit of a layer's systems in bytes. Two layers are kept.
const BYTES_A_LAYER: usize = 160 << 20;

/// The period of layers that start afresh, two in a row, so that all systems before them can be dropped.
const LAYERS_BETWEEN_CHECKPOINTS: u32 = 32;

/// A value for each state of a layer, by A's points and the ball.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer<T> {
    pub(crate) total: u32,
    left: Vec<Option<T>>,
}

impl<T> Layer<T> {
    pub(crate) fn new(order: Order, total: u32) -> Self {
        let states = (order.space.points()[0] as usize + 1) * order.space.positions();
        Self { total, left: std::iter::repeat_with(|| None).take(states).collect() }
    }

    fn place(order: Order, state: State) -> usize {
        state.a as usize * order.space.positions() + (state.ball.position() + order.space.field()) as usize
    }

    pub(crate) fn set(&mut self, order: Order, state: State, left: T) {
        self.left[Self::place(order, state)] = Some(left);
    }

    /// `None` for a state of another layer, or one that left nothing.
    pub(crate) fn of(&self, order: Order, state: State) -> Option<&T> {
        if self.total == state.a + state.b { self.left.get(Self::place(order, state))?.as_ref() } else { None }
    }
}

/// The bases of a layer: A's bids, then as many of B.
pub(crate) type LayerBases = Layer<Vec<u16>>;

/// The systems of a layer that its memory limit leaves room for.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerSystems {
    layer: Layer<KeptSystem>,
    bytes: usize,
}

/// A system that is handed on. Its size counts against the memory of its layer wherever it is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptSystem {
    pub(crate) bytes: usize,
    /// `None` if another process keeps it, which will solve the state that starts from it.
    pub(crate) factorisation: Option<Box<BasisFactorisation>>,
}

impl LayerSystems {
    pub(crate) fn new(order: Order, total: u32) -> Self {
        Self { layer: Layer::new(order, total), bytes: 0 }
    }

    /// Keeps a system while memory lasts. States come in rising order of A's points, so that the result is deterministic.
    pub(crate) fn keep(&mut self, order: Order, state: State, system: KeptSystem) {
        if self.bytes + system.bytes <= BYTES_A_LAYER {
            self.bytes += system.bytes;
            self.layer.set(order, state, system);
        }
    }

    /// The system of a state, if it belongs to this layer and was kept here.
    pub(super) fn of(&self, order: Order, state: State) -> Option<&BasisFactorisation> {
        self.layer.of(order, state)?.factorisation.as_deref()
    }

    /// Whether the system of a state was kept anywhere.
    #[cfg(any(test, feature = "mpi"))]
    pub(super) fn is_kept(&self, order: Order, state: State) -> bool {
        self.layer.of(order, state).is_some()
    }
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
/// More even accounts have larger systems. If half a layer of systems of this size would exceed the limit, smaller ones have used
/// it up.
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
    use crate::game::{Rules, StateSpace};

    #[test]
    fn systems_that_lie_elsewhere_take_room_as_well() {
        let order = Order { space: StateSpace::new(&Rules::tennis(), [9, 9]), mirrored: true };
        let mut layer = LayerSystems::new(order, 10);
        let [first, second, third] = ["6:4@2", "7:3@2", "8:2@2"].map(|state| state.parse().expect("a state"));
        let half = BYTES_A_LAYER / 2;
        for (state, bytes) in [(first, half), (second, half + 1), (third, half)] {
            layer.keep(order, state, KeptSystem { bytes, factorisation: None });
        }
        assert_eq!([first, second, third].map(|state| layer.is_kept(order, state)), [true, false, true]);
    }
}

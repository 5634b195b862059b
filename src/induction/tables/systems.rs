//! The factorised systems of the last layers, which save later states a factorisation.
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

#[derive(Clone, Debug, Default)]
pub(crate) struct LayerSystems {
    total: u32,
    /// By A's points and the end at which the ball lies.
    systems: Vec<Option<KeptSystem>>,
    bytes: usize,
}

/// A system that is handed on. Its size counts against the memory of its layer wherever it is kept.
#[derive(Clone, Debug)]
pub(crate) struct KeptSystem {
    bytes: usize,
    /// `None` if another process keeps it, which will solve the state that starts from it.
    factorisation: Option<Box<BasisFactorisation>>,
}

impl KeptSystem {
    pub(crate) fn here(factorisation: Box<BasisFactorisation>) -> Self {
        Self { bytes: factorisation.bytes(), factorisation: Some(factorisation) }
    }

    /// A system of this size on another process.
    #[cfg(any(test, feature = "mpi"))]
    pub(crate) const fn elsewhere(bytes: usize) -> Self {
        Self { bytes, factorisation: None }
    }

    #[cfg(any(test, feature = "mpi"))]
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl LayerSystems {
    pub(crate) fn new(order: Order, total: u32) -> Self {
        Self { total, systems: vec![None; (order.space.points()[0] as usize + 1) * 2], bytes: 0 }
    }

    fn place(state: State) -> usize {
        state.a as usize * 2 + usize::from(state.ball.position() > 0)
    }

    /// Keeps a system while memory lasts. States come in rising order of A's points, so that the result is deterministic.
    pub(crate) fn keep(&mut self, state: State, system: KeptSystem) {
        if self.bytes + system.bytes <= BYTES_A_LAYER {
            self.bytes += system.bytes;
            self.systems[Self::place(state)] = Some(system);
        }
    }

    /// The system of a state, if it belongs to this layer and was kept here.
    pub(crate) fn of(&self, state: State) -> Option<&BasisFactorisation> {
        self.kept(state)?.factorisation.as_deref()
    }

    /// The system of a state, if it belongs to this layer and was kept anywhere.
    pub(super) fn kept(&self, state: State) -> Option<&KeptSystem> {
        if self.total == state.a + state.b { self.systems.get(Self::place(state))?.as_ref() } else { None }
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

#[cfg(any(test, feature = "mpi"))]
use crate::game::codec::{Bytes, CodecError};
use crate::matrix_game::Basis;

/// The bases of one layer, packed: for each state its size, A's bids, B's bids.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerBases {
    total: u32,
    /// The offset of a state's basis, by A's points and the ball; [`LayerBases::NONE`] without one.
    starts: Vec<u32>,
    packed: Vec<u16>,
}

impl LayerBases {
    const NONE: u32 = u32::MAX;

    pub(crate) fn reset(&mut self, order: Order, total: u32) {
        self.total = total;
        self.starts.clear();
        self.starts.resize((order.space.points()[0] as usize + 1) * order.space.positions(), Self::NONE);
        self.packed.clear();
    }

    fn place(order: Order, state: State) -> usize {
        state.a as usize * order.space.positions() + (state.ball.position() + order.space.field()) as usize
    }

    pub(crate) fn set(&mut self, order: Order, state: State, basis: &[u16]) {
        self.starts[Self::place(order, state)] = self.packed.len() as u32;
        self.packed.extend_from_slice(basis);
    }

    #[cfg(any(test, feature = "mpi"))]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.total.to_le_bytes());
        bytes.extend((self.starts.len() as u32).to_le_bytes());
        bytes.extend(self.starts.iter().flat_map(|start| start.to_le_bytes()));
        bytes.extend(self.packed.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    #[cfg(any(test, feature = "mpi"))]
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut bytes = Bytes(bytes);
        let total = bytes.u32()?;
        let starts = (0..bytes.u32()?).map(|_| bytes.u32()).collect::<Result<_, _>>()?;
        let packed = (0..bytes.0.len() / 2).map(|_| bytes.u16()).collect::<Result<_, _>>()?;
        Ok(Self { total, starts, packed })
    }

    /// A's and B's bids in the basis of a state, if it belongs to this layer.
    pub(crate) fn of(&self, order: Order, state: State) -> Option<[&[u16]; 2]> {
        if self.total == state.a + state.b { self.get(order, state) } else { None }
    }

    /// As [`Self::of`], for a state of this layer.
    fn get(&self, order: Order, state: State) -> Option<[&[u16]; 2]> {
        let start = *self.starts.get(Self::place(order, state))?;
        if start == Self::NONE {
            return None;
        }
        let (&size, bids) = self.packed[start as usize..].split_first()?;
        let (a, rest) = bids.split_at(usize::from(size));
        Some([a, &rest[..usize::from(size)]])
    }
}

pub(crate) fn pack(basis: &Basis, [lowest_a, lowest_b]: [usize; 2], packed: &mut Vec<u16>) {
    packed.push(basis.size() as u16);
    packed.extend(basis.rows.iter().map(|row| (row + lowest_a) as u16));
    packed.extend(basis.columns.iter().map(|column| (column + lowest_b) as u16));
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
            layer.keep(state, KeptSystem::elsewhere(bytes));
        }
        assert_eq!([first, second, third].map(|state| layer.kept(state).is_some()), [true, false, true]);
    }
}

use super::order::Order;
use crate::game::State;
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

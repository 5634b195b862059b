//! The bases of the last layers, from which their neighbours start.

use super::order::Order;
use crate::game::State;
use crate::matrix_game::Basis;

/// The bases of one layer, packed: for each state its size, A's bids, B's bids.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerBases {
    total: u32,
    /// Where a state's basis begins, by A's points and the ball; [`LayerBases::NONE`] without one.
    starts: Vec<u32>,
    packed: Vec<u16>,
}

impl LayerBases {
    const NONE: u32 = u32::MAX;

    /// Forgets everything and becomes the layer `total`.
    pub(crate) fn reset(&mut self, order: Order, total: u32) {
        self.total = total;
        self.starts.clear();
        self.starts.resize((order.points[0] as usize + 1) * (2 * order.field as usize + 1), Self::NONE);
        self.packed.clear();
    }

    fn place(order: Order, state: State) -> usize {
        state.a as usize * (2 * order.field as usize + 1) + (state.ball.position() + order.field) as usize
    }

    /// Notes the basis of a state: its bids, packed.
    pub(crate) fn set(&mut self, order: Order, state: State, basis: &[u16]) {
        self.starts[Self::place(order, state)] = self.packed.len() as u32;
        self.packed.extend_from_slice(basis);
    }

    /// A's and B's bids in the basis of a state of this layer.
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

/// Packs a basis of rows and columns as bids.
pub(crate) fn pack(basis: &Basis, [lowest_a, lowest_b]: [usize; 2], packed: &mut Vec<u16>) {
    packed.push(basis.size() as u16);
    packed.extend(basis.rows.iter().map(|row| (row + lowest_a) as u16));
    packed.extend(basis.columns.iter().map(|column| (column + lowest_b) as u16));
}

/// The basis that a state starts from: that of the state with a point less for A, or for both, or for B; only one that randomises.
/// `false` when there is none.
///
/// In this order the fewest pivots follow (measured at 50 to 200 points, where mostly the states with `a ≥ b` are solved).
///
/// Bids are legal here because they were legal with fewer points; an empty account has no basis that randomises.
pub(crate) fn guess(layers: &[LayerBases; 2], order: Order, state: State, basis: &mut Basis) -> bool {
    let State { a, b, ball } = state;
    let neighbours = [(a.checked_sub(1), Some(b)), (a.checked_sub(1), b.checked_sub(1)), (Some(a), b.checked_sub(1))];
    for (a, b) in neighbours {
        let (Some(a), Some(b)) = (a, b) else { continue };
        let neighbour = State::new(a, b, ball);
        let own = order.representative(neighbour);
        let Some(layer) = layers.iter().find(|layer| layer.total == a + b) else { continue };
        let Some([mut bids_a, mut bids_b]) = layer.get(order, own) else { continue };
        if bids_a.len() < 2 {
            continue;
        }
        if own != neighbour {
            std::mem::swap(&mut bids_a, &mut bids_b);
        }
        for (list, bids) in [(&mut basis.rows, bids_a), (&mut basis.columns, bids_b)] {
            list.clear();
            list.extend(bids.iter().map(|&bid| usize::from(bid) - 1));
        }
        return true;
    }
    false
}

//! What is known of a cycle of states before it is solved, and of each of them afterwards.

use super::kind::Kind;
use crate::bounds::Bounds;

/// What is known of a component before it is solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct CycleFacts {
    pub(super) kind: Kind,
    /// The integers next to what endless play pays.
    pub(super) endless: Bounds,
}

/// The weights of a side's actions at a state.
pub(super) type Weights = Vec<(u32, u64)>;

/// The solution of a state: its bounds, and the weights of A and of B that prove them.
#[derive(Clone, Debug)]
pub(super) struct CyclicState {
    pub(super) bounds: Bounds,
    pub(super) weights: [Weights; 2],
}

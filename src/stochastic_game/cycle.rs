//! What is known of a cycle of states before it is solved, and of each of them afterwards.

use std::ops::ControlFlow;

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

/// How far the solve of a cycle of several states is, at the beginning of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleProgress {
    pub(super) states: Vec<CyclicState>,
    /// The rounds so far.
    pub(super) rounds: usize,
    /// Whether play stays in the cycle for long.
    pub(super) lingers: bool,
    /// The sum of all widths after each round, and before the first.
    pub(super) widths: Vec<f64>,
}

/// The course of a solve that takes long.
pub(super) struct Course<'c> {
    /// Where an earlier solve was interrupted.
    pub(super) begun: Option<CycleProgress>,
    /// Whether to go on, asked now and then.
    pub(super) go_on: &'c mut dyn FnMut() -> ControlFlow<()>,
    /// Hears what is reached before every round, if someone keeps it.
    pub(super) reached: Option<&'c mut dyn FnMut(CycleProgress)>,
}

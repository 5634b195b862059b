//! What is known of a cycle of states before it is solved, and of each of them afterwards.

use std::ops::ControlFlow;

use crate::bounds::Bounds;
use crate::stochastic_game::model::Kind;

/// What is known of a component before it is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CycleFacts {
    pub(crate) kind: Kind,
    /// The integers next to what endless play pays.
    pub(crate) endless: Bounds,
}

/// The weights of a side's actions at a state.
pub(crate) type Weights = Vec<(u32, u64)>;

/// The solution of a state: its bounds, and the weights of A and of B that prove them.
#[derive(Clone, Debug)]
pub(crate) struct CyclicState {
    pub(crate) bounds: Bounds,
    pub(crate) weights: [Weights; 2],
}

/// How far the solve of a cycle of several states is, at the beginning of a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct CycleProgress {
    pub(crate) states: Vec<CyclicState>,
    pub(crate) rounds: usize,
    /// Whether play stays in the cycle for long.
    pub(crate) lingers: bool,
    /// The sum of all widths after each round, and before the first.
    pub(crate) widths: Vec<f64>,
}

/// The course of a solve that takes long.
pub(crate) struct Course<'c> {
    /// Where an earlier solve was interrupted.
    pub(crate) begun: Option<CycleProgress>,
    /// Whether to go on, asked now and then.
    pub(crate) go_on: &'c mut dyn FnMut() -> ControlFlow<()>,
    /// Hears what is reached before every round, if someone keeps it.
    pub(crate) reached: Option<&'c mut dyn FnMut(CycleProgress)>,
}

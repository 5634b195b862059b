//! The progress of a solve, and where its time went.

use crate::game::{State, StateSpace};
use crate::induction::tables::Order;

/// The progress of a solve, handed to the callback after every layer, and about twice a second while a layer takes longer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// States known so far.
    pub states: u64,
    /// All states.
    pub of_states: u64,
    /// The share of the work that is done, from 0 to 1, by a model that counts big stage games for what they cost.
    pub work: f64,
}

impl Progress {
    /// Nothing is done yet of a game with these states.
    pub(crate) const fn nothing_of(space: StateSpace) -> Self {
        Self { states: 0, of_states: space.len() as u64, work: 0.0 }
    }
}

/// The time that a solve spent on each task, in seconds of wall-clock time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Seconds {
    /// Finding strategies.
    pub solve: f64,
    /// Proving bounds from them.
    pub certify: f64,
    /// Everything.
    pub total: f64,
}

/// The work done so far.
pub(super) struct WorkDone {
    order: Order,
    states: u64,
    work: f64,
    of_work: f64,
}

impl WorkDone {
    pub(super) fn new(order: Order, layers_done: u32) -> Self {
        let of_work = (1..=order.space.layers()).flat_map(|total| order.solved(total)).map(work).sum();
        let mut done = Self { order, states: order.space.layer(0).count() as u64, work: 0.0, of_work };
        for total in 1..=layers_done {
            done.count(order.solved(total));
        }
        done
    }

    /// Counts states that have been solved, and their mirror images.
    pub(super) fn after(&mut self, solved: &[State]) -> Progress {
        self.count(solved.iter().copied());
        Progress { states: self.states, of_states: self.order.space.len() as u64, work: self.work / self.of_work }
    }

    fn count(&mut self, solved: impl Iterator<Item = State>) {
        for state in solved {
            self.states += self.order.images(state);
            self.work += work(state);
        }
    }
}

/// The relative cost of a state: the bids of both times a support of the size of their root.
///
/// Measured at 200 and 400 points, the share of the time spent is at no time farther than 0.06 from the share of the work done.
pub(crate) fn work(state: State) -> f64 {
    (f64::from(state.a + 1) * f64::from(state.b + 1)).powf(1.5)
}

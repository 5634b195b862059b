//! The progress of a sweep.

use crate::game::State;

/// The progress of a solve, reported after every layer, and about twice a second in long ones.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    pub states: u64,
    pub of_states: u64,
    /// The share of the work that is done, from 0 to 1, weighted by the estimated cost of a state.
    pub work: f64,
}

/// The seconds of wall-clock time that a solve spent on each task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Seconds {
    /// Finding strategies.
    pub solve: f64,
    /// Proving bounds.
    pub certify: f64,
    pub total: f64,
}

/// The relative cost of a state: the bids of both times a support of the size of their root.
///
/// At 200 and 400 points the measured share of the time differs from the share of the work by at
/// most 0.06 throughout.
pub(crate) fn work(state: State) -> f64 {
    let bids = f64::from(state.a + 1) * f64::from(state.b + 1);
    bids * bids.sqrt()
}

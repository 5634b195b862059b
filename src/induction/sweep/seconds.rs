//! The time of a sweep, measured and foreseen.

use crate::game::State;

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

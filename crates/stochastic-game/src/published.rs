//! Bounds of games that are published as proved.
//!
//! They are stored in one way: with the receipt of a check, a [`Passed`], which the gate alone
//! makes. What a checkpoint, a finder or a caller claims cannot become a published bound without
//! it.

use dashu_base::BitTest;
use dashu_int::IBig;

use super::cycles::{LongState, LongStates, WIDE_BITS};
use super::gate::Passed;
use super::model::NumberedState;
use crate::bounds::{BOUND_BITS, Bounds, Enclosure, Rounding};

/// The bounds of states by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    bounds: Vec<Bounds>,
    /// Where a state is proved in longer numbers, its bounds stand above rounded outward.
    long: LongStates,
}

impl Published {
    /// No bounds yet of this many states.
    pub(crate) fn nothing(states: usize) -> Self {
        Self { bounds: vec![Bounds::default(); states], long: LongStates::new() }
    }

    /// The bounds of all states of a game.
    #[cfg(feature = "files")]
    pub(crate) fn all(bounds: Vec<Bounds>, _: Passed) -> Self {
        Self { bounds, long: LongStates::new() }
    }

    /// The bounds of all states of a game in longer numbers alone.
    #[cfg(feature = "files")]
    pub(crate) fn all_long(long: impl Iterator<Item = LongState>, _: Passed) -> Self {
        let long: LongStates = (0..).zip(long).collect();
        Self { bounds: vec![Bounds::default(); long.len()], long }
    }

    pub(crate) fn store(&mut self, state: u32, bounds: Bounds, _: Passed) {
        self.bounds[state as usize] = bounds;
    }

    /// Adds the longer numbers of a state.
    pub(crate) fn lengthen(&mut self, state: u32, long: LongState, _: Passed) {
        self.long.insert(state, long);
    }

    /// By the numbers of states, in the unit in which they were checked.
    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    pub(crate) const fn long(&self) -> &LongStates {
        &self.long
    }

    /// The bounds of a state in units of 2^−`exponent`.
    pub(super) fn enclosure(&self, state: NumberedState, exponent: u32) -> Enclosure {
        let Some(long) = self.long.get(&(state.number as u32)) else {
            return Enclosure::proved(state.bounds_among(&self.bounds), exponent);
        };
        let [lower, upper] = long.bounds();
        let exponent = exponent + long.finer as u32;
        if state.is_exchanged {
            enclosure([&-upper, &-lower], exponent)
        } else {
            enclosure([lower, upper], exponent)
        }
    }

    /// The width, in payoffs, beyond which bounds are wide in units of 2^−`exponent`:
    /// 2^−[`WIDE_BITS`] of the largest one, or of 1.
    pub(super) fn least_wide(&self, exponent: u32) -> f64 {
        let size = |bounds: &Bounds| bounds.lower.unsigned_abs().max(bounds.upper.unsigned_abs());
        let largest =
            self.bounds.iter().map(size).max().unwrap_or(0) as f64 * (-f64::from(exponent)).exp2();
        largest.max(1.0) * (-f64::from(WIDE_BITS)).exp2()
    }

    /// The width of the widest bounds, rounded up, in units of 2^−`exponent`.
    pub(super) fn widest(&self, exponent: u32) -> f64 {
        self.widest_among(exponent, |_| true)
    }

    /// The width of the widest bounds among some states.
    pub(super) fn widest_among(&self, exponent: u32, is_asked: impl Fn(usize) -> bool) -> f64 {
        let is_short = |&(number, _): &(usize, _)| {
            is_asked(number) && !self.long.contains_key(&(number as u32))
        };
        // Bounds of a certificate may be farther apart than an `i64` counts.
        let distance =
            |(_, bounds): &(usize, &Bounds)| i128::from(bounds.upper) - i128::from(bounds.lower);
        let short = self.bounds.iter().enumerate().filter(is_short).max_by_key(distance);
        let short = short.map_or(0.0, |(_, &bounds)| Enclosure::proved(bounds, exponent).width());
        let width = |long: &LongState| {
            let [lower, upper] = long.bounds();
            enclosure([&IBig::ZERO, &(upper - lower)], exponent + long.finer as u32).upper()
        };
        let long = self.long.iter().filter(|(number, _)| is_asked(**number as usize));
        long.map(|(_, long)| width(long)).fold(short, f64::max)
    }
}

/// The enclosure by bounds of any length in units of 2^−`exponent`, in the finest unit in which
/// they have at most [`BOUND_BITS`].
pub(super) fn enclosure(bounds: [&IBig; 2], exponent: u32) -> Enclosure {
    let [lower, upper] = bounds;
    let bits = lower.bit_len().max(upper.bit_len());
    let shift = bits.saturating_sub(BOUND_BITS as usize).min(exponent as usize);
    // Bounds that do not fit prove nothing.
    let bound = |bound: &IBig, to: Rounding, other: i64| {
        i64::try_from(to.shift(bound.clone(), shift)).unwrap_or(other)
    };
    let bounds = Bounds::new(
        bound(lower, Rounding::Down, i64::MIN >> 1),
        bound(upper, Rounding::Up, -(i64::MIN >> 1)),
    );
    Enclosure::proved(bounds, exponent - shift as u32)
}

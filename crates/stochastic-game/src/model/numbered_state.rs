//! States by their numbers.

use std::ops::Neg;

use crate::bounds::Bounds;

/// A state, by the number of its canonical state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberedState {
    pub(crate) number: usize,
    /// Whether the canonical state has the players exchanged, which negates its value.
    pub(crate) is_exchanged: bool,
}

impl NumberedState {
    #[inline]
    pub(crate) const fn canonical(number: usize) -> Self {
        Self { number, is_exchanged: false }
    }

    /// The bounds of the state's value, by those of all canonical states.
    #[inline]
    pub(crate) fn bounds_among(self, canonical: &[Bounds]) -> Bounds {
        let bounds = canonical[self.number];
        if self.is_exchanged { bounds.mirrored() } else { bounds }
    }

    /// The lower and the upper bound of the state's value, by those of its canonical state.
    pub(crate) fn interval<N: Neg<Output = N>>(self, canonical: [N; 2]) -> [N; 2] {
        let [lower, upper] = canonical;
        if self.is_exchanged { [-upper, -lower] } else { [lower, upper] }
    }

    /// A's and B's items at the state, by those at its canonical state: in the other order where the
    /// players are exchanged.
    pub(crate) fn pair<T>(self, canonical: [T; 2]) -> [T; 2] {
        let [a, b] = canonical;
        if self.is_exchanged { [b, a] } else { [a, b] }
    }
}

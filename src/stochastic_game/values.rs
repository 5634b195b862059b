use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::explore::Indexed;
use super::model::{GameRules, seen_from};
use crate::bounds::{BOUND_BITS, Bounds, Enclosure};
use crate::error::StochasticGameError;

/// A game with proved bounds of the value of every state.
#[derive(Debug)]
pub(crate) struct Values<G: GameRules> {
    pub(crate) game: Indexed<G>,
    pub(crate) exponent: u32,
    /// By the number of the state; 0 for unused numbers.
    pub(crate) bounds: Vec<Bounds>,
    /// Bounds that were proved in longer numbers, by the number of the state; `bounds` has the integers next to them outside, or
    /// 0.
    pub(crate) long: BTreeMap<u32, LongBounds>,
}

/// Bounds of any length, in units of 2^−`exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongBounds {
    pub(crate) exponent: u32,
    pub(crate) lower: BigInt,
    pub(crate) upper: BigInt,
}

impl LongBounds {
    /// The integers next to them outside, in units of 2^−`exponent`, which is at most the own one.
    pub(crate) fn outward(&self, exponent: u32) -> Bounds {
        let shift = self.exponent - exponent;
        // Shifts round down. Bounds that do not fit prove nothing.
        let [lower, minus_upper] =
            [&self.lower >> shift, -&self.upper >> shift].map(|bound| i64::try_from(bound).unwrap_or(i64::MIN >> 1));
        Bounds::new(lower, -minus_upper)
    }

    /// The enclosure in the finest unit in which the bounds have at most [`BOUND_BITS`].
    fn enclosure(&self, exchanged: bool) -> Enclosure {
        let bits = self.lower.bits().max(self.upper.bits());
        let exponent = self.exponent - bits.saturating_sub(BOUND_BITS.into()).min(self.exponent.into()) as u32;
        Enclosure::from_integers(seen_from((0, exchanged), &[self.outward(exponent)]), exponent)
    }
}

impl<G: GameRules> Values<G> {
    pub(crate) fn enclosure(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosed(self.game.find(state)?))
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (G::State, Enclosure)> {
        self.game.states().map(|(number, state)| (state, self.enclosed((number, false))))
    }

    /// The widest bounds, in units.
    pub(crate) fn widest(&self) -> i64 {
        self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
    }

    /// The width of the widest bounds, rounded up.
    pub(crate) fn widest_enclosure(&self) -> f64 {
        let is_short = |&(number, _): &(usize, &Bounds)| !self.long.contains_key(&(number as u32));
        // Bounds of a certificate may be farther apart than an `i64` counts.
        let distance = |(_, bounds): &(usize, &Bounds)| i128::from(bounds.upper) - i128::from(bounds.lower);
        let short = self.bounds.iter().enumerate().filter(is_short).max_by_key(distance);
        let short = short.map_or(0.0, |(_, &bounds)| Enclosure::from_integers(bounds, self.exponent).width());
        let width = |bounds: &LongBounds| {
            let width = LongBounds { lower: BigInt::default(), upper: &bounds.upper - &bounds.lower, ..*bounds };
            width.enclosure(false).upper()
        };
        self.long.values().map(width).fold(short, f64::max)
    }

    /// The bounds of a state, with the players exchanged or not.
    fn enclosed(&self, (state, exchanged): (usize, bool)) -> Enclosure {
        match self.long.get(&(state as u32)) {
            Some(long) => long.enclosure(exchanged),
            None => Enclosure::from_integers(seen_from((state, exchanged), &self.bounds), self.exponent),
        }
    }
}

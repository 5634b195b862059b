//! Proved bounds of the values of all states, and how they are asked for.

use super::explore::Indexed;
use super::model::{GameRules, seen_from};
use crate::bounds::{Bounds, Enclosure};
use crate::error::StochasticGameError;

/// A game with proved bounds of the value of every state, in units of 2^−`exponent`.
#[derive(Debug)]
pub(crate) struct Values<G: GameRules> {
    pub(crate) game: Indexed<G>,
    pub(crate) exponent: u32,
    /// By the number of the state; 0 for numbers that no state has.
    pub(crate) bounds: Vec<Bounds>,
}

impl<G: GameRules> Values<G> {
    pub(crate) fn enclosure(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosed(seen_from(self.game.find(state)?, &self.bounds)))
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (G::State, Enclosure)> {
        self.game.states().map(|(number, state)| (state, self.enclosed(self.bounds[number])))
    }

    /// The largest distance of two bounds, in units.
    pub(crate) fn widest(&self) -> i64 {
        self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
    }

    /// The largest width of the bounds of any state, rounded up.
    pub(crate) fn widest_enclosure(&self) -> f64 {
        // Bounds of a certificate may be farther apart than an `i64` counts.
        let widest = self.bounds.iter().max_by_key(|bounds| i128::from(bounds.upper) - i128::from(bounds.lower));
        widest.map_or(0.0, |&bounds| self.enclosed(bounds).width())
    }

    pub(crate) fn enclosed(&self, bounds: Bounds) -> Enclosure {
        Enclosure::from_integers(bounds, self.exponent)
    }
}

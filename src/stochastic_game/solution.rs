//! A solved game, and what it is asked.

use super::error::StochasticGameError;
use super::game::StochasticGame;
use super::scale::Scale;
use super::strategies::{Strategies, probability};
use crate::bounds::{Bounds, Enclosure};

/// A solved [`StochasticGame`]: proved bounds of the value of every state, and strategies that secure them.
#[derive(Clone, Debug)]
pub struct StochasticSolution {
    game: StochasticGame,
    scale: Scale,
    bounds: Vec<Bounds>,
    strategies: Strategies,
}

impl StochasticSolution {
    pub(super) const fn new(game: StochasticGame, scale: Scale, bounds: Vec<Bounds>, strategies: Strategies) -> Self {
        Self { game, scale, bounds, strategies }
    }

    /// The game.
    pub const fn game(&self) -> &StochasticGame {
        &self.game
    }

    /// Proved bounds of the value of the state with a name.
    ///
    /// # Errors
    /// [`UnknownState`](super::GameFault::UnknownState).
    pub fn enclosure(&self, state: &str) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosure_at(self.game.place(state)?))
    }

    /// Proved bounds of the value of a state by its number.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn enclosure_at(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(self.bounds[state], self.scale.exponent)
    }

    /// A's and B's strategy at a state: the numbers of the actions that are chosen, rising, with their probabilities. Empty at an
    /// end.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn strategies_at(&self, state: usize) -> [Vec<(usize, f64)>; 2] {
        let to_nearest = |&(action, weight): &(u32, u64)| (action as usize, probability(weight));
        self.strategies.get(state).map(|strategy| strategy.iter().map(to_nearest).collect())
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        let widest = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0);
        Enclosure::from_integers(Bounds::new(0, widest), self.scale.exponent).width()
    }

    /// The number of states in which a player has to randomise, as far as the strategies found do.
    pub fn randomised_states(&self) -> usize {
        (0..self.game.len()).filter(|&state| self.strategies.get(state).iter().any(|strategy| strategy.len() > 1)).count()
    }
}

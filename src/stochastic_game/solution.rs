//! A solved game, and what it is asked.

use std::borrow::Cow;

use super::model::Components;
use super::model::Kind;
use super::model::Scale;
use super::model::StochasticGame;
use super::proof::{StochasticCheckpoint, digest};
use super::sweep::{Strategies, probability};
use crate::bounds::{Bounds, Enclosure};
use crate::error::StochasticGameError;

/// A solved [`StochasticGame`]: proved bounds of the value of every state, and strategies that secure them.
#[derive(Clone, Debug)]
pub struct StochasticSolution {
    game: StochasticGame,
    scale: Scale,
    bounds: Vec<Bounds>,
    strategies: Strategies,
}

/// Bounds that are farther apart than 2^20 of the 2^61 units of the largest payoff are not what rounding leaves.
const WIDE_UNITS: i64 = 1 << 20;

impl StochasticSolution {
    pub(crate) const fn new(game: StochasticGame, scale: Scale, bounds: Vec<Bounds>, strategies: Strategies) -> Self {
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

    /// A's and B's weights out of 2⁶² at a state.
    #[cfg(feature = "report")]
    pub(crate) fn weights_at(&self, state: usize) -> [&[(u32, u64)]; 2] {
        self.strategies.get(state)
    }

    pub(crate) const fn scale(&self) -> Scale {
        self.scale
    }

    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    /// All of the solution as a checkpoint, from which a solver has nothing left to do.
    pub fn checkpoint(&self) -> StochasticCheckpoint<'_> {
        StochasticCheckpoint {
            game: digest(&self.game),
            solved: Components::new(&self.game).len() as u64,
            bounds: Cow::Borrowed(&self.bounds),
            strategies: Cow::Borrowed(&self.strategies),
            cycle: None,
        }
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        let widest = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0);
        Enclosure::from_integers(Bounds::new(0, widest), self.scale.exponent).width()
    }

    /// The reason why bounds are not narrow, in a sentence, if some are wider than 5e-13 of the largest payoff.
    pub fn width_reason(&self) -> Option<&'static str> {
        let widest = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0);
        (widest > WIDE_UNITS).then_some(match self.game.kind() {
            Kind::Recursive => {
                "wide where play can go on for ever: strategies may be ε-optimal only there, or better ones were not found"
            }
            _ => "wide where play can go on for very long: bounds close slowly there",
        })
    }

    /// The number of a state whose bounds are the widest.
    pub fn widest_state(&self) -> usize {
        let widths = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower);
        widths.enumerate().fold((0, 0), |widest, (state, width)| if width > widest.1 { (state, width) } else { widest }).0
    }

    /// The number of states in which a player has to randomise, as far as the strategies found do.
    pub fn randomised_states(&self) -> usize {
        (0..self.game.len()).filter(|&state| self.strategies.get(state).iter().any(|strategy| strategy.len() > 1)).count()
    }
}

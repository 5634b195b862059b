//! A game that was solved by its rules, and what it is asked.

use super::explore::{Explored, Place};
use super::model::GameRules;
use super::model::Scale;
use super::solution::StochasticSolution;
use super::sweep::probability;
use super::sweep::{StateSolver, seen_from};
use crate::bounds::{Bounds, Enclosure};
use crate::error::{GameFault, StochasticGameError};

/// A game that was solved by its [`GameRules`]: proved bounds of the value of every state that the starts reach, and strategies
/// that secure them.
#[derive(Debug)]
pub struct RulesSolution<R: GameRules> {
    pub(crate) explored: Explored<R>,
    pub(crate) scale: Scale,
    pub(crate) bounds: Vec<Bounds>,
    /// Where play can return; in an acyclic game strategies are found again from the bounds.
    explicit: Option<StochasticSolution>,
}

/// The actions that are chosen, rising, with their probabilities: A's and B's.
type ChosenActions = [Vec<(usize, f64)>; 2];

impl<R: GameRules> RulesSolution<R> {
    pub(crate) const fn new(explored: Explored<R>, scale: Scale, bounds: Vec<Bounds>) -> Self {
        Self { explored, scale, bounds, explicit: None }
    }

    pub(crate) fn of_explicit(explored: Explored<R>, solution: StochasticSolution) -> Self {
        // The explicit game has the states in the order of their numbers.
        let mut bounds = vec![Bounds::default(); explored.numbers()];
        for ((number, _), own) in explored.states().zip(solution.bounds()) {
            bounds[number] = *own;
        }
        Self { explored, scale: solution.scale(), bounds, explicit: Some(solution) }
    }

    /// The solution of the game that was written down, where play can return.
    #[cfg(feature = "report")]
    pub(crate) const fn explicit(&self) -> Option<&StochasticSolution> {
        self.explicit.as_ref()
    }

    /// The rules.
    pub const fn rules(&self) -> &R {
        &self.explored.rules
    }

    /// The number of canonical states, ends included.
    pub fn len(&self) -> usize {
        self.explored.len()
    }

    /// Never: there is always a start.
    pub fn is_empty(&self) -> bool {
        self.explored.len() == 0
    }

    /// The canonical states with the bounds of their values: in the order in which they were met, or that of their indices.
    pub fn states(&self) -> impl Iterator<Item = (&R::State, Enclosure)> {
        let enclosure = |number: usize| Enclosure::from_integers(self.bounds[number], self.scale.exponent);
        self.explored.states().map(move |(number, state)| (state, enclosure(number)))
    }

    /// Proved bounds of the value of a state.
    ///
    /// # Errors
    /// [`GameFault::UnknownState`] if the starts do not reach it.
    pub fn enclosure(&self, state: &R::State) -> Result<Enclosure, StochasticGameError> {
        let place = self.place(state)?;
        Ok(Enclosure::from_integers(seen_from(place, &self.bounds), self.scale.exponent))
    }

    /// A's and B's strategy at a state: the numbers of the actions that are chosen, rising, with their probabilities; empty at an
    /// end. Actions are those of the canonical state.
    ///
    /// # Errors
    /// [`GameFault::UnknownState`] if the starts do not reach it.
    pub fn strategies(&self, state: &R::State) -> Result<ChosenActions, StochasticGameError> {
        let place = self.place(state)?;
        let [a, b] = match &self.explicit {
            Some(solution) => {
                let name = self.explored.rules.name(self.explored.state(place.state()).unwrap_or(state));
                solution.strategies_at(solution.game().place(&name)?)
            }
            None => {
                let mut solver = StateSolver::default();
                let (_, strategies) = solver.solve(&self.explored, place.state(), self.scale, &self.bounds)?;
                strategies.map(|own| own.iter().map(|&(action, weight)| (action as usize, probability(weight))).collect())
            }
        };
        Ok(if place.is_exchanged() { [b, a] } else { [a, b] })
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        let widest = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0);
        Enclosure::from_integers(Bounds::new(0, widest), self.scale.exponent).width()
    }

    /// The place of a state.
    pub(crate) fn place(&self, state: &R::State) -> Result<Place, StochasticGameError> {
        let unknown = || StochasticGameError::new(GameFault::UnknownState { name: self.explored.rules.name(state) });
        self.explored.find(state.clone()).ok_or_else(unknown)
    }
}

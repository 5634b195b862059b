//! A solved game, and what it is asked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::explore::{Cells, Indexed};
use super::model::{GameRules, Kind, NumberedGame, Scale, StochasticGame};
use super::proof::StochasticCheckpoint;
#[cfg(feature = "report")]
use super::proof::{digest, write_certificate};
use super::sweep::{StateSolver, Strategies, probabilities};
use super::values::Values;
use crate::bounds::{Bounds, Enclosure};
use crate::error::StochasticGameError;

/// A solved game: proved bounds of the value of every state, and strategies that secure them.
///
/// A state of a [`StochasticGame`] is its number, which [`place`](StochasticGame::place) finds by its name.
#[derive(Debug)]
pub struct StochasticSolution<G: GameRules = StochasticGame> {
    pub(crate) values: Values<G>,
    /// Not kept of an acyclic game by rules, where they are found again from the bounds.
    pub(crate) strategies: Option<Strategies>,
}

/// The actions that are chosen, rising, with their probabilities: A's and B's.
type ChosenActions = [Vec<(usize, f64)>; 2];

/// Bounds that are farther apart than 2^20 of the 2^61 units of the largest payoff are not what rounding leaves.
const WIDE_UNITS: i64 = 1 << 20;

impl<G: GameRules> StochasticSolution<G> {
    pub(crate) fn new(game: Indexed<G>, scale: Scale, bounds: Vec<Bounds>, strategies: Option<Strategies>) -> Self {
        Self { values: Values { game, exponent: scale.exponent, bounds, long: BTreeMap::new() }, strategies }
    }

    /// The game.
    pub const fn game(&self) -> &G {
        self.values.game.rules()
    }

    /// The number of canonical states, ends included.
    pub fn len(&self) -> usize {
        self.values.game.len()
    }

    /// Never: there is always a start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The canonical states with the proved bounds of their values, in the order of their numbers: those of a written game, or the
    /// indices of the rules, or the order in which they were met.
    pub fn states(&self) -> impl Iterator<Item = (G::State, Enclosure)> {
        self.values.states()
    }

    /// The double nearest to the middle of the bounds of a state's value.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the starts do not reach the state.
    pub fn value(&self, state: &G::State) -> Result<f64, StochasticGameError> {
        Ok(self.enclosure(state)?.middle())
    }

    /// Proved bounds of the value of a state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the starts do not reach the state.
    pub fn enclosure(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        self.values.enclosure(state)
    }

    /// A's and B's strategy at a state: the numbers of the actions that are chosen, rising, with their probabilities; empty at an
    /// end. Actions are those of the canonical state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the starts do not reach the state; those of rules that
    /// contradict themselves.
    pub fn strategies(&self, state: &G::State) -> Result<ChosenActions, StochasticGameError> {
        let (state, exchanged) = self.values.game.find(state)?;
        let [a, b] = match (&self.strategies, self.values.game.cells()) {
            (Some(strategies), _) => strategies.get(state).map(probabilities),
            (None, Cells::Written(game)) => self.found_again(game, state)?,
            (None, Cells::Explored(explored)) => self.found_again(explored, state)?,
        };
        Ok(if exchanged { [b, a] } else { [a, b] })
    }

    fn found_again<N: NumberedGame>(&self, game: &N, state: usize) -> Result<ChosenActions, StochasticGameError> {
        Ok(StateSolver::default().solve(game, state, self.scale(), &self.values.bounds)?.1.map(probabilities))
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale { exponent: self.values.exponent }
    }

    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.values.bounds
    }

    /// All of the solution as a checkpoint, from which a solver has nothing left to do. Of an acyclic game by rules every state is
    /// solved once more: its strategies were not kept.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves.
    pub fn checkpoint(&self) -> Result<StochasticCheckpoint<'_>, StochasticGameError> {
        match self.values.game.cells() {
            Cells::Written(game) => self.checkpoint_of(game),
            Cells::Explored(explored) => self.checkpoint_of(explored),
        }
    }

    fn checkpoint_of<N: NumberedGame>(&self, game: &N) -> Result<StochasticCheckpoint<'_>, StochasticGameError> {
        let levels = game.levels(None);
        let strategies = match &self.strategies {
            Some(strategies) => Cow::Borrowed(strategies),
            None => {
                let (mut strategies, mut solver) = (Strategies::new(game.numbers()), StateSolver::default());
                for &state in levels.iter().flatten() {
                    let state = state as usize;
                    strategies.set(state, solver.solve(game, state, self.scale(), self.bounds())?.1);
                }
                Cow::Owned(strategies)
            }
        };
        // Levels have every component of a written game, and every state of one by rules.
        let solved: usize = levels.iter().map(Vec::len).sum();
        Ok(StochasticCheckpoint {
            game: game.digest(self.scale()),
            solved: solved as u64,
            bounds: Cow::Borrowed(self.bounds()),
            strategies,
            cycle: None,
        })
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        self.values.widest_enclosure()
    }

    /// The reason why bounds are not narrow, in a sentence, if some are wider than 5e-13 of the largest payoff.
    pub fn width_reason(&self) -> Option<&'static str> {
        (self.values.widest() > WIDE_UNITS).then_some(match self.game().kind() {
            Kind::Recursive => {
                "wide where play can go on for ever: strategies may be ε-optimal only there, or better ones were not found"
            }
            _ => "wide where play can go on for very long: bounds close slowly there",
        })
    }

    /// The first state whose bounds are the widest; there is always one.
    pub fn widest_state(&self) -> Option<G::State> {
        let widths = self.states().map(|(state, enclosure)| (state, enclosure.integers()));
        let width = |bounds: Bounds| bounds.upper - bounds.lower;
        widths.reduce(|widest, other| if width(other.1) > width(widest.1) { other } else { widest }).map(|(state, _)| state)
    }

    /// The number of states in which a player has to randomise, as far as the strategies found do.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves.
    pub fn randomised_states(&self) -> Result<usize, StochasticGameError> {
        let mut count = 0;
        for (state, _) in self.states() {
            count += usize::from(self.strategies(&state)?.iter().any(|strategy| strategy.len() > 1));
        }
        Ok(count)
    }

    /// The SHA-256 of a game by rules in hexadecimal, by which its certificate names it; `docs/games.md` says of which bytes. Of a
    /// written game, which its certificate has in it, nothing.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves.
    #[cfg(feature = "report")]
    pub fn digest(&self) -> Result<Option<String>, StochasticGameError> {
        self.values.game.explored().map(digest).transpose()
    }

    /// Writes a certificate: the game, or the digest of one by rules, and for every state its bounds and the weights of both
    /// strategies, which prove them. [`StochasticProof`](super::StochasticProof) checks it; `docs/games.md` describes it.
    ///
    /// Of an acyclic game by rules every state is solved once more: its strategies were not kept.
    ///
    /// # Errors
    /// Errors of the writer; a fault, where rules contradict themselves.
    #[cfg(feature = "report")]
    pub fn write_certificate(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        write_certificate(&self.values, self.strategies.as_ref(), out)
    }
}

//! Checked certificates, and the bounds that they prove.

#[cfg(feature = "files")]
use dashu_int::IBig;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::best_payoffs::{BestPayoff, BestPayoffs};
use super::explore::Indexed;
use super::model::{GameRules, NumberedGame, NumberedState, Scale, StochasticGame};
use super::proof::ValueBound;
use super::sweep::{Reached, StateSolver, Weights};
use crate::bounds::{Bounds, Enclosure};
use crate::error::StochasticGameError;
use crate::matrix_game::exact::big_integer;

/// A game with proved bounds of the value of every state, as a certificate proves them (feature
/// `report`).
///
/// Where the certificate proves that a value is approached and not attained, the bounds are those
/// of the value, and [`secured`](Self::secured) has those that the strategies prove.
#[derive(Debug)]
pub struct StochasticProof<G: GameRules = StochasticGame> {
    pub(super) game: Indexed<G>,
    pub(super) exponent: u32,
    pub(super) reached: Reached,
    /// The bound that the certificate is about, and whether the values at all starts keep it.
    pub(super) verdict: Option<(ValueBound, bool)>,
    /// The best payoffs that the certificate proves.
    pub(super) best_payoffs: Option<BestPayoffs>,
}

impl<G: GameRules> StochasticProof<G> {
    /// The exponent of the unit of the certificate's bounds.
    pub const fn exponent(&self) -> u32 {
        self.exponent
    }

    /// The canonical states with the lower and upper bounds that the certificate's strategies
    /// secure, of any length, in units of 2^−[`exponent`](Self::exponent).
    pub fn integers(&self) -> impl Iterator<Item = (G::State, [BigInt; 2])> {
        let published = &self.reached.published;
        self.game.states().map(|(number, state)| match published.long().get(&(number as u32)) {
            Some(long) => (state, long.bounds().map(big_integer)),
            None => {
                let Bounds { lower, upper } = published.bounds()[number];
                (state, [lower, upper].map(BigInt::from))
            }
        })
    }

    /// The bound that the certificate is about, and whether the values at all starts keep it, which
    /// its bounds prove; `None` of a certificate of the values alone.
    pub fn verdict(&self) -> Option<(&ValueBound, bool)> {
        self.verdict.as_ref().map(|(bound, holds)| (bound, *holds))
    }

    /// Whether the values at all starts keep a bound, if their proved bounds decide that.
    ///
    /// # Errors
    /// A fault for inconsistent rules.
    pub fn keeps(&self, bound: &ValueBound) -> Result<Option<bool>, StochasticGameError> {
        let mut all = Vec::new();
        for start in self.game.rules().starts() {
            let start = self.game.find(&start)?;
            all.push(start.interval(self.exact_bounds(start.number)));
        }
        Ok(bound.decided_for_all(&all))
    }

    /// The bounds of a state by its number.
    fn exact_bounds(&self, state: usize) -> [BigRational; 2] {
        let published = &self.reached.published;
        let (bounds, exponent) = match published.long().get(&(state as u32)) {
            Some(long) => (long.bounds().map(big_integer), self.exponent + long.finer as u32),
            None => {
                let Bounds { lower, upper } = published.bounds()[state];
                ([lower, upper].map(BigInt::from), self.exponent)
            }
        };
        bounds.map(|bound| BigRational::new(bound, BigInt::from(1) << exponent))
    }

    pub const fn game(&self) -> &G {
        self.game.rules()
    }

    /// The number of canonical states, ends included.
    pub fn len(&self) -> usize {
        self.game.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The canonical states with the proved bounds of their values.
    pub fn states(&self) -> impl Iterator<Item = (G::State, Enclosure)> {
        let best = self.best_payoffs.as_ref();
        self.game.states().map(move |(number, state)| {
            (state, self.enclosed_with(best, NumberedState::canonical(number)))
        })
    }

    /// Proved bounds of the value of a state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach it.
    pub fn enclosure(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosed_with(self.best_payoffs.as_ref(), self.game.find(state)?))
    }

    /// Proved bounds of the value of a state that the strategies secure: the lower one A's, the
    /// upper one B's. They are those of [`enclosure`](Self::enclosure), unless the value is
    /// approached and not attained.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach it.
    pub fn secured(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosed(self.game.find(state)?))
    }

    /// The best payoff that a player gets from a state almost surely or limit-surely, if the
    /// certificate proves it. One without values that are approached and not attained proves none.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach it.
    pub fn best_payoff(&self, state: &G::State) -> Result<Option<BestPayoff>, StochasticGameError> {
        let state = self.game.find(state)?;
        Ok(self.best_payoffs.as_ref().and_then(|best| best.at(state.number)))
    }

    /// The number of states whose values the certificate proves to be approached and not attained.
    pub fn approached_states(&self) -> usize {
        self.best_payoffs.as_ref().map_or(0, BestPayoffs::approached_states)
    }

    /// The width of the widest bounds, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        self.widest_with(self.best_payoffs.as_ref())
    }

    /// The width, in payoffs, beyond which bounds are wide.
    pub(super) fn least_wide(&self) -> f64 {
        self.reached.published.least_wide(self.exponent)
    }

    /// The width of the widest bounds of values, of which these are approached and not attained.
    pub(super) fn widest_with(&self, best: Option<&BestPayoffs>) -> f64 {
        let published = &self.reached.published;
        let Some(best) = best.filter(|best| best.approached_states() > 0) else {
            return published.widest(self.exponent);
        };
        let is_attained = |state: usize| best.approached(state).is_none();
        let attained = published.widest_among(self.exponent, is_attained);
        let approached = (0..published.bounds().len()).filter(|&state| !is_attained(state));
        approached
            .map(|state| self.enclosed_with(Some(best), NumberedState::canonical(state)).width())
            .fold(attained, f64::max)
    }

    /// The weights of A's and of B's actions at a state, recomputed from the bounds if they were
    /// not kept.
    pub(super) fn weights<'s, N: NumberedGame>(
        &'s self,
        game: &N,
        state: usize,
        solver: &'s mut StateSolver<N::Row>,
    ) -> Result<Weights<'s>, StochasticGameError> {
        let Reached { published, strategies, .. } = &self.reached;
        match strategies {
            Some(strategies) => Ok(strategies.get(state)),
            None => Ok(solver
                .solve(game, state, Scale { exponent: self.exponent }, published.bounds())?
                .strategies),
        }
    }

    /// Whether a certificate's bounds are those of this solution, which may be in coarser units.
    #[cfg(feature = "files")]
    pub(super) fn has_bounds_of(&self, certificate: &Self) -> bool {
        let unit = certificate.exponent;
        let is_same = |number: usize| {
            let bounds = self.bounds_in_unit(number, unit);
            bounds.is_some() && bounds == certificate.bounds_in_unit(number, unit)
        };
        self.len() == certificate.len() && self.game.states().all(|(number, _)| is_same(number))
    }

    /// The bounds of a state by its number, in units of 2^−`exponent`; `None` if that is coarser
    /// than their own unit.
    #[cfg(feature = "files")]
    fn bounds_in_unit(&self, number: usize, exponent: u32) -> Option<[IBig; 2]> {
        let finer = exponent.checked_sub(self.exponent)? as usize;
        match self.reached.published.long().get(&(number as u32)) {
            Some(long) => {
                let finer = finer.checked_sub(long.finer)?;
                Some(long.bounds().map(|bound| bound << finer))
            }
            None => {
                let Bounds { lower, upper } = self.reached.published.bounds()[number];
                Some([lower, upper].map(|bound| IBig::from(bound) << finer))
            }
        }
    }

    /// The bounds of a state's value, which may be one of those that are approached and not
    /// attained; only acyclic games, which have none, exchange the players.
    pub(super) fn enclosed_with(
        &self,
        best: Option<&BestPayoffs>,
        state: NumberedState,
    ) -> Enclosure {
        let approached =
            best.and_then(|best| best.enclosure(state.number, Scale { exponent: self.exponent }));
        approached.unwrap_or_else(|| self.enclosed(state))
    }

    /// The bounds that strategies secure at a state.
    fn enclosed(&self, state: NumberedState) -> Enclosure {
        self.reached.published.enclosure(state, self.exponent)
    }
}

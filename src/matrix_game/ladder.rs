//! The ladder of methods that solve a game known within bounds. A rung proposes a basis or a pair of strategies, the pair is refined
//! and proved in integers, and its bounds decide whether the next rung is needed: no method's word is taken.

use super::exact::{self, ExactTableau};
use super::payoffs::Payoffs;
use super::simplex::{Candidate, PreciseSimplex, Simplex, solve_programmes};
use super::strategy::StrategyPair;
use super::{Basis, DyadicStrategy, EnclosedPayoffs, Middle, Refinement, Trembling};
use crate::bounds::{BOUND_BITS, Bounds};

/// Bounds this many units farther apart than the widest payoff do not belong to an optimal pair.
///
/// An optimal pair in integers misses the optimum by the roundings of its weights, a few units, and inherits the widths of the
/// payoffs.
pub(crate) const ROUNDING_UNITS: i64 = 32;

/// A game that is known within bounds, and the proof of a pair of strategies in it.
pub(crate) trait Provable {
    /// The proof for one player.
    type Lines: Payoffs<i64>;

    fn enclosed(&self) -> EnclosedPayoffs<Self::Lines>;

    /// The distance up to which bounds are those of an optimal pair, in units.
    fn tolerance(&self) -> i64;

    /// Proves the bounds of the pair's strategies, or of better ones.
    fn prove(&self, pair: &mut ProvedPair) {
        pair.prove(&self.enclosed());
    }
}

/// Integer strategies of the row and the column player, and what they are proved to secure.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProvedPair {
    pub(crate) strategies: [DyadicStrategy; 2],
    pub(crate) bounds: Bounds,
    /// The payoffs of each strategy against every choice of the opponent; none for a pure strategy.
    pub(crate) expectations: [Vec<i128>; 2],
}

impl ProvedPair {
    pub(crate) fn prove(&mut self, game: &EnclosedPayoffs<impl Payoffs<i64>>) {
        let Self { strategies: [row, column], bounds, expectations: [of_row, of_column] } = self;
        *bounds = Bounds::new(row.secures(&game.row, of_row), -column.secures(&game.column, of_column));
    }
}

/// The prover of one pair after another. Every method returns whether the bounds are as close as those of an optimal pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prover {
    /// The pair that was proved last.
    pub(crate) pair: ProvedPair,
    refinement: Refinement,
}

impl Prover {
    /// Proves a candidate, corrected where there is a basis for it.
    pub(crate) fn accepts(&mut self, game: &impl Provable, candidate: &mut Candidate<'_>) -> bool {
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else {
            return self.accepts_as_it_is(game, candidate.pair);
        };
        let (basis, [row, column]) = ((candidate.basis, factorisation), &mut self.pair.strategies);
        self.refinement.refine(basis, candidate.pair, &game.enclosed(), BOUND_BITS, [row, column]);
        self.is_closed(game)
    }

    /// Proves a pair that is rounded and not corrected.
    pub(crate) fn accepts_as_it_is(&mut self, game: &impl Provable, pair: &StrategyPair) -> bool {
        let [row, column] = &mut self.pair.strategies;
        row.approximate(&pair.row);
        column.approximate(&pair.column);
        self.is_closed(game)
    }

    pub(crate) fn accepts_pure(&mut self, game: &impl Provable, choices: [usize; 2]) -> bool {
        for (strategy, choice) in self.pair.strategies.iter_mut().zip(choices) {
            strategy.set_pure(choice as u32);
        }
        self.is_closed(game)
    }

    pub(crate) fn accepts_weights(&mut self, game: &impl Provable, weights: [Vec<(u32, i64)>; 2]) -> bool {
        for (strategy, weights) in self.pair.strategies.iter_mut().zip(weights) {
            strategy.assign(weights.into_iter());
        }
        self.is_closed(game)
    }

    fn is_closed(&mut self, game: &impl Provable) -> bool {
        game.prove(&mut self.pair);
        self.pair.bounds.upper - self.pair.bounds.lower <= game.tolerance()
    }
}

/// The rungs that need no neighbour's solution, and their buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ladder {
    pub(crate) simplex: Simplex,
    precise: PreciseSimplex,
    pub(crate) prover: Prover,
}

impl Ladder {
    /// Solves by the tableau in floating point, over the middles of the bounds, if that proves itself; from the safest column if it
    /// is known that there is no saddle point.
    pub(crate) fn by_tableau(
        &mut self,
        game: &impl Provable,
        middles: &impl Trembling,
        safest: Option<usize>,
    ) -> Option<Candidate<'_>> {
        let Self { simplex, prover, .. } = self;
        let mut candidate = match safest {
            Some(column) => simplex.find_from(middles, column),
            None => simplex.find(middles),
        };
        // Where the system is nearly singular, a correction can do harm.
        let is_closed = prover.accepts(game, &mut candidate)
            || (candidate.factorisation.is_some() && prover.accepts_as_it_is(game, candidate.pair));
        is_closed.then_some(candidate)
    }

    /// Solves a game that is too delicate for doubles, over the integer bounds themselves: by the tableau in twice the digits, on
    /// whose basis the strategies are computed exactly, or else by exact pivots, which no condition of a basis disturbs. They are
    /// slow: a minute for some games of 80×80.
    ///
    /// The game that is solved lies in the middle of the lower and the upper payoffs, so that its optimal strategies miss those of
    /// either by the width of the payoffs, and by the rounding of their weights.
    pub(crate) fn by_integers(&mut self, game: &impl Provable) -> Basis {
        let middle = Middle(game.enclosed());
        if let Some(basis) = self.precise.find(&middle) {
            let weights = exact::equalise(&middle, &basis);
            if weights.is_some_and(|weights| self.prover.accepts_weights(game, weights)) {
                return basis;
            }
        }
        let tableau = ExactTableau::solve_integers(&middle);
        self.prover.accepts_weights(game, tableau.weights());
        tableau.basis()
    }

    /// Takes what two linear programmes find as it is, however wide its bounds; whether they find anything.
    pub(crate) fn by_programmes(&mut self, game: &impl Provable, middles: &impl Payoffs) -> bool {
        let mut pair = StrategyPair::default();
        let is_found = solve_programmes(middles, &mut pair);
        if is_found {
            self.prover.accepts_as_it_is(game, &pair);
        }
        is_found
    }
}

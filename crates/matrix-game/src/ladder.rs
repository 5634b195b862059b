//! The ladder of methods that solve a game known within bounds. A rung proposes a basis or a pair
//! of strategies, the pair is refined and proved in integers, and its bounds decide whether the
//! next rung is needed: no method's word is taken.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::equilibrium::StrategyPair;
use super::exact;
use super::payoffs::Payoffs;
use super::simplex::{Candidate, Simplex, precise_basis, solve_programmes};
use super::{Basis, DyadicStrategy, EnclosedPayoffs, Refinement, Trembling};
use crate::bounds::{BOUND_BITS, Bounds};
use crate::work::unwatched;

/// The distance of bounds, in units beyond the widest payoff, up to which a pair is optimal: its
/// weights are rounded.
pub const ROUNDING_UNITS: i64 = 32;

/// A game known within bounds, with the proof of a pair of strategies in it.
pub trait Provable {
    type Lines: Payoffs<i64>;

    fn enclosed(&self) -> EnclosedPayoffs<Self::Lines>;

    /// The largest distance of an optimal pair's bounds, in units.
    fn tolerance(&self) -> i64;

    /// Proves the bounds of the pair's strategies, or of better ones.
    fn prove(&self, pair: &mut ProvedPair) {
        pair.prove(&self.enclosed());
    }
}

/// Integer strategies of the row and the column player, and the bounds that they prove.
#[derive(Clone, Debug, Default)]
pub struct ProvedPair {
    pub strategies: [DyadicStrategy; 2],
    pub bounds: Bounds,
    /// The payoffs of each strategy against every choice of the opponent; empty for a pure
    /// strategy.
    pub expectations: [Vec<i128>; 2],
}

impl ProvedPair {
    pub fn prove(&mut self, game: &EnclosedPayoffs<impl Payoffs<i64>>) {
        let Self { strategies: [row, column], bounds, expectations: [of_row, of_column] } = self;
        *bounds =
            Bounds::new(row.secures(&game.row, of_row), -column.secures(&game.column, of_column));
    }
}

/// Proves one pair after another. Every method returns whether the bounds are those of an optimal
/// pair.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    pub pair: ProvedPair,
    refinement: Refinement,
}

impl Prover {
    /// Refines a candidate's weights where it has a basis, and proves it.
    pub fn accepts(&mut self, game: &impl Provable, candidate: &mut Candidate<'_>) -> bool {
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else {
            return self.accepts_as_it_is(game, candidate.pair);
        };
        self.refinement.refine(
            candidate.basis,
            factorisation,
            candidate.pair,
            &game.enclosed(),
            BOUND_BITS,
            &mut self.pair.strategies,
        );
        self.is_closed(game)
    }

    pub(crate) fn accepts_as_it_is(&mut self, game: &impl Provable, pair: &StrategyPair) -> bool {
        let [row, column] = &mut self.pair.strategies;
        row.approximate(&pair.row);
        column.approximate(&pair.column);
        self.is_closed(game)
    }

    pub fn accepts_pure(&mut self, game: &impl Provable, choices: [usize; 2]) -> bool {
        for (strategy, choice) in self.pair.strategies.iter_mut().zip(choices) {
            strategy.set_pure(choice as u32);
        }
        self.is_closed(game)
    }

    /// Proves strategies in weights out of [`DyadicStrategy::WHOLE`].
    pub fn accepts_weights(
        &mut self,
        game: &impl Provable,
        weights: [Vec<(usize, IBig)>; 2],
    ) -> bool {
        for (strategy, weights) in self.pair.strategies.iter_mut().zip(weights) {
            // Far beyond any probability: no strategy, as its security level shows.
            let weight = |weight: IBig| i64::try_from(weight).unwrap_or(0);
            strategy.assign(weights.into_iter().map(|(index, big)| (index as u32, weight(big))));
        }
        self.is_closed(game)
    }

    fn is_closed(&mut self, game: &impl Provable) -> bool {
        game.prove(&mut self.pair);
        self.pair.bounds.upper - self.pair.bounds.lower <= game.tolerance()
    }
}

/// The rungs that need no neighbour's solution.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    pub simplex: Simplex,
    pub prover: Prover,
}

impl Ladder {
    /// Solves the middles of the bounds by the tableau in floating point; `safest` is a column to
    /// start from where there is no saddle point.
    pub fn by_tableau(
        &mut self,
        game: &impl Provable,
        middles: &impl Trembling,
        safest: Option<usize>,
    ) -> Option<Candidate<'_>> {
        let Self { simplex, prover } = self;
        let mut candidate = match safest {
            Some(column) => simplex.find_from(middles, column),
            None => simplex.find(middles, &mut unwatched),
        };
        // Where the system is nearly singular, a correction can do harm.
        let is_closed = prover.accepts(game, &mut candidate)
            || (candidate.factorisation.is_some() && prover.accepts_as_it_is(game, candidate.pair));
        is_closed.then_some(candidate)
    }

    /// Solves the middles of the bounds in integers: by the double-double tableau, whose basis is
    /// equalised exactly, or else by exact pivots, which no condition of a basis disturbs but which
    /// take up to a minute for some games of 80×80.
    ///
    /// The optimal strategies of the middles miss those of either side by the width of the payoffs
    /// and the rounding of weights.
    pub fn by_integers(&mut self, game: &impl Provable) -> Basis {
        let enclosed = game.enclosed();
        let middle = enclosed.middle();
        let payoff = |row, column| RBig::from(middle.entry(row, column));
        let mut accepts = |basis: &Basis| {
            let weights = exact::equalise(payoff, basis, DyadicStrategy::WHOLE_BITS, &|| false);
            weights.is_some_and(|weights| self.prover.accepts_weights(game, weights))
        };
        if let Some(basis) = precise_basis(&middle).filter(&mut accepts) {
            return basis;
        }
        let basis = exact::optimal_basis(enclosed.size(), payoff, &|| false);
        accepts(&basis);
        basis
    }

    /// Proves the pair of two linear programmes as it is, however wide its bounds; `false` where
    /// they give up.
    pub fn by_programmes(&mut self, game: &impl Provable, middles: &impl Payoffs) -> bool {
        let mut pair = StrategyPair::default();
        let is_found = solve_programmes(middles, &mut pair);
        if is_found {
            self.prover.accepts_as_it_is(game, &pair);
        }
        is_found
    }
}

//! Solves the stage game of one state and proves its bounds.

use std::cell::Cell;
use std::time::Duration;

use crate::game::{ByPlayer, Player, SecuredBounds, State};
use crate::induction::tables::{StageGame, Tables, TwoWayStage};
use crate::matrix_game::{
    Candidate, DyadicStrategy, EnclosedPayoffs, Provable, ProvedPair, Prover, ROUNDING_UNITS,
    TieBreaking,
};
use crate::work::Clock;

pub(super) struct Stage<'s> {
    pub(super) tables: &'s Tables,
    pub(super) state: State,
    pub(super) game: TwoWayStage<'s>,
    clock: Clock,
    pub(super) certifying: Cell<Duration>,
}

impl<'s> Stage<'s> {
    pub(super) fn new(tables: &'s Tables, state: State, clock: Clock) -> Self {
        Self {
            tables,
            state,
            game: tables.two_way_stage(state),
            clock,
            certifying: Cell::default(),
        }
    }
}

impl<'s> Provable for Stage<'s> {
    type Lines = StageGame<'s, i64>;

    fn enclosed(&self) -> EnclosedPayoffs<StageGame<'s, i64>> {
        self.tables.enclosed_stage(self.state)
    }

    fn tolerance(&self) -> i64 {
        self.tables.widest + ROUNDING_UNITS
    }

    fn prove(&self, pair: &mut ProvedPair) {
        let start = self.clock.elapsed();
        pair.prove(&self.enclosed());
        if self.tables.order.is_self_mirrored(self.state) {
            // Each player's strategy serves the other as well: both take the better one, and the
            // bounds are opposite.
            let ProvedPair { strategies: [a, b], bounds, .. } = pair;
            if -bounds.upper > bounds.lower {
                a.clone_from(b);
                bounds.lower = -bounds.upper;
            } else {
                b.clone_from(a);
                bounds.upper = -bounds.lower;
            }
        }
        // Only the last pass over a state is its proof; earlier ones were part of the search.
        self.certifying.set(self.clock.elapsed().saturating_sub(start));
    }
}

/// Chooses among several optimal pairs of one state.
#[derive(Debug, Default)]
pub(super) struct Preference {
    tie_breaking: TieBreaking,
    /// The bids of each player's opponent, columns and rows, that could be exchanged without a
    /// loss.
    tied: ByPlayer<Vec<usize>>,
}

impl Preference {
    /// Whether an optimal pair, proved last, is preferred to all others, or the only one.
    pub(super) fn is_preferred(
        &mut self,
        prover: &Prover,
        stage: &Stage<'_>,
        candidate: &mut Candidate<'_>,
    ) -> bool {
        let pair = &prover.pair;
        // A's expectations are over B's bids, the columns, and B's over the rows.
        let inside = ByPlayer { a: &candidate.basis.columns, b: &candidate.basis.rows };
        if pair.expectations.iter().any(Vec::is_empty) {
            // A basis that randomises with a pure strategy is rare; the dictionary decides.
            return false;
        }
        for player in Player::BOTH {
            let (inside, tied) = (inside[player], &mut self.tied[player]);
            tied.clear();
            let support = pair.strategies[player.opponent() as usize].support();
            if support.len() < inside.len() {
                let idle = |choice: &&usize| {
                    support.binary_search_by_key(*choice, |&(index, _)| index as usize).is_err()
                };
                tied.extend(inside.iter().filter(idle));
            }
            // A reply ties if its payoff equals the basis's, up to rounding.
            let threshold = i128::from(pair.bounds.secured_by(player) + stage.tolerance() + 1)
                << DyadicStrategy::WHOLE_BITS;
            let as_good = |(choice, &sum): (usize, &i128)| (sum < threshold).then_some(choice);
            let outside = |choice: &usize| inside.binary_search(choice).is_err();
            tied.extend(
                pair.expectations[player as usize]
                    .iter()
                    .enumerate()
                    .filter_map(as_good)
                    .filter(outside),
            );
        }
        let ByPlayer { a: columns, b: rows } = &self.tied;
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else { return false };
        (columns.is_empty() && rows.is_empty())
            || self.tie_breaking.is_preferred(&stage.game, factorisation, [columns, rows])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, Rules};
    use crate::matrix_game::{DyadicStrategy, Payoffs, Prover};
    use crate::solution::Solver;

    /// At a state that is its own mirror image the better strategy serves both players.
    #[test]
    fn in_a_state_that_is_its_own_mirror_image_the_better_strategy_counts() {
        let solution = Solver::new(&Rules::tennis()).points([9, 9]).solve().unwrap();
        let state = "9:9@0".parse().unwrap();
        let stage = Stage::new(solution.tables(), state, Clock::default());
        let secured = |bid: usize| {
            let game = stage.tables.secured_stage(Player::A, state);
            (0..9).map(|reply| game.entry(bid, reply)).min().unwrap()
        };
        let mut different = 0;
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
            let mut proof = Prover::default();
            proof.accepts_pure(&stage, [a, b]);
            let better = if secured(b) > secured(a) { b } else { a };
            let ProvedPair { bounds, strategies, .. } = &proof.pair;
            for player in Player::BOTH {
                assert_eq!(bounds.secured_by(player), secured(better), "bids {a} and {b}");
                assert_eq!(
                    strategies[player as usize].support(),
                    [(better as u32, DyadicStrategy::WHOLE)]
                );
            }
            different += u32::from(secured(a) != secured(b));
        }
        assert!(different > 20, "{different}");
    }

    /// A billionth of the weight on another bid leaves bounds that are far apart for integers,
    /// though close as doubles.
    #[test]
    fn a_pair_that_is_a_little_worse_than_optimal_is_refused() {
        let solution = Solver::new(&Rules::tennis()).points([8, 8]).solve().unwrap();
        let state = "4:3@-2".parse().unwrap();
        let stage = Stage::new(solution.tables(), state, Clock::default());
        let whole = DyadicStrategy::WHOLE as i64;
        // Rows 1 and 2 with 2/5 and 3/5, columns 0 and 2 with 3/5 and 2/5.
        let pair = |shift: i64| {
            let (two, three) = (whole / 5 * 2, whole - whole / 5 * 2);
            [[(1, two - shift), (2, three + shift)], [(0, three + shift), (2, two - shift)]]
                .map(|weights| weights.map(|(index, weight)| (index, weight.into())).to_vec())
        };
        let mut proof = Prover::default();
        assert!(proof.accepts_weights(&stage, pair(0)));
        assert!(!proof.accepts_weights(&stage, pair(1 << 32)));
        assert!(proof.pair.bounds.width() > 1 << 28, "{:?}", proof.pair.bounds);
    }
}

//! Integer strategies of one state, and what they are proved to secure.

use std::time::Duration;

use super::stage::Stage;
use crate::bounds::BOUND_BITS;
use crate::game::{ByPlayer, Player, Secured};
use crate::matrix_game::{Candidate, DyadicStrategy, Judgement, Refinement, StrategyPair, TieBreaking};

/// Integer strategies and what they are proved to secure.
#[derive(Debug, Default)]
pub(crate) struct Proved {
    pub(crate) secured: Secured,
    pub(crate) strategies: ByPlayer<DyadicStrategy>,
    /// The time that the proof took.
    pub(crate) certifying: Duration,
    /// What each player's strategy yields against every bid of the opponent.
    expectations: ByPlayer<Vec<i128>>,
}

/// The prover of one pair of strategies after another.
#[derive(Debug, Default)]
pub(super) struct StageProof {
    /// The pair proved last.
    pub(super) proved: Proved,
    refinement: Refinement,
    tie_breaking: TieBreaking,
    /// The bids of each player's opponent, columns and rows, that could be exchanged without a loss.
    tied: ByPlayer<Vec<usize>>,
}

impl StageProof {
    /// Proves a candidate and judges it by its bounds.
    pub(super) fn judge(&mut self, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> Judgement {
        if !self.refine_and_certify(stage, candidate) {
            Judgement::Rejected
        } else if candidate.is_pivoted || self.is_preferred(stage, candidate) {
            Judgement::Preferred
        } else {
            Judgement::Optimal
        }
    }

    /// Whether an optimal pair, certified last, is preferred to others that are as good, or there are none.
    fn is_preferred(&mut self, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> bool {
        let Proved { secured, strategies, expectations, .. } = &self.proved;
        // A's expectations are over B's bids, the columns, and B's over the rows.
        let inside = ByPlayer { a: &candidate.basis.columns, b: &candidate.basis.rows };
        if expectations.iter().any(Vec::is_empty) {
            // One of a basis that randomises is pure: rare, and told by the dictionary.
            return false;
        }
        for player in Player::BOTH {
            let (inside, tied) = (inside[player], &mut self.tied[player]);
            tied.clear();
            let own = strategies[player.opponent()].support();
            if own.len() < inside.len() {
                let idle = |choice: &&usize| own.binary_search_by_key(*choice, |&(index, _)| index as usize).is_err();
                tied.extend(inside.iter().filter(idle));
            }
            // Playing it yields what the basis yields, up to rounding.
            let threshold = i128::from(secured.by(player) + stage.tolerance + 1) << DyadicStrategy::WHOLE_BITS;
            let as_good = |(choice, &sum): (usize, &i128)| (sum < threshold).then_some(choice);
            let outside = |choice: &usize| inside.binary_search(choice).is_err();
            tied.extend(expectations[player].iter().enumerate().filter_map(as_good).filter(outside));
        }
        let ByPlayer { a: columns, b: rows } = &self.tied;
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else { return false };
        (columns.is_empty() && rows.is_empty()) || self.tie_breaking.is_preferred(&stage.game, factorisation, [columns, rows])
    }

    /// Proves integer strategies from a candidate, corrected where there is a basis for it; whether they are optimal.
    pub(super) fn refine_and_certify(&mut self, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> bool {
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else {
            return self.certify_as_it_is(stage, candidate.pair);
        };
        let basis = (candidate.basis, factorisation);
        let ByPlayer { a, b } = &mut self.proved.strategies;
        self.refinement.refine(basis, candidate.pair, &stage.enclosed(), BOUND_BITS, [a, b]);
        self.certify(stage)
    }

    /// Proves integer strategies from a pair, rounded and not corrected; whether they are optimal.
    pub(super) fn certify_as_it_is(&mut self, stage: &Stage<'_>, pair: &StrategyPair) -> bool {
        let ByPlayer { a, b } = &mut self.proved.strategies;
        a.approximate(&pair.row);
        b.approximate(&pair.column);
        self.certify(stage)
    }

    /// Proves a pair of pure strategies; whether they are optimal.
    pub(super) fn certify_pure(&mut self, stage: &Stage<'_>, (row, column): (usize, usize)) -> bool {
        let ByPlayer { a, b } = &mut self.proved.strategies;
        a.set_pure(row as u32);
        b.set_pure(column as u32);
        self.certify(stage)
    }

    /// Proves strategies given in integer weights; whether they are optimal.
    pub(super) fn certify_weights(&mut self, stage: &Stage<'_>, weights: [Vec<(u32, i64)>; 2]) -> bool {
        for (strategy, weights) in self.proved.strategies.iter_mut().zip(weights) {
            strategy.assign(weights.into_iter());
        }
        self.certify(stage)
    }

    /// Proves the two strategies; whether their bounds are as close as those of an optimal pair.
    fn certify(&mut self, stage: &Stage<'_>) -> bool {
        let start = stage.clock.elapsed();
        let Proved { secured, strategies, certifying, expectations } = &mut self.proved;
        *secured = Secured::new(|player| {
            let stage_game = stage.tables.secured_stage(player, stage.state);
            strategies[player].secures(&stage_game, &mut expectations[player])
        });
        if stage.tables.order.is_self_mirrored(stage.state) {
            // Each player's strategy serves the other as well: both take the better one, and the bounds are opposite.
            let better = if secured.by(Player::B) > secured.by(Player::A) { Player::B } else { Player::A };
            strategies[better.opponent()] = strategies[better].clone();
            *secured = Secured::new(|_| secured.by(better));
        }
        // Only the last pass over a state is its proof; an earlier one was part of the search.
        *certifying = stage.clock.elapsed().saturating_sub(start);
        secured.gap() <= stage.tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, State};
    use crate::induction::sweep::ROUNDING_UNITS;
    use crate::induction::tables::Tables;
    use crate::matrix_game::Payoffs;
    use crate::solution::Solver;
    use crate::work::Clock;

    fn stage(tables: &Tables, state: State) -> Stage<'_> {
        let tolerance = tables.widest + ROUNDING_UNITS;
        Stage { tables, state, game: tables.two_way_stage(state), tolerance, clock: Clock::default() }
    }

    /// Where both players are in the same position, the better strategy serves both, no matter whose it was.
    #[test]
    fn in_a_state_that_is_its_own_mirror_image_the_better_strategy_counts() {
        let solution = Solver::new(&Rules::tennis()).points([9, 9]).solve().unwrap();
        let state = "9:9@0".parse().unwrap();
        let stage = stage(solution.tables(), state);
        let secured = |bid: usize| {
            let game = stage.tables.secured_stage(Player::A, state);
            (0..9).map(|reply| game.entry(bid, reply)).min().unwrap()
        };
        let mut different = 0;
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
            let mut proof = StageProof::default();
            proof.certify_pure(&stage, (a, b));
            let better = if secured(b) > secured(a) { b } else { a };
            let Proved { secured: proved, strategies, .. } = &proof.proved;
            for player in Player::BOTH {
                assert_eq!(proved.by(player), secured(better), "bids {a} and {b}");
                assert_eq!(strategies[player].support(), [(better as u32, DyadicStrategy::WHOLE)]);
            }
            different += u32::from(secured(a) != secured(b));
        }
        assert!(different > 20, "{different}");
    }

    /// A billionth of the weight on another bid leaves bounds far apart for integers, however near they are as doubles.
    #[test]
    fn a_pair_that_is_a_little_worse_than_optimal_is_refused() {
        let solution = Solver::new(&Rules::tennis()).points([8, 8]).solve().unwrap();
        let state = "4:3@-2".parse().unwrap();
        let stage = stage(solution.tables(), state);
        let whole = DyadicStrategy::WHOLE as i64;
        // Rows 1 and 2 with 2/5 and 3/5, columns 0 and 2 with 3/5 and 2/5.
        let pair = |shift: i64| {
            let (two, three) = (whole / 5 * 2, whole - whole / 5 * 2);
            [vec![(1, two - shift), (2, three + shift)], vec![(0, three + shift), (2, two - shift)]]
        };
        let mut proof = StageProof::default();
        assert!(proof.certify_weights(&stage, pair(0)));
        assert!(!proof.certify_weights(&stage, pair(1 << 32)));
        assert!(proof.proved.secured.gap() > 1 << 28, "{:?}", proof.proved.secured);
    }
}

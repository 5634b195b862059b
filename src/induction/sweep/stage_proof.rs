//! Integer strategies of one state, and what they are proved to secure.

use std::time::Duration;

use super::stage_solver::Stage;
use crate::bounds::BOUND_BITS;
use crate::game::{ByPlayer, Player, Secured};
use crate::matrix_game::{Candidate, DyadicStrategy, Refinement, StrategyPair, TieBreaking};
use crate::work::Clock;

/// The proof of the state solved last, and the buffers for the next one.
#[derive(Debug, Default)]
pub(crate) struct StageProof {
    refinement: Refinement,
    tie_breaking: TieBreaking,
    /// The integer strategies.
    pub(crate) strategies: ByPlayer<DyadicStrategy>,
    /// What each player's strategy yields against every bid of the opponent.
    expectations: ByPlayer<Vec<i128>>,
    /// The bids of each player's opponent, columns and rows, that could be exchanged without a loss.
    tied: ByPlayer<Vec<usize>>,
    /// The driver's clock; it stands still unless time is measured.
    pub(crate) clock: Clock,
    /// Time spent on proving the bounds of the final strategies.
    pub(crate) certifying: Duration,
}

impl StageProof {
    /// Whether an optimal pair, certified last, is preferred to others that are as good, or there are none.
    pub(super) fn is_preferred(&mut self, stage: &Stage<'_>, candidate: &mut Candidate<'_>, secured: Secured) -> bool {
        // A's expectations are over B's bids, the columns, and B's over the rows.
        let inside = ByPlayer { a: &candidate.basis.columns, b: &candidate.basis.rows };
        if self.expectations.iter().any(Vec::is_empty) {
            // One of a basis that randomises is pure: rare, and told by the dictionary.
            return false;
        }
        for player in Player::BOTH {
            let (inside, tied) = (inside[player], &mut self.tied[player]);
            tied.clear();
            let own = self.strategies[player.opponent()].support();
            if own.len() < inside.len() {
                let idle = |choice: &&usize| own.binary_search_by_key(*choice, |&(index, _)| index as usize).is_err();
                tied.extend(inside.iter().filter(idle));
            }
            // Playing it yields what the basis yields, up to rounding.
            let threshold = i128::from(secured.by(player) + stage.tolerance + 1) << DyadicStrategy::WHOLE_BITS;
            let as_good = |(choice, &sum): (usize, &i128)| (sum < threshold).then_some(choice);
            let outside = |choice: &usize| inside.binary_search(choice).is_err();
            tied.extend(self.expectations[player].iter().enumerate().filter_map(as_good).filter(outside));
        }
        let ByPlayer { a: columns, b: rows } = &self.tied;
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else { return false };
        (columns.is_empty() && rows.is_empty()) || self.tie_breaking.is_preferred(&stage.game, factorisation, [columns, rows])
    }

    /// Integer strategies from a candidate, corrected where there is a basis for it, and what they secure.
    pub(super) fn refine_and_certify(&mut self, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> Secured {
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else {
            return self.certify_as_it_is(stage, candidate.pair);
        };
        let basis = (candidate.basis, factorisation);
        let ByPlayer { a, b } = &mut self.strategies;
        self.refinement.refine(basis, candidate.pair, &stage.enclosed(), BOUND_BITS, [a, b]);
        self.certify(stage)
    }

    /// Integer strategies from a pair, rounded and not corrected, and what they secure.
    pub(super) fn certify_as_it_is(&mut self, stage: &Stage<'_>, pair: &StrategyPair) -> Secured {
        let ByPlayer { a, b } = &mut self.strategies;
        a.approximate(&pair.row);
        b.approximate(&pair.column);
        self.certify(stage)
    }

    /// Certifies strategies given in integer weights.
    pub(super) fn certify_weights(&mut self, stage: &Stage<'_>, weights: [Vec<(u32, i64)>; 2]) -> Secured {
        for (strategy, weights) in self.strategies.iter_mut().zip(weights) {
            strategy.assign(weights.into_iter());
        }
        self.certify(stage)
    }

    /// Certifies the two strategies.
    fn certify(&mut self, stage: &Stage<'_>) -> Secured {
        let start = self.clock.elapsed();
        let mut secured = Secured::new(|player| {
            let stage_game = stage.tables.secured_stage(player, stage.state);
            self.strategies[player].secures(&stage_game, &mut self.expectations[player])
        });
        if stage.tables.order.is_self_mirrored(stage.state) {
            // Each player's strategy serves the other as well: both take the better one, and the bounds are opposite.
            let better = if secured.by(Player::B) > secured.by(Player::A) { Player::B } else { Player::A };
            self.strategies[better.opponent()] = self.strategies[better].clone();
            secured = Secured::new(|_| secured.by(better));
        }
        // Only the last pass over a state is its proof; an earlier one was part of the search.
        self.certifying = self.clock.elapsed().saturating_sub(start);
        secured
    }
}

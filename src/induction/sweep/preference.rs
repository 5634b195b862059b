use super::stage::Stage;
use crate::game::{ByPlayer, Player, Secured};
use crate::matrix_game::{Candidate, DyadicStrategy, Judgement, Provable, Prover, TieBreaking};

/// Chooses among several optimal pairs of one state.
#[derive(Debug, Default)]
pub(super) struct Preference {
    tie_breaking: TieBreaking,
    /// The bids of each player's opponent, columns and rows, that could be exchanged without a loss.
    tied: ByPlayer<Vec<usize>>,
}

impl Preference {
    pub(super) fn judge(&mut self, prover: &mut Prover, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> Judgement {
        if !prover.accepts(stage, candidate) {
            Judgement::Rejected
        } else if candidate.is_pivoted || self.is_preferred(prover, stage, candidate) {
            Judgement::Preferred
        } else {
            Judgement::Optimal
        }
    }

    /// Whether an optimal pair, proved last, is preferred to all others, or the only one.
    fn is_preferred(&mut self, prover: &Prover, stage: &Stage<'_>, candidate: &mut Candidate<'_>) -> bool {
        let pair = &prover.pair;
        // A's expectations are over B's bids, the columns, and B's over the rows.
        let inside = ByPlayer { a: &candidate.basis.columns, b: &candidate.basis.rows };
        if pair.expectations.iter().any(Vec::is_empty) {
            // A basis that randomises with a pure strategy is rare; the dictionary decides.
            return false;
        }
        let secured = Secured::from_bounds(pair.bounds);
        for player in Player::BOTH {
            let (inside, tied) = (inside[player], &mut self.tied[player]);
            tied.clear();
            let own = pair.strategies[player.opponent() as usize].support();
            if own.len() < inside.len() {
                let idle = |choice: &&usize| own.binary_search_by_key(*choice, |&(index, _)| index as usize).is_err();
                tied.extend(inside.iter().filter(idle));
            }
            // A reply ties if its payoff equals the basis's, up to rounding.
            let threshold = i128::from(secured.by(player) + stage.tolerance() + 1) << DyadicStrategy::WHOLE_BITS;
            let as_good = |(choice, &sum): (usize, &i128)| (sum < threshold).then_some(choice);
            let outside = |choice: &usize| inside.binary_search(choice).is_err();
            tied.extend(pair.expectations[player as usize].iter().enumerate().filter_map(as_good).filter(outside));
        }
        let ByPlayer { a: columns, b: rows } = &self.tied;
        let Some(factorisation) = candidate.factorisation.as_deref_mut() else { return false };
        (columns.is_empty() && rows.is_empty()) || self.tie_breaking.is_preferred(&stage.game, factorisation, [columns, rows])
    }
}

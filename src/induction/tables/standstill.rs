//! What a strategy secures where two bids of 0 repeat the state.

use super::Tables;
use crate::bounds::Rounding;
use crate::game::{Player, Rules, State};
use crate::matrix_game::{DyadicStrategy, Payoffs, expected_payoffs};

impl Tables {
    /// The security level of a player's strategy at a state, over what is proved of later states, in units.
    ///
    /// Where the smallest bid is 0, the strategy is kept to until the state is left. An opponent who bids 0 for ever then gets the
    /// average of what the other bids lead to, or, where there are none, what endless play is worth; one who does not gets what
    /// the other bid leads to. (Against a strategy that stays the same, nothing but one bid for ever need be tried.)
    pub(crate) fn secures(&self, player: Player, state: State, strategy: &DyadicStrategy, expectations: &mut Vec<i128>) -> i64 {
        let stage = self.secured_stage(player, state);
        if self.rules.min_bid() > 0 {
            return strategy.secures(&stage, expectations);
        }
        let support = strategy.support();
        expected_payoffs(support.iter().map(|&(bid, weight)| (bid as usize, weight)), &stage, expectations);
        let Some((waiting_for, others)) = expectations.split_first() else { return i64::MIN };
        let waits = support.first().filter(|&&(bid, _)| bid == 0).map_or(0, |&(_, weight)| weight);
        let left = if waits == DyadicStrategy::WHOLE {
            self.endless(player, state)
        } else {
            // The state's own entry, whatever it holds, is taken out again.
            let leaving = waiting_for - i128::from(waits) * i128::from(stage.entry(0, 0));
            // An average of i64 is an i64.
            Rounding::Down.quotient(leaving, i128::from(DyadicStrategy::WHOLE - waits)) as i64
        };
        let moved = others.iter().min().map(|&sum| Rounding::Down.shift(sum, DyadicStrategy::WHOLE_BITS as usize) as i64);
        moved.map_or(left, |moved| moved.min(left))
    }

    /// The worth of endless play at a state to a player: decided where the ball lies, as if everything were spent.
    pub(crate) fn endless(&self, player: Player, state: State) -> i64 {
        let outcome = Rules::lying(state.ball.position());
        self.scale.floor(self.rules.scoring().payoff_to(player, outcome))
    }
}

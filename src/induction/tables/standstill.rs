//! Security levels of states that two bids of 0 repeat.

use super::{StageGame, Tables};
use crate::bounds::{Bounds, Rounding};
use crate::game::{Player, State};
use crate::matrix_game::{BestReply, DyadicStrategy, Payoffs, expected_payoffs};

impl Tables {
    /// The security level of a player's strategy at a state, over the successors' security levels,
    /// in units.
    ///
    /// Where the smallest bid is 0, the strategy is repeated until the state is left. (A stationary
    /// strategy has a stationary pure best response.)
    pub(crate) fn secures(
        &self,
        player: Player,
        state: State,
        strategy: &DyadicStrategy,
        expectations: &mut Vec<i128>,
    ) -> i64 {
        let stage = self.secured_stage(player, state);
        if self.rules.min_bid() > 0 {
            return strategy.secures(&stage, expectations);
        }
        stage.expectations(
            strategy.support().iter().copied(),
            Rounding::Down,
            || self.endless(player, state),
            expectations,
        );
        let least = expectations.iter().copied().min().unwrap_or(i128::MIN);
        // An average of i64 is an i64.
        Rounding::Down.shift(least, DyadicStrategy::WHOLE_BITS as usize) as i64
    }

    /// The payoff of infinite plays at a state to a player: decided where the ball lies, as if
    /// everything were spent.
    pub(crate) fn endless(&self, player: Player, state: State) -> i64 {
        let outcome = self.rules.end_at(state.ball.position());
        self.scale.floor(self.rules.scoring().payoff_to(player, outcome))
    }
}

impl StageGame<'_, i64> {
    /// The expectation of every reply to a strategy that is repeated until the state is left, in
    /// parts of [`DyadicStrategy::WHOLE`]; bids rise.
    ///
    /// A reply of 0 for ever gets the mean over the strategy's other bids, rounded to a unit, or,
    /// without other bids, the payoff of infinite plays.
    pub(crate) fn expectations(
        &self,
        weights: impl Iterator<Item = (u32, u64)>,
        rounding: Rounding,
        endless: impl FnOnce() -> i64,
        expectations: &mut Vec<i128>,
    ) {
        let lowest = self.lowest_bid;
        let mut waits = 0;
        let rows = weights.map(|(bid, weight)| {
            if bid == 0 {
                waits = weight;
            }
            (bid as usize - lowest, weight)
        });
        expected_payoffs(rows, self, expectations);
        if self.repeats && waits > 0 {
            let left = if waits == DyadicStrategy::WHOLE {
                i128::from(endless())
            } else {
                // Subtracts the entry of the state itself again.
                let leaving = expectations[0] - i128::from(waits) * i128::from(self.entry(0, 0));
                rounding.quotient(leaving, i128::from(DyadicStrategy::WHOLE - waits))
            };
            expectations[0] = left << DyadicStrategy::WHOLE_BITS;
        }
    }

    /// The first column of least [expectation](Self::expectations), with that expectation.
    ///
    /// `approximate` is the same game in doubles; no payoff lies outside `range`.
    pub(crate) fn best_reply(
        &self,
        approximate: &StageGame<'_>,
        range: Bounds,
        weights: impl Iterator<Item = (u32, u64)>,
        rounding: Rounding,
        endless: impl FnOnce() -> i64,
        best: &mut BestReply,
    ) -> (usize, i128) {
        if self.repeats {
            self.expectations(weights, rounding, endless, best.all());
            return best.least();
        }
        let lowest = self.lowest_bid;
        best.find(
            weights.map(|(bid, weight)| (bid as usize - lowest, weight)),
            self,
            approximate,
            range,
        )
    }
}

//! Two bids of 0, which repeat a state where the smallest bid is 0.

use super::{BehaviourStrategy, Policy, probability};
use crate::error::Error;
use crate::game::{Player, State};
use crate::matrix_game::DyadicStrategy;

/// The weights of a bid of 0 at a state. With a smallest bid of 1 one of them is 0, the other 0 or the whole.
pub(crate) struct Standstill {
    waits: [u64; 2],
}

impl Standstill {
    pub(crate) fn of(strategies: [&BehaviourStrategy; 2], state: State) -> Self {
        Self { waits: strategies.map(|strategy| strategy.waits(state)) }
    }

    pub(crate) const fn waits_a(&self) -> u64 {
        self.waits[0]
    }

    pub(crate) fn others(&self) -> [u64; 2] {
        self.waits.map(|weight| DyadicStrategy::WHOLE - weight)
    }

    pub(crate) fn stays(&self) -> f64 {
        self.waits.map(probability).iter().product()
    }

    /// The probability that a player bids something else; 0 only if this never happens.
    pub(crate) fn leaves(&self) -> f64 {
        let [a, b] = self.others().map(probability);
        // This form subtracts no nearly equal numbers.
        a + probability(self.waits[0]) * b
    }
}

impl Policy {
    /// Draws the bids of the next turn that changes the state; `None` where both bid 0 for ever.
    ///
    /// Takes two random numbers, A's first. Turns in which both bid 0 are skipped: where they are possible, a third number
    /// decides whether A bids something else, or B alone.
    pub(crate) fn draw_turn(
        policies: [&Self; 2],
        state: State,
        mut random: impl FnMut() -> u64,
    ) -> Result<Option<[u32; 2]>, Error> {
        let bits = [random(), random()];
        let strategies = [policies[0].checked(Player::A, state)?, policies[1].checked(Player::B, state)?];
        let [mut bid_a, mut bid_b] = [0, 1].map(|side| strategies[side].draw(state, bits[side]));
        let standstill = Standstill::of(strategies, state);
        let leaves = standstill.leaves();
        if leaves == 0.0 {
            return Ok(None);
        }
        if standstill.stays() > 0.0 {
            let share = probability(random() >> 2);
            if share * leaves < probability(standstill.others()[0]) {
                bid_a = strategies[0].draw_other(state, bits[0]);
            } else {
                (bid_a, bid_b) = (0, strategies[1].draw_other(state, bits[1]));
            }
        }
        Ok(Some([bid_a, bid_b]))
    }
}

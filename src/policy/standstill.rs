//! Two bids of 0, which repeat a state where the smallest bid is 0.

use super::{BehaviourStrategy, probability};
use crate::game::{Rules, State};
use crate::matrix_game::DyadicStrategy;

/// The weights of a bid of 0 at a state. With a smallest bid of 1 one of them is 0, the other 0 or
/// the whole.
pub(crate) struct Standstill {
    pub(crate) waits: [u64; 2],
}

impl Standstill {
    pub(crate) fn of(strategies: [&BehaviourStrategy; 2], state: State) -> Self {
        Self { waits: strategies.map(|strategy| strategy.waits(state)) }
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

/// Draws the bids of the next turn that changes the state; `None` where both bid 0 for ever.
///
/// Takes two random numbers, A's first. Turns in which both bid 0 are skipped: where they are
/// possible, a third number decides whether A bids something else, or B alone.
fn draw_turn(
    strategies: [&BehaviourStrategy; 2],
    state: State,
    random: &mut impl FnMut() -> u64,
) -> Option<[u32; 2]> {
    let [bits_a, bits_b] = [random(), random()];
    let [a, b] = strategies;
    let standstill = Standstill::of(strategies, state);
    let leaves = standstill.leaves();
    if leaves == 0.0 {
        return None;
    }
    if standstill.stays() == 0.0 {
        return Some([a.draw(state, bits_a), b.draw(state, bits_b)]);
    }
    let a_leaves = probability(random() >> 2) * leaves < probability(standstill.others()[0]);
    Some(if a_leaves {
        [a.draw_other(state, bits_a), b.draw(state, bits_b)]
    } else {
        [0, b.draw_other(state, bits_b)]
    })
}

/// Plays a game from `start` to its end, or until both bid 0 for ever, and returns the last state.
/// `turn` hears the bids of every turn that changes the state.
pub(crate) fn play_out(
    strategies: [&BehaviourStrategy; 2],
    rules: &Rules,
    start: State,
    mut random: impl FnMut() -> u64,
    mut turn: impl FnMut([u32; 2]),
) -> State {
    let mut state = start;
    while rules.outcome(state).is_none() {
        let Some(bids) = draw_turn(strategies, state, &mut random) else { break };
        turn(bids);
        state = rules.next(state, bids[0], bids[1]);
    }
    state
}

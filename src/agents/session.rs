//! Self-play of one learner: the game, the random numbers and the counts.

use std::cmp::Ordering;

use super::counted_rng::CountedRng;
use crate::error::{AgentError, Error};
use crate::game::{Ball, Outcome, Rules, State, StateSpace};

/// The game that a learner plays against itself, and the numbers that count what it has done.
///
/// Games are symmetric, so that one table serves both players: a row belongs to a state as A sees
/// it, in the order of [`StateSpace`], and B's row at a state is A's at its mirror image.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) rules: Rules,
    pub(super) space: StateSpace,
    pub(super) rng: CountedRng,
    pub(super) games: u64,
    pub(super) entries: u64,
    /// The next ball by its position, where A's bid is lower, equal, higher: looked up, since no
    /// branch could be predicted.
    after: Vec<[Ball; 3]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) state: State,
    pub(super) rows: [u32; 2],
    pub(super) bids: [u32; 2],
}

impl Session {
    pub(super) fn new(rules: &Rules, points: u32, seed: u64) -> Result<Self, Error> {
        rules.check_bids_spend("a learner")?;
        // The same limits as for the policy that will be learned.
        let space = crate::policy::checked_space(rules, [points, points])?;
        if !rules.is_antisymmetric() {
            return Err(AgentError::LearnerScoring { scoring: rules.scoring().to_string() }.into());
        }
        let after = |ball| {
            [Ordering::Less, Ordering::Equal, Ordering::Greater]
                .map(|bids| Ball::at(rules.after(ball, bids)))
        };
        let after = (-rules.field()..=rules.field()).map(after).collect();
        Ok(Self {
            rules: *rules,
            space,
            rng: CountedRng::resumed(seed, 0),
            games: 0,
            entries: 0,
            after,
        })
    }

    /// Full accounts and the ball on the net.
    pub(super) const fn start(&self) -> State {
        let [a, b] = self.space.points();
        State::new(a, b, Ball::NET)
    }

    /// The rows of A and B.
    #[inline]
    pub(super) const fn rows(&self, state: State) -> [usize; 2] {
        [self.space.index(state), self.space.index(state.mirrored())]
    }

    /// The account of the player to whom a row belongs.
    pub(super) const fn account(&self, row: usize) -> u32 {
        (row / self.space.index(State::new(1, 0, Ball::at(-self.space.field())))) as u32
    }

    /// Plays a game from `state`, records it in `turns`, and returns the outcome. `bid` is asked
    /// for a bid of each player with points left, A's first, by row and account.
    #[inline]
    pub(super) fn play(
        &mut self,
        mut state: State,
        turns: &mut Vec<Turn>,
        mut bid: impl FnMut(&mut Self, usize, u32) -> u32,
    ) -> Outcome {
        turns.clear();
        while self.rules.is_inside(state.ball.position()) && state.a + state.b > 0 {
            let rows = self.rows(state);
            let bid_a = if state.a > 0 { bid(self, rows[0], state.a) } else { 0 };
            let bid_b = if state.b > 0 { bid(self, rows[1], state.b) } else { 0 };
            turns.push(Turn { state, rows: rows.map(|row| row as u32), bids: [bid_a, bid_b] });
            let after = self.after[(state.ball.position() + self.rules.field()) as usize];
            state = State::new(
                state.a - bid_a,
                state.b - bid_b,
                after[(bid_a.cmp(&bid_b) as i8 + 1) as usize],
            );
        }
        self.rules.end_at(state.ball.position())
    }
}

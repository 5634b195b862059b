use super::counted_rng::CountedRng;
use crate::error::{AgentError, Error};
use crate::game::{Ball, Outcome, Rules, State, StateSpace};

/// The game that a learner plays against itself, and the numbers that count what it has done.
///
/// Games are symmetric, so that one table serves both players: a row belongs to a state as A sees it, in the order of
/// [`StateSpace`], and B's row at a state is A's at its mirror image.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) rules: Rules,
    pub(super) space: StateSpace,
    pub(super) rng: CountedRng,
    pub(super) games: u64,
    pub(super) entries: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) state: State,
    pub(super) bids: [u32; 2],
}

impl Session {
    pub(super) fn new(rules: &Rules, points: u32, seed: u64) -> Result<Self, Error> {
        rules.check_bids_spend("a learner")?;
        // The same limits as for the policy that will be learned.
        let space = crate::policy::checked_space(rules, [points, points])?;
        if !rules.scoring().is_antisymmetric() {
            return Err(AgentError::LearnerScoring { scoring: rules.scoring().to_string() }.into());
        }
        Ok(Self { rules: *rules, space, rng: CountedRng::resumed(seed, 0), games: 0, entries: 0 })
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

    /// Plays a game from `state`, records it in `turns`, and returns the outcome. `bid` is asked for a bid of each player with
    /// points left, A's first, by row and account.
    #[inline]
    pub(super) fn play(
        &mut self,
        mut state: State,
        turns: &mut Vec<Turn>,
        mut bid: impl FnMut(&mut Self, usize, u32) -> u32,
    ) -> Outcome {
        turns.clear();
        while self.rules.is_inside(state.ball.position()) && state.a + state.b > 0 {
            let [row_a, row_b] = self.rows(state);
            let bid_a = if state.a > 0 { bid(self, row_a, state.a) } else { 0 };
            let bid_b = if state.b > 0 { bid(self, row_b, state.b) } else { 0 };
            turns.push(Turn { state, bids: [bid_a, bid_b] });
            state = self.rules.next(state, bid_a, bid_b);
        }
        self.rules.end_at(state.ball.position())
    }
}

//! The opponent's replies to a side's stationary strategies.

use super::cycle::{CycleFacts, Weights};
use super::end_components::EndComponents;
use super::local_game::{LocalGame, Side};

/// The successors of a state for each choice of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// A reply to the side's mixture, at this state or at another state of its end component.
    Action { state: usize, reply: usize },
    /// The reply of another state of the same end component.
    As(u32),
    /// Play is kept for ever.
    Stay,
}

/// The opponent's possible replies to a side's strategies.
///
/// Within an end component that player can go from any state to any other with certainty, so that all of its states are worth the
/// same: the best of the payoff of infinite plays and of all ways out. Collapsing each end component to its first state makes
/// every reply proper, so the linear system is non-singular.
pub(super) struct Answers<'s> {
    pub(super) game: &'s LocalGame,
    pub(super) side: Side,
    pub(super) strategies: &'s [Weights],
    endless: i64,
    ends: EndComponents,
    /// The number of each state's end component.
    end: Vec<Option<usize>>,
}

impl<'s> Answers<'s> {
    pub(super) fn new(game: &'s LocalGame, facts: CycleFacts, side: Side, strategies: &'s [Weights]) -> Self {
        // Elsewhere play cannot be kept for ever.
        let ends = if facts.kind.may_last() {
            EndComponents::new(game, side, &strategies.iter().map(Vec::as_slice).collect::<Vec<_>>())
        } else {
            EndComponents::default()
        };
        let mut end = vec![None; game.len()];
        for (number, states) in ends.all().iter().enumerate() {
            for &state in states {
                end[state as usize] = Some(number);
            }
        }
        Self { game, side, strategies, endless: facts.endless.side(side.is_upper()), ends, end }
    }

    pub(super) fn end(&self, state: usize) -> Option<&[u32]> {
        self.end[state].map(|number| self.ends.all()[number].as_slice())
    }

    pub(super) fn all(&self, state: usize) -> Vec<Reply> {
        let Self { game, side, .. } = *self;
        let actions = |state: usize| (0..game.replies(state, side)).map(move |reply| Reply::Action { state, reply });
        let Some(states) = self.end(state) else { return actions(state).collect() };
        if states[0] as usize != state {
            return vec![Reply::As(states[0])];
        }
        let inside = |next: usize| states.binary_search(&(next as u32)).is_ok();
        let leaves = |reply: &Reply| match *reply {
            Reply::Action { state, reply } => !game.stays(state, side, (&self.strategies[state], reply), &inside),
            _ => true,
        };
        states.iter().flat_map(|&state| actions(state as usize)).filter(leaves).chain([Reply::Stay]).collect()
    }

    /// Answers by which play leaves with certainty, or is kept for ever without a reward; `None` where a state has none.
    pub(super) fn proper(&self) -> Option<Vec<Reply>> {
        let Self { game, side, strategies, .. } = *self;
        let mut found: Vec<Option<Reply>> = vec![None; game.len()];
        let mut leaves = vec![false; game.len()];
        let mut count = usize::MAX;
        while count != leaves.iter().filter(|&&leaves| leaves).count() {
            count = leaves.iter().filter(|&&leaves| leaves).count();
            for state in (0..game.len()).filter(|&state| found[state].is_none()).collect::<Vec<_>>() {
                found[state] = self.all(state).into_iter().find(|answer| match *answer {
                    Reply::Action { state, reply } => game.leads(state, side, (&strategies[state], reply), &leaves),
                    Reply::As(first) => leaves[first as usize],
                    Reply::Stay => true,
                });
                leaves[state] = found[state].is_some();
            }
        }
        found.into_iter().collect()
    }

    /// The value of a reply to the side, by the states' values.
    pub(super) fn worth(&self, reply: Reply, guess: &[i64]) -> i64 {
        match reply {
            Reply::Action { state, reply } => {
                self.game.replied(state, self.side, (&self.strategies[state], reply), |next| guess[next])
            }
            Reply::As(first) => guess[first as usize],
            Reply::Stay => self.endless,
        }
    }

    /// The best answer at a state, with its worth to the side; the known one where no other is better, or policy iteration might not
    /// end.
    pub(super) fn best(&self, state: usize, guess: &[i64], known: Option<Reply>) -> (i64, Reply) {
        let Self { game, side, strategies, .. } = *self;
        let (worth, reply) = if self.end(state).is_none() {
            let (worth, reply) = game.answered(state, side, &strategies[state], |next| guess[next]);
            (worth, Reply::Action { state, reply })
        } else {
            let answers = self.all(state).into_iter().map(|reply| (self.worth(reply, guess), reply));
            let best = if side.is_upper() {
                answers.reduce(|best, next| if next.0 > best.0 { next } else { best })
            } else {
                answers.reduce(|best, next| if next.0 < best.0 { next } else { best })
            };
            // There is at least one.
            best.unwrap_or((guess[state], Reply::Stay))
        };
        (worth, known.filter(|&known| self.worth(known, guess) == worth).unwrap_or(reply))
    }
}

/// Visits the states that follow an answer to a side's strategies, with their probabilities; returns the probability of leaving.
pub(super) fn follow(game: &LocalGame, side: Side, strategies: &[Weights], reply: Reply, mut visit: impl FnMut(u32, f64)) -> f64 {
    match reply {
        Reply::Action { state, reply } => game.steps(state, side, &strategies[state], reply, visit),
        Reply::As(first) => {
            visit(first, 1.0);
            0.0
        }
        Reply::Stay => 1.0,
    }
}

//! The opponent's replies to a side's stationary strategies.

use super::cycle::Strategy;
use super::end_components::end_components;
use super::local_game::{CellParts, LocalGame, MixedAction, Side, StateBounds, average};
use super::markov_chain::{MarkovChain, Transitions};
use super::policy_iteration::tighten;
use crate::bounds::Bounds;
use crate::matrix_game::DyadicStrategy;
use crate::model::Components;

/// The rounds that narrow bounds before policies are evaluated: plays that leave a cycle soon have
/// converged by then.
const ROUNDS: usize = 64;

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

/// The Markov decision process of the opponent of a side whose strategies are fixed.
///
/// Within an end component that player can go from any state to any other with certainty, so that
/// all of its states have one value: the best of the payoff of infinite plays and of all ways
/// out. Collapsing each end component to its first state makes every reply proper, so the linear
/// system is non-singular.
pub(super) struct OpponentMdp<'s, W> {
    pub(super) game: &'s LocalGame,
    pub(super) side: Side,
    pub(super) strategies: &'s [Strategy<W>],
    /// The end components; none where play cannot be kept for ever.
    ends: Option<Components>,
}

impl<'s, W> OpponentMdp<'s, W> {
    pub(super) fn new(game: &'s LocalGame, side: Side, strategies: &'s [Strategy<W>]) -> Self {
        Self {
            game,
            side,
            strategies,
            ends: game.kind.may_last().then(|| end_components(game, side, strategies)),
        }
    }

    /// The mixed action of the side at a state.
    fn mixed(&self, state: usize) -> MixedAction<'s, W> {
        MixedAction::of(self.side, self.strategies, state)
    }

    /// The cells of a reply at a state, with the weights of the side's actions.
    pub(super) fn cells(
        &self,
        state: usize,
        reply: usize,
    ) -> impl Iterator<Item = (&'s W, CellParts<'s>)> {
        self.game.cells_against(self.mixed(state), reply)
    }

    /// The states of a state's end component.
    fn end_component(&self, state: usize) -> Option<&[u32]> {
        let ends = self.ends.as_ref()?;
        let end = ends.of(state);
        ends.is_cyclic(end).then(|| ends.states(end))
    }

    pub(super) fn replies(&self, state: usize) -> Vec<Reply> {
        let Self { game, side, .. } = *self;
        let actions = |state: usize| {
            (0..game.replies(state, side)).map(move |reply| Reply::Action { state, reply })
        };
        let Some(states) = self.end_component(state) else { return actions(state).collect() };
        if states[0] as usize != state {
            return vec![Reply::As(states[0])];
        }
        let inside = |next: usize| states.binary_search(&(next as u32)).is_ok();
        let leaves = |reply: &Reply| match *reply {
            Reply::Action { state, reply } => !game.stays(self.mixed(state), reply, &inside),
            _ => true,
        };
        states
            .iter()
            .flat_map(|&state| actions(state as usize))
            .filter(leaves)
            .chain([Reply::Stay])
            .collect()
    }
}

impl<W> OpponentMdp<'_, W> {
    /// The replies as actions, one at every state: in an end component, actions lead to the state
    /// from which the reply leaves, or keep play inside. `None` where a state has none.
    pub(super) fn actions(&self, replies: &[Reply]) -> Option<Vec<u32>> {
        let mut actions: Vec<Option<u32>> = vec![None; replies.len()];
        for (state, reply) in replies.iter().enumerate() {
            if let Reply::Action { state, reply } = *reply {
                actions[state] = Some(reply as u32);
            } else if *reply == Reply::Stay {
                for &member in self.end_component(state)? {
                    actions[member as usize] = self.staying(member as usize, |_| true);
                }
            }
        }
        // Those whose end component leaves from another state come closer to that one by one step
        // at a time.
        loop {
            let known: Vec<bool> = actions.iter().map(Option::is_some).collect();
            let mut has_changed = false;
            for state in (0..replies.len()).filter(|&state| !known[state]) {
                actions[state] = self.staying(state, |next| known[next]);
                has_changed |= actions[state].is_some();
            }
            if !has_changed {
                return actions.into_iter().collect();
            }
        }
    }

    /// Replies by which play leaves with certainty, or is kept for ever without a reward; `None`
    /// where a state has none.
    pub(super) fn proper(&self) -> Option<Vec<Reply>> {
        let mut found: Vec<Option<Reply>> = vec![None; self.game.len()];
        loop {
            let before = found.iter().flatten().count();
            for state in 0..self.game.len() {
                let leaves = |state: u32| found[state as usize].is_some();
                let is_proper = |reply: &Reply| match *reply {
                    Reply::Action { state, reply } => self.cells(state, reply).any(|(_, cell)| {
                        cell.leaves() > 0 || cell.inside.iter().any(|outcome| leaves(outcome.state))
                    }),
                    Reply::As(first) => leaves(first),
                    Reply::Stay => true,
                };
                found[state] =
                    found[state].or_else(|| self.replies(state).into_iter().find(is_proper));
            }
            if found.iter().flatten().count() == before {
                return found.into_iter().collect();
            }
        }
    }

    /// The first reply that keeps play in a state's end component and may lead to a state for which
    /// `is_closer` holds.
    fn staying(&self, state: usize, is_closer: impl Fn(usize) -> bool) -> Option<u32> {
        let Self { game, side, .. } = *self;
        let states = self.end_component(state)?;
        let inside = |next: usize| states.binary_search(&(next as u32)).is_ok();
        let found = (0..game.replies(state, side)).find(|&reply| {
            game.stays(self.mixed(state), reply, &inside)
                && self.cells(state, reply).any(|(_, cell)| {
                    cell.inside.iter().any(|outcome| is_closer(outcome.state as usize))
                })
        });
        found.map(|reply| reply as u32)
    }
}

impl OpponentMdp<'_, u64> {
    /// The replies that leave the side least by bounds of the other side.
    pub(super) fn least_replies(&self, bounds: &[Bounds]) -> Option<Vec<Reply>> {
        let other = self.side.other();
        let payoff =
            |reply: Reply| self.expected_payoff(reply, other, |next| other.bound(bounds[next]));
        let best = |state: usize| {
            self.replies(state).into_iter().reduce(|best, next| {
                if other.is_closer(&payoff(next), &payoff(best)) { next } else { best }
            })
        };
        (0..bounds.len()).map(best).collect()
    }

    /// The best replies by values in floating point, counted from the payoff of infinite plays.
    /// They tell replies apart that differ by less than a unit.
    pub(super) fn best_replies_by(&self, values: &[f64]) -> Vec<Reply> {
        let payoff = |reply: &Reply| match *reply {
            Reply::Action { state, reply } => self
                .cells(state, reply)
                .map(|(&weight, cell)| {
                    weight as f64 * (cell.leaving(self.game.endless.lower) + cell.later(values))
                })
                .sum(),
            Reply::As(_) | Reply::Stay => 0.0,
        };
        let best = |state: usize| {
            let replies = self.replies(state).into_iter().map(|reply| (payoff(&reply), reply));
            replies.reduce(
                |best, next| if self.side.is_closer(&best.0, &next.0) { next } else { best },
            )
        };
        // There is at least one.
        (0..values.len()).map(|state| best(state).map_or(Reply::Stay, |(_, reply)| reply)).collect()
    }

    /// A bound of the expected payoff of a reply, on this side, by those of the states.
    pub(super) fn expected_payoff(
        &self,
        reply: Reply,
        bound: Side,
        of: impl Fn(usize) -> i64 + Copy,
    ) -> i64 {
        match reply {
            Reply::Action { state, reply } => {
                let bounds = StateBounds::in_units(bound, |next| i128::from(of(next)));
                average(bound, self.game.expected_payoff(self.mixed(state), reply, bounds))
            }
            Reply::As(first) => of(first as usize),
            Reply::Stay => bound.bound(self.game.endless),
        }
    }

    /// The best reply at a state, with its expected payoff; the known one where no other is
    /// better, or policy iteration might not end.
    pub(super) fn best_reply(
        &self,
        state: usize,
        guess: &[i64],
        known: Option<Reply>,
    ) -> (i64, Reply) {
        let Self { game, side, .. } = *self;
        let (payoff, reply) = if self.end_component(state).is_none() {
            let (payoff, reply) = game.best_response(self.mixed(state), side, |next| guess[next]);
            (payoff, Reply::Action { state, reply })
        } else {
            let replies = self
                .replies(state)
                .into_iter()
                .map(|reply| (self.expected_payoff(reply, side, |next| guess[next]), reply));
            // There is at least one.
            let best = replies
                .reduce(|best, next| if side.is_closer(&best.0, &next.0) { next } else { best });
            best.unwrap_or((guess[state], Reply::Stay))
        };
        (
            payoff,
            known
                .filter(|&known| self.expected_payoff(known, side, |next| guess[next]) == payoff)
                .unwrap_or(reply),
        )
    }

    /// Narrows bounds of the values against best replies by value iteration; returns whether it
    /// came to rest.
    pub(super) fn settle(&self, bounds: &mut [Bounds]) -> bool {
        let all: Vec<Vec<Reply>> = (0..bounds.len()).map(|state| self.replies(state)).collect();
        (0..ROUNDS).any(|_| {
            let mut changed = false;
            for (state, replies) in all.iter().enumerate() {
                for bound in Side::BOTH {
                    let payoffs = replies.iter().map(|&reply| {
                        self.expected_payoff(reply, bound, |next| bound.bound(bounds[next]))
                    });
                    let best = if self.side.is_upper() { payoffs.max() } else { payoffs.min() };
                    changed |= best.is_some_and(|best| tighten(&mut bounds[state], bound, best));
                }
            }
            !changed
        })
    }

    /// The Markov chain of play under these replies, one at every state.
    pub(super) fn chain(&self, replies: &[Option<Reply>]) -> MarkovChain {
        MarkovChain::new(replies.iter().flatten().map(|&reply| self.transitions(reply)).collect())
    }

    /// The states that follow a reply to a side's strategies, with their probabilities to
    /// nearest.
    pub(super) fn transitions(&self, reply: Reply) -> Transitions {
        let mut follows = Transitions::default();
        match reply {
            Reply::Action { state, reply } => {
                for (&weight, cell) in self.cells(state, reply) {
                    let share =
                        weight as f64 / DyadicStrategy::WHOLE as f64 / cell.denominator as f64;
                    follows.steps.extend(
                        cell.inside
                            .iter()
                            .map(|outcome| (outcome.state, share * outcome.weight as f64)),
                    );
                    follows.ends += share * cell.leaves() as f64;
                }
            }
            Reply::As(first) => follows.steps.push((first, 1.0)),
            Reply::Stay => follows.ends = 1.0,
        }
        follows
    }
}

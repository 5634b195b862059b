//! The order in which states are solved, and which of them need to be.

use crate::game::{State, StateSpace};

/// The states of a game by total remaining points, and their symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) space: StateSpace,
    /// Whether a state's mirror image has the negative value, so that one of the two need not be solved.
    pub(crate) mirrored: bool,
}

impl Order {
    /// The states with this total that are solved themselves.
    pub(crate) fn solved(self, total: u32) -> impl Iterator<Item = State> {
        self.space.layer(total).filter(move |&state| self.representative(state) == state)
    }

    /// The state whose solution, perhaps mirrored, is the solution of `state`.
    pub(crate) fn representative(&self, state: State) -> State {
        let smaller = state.a < state.b || (state.a == state.b && state.ball.position() > 0);
        self.image(state).filter(|_| smaller).unwrap_or(state)
    }

    /// The mirror image of a state, if it is a state with the negative value.
    pub(crate) fn image(&self, state: State) -> Option<State> {
        Some(state.mirrored()).filter(|&image| self.mirrored && self.space.contains(image))
    }

    /// The number of states that a solved one stands for: 2 with its mirror image, else 1.
    pub(crate) fn images(&self, solved: State) -> u64 {
        if self.image(solved).is_some_and(|image| image != solved && self.representative(image) == solved) { 2 } else { 1 }
    }

    /// The number of states, mirror images included, with totals from 1 to this one.
    pub(crate) fn states_up_to(self, total: u32) -> u64 {
        let [most_a, most_b] = self.space.points();
        let accounts = |total: u32| u64::from(total.min(most_a) - total.saturating_sub(most_b) + 1);
        (1..=total).map(accounts).sum::<u64>() * self.space.positions() as u64
    }

    /// Whether the state is its own mirror image under a scoring that makes mirror images opposite.
    pub(crate) fn is_self_mirrored(&self, state: State) -> bool {
        self.mirrored && state.mirrored() == state
    }
}

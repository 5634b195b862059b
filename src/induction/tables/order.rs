//! In which order states are solved, and which of them need to be.

use crate::game::{Ball, State};

/// The states of a game by total remaining points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) points: [u32; 2],
    pub(crate) field: i32,
    /// Whether a state's mirror image has the negative value, so that one of the two need not be solved.
    pub(crate) mirrored: bool,
}

impl Order {
    /// The largest total.
    pub(crate) const fn layers(&self) -> u32 {
        self.points[0] + self.points[1]
    }

    /// Every state of the table with this total.
    pub(crate) fn layer(self, total: u32) -> impl Iterator<Item = State> {
        let [most_a, most_b] = self.points;
        (total.saturating_sub(most_b)..=total.min(most_a))
            .flat_map(move |a| (-self.field..=self.field).map(move |ball| State::new(a, total - a, Ball::at(ball))))
    }

    /// The states with this total that are solved themselves.
    pub(crate) fn solved(self, total: u32) -> impl Iterator<Item = State> {
        self.layer(total).filter(move |&state| self.representative(state) == state)
    }

    /// The state whose solution, perhaps mirrored, is the solution of `state`.
    pub(crate) fn representative(&self, state: State) -> State {
        let other = state.mirrored();
        let smaller = state.a < state.b || (state.a == state.b && state.ball.position() > 0);
        if self.mirrored && smaller && self.contains(other) { other } else { state }
    }

    /// How many states a solved one stands for: 2 with its mirror image, else 1.
    pub(crate) fn images(&self, solved: State) -> u64 {
        let image = solved.mirrored();
        if image != solved && self.contains(image) && self.representative(image) == solved { 2 } else { 1 }
    }

    /// The number of states, mirror images included, with totals from 1 to this one.
    pub(crate) fn states_up_to(self, total: u32) -> u64 {
        let [most_a, most_b] = self.points;
        let accounts = |total: u32| u64::from(total.min(most_a) - total.saturating_sub(most_b) + 1);
        (1..=total).map(accounts).sum::<u64>() * (2 * self.field as u64 + 1)
    }

    /// Whether both accounts are within the table.
    pub(crate) const fn contains(&self, state: State) -> bool {
        state.a <= self.points[0] && state.b <= self.points[1]
    }

    /// Whether the state is its own mirror image under a scoring that makes mirror images opposite.
    pub(crate) fn is_self_mirrored(&self, state: State) -> bool {
        self.mirrored && state.mirrored() == state
    }

    /// A place for every state in a flat list, positions of the ball slowest.
    pub(crate) fn index(&self, state: State) -> usize {
        let plane = (state.ball.position() + self.field) as usize;
        (plane * (self.points[0] as usize + 1) + state.a as usize) * (self.points[1] as usize + 1) + state.b as usize
    }

    /// The number of states.
    pub(crate) const fn states(&self) -> usize {
        (2 * self.field as usize + 1) * (self.points[0] as usize + 1) * (self.points[1] as usize + 1)
    }
}

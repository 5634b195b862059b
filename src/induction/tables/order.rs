//! Layers of states, and which states stand for their mirror images.

use crate::coded::coded;
use crate::error::MethodError;
use crate::game::{State, StateSpace};
use crate::written_as::written_as;

/// The states of a game in the order of solving, by total remaining points, and their symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) space: StateSpace,
    /// Whether mirror images have opposite values, so that one of two need not be solved.
    pub(crate) mirrored: bool,
}

impl Order {
    pub(crate) fn solved(self, total: u32) -> impl Iterator<Item = State> {
        self.space.layer(total).filter(move |&state| self.representative(state) == state)
    }

    /// The same up to this total, layer by layer.
    pub(crate) fn solved_up_to(self, total: u32) -> impl Iterator<Item = State> {
        (1..=total).flat_map(move |total| self.solved(total))
    }

    /// The state whose solution, possibly mirrored, is the solution of `state`.
    pub(crate) fn representative(&self, state: State) -> State {
        let smaller = state.a < state.b || (state.a == state.b && state.ball.position() > 0);
        self.image(state).filter(|_| smaller).unwrap_or(state)
    }

    /// The mirror image of a state, if it has the opposite value.
    pub(crate) fn image(&self, state: State) -> Option<State> {
        Some(state.mirrored()).filter(|&image| self.mirrored && self.space.contains(image))
    }

    /// The size of a solved state's symmetry class: 2 with a mirror image, else 1.
    pub(crate) fn image_count(&self, solved: State) -> u64 {
        if self
            .image(solved)
            .is_some_and(|image| image != solved && self.representative(image) == solved)
        {
            2
        } else {
            1
        }
    }

    /// The number of states, mirror images included, with totals from 1 to this one.
    pub(crate) fn states_up_to(self, total: u32) -> u64 {
        let [most_a, most_b] = self.space.points();
        let accounts = |total: u32| u64::from(total.min(most_a) - total.saturating_sub(most_b) + 1);
        (1..=total).map(accounts).sum::<u64>() * self.space.positions() as u64
    }

    /// Whether the state is its own mirror image and mirror images have opposite values.
    pub(crate) fn is_self_mirrored(&self, state: State) -> bool {
        self.mirrored && state.mirrored() == state
    }
}

/// The method that solves the matrix game of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// This crate's own simplex, started from a neighbour's optimal basis.
    #[default]
    Simplex,
    /// The dense [simplex tableau](crate::matrix_game::Simplex) from scratch in every state:
    /// slower, and independent of warm starts.
    Tableau,
    /// Two linear programmes a state through `good_lp`: a slow, independent reference. Needs the
    /// feature `lp`.
    Lp,
}

impl Method {
    /// Whether this build includes the method: [`Method::Lp`] needs the feature `lp`.
    pub const fn is_available(self) -> bool {
        !matches!(self, Self::Lp) || cfg!(feature = "lp")
    }
}

coded!(Method { Simplex = 0, Tableau = 1, Lp = 2 });

written_as!(
    Method {
        Simplex => "simplex",
        Tableau => "tableau",
        Lp => "lp",
    },
    |text| MethodError::Unknown { text } => MethodError
);

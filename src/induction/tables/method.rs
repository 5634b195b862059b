//! The methods that solve one matrix game.

use crate::error::MethodError;
use crate::written_as::written_as;

/// The method that solves the matrix game of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Our own simplex, which starts from a neighbour's optimal basis.
    #[default]
    Simplex,
    /// The dense [simplex tableau](crate::matrix_game::Simplex), every state from the start: slower, and without warm starts that
    /// could mislead.
    Tableau,
    /// Two linear programmes a state through `good_lp`: a slow, independent reference. Solves with the feature `lp` only.
    Lp,
}

impl Method {
    /// Whether this build can solve by it: [`Method::Lp`] is part of the feature `lp`.
    pub const fn is_available(self) -> bool {
        !matches!(self, Self::Lp) || cfg!(feature = "lp")
    }
}

written_as!(
    Method {
        Simplex => "simplex",
        Tableau => "tableau",
        Lp => "lp",
    },
    |text| MethodError::Unknown { text } => MethodError
);

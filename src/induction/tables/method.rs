use crate::error::MethodError;
use crate::written_as::written_as;

/// The method that solves the matrix game of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// This crate's own simplex, started from a neighbour's optimal basis.
    #[default]
    Simplex,
    /// The dense [simplex tableau](crate::matrix_game::Simplex) from scratch in every state: slower, and independent of warm
    /// starts.
    Tableau,
    /// Two linear programmes a state through `good_lp`: a slow, independent reference. Needs the feature `lp`.
    Lp,
}

impl Method {
    /// Whether this build includes the method: [`Method::Lp`] needs the feature `lp`.
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

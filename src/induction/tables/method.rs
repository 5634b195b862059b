//! The methods that solve one matrix game.

use std::fmt;
use std::str::FromStr;

use super::MethodError;

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

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Simplex => "simplex",
            Self::Tableau => "tableau",
            Self::Lp => "lp",
        })
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        match text {
            "simplex" => Ok(Self::Simplex),
            "tableau" => Ok(Self::Tableau),
            "lp" => Ok(Self::Lp),
            _ => Err(MethodError::Unknown { text: text.to_owned() }),
        }
    }
}

//! The methods that solve blind Tennis, and their progress.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::RegretRule;
use crate::bounds::Enclosure;
use crate::error::BlindError;

/// The method that solves blind Tennis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlindMethod {
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Solves with the feature `lp` only.
    Lp,
    /// The same programmes by an interior-point method (Clarabel). Solves with the feature `interior-point` only.
    InteriorPoint,
    /// Counterfactual regret minimisation.
    Cfr(RegretRule),
}

impl Default for BlindMethod {
    fn default() -> Self {
        Self::Cfr(RegretRule::default())
    }
}

/// `lp`, `ipm`, and `cfr` for the usual rule; another rule is named instead.
impl fmt::Display for BlindMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lp => f.pad("lp"),
            Self::InteriorPoint => f.pad("ipm"),
            method if *method == Self::default() => f.pad("cfr"),
            Self::Cfr(rule) => rule.fmt(f),
        }
    }
}

impl FromStr for BlindMethod {
    type Err = BlindError;

    fn from_str(text: &str) -> Result<Self, BlindError> {
        match text {
            "lp" => Ok(Self::Lp),
            "ipm" => Ok(Self::InteriorPoint),
            "cfr" => Ok(Self::default()),
            _ => {
                let rule = text.parse().map_err(|_| BlindError::MethodUnknown { text: text.to_owned() })?;
                Ok(Self::Cfr(rule))
            }
        }
    }
}

/// The progress of solving blind Tennis.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BlindProgress {
    /// Iterations of regret minimisation so far.
    pub iterations: u64,
    /// Bounds of the value that the strategies so far prove.
    pub enclosure: Enclosure,
    /// The time since the start.
    pub elapsed: Duration,
}

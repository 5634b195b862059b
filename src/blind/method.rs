use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::RegretRule;
use crate::bounds::Enclosure;
use crate::error::BlindError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlindMethod {
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the feature `lp`.
    Lp,
    /// The same programmes by an interior-point method (Clarabel). Needs the feature `interior-point`.
    InteriorPoint,
    Cfr(RegretRule),
}

impl Default for BlindMethod {
    fn default() -> Self {
        Self::Cfr(RegretRule::default())
    }
}

/// Writes `lp`, `ipm`, and `cfr` for the default rule or the name of another.
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

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BlindProgress {
    pub iterations: u64,
    pub enclosure: Enclosure,
    pub elapsed: Duration,
}

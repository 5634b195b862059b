//! Proved bounds, as scripts read them.

use crate::bounds::{DecimalBounds, Enclosure};
use std::fmt;

use serde::Serialize;

/// Two numbers that something certainly lies between, twice: as doubles and as decimal strings.
///
/// Made from an [`Enclosure`] alone, so that no bound leaves in a report but rounded outward.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BoundsReport {
    /// A number not above it, whether it is read as a decimal number or as the double nearest to that.
    pub lower: f64,
    /// A number not below it, read either way.
    pub upper: f64,
    /// The same bounds in as many digits as their distance needs.
    pub decimal: DecimalReport,
}

/// Bounds as decimal numbers, true as written; see [`DecimalBounds`](DecimalBounds).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DecimalReport {
    /// A number not above it.
    pub lower: String,
    /// The number to nearest, in the digits that are certain; `null` where not even the whole part is.
    pub value: Option<String>,
    /// A number not below it.
    pub upper: String,
}

impl From<Enclosure> for BoundsReport {
    fn from(enclosure: Enclosure) -> Self {
        Self { lower: enclosure.lower(), upper: enclosure.upper(), decimal: enclosure.into() }
    }
}

/// The number to nearest, or the bounds where none of its digits is certain.
impl fmt::Display for DecimalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => f.pad(value),
            None => f.pad(&format!("{} to {}", self.lower, self.upper)),
        }
    }
}

impl From<Enclosure> for DecimalReport {
    fn from(enclosure: Enclosure) -> Self {
        let DecimalBounds { lower, value, upper } = enclosure.decimal();
        Self { lower, value, upper }
    }
}

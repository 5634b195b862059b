//! A value with its proved bounds, as reports and tables print it.

use crate::bounds::{DecimalBounds, Enclosure};

/// A value and its bounds in decimals. The value lies between the bounds as they are printed, and
/// reads back as the double that it is.
pub(super) struct ProvedValue {
    value: f64,
    /// The value in more decimals, where the double is printed outside the bounds.
    inside: Option<String>,
    pub(super) lower: String,
    pub(super) upper: String,
}

impl ProvedValue {
    /// `value` is the middle of the bounds, or a payoff that lies between them.
    pub(super) fn new(value: f64, enclosure: &Enclosure) -> Self {
        let DecimalBounds { lower, upper, .. } = enclosure.decimal();
        Self { value, inside: enclosure.middle_inside(), lower, upper }
    }

    /// The value as a number, or as text where that needs more decimals than a double prints.
    pub(super) fn into_json(self) -> serde_json::Value {
        self.inside.map_or(self.value.into(), Into::into)
    }

    pub(super) fn text(&self) -> String {
        self.inside.clone().unwrap_or_else(|| self.value.to_string())
    }
}

/// The middle of bounds that may be unknown.
pub(super) fn middle(enclosure: Option<Enclosure>) -> Option<f64> {
    enclosure.map(|enclosure| enclosure.middle())
}

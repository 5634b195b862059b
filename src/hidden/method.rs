//! The methods that find strategies, and what a solve tells of its progress.

use std::time::Duration;

use crate::bounds::Enclosure;
use crate::error::HiddenError;
use crate::written_as::written_as;

/// How strategies are found. The proof of their bounds is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HiddenMethod {
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the
    /// feature `lp`.
    Programme,
    /// A primal-dual interior-point method for both players' plans at once (Mehrotra 1992).
    InteriorPoint,
    /// Regret minimisation: predictive CFR+ (Farina, Kroer and Sandholm 2021); iteration `t` has
    /// weight `t²` in the average.
    #[default]
    Regret,
}

written_as!(
    HiddenMethod {
        Programme => "lp",
        InteriorPoint => "ipm",
        Regret => "cfr",
    },
    |text| HiddenError::MethodUnknown { text } => HiddenError
);

/// The state of a solve.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HiddenProgress {
    /// Iterations of regret minimisation so far.
    pub iterations: u64,
    /// The narrowest bounds of the value so far.
    pub enclosure: Enclosure,
    pub elapsed: Duration,
}

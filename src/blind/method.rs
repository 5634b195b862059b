use std::time::Duration;

use crate::bounds::Enclosure;
use crate::error::BlindError;
use crate::written_as::written_as;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlindMethod {
    /// Regret minimisation: predictive CFR+ (Farina, Kroer and Sandholm 2021); iteration `t` has weight `t²` in the average.
    #[default]
    Cfr,
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the feature `lp`.
    Lp,
    /// The same programmes by an interior-point method (Clarabel). Needs the feature `interior-point`.
    InteriorPoint,
}

written_as!(
    BlindMethod {
        Cfr => "cfr",
        Lp => "lp",
        InteriorPoint => "ipm",
    },
    |text| BlindError::MethodUnknown { text } => BlindError
);

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BlindProgress {
    pub iterations: u64,
    pub enclosure: Enclosure,
    pub elapsed: Duration,
}

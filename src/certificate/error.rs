//! Errors of certificates.

use crate::game::{GameError, State};

/// A certificate that is refused, or a state that it is not about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A certificate is refused.
    #[error("the certificate is not valid: {reason}")]
    Refused {
        /// The reason for the refusal.
        reason: String,
    },
    /// A state is not part of the game that was proved.
    #[error("{state} is outside the certificate, which covers 0..={a} points for A and 0..={b} for B")]
    Outside {
        /// The state asked for.
        state: State,
        /// A's most points.
        a: u32,
        /// B's most points.
        b: u32,
    },
    /// A ball is not inside the field.
    #[error(transparent)]
    Game(#[from] GameError),
}

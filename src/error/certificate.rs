//! Errors of certificates.

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
}

//! Certificates: a solved game written down so that anyone can check it without trusting the solver.
//!
//! A certificate holds the rules and, for every state, integer weights of both players' strategies. From these alone
//! [`verify`] rebuilds a lower and an upper bound of every value. A wrong or altered strategy can only make a bound
//! wide, never false. Nothing here uses the solver: only the rules are shared. The format is described byte by byte in
//! `docs/certificate.md`.

mod check;
mod format;
mod proof;

pub use crate::error::CertificateError;
pub use check::verify;
pub use format::VERSION;
pub use proof::Proof;

pub(crate) use format::{MAGIC, version_of};

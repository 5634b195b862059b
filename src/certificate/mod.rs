//! Certificates of solved games, which anyone can check without trusting the solver.
//!
//! A certificate holds the rules and, for every state, integer weights of both players' strategies.
//! From these alone [`verify`] rebuilds a lower and an upper bound of every value. A wrong or
//! altered strategy can only widen a bound, never falsify it. The check shares only the rules with
//! the solver. `docs/certificate.md` describes the bytes.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod check;
mod format;

pub use check::verify;
pub use format::{Proof, VERSION};

pub(crate) use format::{MAGIC, version_of};

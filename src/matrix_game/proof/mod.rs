//! Strategies in integers, and proofs of their security levels.

mod best_reply;
mod dyadic_strategy;
pub(crate) mod multiprecision;
mod refinement;
mod strict_complementarity;

pub(crate) use best_reply::BestReply;
pub use dyadic_strategy::DyadicStrategy;
pub(crate) use dyadic_strategy::{complete, expected_payoffs};
pub(crate) use refinement::Refinement;
pub(crate) use strict_complementarity::proves_strict_complementarity;

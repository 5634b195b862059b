//! Strategies in integers, and proofs of their security levels.

mod best_reply;
mod dyadic_strategy;
pub mod multiprecision;
mod refinement;
mod strict_complementarity;

pub use best_reply::BestReply;
pub use dyadic_strategy::DyadicStrategy;
pub use dyadic_strategy::{complete, expected_payoffs};
pub use refinement::Refinement;
pub use strict_complementarity::proves_strict_complementarity;

//! One zero-sum matrix game: nothing here knows about tennis.
//!
//! The row player maximises, the column player minimises; a payoff is what the row player receives.

mod basis;
pub(crate) mod big;
mod changing_basis;
mod dresher;
mod dyadic;
mod equilibrium;
pub(crate) mod exact;
mod exact_system;
mod exact_tableau;
mod linear_programme;
mod nested;
mod payoffs;
mod preference;
mod refinement;
mod saddle_point;
mod self_dual;
mod simplex;
mod strategy_pair;
mod strict;
mod tableau;
pub(crate) mod tremble;
mod uniqueness;

pub use dresher::Refined;
pub use dyadic::DyadicStrategy;
pub use equilibrium::Equilibrium;
pub use linear_programme::LinearProgramme;
pub use payoffs::{Matrix, Payoffs};
pub use saddle_point::{SaddlePoint, saddle_point};
pub(crate) use simplex::Pivoted;
pub use simplex::Simplex;
pub use uniqueness::Uniqueness;

pub(crate) use basis::Basis;
pub(crate) use changing_basis::ChangingBasis;
pub(crate) use dresher::refine as refine_dresher;
pub(crate) use dyadic::expect;
pub(crate) use refinement::Refinement;
pub(crate) use strategy_pair::StrategyPair;
pub(crate) use strict::proves_strict;
pub(crate) use tremble::{Trembling, rate};
pub(crate) use uniqueness::decide as decide_uniqueness;

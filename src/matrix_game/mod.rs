//! One zero-sum matrix game: nothing here knows about tennis.
//!
//! The row player maximises, the column player minimises; payoffs go to the row player.
//!
//! The game is `payoffs`, perhaps known only within bounds; its answer is an `equilibrium`. `saddle_point` and `simplex`
//! find one in floating point, over a factorised `basis`, which is `dense` linear algebra; `proof` turns it into integers that
//! prove bounds; `exact` solves in rationals; `selection` and `tremble` choose among several optimal strategies.

#![expect(missing_docs, reason = "plain accessors and fields are documented by their names and types")]

mod basis;
mod dense;
mod enclosed_simplex;
mod equilibrium;
pub(crate) mod exact;
mod ladder;
mod payoffs;
pub(crate) mod proof;
mod saddle_point;
mod selection;
#[cfg(test)]
mod sequence;
mod simplex;
mod small;
mod tolerances;
pub(crate) mod tremble;

pub use crate::error::MatrixError;
pub use equilibrium::Equilibrium;
pub use exact::{ExactSolution, Uniqueness};
pub use payoffs::{Matrix, Payoffs};
pub use proof::DyadicStrategy;
pub use saddle_point::{SaddlePoint, saddle_point};
pub use selection::Refined;
#[cfg(feature = "lp")]
pub use simplex::LinearProgramme;
pub use simplex::Simplex;

pub(crate) use basis::{Basis, BasisFactorisation};
pub(crate) use dense::dot;
pub(crate) use enclosed_simplex::{EnclosedMatrix, EnclosedSimplex};
pub(crate) use equilibrium::StrategyPair;
pub(crate) use exact::decide_uniqueness;
pub(crate) use ladder::{Ladder, Provable, ProvedPair, Prover, ROUNDING_UNITS};
pub(crate) use payoffs::{ByEntry, EnclosedPayoffs};
pub(crate) use proof::{BestReply, Refinement, complete, expected_payoffs, proves_strict_complementarity};
pub(crate) use selection::refine_dresher;
pub(crate) use simplex::{Candidate, Judgement, Start, TieBreaking};
pub(crate) use tremble::{Trembling, rate};

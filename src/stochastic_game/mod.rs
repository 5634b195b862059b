//! Two-player zero-sum games with simultaneous moves: stochastic games (Shapley 1953), solved with
//! proved bounds.
//!
//! A [`StochasticGame`] is put together state by state ([`StochasticGameBuilder`]), or read from
//! JSON Lines (feature `report`); a [`StochasticSolver`] makes a [`StochasticSolution`] of it.
//! Larger games are given by [`GameRules`] in code.
//!
//! Payoffs are A's, and B's are the negative; A chooses rows and maximises, B chooses columns and
//! minimises.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod best_payoffs;
mod cycles;
mod exact;
mod explore;
mod gate;
mod judge;
mod model;
mod proof;
mod published;
mod ranked;
mod solution;
mod solver;
mod sweep;
mod symmetry;
mod values;
mod width_reason;

pub use crate::error::{
    ActionsFault, DiscountFault, LineFault, StochasticGameError, StochasticGameFault,
};
pub use best_payoffs::{BestPayoff, Certainty};
pub use exact::StochasticExact;
pub use judge::{PolicyJudgement, StationaryPolicy};
#[cfg(feature = "serde")]
pub(crate) use model::exact_number;
pub use model::{
    CellTable, Exact, GameRules, Kind, Node, Outcomes, StochasticGame, StochasticGameBuilder,
};
pub use proof::{StochasticCheckpoint, ValueBound, ValueComparison};
pub use ranked::{LayerFolder, RankedRules, RankedSolution, Stages};
pub use solution::StochasticSolution;
pub use solver::StochasticSolver;
pub use values::StochasticProof;

//! Two-player zero-sum games with simultaneous moves: stochastic games (Shapley 1953), solved with proved bounds.
//!
//! A [`StochasticGame`] is put together state by state ([`StochasticGameBuilder`]), or read from JSON Lines (feature `report`);
//! a [`StochasticSolver`] makes a [`StochasticSolution`] of it.
//!
//! Payoffs are what A wins and B loses; A chooses rows and maximises, B chooses columns and minimises.

mod builder;
#[cfg(feature = "report")]
mod certificate;
mod components;
mod cyclic;
mod error;
#[cfg(feature = "report")]
mod file;
mod game;
mod judgement;
mod kind;
mod local_game;
#[cfg(feature = "report")]
mod number;
mod numbered;
mod scale;
mod solution;
mod solver;
mod strategies;
mod turns;

pub use builder::{Cell, StochasticGameBuilder};
#[cfg(feature = "report")]
pub use certificate::StochasticProof;
pub use error::{CellFault, GameFault, StochasticGameError, StochasticSolveError};
pub use game::StochasticGame;
pub use judgement::{PolicyJudgement, StationaryPolicy};
pub use kind::Kind;
pub use solution::StochasticSolution;
pub use solver::StochasticSolver;

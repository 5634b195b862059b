//! Two-player zero-sum games with simultaneous moves: stochastic games (Shapley 1953), solved with proved bounds.
//!
//! A [`StochasticGame`] is put together state by state ([`StochasticGameBuilder`]), or read from JSON Lines (feature `report`);
//! a [`StochasticSolver`] makes a [`StochasticSolution`] of it. Larger games are given by [`GameRules`] in code, which a
//! [`RulesSolver`] makes a [`RulesSolution`] of.
//!
//! Payoffs are what A wins and B loses; A chooses rows and maximises, B chooses columns and minimises.

mod builder;
#[cfg(feature = "report")]
mod certificate;
mod checkpoint;
mod components;
mod cycle;
mod cyclic;
mod end_components;
mod error;
mod exact;
mod exploration;
mod explored;
#[cfg(feature = "report")]
mod file;
mod game;
mod game_checkpoint;
mod judgement;
mod kind;
mod local_game;
mod markov_chain;
#[cfg(feature = "report")]
mod number;
mod numbered;
mod packed_cell;
mod policy_iteration;
mod postorder;
mod resumption;
mod rules;
#[cfg(feature = "report")]
mod rules_certificate;
mod rules_game;
mod rules_solution;
mod rules_solver;
mod scale;
mod sealed;
mod solution;
mod solver;
mod state_solver;
mod state_table;
mod strategies;
mod sweep;
mod symmetry;
mod told_row;
mod turns;

pub use builder::{Cell, StochasticGameBuilder};
#[cfg(feature = "report")]
pub use certificate::StochasticProof;
pub use checkpoint::RulesCheckpoint;
pub use error::{CellFault, GameFault, StochasticGameError, StochasticSolveError};
pub use exact::StochasticExact;
pub use game::StochasticGame;
pub use game_checkpoint::StochasticCheckpoint;
pub use judgement::{PolicyJudgement, StationaryPolicy};
pub use kind::Kind;
pub use rules::{GameRules, Outcomes, Turn};
#[cfg(feature = "report")]
pub use rules_certificate::RulesProof;
pub use rules_solution::RulesSolution;
pub use rules_solver::RulesSolver;
pub use solution::StochasticSolution;
pub use solver::StochasticSolver;

//! Blind Tennis: bids go to a game master, who announces only where the ball went.
//!
//! A player knows the own bids and the balls seen. The game tree with perfect recall is held as public nodes (what both
//! have seen) and, for either player, a tree of decisions (what that player alone knows); everything that solves it sees
//! the decisions and the `payoff_matrix` alone. `docs/blind.md` has the model, the proofs and the results.

#![expect(clippy::missing_errors_doc, reason = "a call that says nothing of errors has those of what it is made of")]

mod best_response;
mod build;
mod checkpoint;
mod method;
mod one_sided;
mod payoff_matrix;
mod plan;
mod policy;
mod pure_bounds;
mod regret;
#[cfg(feature = "lp")]
mod sequence_form;
mod size;
mod solution;
mod solver;
mod tree;
mod value_of_information;
mod view;

pub use crate::error::BlindError;
pub use best_response::BlindBestResponse;
pub use build::Reductions;
pub use checkpoint::BlindCheckpoint;
pub use method::{BlindMethod, BlindProgress};
pub use policy::{BlindPolicy, BlindRow};
pub use regret::RegretRule;
pub use size::BlindSize;
pub use solution::{BlindSolution, BlindWork};
pub use solver::BlindSolver;
pub use value_of_information::{Guess, ValueOfInformation};
pub use view::BlindView;

//! Blind Tennis: bids go to a game master, who announces only the ball.
//!
//! A player observes the own bids and the balls. The game tree with perfect recall is stored as
//! public nodes and, for either player, a tree of decisions; the solvers read only the decisions
//! and the `payoff_matrix`. `docs/blind.md` has the model, the proofs and the results.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod best_response;
mod build;
mod checkpoint;
mod one_sided;
mod plan;
mod policy;
mod pure_bounds;
mod searched;
mod sequence_form;
mod size;
mod solution;
mod solver;
mod tree;
mod value_of_information;
mod view;

pub use crate::error::BlindError;
pub use crate::hidden::{HiddenMethod as BlindMethod, HiddenProgress as BlindProgress};
pub use best_response::BlindBestResponse;
pub use checkpoint::BlindCheckpoint;
pub use policy::{BlindPolicy, BlindRow};
pub use size::BlindSize;
pub use solution::BlindSolution;
pub use solver::BlindSolver;
pub use value_of_information::{Guess, ValueOfInformation};
pub use view::BlindView;

//! Games with hidden information: any two-player zero-sum game tree with chance and perfect recall,
//! solved with proved bounds.
//!
//! A game is a [`GameTree`]: put together node by node ([`GameTreeBuilder`]), or built from
//! [`HiddenRules`] in code. An information set holds the nodes that look alike to the player who
//! moves there. [`HiddenSolver`] finds a strategy for each player; whatever it found, the
//! opponent's best response to it, computed in integers on the tree, proves a bound of the value.
//!
//! Payoffs and values are A's; A maximises, B minimises.
//!
//! ```
//! use pencil_tennis::hidden::{HiddenSolver, games::KuhnPoker};
//!
//! let solution = HiddenSolver::from_rules(&KuhnPoker)?.solve()?;
//! let bounds = solution.enclosure();
//! assert!(bounds.lower() <= -1.0 / 18.0 && -1.0 / 18.0 <= bounds.upper());
//!
//! // With a jack, B bets a third of the time after a pass.
//! let jack = solution.strategy(pencil_tennis::Player::B, "J pass")?;
//! assert!((jack[1].probability - 1.0 / 3.0).abs() < 0.05);
//! # Ok::<(), pencil_tennis::Error>(())
//! ```
//!
//! # Method
//!
//! The sequence form (von Stengel 1996) has a number of variables that is linear in the size of the
//! tree. Small games are solved by its linear programme (Koller, Megiddo and von Stengel 1996),
//! others by an interior-point method (Mehrotra 1992) or predictive CFR+ (Farina, Kroer and
//! Sandholm 2021), whichever is likely to be faster. Neither is trusted. The strategies found are
//! rounded to integer weights, and one pass over the tree bounds the opponent's best response to
//! them, rounded outward.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod action_payoffs;
mod best_response;
mod builder;
#[cfg(feature = "report")]
mod certificate;
mod checkpoint;
pub(crate) mod finder;
pub mod games;
pub(crate) mod learning;
mod method;
mod play;
mod proof;
mod rules;
pub(crate) mod search;
pub(crate) mod search_state;
mod sequence_form;
pub(crate) mod settings;
mod solution;
mod solver;
pub(crate) mod strategy;
mod test_sequence;
mod tree;

pub use crate::error::{HiddenError, HiddenFileFault};
pub use action_payoffs::{ActionPayoff, ActionPayoffs};
pub use builder::GameTreeBuilder;
#[cfg(feature = "report")]
pub use certificate::HiddenProof;
pub use checkpoint::HiddenCheckpoint;
pub use method::{HiddenMethod, HiddenProgress};
pub use play::{HiddenPlay, PlayPlace};
pub use proof::Judgement;
pub use rules::{HiddenRules, Move, Observations, Turn};
pub use solution::{ActionShare, HiddenSolution};
pub use solver::{HiddenRefinement, HiddenSolver};
pub use strategy::BehaviourStrategy;
pub use test_sequence::TestSequence;
pub(crate) use tree::NodeKind;
pub use tree::{GameTree, InformationSet, SetId};

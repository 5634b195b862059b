//! Games of a model checker: the explicit export of a concurrent stochastic game, with a property, as a game to solve and prove.
//!
//! PRISM-games (Kwiatkowska, Norman, Parker and Santos) exports a model as text: `.tra` has its transitions, `.sta` the variables of
//! its states, `.lab` their labels, `.srew` and `.trew` rewards. [`ExplicitModel`] reads these files, [`Property`] a question in the
//! language of that model checker, and [`ExplicitModel::game`] makes the zero-sum game between the coalition and all other players.

mod explicit;
mod expression;
mod product;
mod property;

pub use crate::error::ModelError;
pub use explicit::{ExplicitFiles, ExplicitModel, Probabilities};
pub use property::Property;

//! The model of a game: rules in code, or states written down, and the indexed graph of both.

mod builder;
mod checks;
mod collecting;
mod components;
#[cfg(feature = "files")]
mod file;
mod game;
mod kind;
mod names;
mod nature;
mod number;
mod numbered;
mod numbered_state;
mod packed_cell;
mod packed_game;
mod restriction;
mod rules;
mod scale;
mod state_view;
#[cfg(feature = "serde")]
mod written_number;

pub use builder::{CellTable, StochasticGameBuilder};
pub use game::StochasticGame;
pub use kind::Kind;
pub use number::Exact;
pub use rules::{GameRules, Node, Outcomes};
pub use state_view::{StateView, Successor, Turn};

pub(crate) use components::{Components, closed_set};
#[cfg(feature = "files")]
pub(crate) use file::{given, object, text, write_line};
pub(crate) use game::{BYTES_A_CELL, BYTES_A_STATE, BYTES_AN_OUTCOME, drawn};
pub(crate) use nature::UncertainCell;
pub use numbered::{CellView, Outcome};
pub(crate) use numbered::{Graph, NumberedGame, successor_bounds};
pub(crate) use numbered_state::NumberedState;
pub(crate) use packed_cell::{Digest, digest_of_payoff, packed};
pub(crate) use rules::Written;
pub(crate) use scale::{PayoffLimit, Scale, largest_values, size};
#[cfg(feature = "serde")]
pub use written_number::exact_number;

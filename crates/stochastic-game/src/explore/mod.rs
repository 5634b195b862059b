//! The states that a game's rules reach from its starts: found depth first, numbered, and written
//! down.

mod canonical_state;
mod exploration;
mod explored;
mod indexed;
mod packed_state;
mod rule_row;
mod state_table;
mod written_down;

pub(crate) use canonical_state::{CanonicalState, PlayerExchange};
pub(crate) use explored::{Explored, Lookup, check_actions};
pub(crate) use indexed::{Cells, Indexed};
pub(crate) use packed_state::PackedState;
pub(crate) use rule_row::{RuleRow, refuse_state};

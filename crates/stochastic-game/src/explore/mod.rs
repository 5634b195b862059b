//! The states that a game's rules reach from its starts: found depth first, numbered, and written
//! down.

mod exploration;
mod explored;
mod indexed;
mod state_table;
mod told_row;
mod written_down;

pub(crate) use explored::{Explored, Place, check_actions};
pub(crate) use indexed::{Cells, Indexed};
pub(crate) use told_row::{ToldRow, refuse_state};

//! The states that a game's rules reach from its starts: found depth first, numbered, and written
//! down.

mod exploration;
mod explored;
mod indexed;
mod place;
mod state_table;
mod told_row;
mod written_down;

pub(crate) use explored::{Explored, check_actions};
pub(crate) use indexed::{Cells, Indexed};
pub(crate) use place::Place;
pub(crate) use told_row::{ToldRow, refuse_state};

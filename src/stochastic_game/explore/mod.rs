//! The states that a game's rules reach from its starts: found depth first, numbered, and solved on the way or written down.

mod exploration;
mod explored;
mod indexed;
mod postorder;
mod state_table;
mod told_row;
mod written_down;

pub(crate) use exploration::Found;
pub(crate) use explored::{Explored, Place, check_counts};
pub(crate) use indexed::{Cells, Indexed};
pub(crate) use postorder::{PayoffLimit, Postorder};
pub(crate) use told_row::ToldRow;

//! The states that the starts of a game's rules reach: found depth first, numbered, and solved meanwhile or written down.

mod exploration;
mod explored;
mod indexed;
mod postorder;
mod state_table;
mod told_row;
mod written_down;

pub(crate) use exploration::Found;
pub(crate) use explored::{Explored, Place};
pub(crate) use indexed::{Cells, Indexed};
pub(crate) use postorder::{PayoffLimit, Postorder};
pub(crate) use told_row::ToldRow;

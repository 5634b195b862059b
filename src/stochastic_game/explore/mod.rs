//! The states that the starts of a game's rules reach, found depth first and numbered.

mod exploration;
mod explored;
mod rules_game;
mod state_table;
mod told_row;

pub(crate) use exploration::Found;
pub(crate) use explored::{Explored, Place};
pub(crate) use told_row::ToldRow;

//! Quotations in errors.

pub(crate) use ::matrix_game::internal::{Quoted, sentence};

//! Words as texts.

pub(crate) use ::matrix_game::internal::written_as;

//! Quotations in errors.

use std::fmt;

pub use ::matrix_game::internal::{Quoted, sentence};

/// The most names that an error lists.
const MOST_NAMES: usize = 8;

/// The names there are, for an error about another one: `expected one of …`, or of the first of
/// them.
pub struct Expected<N>(pub N);

impl<'n, N: IntoIterator<Item = &'n str> + Clone> fmt::Display for Expected<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.clone().into_iter().count();
        match number {
            0 => formatter.write_str("there are none")?,
            1 => formatter.write_str("expected ")?,
            _ => formatter.write_str("expected one of ")?,
        }
        for (place, name) in self.0.clone().into_iter().take(MOST_NAMES).enumerate() {
            write!(formatter, "{}`{}`", if place > 0 { ", " } else { "" }, sentence(&name))?;
        }
        if number > MOST_NAMES {
            write!(formatter, " and {} others", number - MOST_NAMES)
        } else {
            Ok(())
        }
    }
}

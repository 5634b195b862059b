//! A player's role as it is typed, `A` or `a`, everywhere.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use pencil_tennis::Player;

/// The roles by name, for messages and completions; the argument ignores case.
pub(super) fn roles() -> impl TypedValueParser<Value = Player> {
    PossibleValuesParser::new(["A", "B"]).try_map(|name| name.to_ascii_uppercase().parse::<Player>())
}

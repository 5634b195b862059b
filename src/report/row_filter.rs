//! The filter of a table's rows.

use std::ops::RangeInclusive;

use crate::game::{Player, State};

/// The states and the players of a table's rows; a field that is `None` excludes nothing.
///
/// ```
/// use pencil_tennis::report::{RowFilter, Table, TableFormat};
/// use pencil_tennis::Player;
///
/// let solution = pencil_tennis::solve(4)?;
/// let filter = RowFilter { ball: Some(-2), player: Some(Player::A), a: Some(4..=4), b: Some(3..=3), ..RowFilter::default() };
/// let mut csv = Vec::new();
/// Table::Strategies.write_filtered(&solution, None, &filter, TableFormat::Csv, &mut csv)?;
/// assert_eq!(String::from_utf8(csv)?, "a,b,ball,player,bid,probability\n4,3,-2,A,2,0.4\n4,3,-2,A,3,0.6\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// The position of the ball.
    pub ball: Option<i32>,
    /// The player whose bids they are.
    pub player: Option<Player>,
    /// A's points.
    pub a: Option<RangeInclusive<u32>>,
    /// B's points.
    pub b: Option<RangeInclusive<u32>>,
    /// Single states.
    pub states: Option<Vec<State>>,
}

impl RowFilter {
    /// Whether it is the whole table.
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a state belongs to it.
    pub fn has_state(&self, state: State) -> bool {
        self.ball.is_none_or(|ball| ball == state.ball.position())
            && self.a.as_ref().is_none_or(|points| points.contains(&state.a))
            && self.b.as_ref().is_none_or(|points| points.contains(&state.b))
            && self.states.as_ref().is_none_or(|states| states.contains(&state))
    }

    /// Whether a player's bids belong to it.
    pub fn has_player(&self, player: Player) -> bool {
        self.player.is_none_or(|own| own == player)
    }
}

//! The state that is solved now.

use crate::game::State;
use crate::induction::tables::{StageGame, Tables, TwoWayStage};
use crate::matrix_game::EnclosedPayoffs;
use crate::work::Clock;

/// Bounds this many units farther apart than the widest so far do not belong to an optimal pair.
///
/// An optimal pair in integers misses the optimum by the roundings of its weights, a few units, and inherits the widths of its
/// successors.
pub(crate) const ROUNDING_UNITS: i64 = 32;

/// A state to be solved.
pub(super) struct Stage<'s> {
    pub(super) tables: &'s Tables,
    pub(super) state: State,
    pub(super) game: TwoWayStage<'s>,
    /// The distance up to which bounds are those of an optimal pair, in units.
    pub(super) tolerance: i64,
    pub(super) clock: Clock,
}

impl<'s> Stage<'s> {
    /// The game in what is proved of it.
    pub(super) fn enclosed(&self) -> EnclosedPayoffs<StageGame<'s, i64>> {
        self.tables.enclosed_stage(self.state)
    }
}

//! Tables of integers as doubles.

use super::grid::Grid;
use super::stage_game::StageGame;
use crate::bounds::Bounds;
use crate::game::{Player, Rules, State};

/// The integers of a grid as the nearest doubles, to search with, and their range.
pub(crate) struct Approximate {
    numbers: Grid<f64>,
    range: Bounds,
}

impl Approximate {
    pub(crate) fn new(grid: &Grid<i64>) -> Self {
        let mut range = Bounds::new(0, 0);
        let numbers = grid.map(|number| {
            range = including(range, number);
            number as f64
        });
        Self { numbers, range }
    }

    pub(crate) fn set(&mut self, view: State, number: i64) {
        self.numbers.set(view, number as f64);
        self.range = including(self.range, number);
    }

    pub(crate) fn stage(&self, rules: &Rules, player: Player, state: State) -> StageGame<'_> {
        StageGame::new(&self.numbers, rules, player, state)
    }

    pub(crate) const fn range(&self) -> Bounds {
        self.range
    }
}

fn including(range: Bounds, number: i64) -> Bounds {
    Bounds::new(range.lower.min(number), range.upper.max(number))
}

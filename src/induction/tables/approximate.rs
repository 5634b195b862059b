//! Doubles beside integers, to search with.

use super::{Grid, StageGame};
use crate::bounds::Bounds;
use crate::game::{Rules, View};

/// The integers of a grid as doubles, to nearest, and the range they come from.
pub(crate) struct Approximate {
    numbers: Grid<f64>,
    range: Bounds,
}

impl Approximate {
    /// The doubles beside all numbers of a grid.
    pub(crate) fn new(grid: &Grid<i64>) -> Self {
        let range = grid.numbers().fold(Bounds::new(0, 0), including);
        Self { numbers: grid.map(|number| number as f64), range }
    }

    pub(crate) fn set(&mut self, view: View, number: i64) {
        self.numbers.set(view, number as f64);
        self.range = including(self.range, number);
    }

    /// The stage game that `view` sees.
    pub(crate) fn stage(&self, rules: &Rules, view: View) -> StageGame<'_> {
        StageGame::new(&self.numbers, rules, view)
    }

    /// Bounds of all numbers.
    pub(crate) const fn range(&self) -> Bounds {
        self.range
    }
}

fn including(range: Bounds, number: i64) -> Bounds {
    Bounds::new(range.lower.min(number), range.upper.max(number))
}

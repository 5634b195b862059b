use super::{Grid, StageGame};
use crate::bounds::Bounds;
use crate::game::{Rules, View};

/// The integers of a grid as the nearest doubles, to search with, and their range.
pub(crate) struct Approximate {
    numbers: Grid<f64>,
    range: Bounds,
}

impl Approximate {
    pub(crate) fn new(grid: &Grid<i64>) -> Self {
        let range = grid.numbers().fold(Bounds::new(0, 0), including);
        Self { numbers: grid.map(|number| number as f64), range }
    }

    pub(crate) fn set(&mut self, view: View, number: i64) {
        self.numbers.set(view, number as f64);
        self.range = including(self.range, number);
    }

    pub(crate) fn stage(&self, rules: &Rules, view: View) -> StageGame<'_> {
        StageGame::new(&self.numbers, rules, view)
    }

    pub(crate) const fn range(&self) -> Bounds {
        self.range
    }
}

fn including(range: Bounds, number: i64) -> Bounds {
    Bounds::new(range.lower.min(number), range.upper.max(number))
}

//! Running sums of values, from which it is read off what a bid gains from the opponent's errors.

use super::grid::Grid;
use crate::game::View;
use crate::matrix_game::rate;

/// For every state the sum of the values of the states in which the opponent has as many points or fewer, each times the [`rate`]
/// at which the opponent's errors lead there.
#[derive(Clone, Debug)]
pub(crate) struct RunningSums {
    grid: Grid<f64>,
}

impl RunningSums {
    /// Nothing is known but what it is worth to have the ball out at the opponent's and the own end.
    pub(crate) fn new(field: i32, points: [u32; 2], out: [f64; 2]) -> Self {
        let mut grid = Grid::new(field, points, f64::NAN, out);
        grid.map_out(|points, value, fewer| rate(points) * value + fewer);
        Self { grid }
    }

    /// Enters the value of a state inside the field; those in which the opponent has fewer points have been entered before.
    pub(crate) fn enter(&mut self, view: View, value: f64) {
        let fewer = view.opponent.checked_sub(1).map_or(0.0, |opponent| self.grid.get(View { opponent, ..view }));
        self.grid.set(view, rate(view.opponent as usize) * value + fewer);
    }

    pub(crate) const fn grid(&self) -> &Grid<f64> {
        &self.grid
    }
}

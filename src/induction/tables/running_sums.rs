use super::grid::Grid;
use crate::game::View;
use crate::matrix_game::rate;

/// For every state the sum of the values of the states in which the opponent has as many points or fewer, weighted by the
/// [`rate`] of the opponent's errors that lead there. Gives the gain of a bid from these errors.
#[derive(Clone, Debug)]
pub(crate) struct RunningSums {
    grid: Grid<f64>,
}

impl RunningSums {
    /// Sums in which only the values of a ball out are known, at the opponent's and at the own end.
    pub(crate) fn new(field: i32, points: [u32; 2], out: [f64; 2]) -> Self {
        let mut grid = Grid::new(field, points, f64::NAN, out);
        grid.map_out(|points, value, fewer| rate(points) * value + fewer);
        Self { grid }
    }

    /// Adds the value of a state inside the field, after those in which the opponent has fewer points.
    pub(crate) fn enter(&mut self, view: View, value: f64) {
        let fewer = view.opponent.checked_sub(1).map_or(0.0, |opponent| self.grid.get(View { opponent, ..view }));
        self.grid.set(view, rate(view.opponent as usize) * value + fewer);
    }

    pub(crate) const fn grid(&self) -> &Grid<f64> {
        &self.grid
    }
}

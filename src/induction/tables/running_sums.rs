//! Running sums of values, from which it is read off what a bid gains from the opponent's errors.

use super::grid::Grid;
use crate::matrix_game::rate;

/// For every state the sum of the values of the states in which the opponent has as many points or fewer, each times the [`rate`]
/// at which the opponent's errors lead there.
#[derive(Clone, Debug)]
pub(crate) struct RunningSums {
    table: Grid<f64>,
}

impl RunningSums {
    /// Nothing is known but what it is worth to have the ball out at the opponent's and the own end.
    pub(crate) fn new(field: i32, own: u32, opponent: u32, out: [f64; 2]) -> Self {
        let mut table = Grid::new(field, own, opponent, f64::NAN, out);
        table.map_out(|points, value, fewer| rate(points) * value + fewer);
        Self { table }
    }

    /// Enters the value of a state inside the field; those in which the opponent has fewer points have been entered before.
    pub(crate) fn enter(&mut self, own: u32, opponent: u32, position: i32, value: f64) {
        let fewer = opponent.checked_sub(1).map_or(0.0, |fewer| self.table.get(own, fewer, position));
        self.table.set(own, opponent, position, rate(opponent as usize) * value + fewer);
    }

    /// The sums, laid out as the values are.
    pub(crate) const fn table(&self) -> &Grid<f64> {
        &self.table
    }
}

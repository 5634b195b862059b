//! The sizes of supports.

use super::FigureError;
use super::line_chart::LineChart;
use crate::error::Error;
use crate::game::{Ball, State};
use crate::solution::Solution;

/// The number of bids that A mixes with equal points, for every ball position.
///
/// # Errors
/// [`FigureError::Drawing`].
pub fn support_figure(solution: &Solution) -> Result<String, FigureError> {
    let field = solution.rules().field();
    let most = solution.points().into_iter().min().unwrap_or(1);
    let mut lines = Vec::new();
    for position in (-field..=field).rev() {
        let ball = Ball::new(position).map_err(Error::from)?;
        let size = |points| -> Result<(f64, f64), Error> {
            let strategy = solution.equilibrium(State::new(points, points, ball))?.a;
            Ok((f64::from(points), strategy.support_size() as f64))
        };
        let points = (1..=most).map(size).collect::<Result<Vec<_>, _>>()?;
        lines.push((format!("ball {}", super::axes::short(f64::from(position))), points));
    }
    Ok(LineChart::new("How many bids A mixes", ["points of each player", "bids in the support"], lines).draw())
}

//! The beginning of the endgame.

use super::FigureError;
use super::line_chart::LineChart;
use crate::analysis::{Endgame, ForcedPlay};
use crate::error::Error;
use crate::game::{Ball, Player};

/// The points with which A forces the best end by pure play, over B's points, for every ball position.
///
/// # Errors
/// [`FigureError::Drawing`].
pub fn forced_figure(forced: &ForcedPlay) -> Result<String, FigureError> {
    let field = forced.rules().field();
    let mut lines = Vec::new();
    for position in -field..=field {
        let endgame = Endgame::of(forced, Ball::new(position).map_err(Error::from)?)?;
        let needed = endgame.needed[Player::A].iter().enumerate();
        let points = needed.filter_map(|(other, own)| own.map(|own| (other as f64, f64::from(own)))).collect();
        lines.push((format!("ball {}", super::axes::short(f64::from(position))), points));
    }
    Ok(LineChart::new("Points with which A forces the best end", ["B’s points", "A’s points"], lines).draw())
}

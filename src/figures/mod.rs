//! Figures of a solved game, of policies and of learning curves, as SVG.
//!
//! Needs the feature `plot`. Every function returns one SVG document with its own background, for
//! light and dark pages, in colours that are safe for all common kinds of colour vision. The same
//! data give the same bytes. A figure fails if the solution's strategies can no longer be read from
//! their file.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod axes;
mod charts;
mod curves;
mod games;
mod heat_map;
mod maps;
#[cfg(feature = "png")]
mod png;
mod svg;

pub use charts::{
    forced_figure, limit_density_figure, limit_figure, outcome_figure, support_figure,
};
pub use curves::{CurveX, CurveY, curve_figure};
pub use games::{
    game_regret_figure, game_strategy_figure, game_value_figure, hidden_strategy_figure,
    named_strategy_figure,
};
pub use maps::{StateLine, opening_figure, regret_figure, strategy_figure, value_figure};
#[cfg(feature = "png")]
pub use png::to_png;

/// A figure could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    #[error(transparent)]
    Refused(crate::Error),
    #[error("there is nothing to draw: no point has a positive number of {0}")]
    Nothing(&'static str),
    #[error("cannot draw: {0}")]
    Drawing(String),
}

impl<E: Into<crate::Error>> From<E> for FigureError {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

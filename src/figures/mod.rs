//! Figures of a solved game, of policies and of learning curves, as SVG.
//!
//! Needs the feature `plot`. Every function returns the text of one SVG document with a background of its own, so that it can be
//! read on a light and on a dark page, in colours that people with any colour vision tell apart. The same data give the same
//! bytes.

mod axes;
mod bar_chart;
mod colours;
mod curves;
mod ends;
mod frontier;
mod heat_map;
mod line_chart;
#[cfg(feature = "png")]
mod png;
mod regret;
mod state_values;
mod strategy_map;
mod supports;
mod svg;

pub use curves::{CurveX, CurveY, curve_figure};
pub use ends::outcome_figure;
pub use frontier::forced_figure;
#[cfg(feature = "png")]
pub use png::to_png;
pub use regret::regret_figure;
pub use state_values::value_figure;
pub use strategy_map::{StateLine, opening_figure, strategy_figure};
pub use supports::support_figure;

/// A figure could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// A question about a state was refused.
    #[error(transparent)]
    Refused(#[from] crate::Error),
    /// No curve has a point that can be drawn.
    #[error("there is nothing to draw: no point has a positive number of {0}")]
    Nothing(&'static str),
    /// The picture cannot be made of pixels.
    #[error("cannot draw: {0}")]
    Drawing(String),
}

//! Figures of a solved game, of policies and of learning curves, as SVG.
//!
//! Needs the feature `plot`. Every function returns the text of one SVG document with a background of its own, so that it can be
//! read on a light and on a dark page, in colours that people with any colour vision tell apart. The same data give the same
//! bytes. A figure of a solution fails where the solution refuses a question, as when its strategies lie in a file that is gone.

#![expect(clippy::missing_errors_doc, reason = "the lines above say when figures fail")]

mod axes;
mod charts;
mod colours;
mod curves;
mod heat_map;
mod limit;
mod maps;
#[cfg(feature = "png")]
mod png;
mod svg;

pub use charts::{forced_figure, outcome_figure, support_figure};
pub use curves::{CurveX, CurveY, curve_figure};
pub use limit::{limit_density_figure, limit_figure};
pub use maps::{StateLine, opening_figure, regret_figure, strategy_figure, value_figure};
#[cfg(feature = "png")]
pub use png::to_png;

/// A figure could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the sentence of each variant says what it means")]
pub enum FigureError {
    #[error(transparent)]
    Refused(#[from] crate::Error),
    #[error("there is nothing to draw: no point has a positive number of {0}")]
    Nothing(&'static str),
    #[error("cannot draw: {0}")]
    Drawing(String),
}

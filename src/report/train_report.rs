//! The report of `train` for scripts.

use crate::agents::{CurvePoint, Learner, Training};
use crate::serde_object::as_objects;

/// A training and its curve: the evaluations on the way.
#[derive(Clone, Copy, Debug)]
pub struct TrainReport<'t> {
    /// The training.
    pub training: &'t Training,
    /// Its evaluations.
    pub curve: &'t [CurvePoint],
}

impl TrainReport<'_> {
    /// The number of games a second that were played and learned from, evaluation aside; `None` if none were.
    pub fn games_per_second(&self) -> Option<f64> {
        let seconds = self.curve.last().map_or(0.0, |last| last.seconds);
        (seconds > 0.0).then(|| self.training.games() as f64 / seconds)
    }
}

as_objects! {
    TrainReport<'_>, |report| {
        "learner": report.training.kind(),
        "guarantee": report.training.kind().guarantee(),
        "points": [report.training.points(); 2],
        "seed": report.training.seed(),
        "games": report.training.games(),
        "games_per_second": report.games_per_second(),
        "curve": report.curve,
    }
}

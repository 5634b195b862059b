//! The report of `train` for scripts.

use serde::Serialize;

use crate::agents::{CurvePoint, Learner, Training};

/// A training and its curve.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TrainReport {
    /// The learner's name.
    pub learner: String,
    /// The guarantee that is proved for it.
    pub guarantee: String,
    /// The points A and B start with.
    pub points: [u32; 2],
    /// The seed.
    pub seed: u64,
    /// The games played in all.
    pub games: u64,
    /// The number of games a second that were played and learned from, evaluation aside; `null` if none were.
    pub games_per_second: Option<f64>,
    /// The evaluations during the training.
    pub curve: Vec<CurvePoint>,
}

impl TrainReport {
    /// The report of a training with this curve.
    pub fn new(training: &Training, curve: &[CurvePoint]) -> Self {
        let seconds = curve.last().map_or(0.0, |last| last.seconds);
        Self {
            learner: training.kind().to_string(),
            guarantee: training.kind().guarantee().to_owned(),
            points: [training.points(); 2],
            seed: training.seed(),
            games: training.games(),
            games_per_second: (seconds > 0.0).then(|| training.games() as f64 / seconds),
            curve: curve.to_vec(),
        }
    }
}

//! A series of games, as scripts read it.

use serde::Serialize;

use super::{BidReport, BoundsReport};
use crate::analysis::{Score, Series};
use crate::error::Error;

/// The report of `series`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SeriesReport {
    /// The points A and B start the first game with; exchanged after every game where they differ.
    pub points: [u32; 2],
    /// The winning points that take the match.
    pub to: u32,
    /// The largest width of the bounds of any chance.
    pub widest_enclosure: f64,
    /// Every score before a game.
    pub scores: Vec<ScoreReport>,
}

/// One score.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ScoreReport {
    /// Winning points as `A-B`.
    pub score: String,
    /// Whether the accounts of an uneven start are exchanged in the next game.
    pub exchanged: bool,
    /// A's chance of winning the match.
    pub chance: f64,
    /// Guaranteed bounds of the chance.
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// The mean of A's first bid.
    pub mean_bid_a: f64,
    /// The mean of B's first bid.
    pub mean_bid_b: f64,
    /// A's first bids with positive probability.
    pub a: Vec<BidReport>,
    /// B's first bids with positive probability.
    pub b: Vec<BidReport>,
}

impl SeriesReport {
    /// The report of a whole match.
    pub fn new(series: &Series) -> Self {
        // Every score of a match is known.
        Self {
            points: series.points(),
            to: series.to(),
            widest_enclosure: series.widest_enclosure(),
            scores: series.scores().filter_map(|score| ScoreReport::new(series, score).ok()).collect(),
        }
    }
}

impl ScoreReport {
    /// The report of one score.
    ///
    /// # Errors
    /// [`crate::analysis::SeriesError::Outside`].
    pub fn new(series: &Series, score: Score) -> Result<Self, Error> {
        let (enclosure, opening) = (series.enclosure(score)?, series.opening(score)?);
        Ok(Self {
            score: Score::new(score.a, score.b).to_string(),
            exchanged: score.exchanged && series.alternates(),
            chance: enclosure.middle(),
            bounds: enclosure.into(),
            mean_bid_a: opening.a.mean(),
            mean_bid_b: opening.b.mean(),
            a: BidReport::list(&opening.a, None),
            b: BidReport::list(&opening.b, None),
        })
    }
}

//! A series of games: first to a number of winning points takes the match.

use std::fmt;
use std::str::FromStr;

use super::SeriesError;
use crate::analysis::AnalysisError;
use crate::bounds::{Bounds, Enclosure};
use crate::game::Rules;
use crate::solution::StateEquilibrium;

/// Bounds of chances are counted in units of 2^−this.
pub(super) const EXPONENT: u32 = 60;

/// A chance of one half, in units.
pub(super) const HALF: i64 = 1 << (EXPONENT - 1);

/// The score of a match before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// A's winning points.
    pub a: u32,
    /// B's winning points.
    pub b: u32,
    /// Whether the two accounts of an uneven start are exchanged in the next game, as they are in every other game.
    pub exchanged: bool,
}

impl Score {
    /// The score with the accounts as given.
    pub const fn new(a: u32, b: u32) -> Self {
        Self { a, b, exchanged: false }
    }

    /// The same score with the accounts exchanged in the next game.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        Self { exchanged: !self.exchanged, ..self }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exchanged = if self.exchanged { " exchanged" } else { "" };
        f.pad(&format!("{}-{}{exchanged}", self.a, self.b))
    }
}

impl FromStr for Score {
    type Err = SeriesError;

    /// Reads a score such as `3-1`, or `3-1 exchanged`.
    fn from_str(text: &str) -> Result<Self, SeriesError> {
        let (points, exchanged) = match text.trim().strip_suffix(" exchanged") {
            Some(points) => (points, true),
            None => (text.trim(), false),
        };
        let score = points.split_once('-').and_then(|(a, b)| Some(Self { a: a.parse().ok()?, b: b.parse().ok()?, exchanged }));
        score.ok_or_else(|| SeriesError::ScoreSyntax { text: text.to_owned() })
    }
}

/// The solution of one score.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Proved bounds of A's chance, less one half, in units.
    pub(super) bounds: Bounds,
    /// The optimal opening of the next game.
    pub(super) opening: StateEquilibrium,
}

/// A solved match: at every score A's chance of winning it, proved, and how both open the next game.
///
/// See [`SeriesSolver`](crate::SeriesSolver) for the rules of a match, and `docs/theory.md` for what is proved.
#[derive(Clone, Debug)]
pub struct Series {
    pub(super) rules: Rules,
    pub(super) points: [u32; 2],
    pub(super) to: u32,
    /// By A's winning points, then B's, then whether the accounts are exchanged; every place is filled once the match is solved.
    pub(super) known: Vec<Option<Known>>,
}

impl Series {
    /// The rules of a game; its scoring says how many winning points each end gives.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The points A and B start a game with; exchanged in every other game where they differ.
    pub const fn points(&self) -> [u32; 2] {
        self.points
    }

    /// The winning points that take the match.
    pub const fn to(&self) -> u32 {
        self.to
    }

    /// Whether the accounts differ, so that they are exchanged after every game.
    pub const fn alternates(&self) -> bool {
        self.points[0] != self.points[1]
    }

    /// All scores before a game, by A's winning points, then B's, accounts as given before accounts exchanged.
    pub fn scores(&self) -> impl Iterator<Item = Score> + use<> {
        let (to, alternates) = (self.to, self.alternates());
        (0..to).flat_map(move |a| {
            (0..to).flat_map(move |b| {
                [Score::new(a, b), Score::new(a, b).exchanged()].into_iter().filter(move |score| alternates || !score.exchanged)
            })
        })
    }

    /// Guaranteed bounds of A's chance of winning the match. O(1).
    ///
    /// # Errors
    /// [`SeriesError::Outside`] when either player has won already.
    pub fn enclosure(&self, score: Score) -> Result<Enclosure, AnalysisError> {
        let Bounds { lower, upper } = self.at(score)?.bounds;
        Ok(Enclosure::from_integers(Bounds::new(lower + HALF, upper + HALF), EXPONENT))
    }

    /// A's chance of winning the match: the middle of its [`enclosure`](Self::enclosure). O(1).
    ///
    /// # Errors
    /// As for [`Self::enclosure`].
    pub fn chance(&self, score: Score) -> Result<f64, AnalysisError> {
        Ok(self.enclosure(score)?.middle())
    }

    /// The optimal openings of the next game, and its value: A's chance of winning the match, less one half.
    ///
    /// # Errors
    /// As for [`Self::enclosure`].
    pub fn opening(&self, score: Score) -> Result<&StateEquilibrium, AnalysisError> {
        Ok(&self.at(score)?.opening)
    }

    /// The largest width of the bounds of any score.
    pub fn widest_enclosure(&self) -> f64 {
        self.scores().filter_map(|score| self.enclosure(score).ok()).map(|enclosure| enclosure.width()).fold(0.0, f64::max)
    }

    fn at(&self, score: Score) -> Result<&Known, AnalysisError> {
        let outside = || AnalysisError::Series(SeriesError::Outside { score, to: self.to });
        if score.a >= self.to || score.b >= self.to {
            return Err(outside());
        }
        self.known[self.place(score)].as_ref().ok_or_else(outside)
    }

    /// The place of a score in the list. With even accounts it makes no difference who has which.
    pub(super) fn place(&self, score: Score) -> usize {
        let exchanged = usize::from(score.exchanged && self.alternates());
        (score.a as usize * self.to as usize + score.b as usize) * 2 + exchanged
    }

    /// Bounds of A's chance less one half at a score that may have decided the match.
    pub(super) fn bounds(&self, score: Score) -> Option<Bounds> {
        if score.a >= self.to {
            return Some(Bounds::new(HALF, HALF));
        }
        if score.b >= self.to {
            return Some(Bounds::new(-HALF, -HALF));
        }
        self.known[self.place(score)].as_ref().map(|known| known.bounds)
    }
}

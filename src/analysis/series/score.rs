//! Scores of a match.

use std::fmt;
use std::str::FromStr;

use crate::error::SeriesError;

/// A score of winning points before a game; `exchanged` if uneven accounts are exchanged in it, as
/// in every other game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    pub a: u32,
    pub b: u32,
    pub exchanged: bool,
}

impl Score {
    pub const fn new(a: u32, b: u32) -> Self {
        Self { a, b, exchanged: false }
    }

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

    fn from_str(text: &str) -> Result<Self, SeriesError> {
        let (points, exchanged) = match text.trim().strip_suffix(" exchanged") {
            Some(points) => (points, true),
            None => (text.trim(), false),
        };
        let score = points
            .split_once('-')
            .and_then(|(a, b)| Some(Self { a: a.parse().ok()?, b: b.parse().ok()?, exchanged }));
        score.ok_or_else(|| SeriesError::ScoreSyntax { text: text.to_owned() })
    }
}

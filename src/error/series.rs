//! Errors of matches.

/// A match that is not possible, or a score that is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// A match goes to no or too many winning points.
    #[error("a match to {to} winning points is not possible; expected 1..={longest}")]
    Length {
        /// The winning points asked for.
        to: u32,
        /// The most that are possible.
        longest: u32,
    },
    /// A scoring cannot be counted as winning points.
    #[error(
        "scoring {scoring} cannot be counted as winning points; a match needs whole numbers that are the same for both players \
         and not all 0, such as two-one"
    )]
    Scoring {
        /// The scoring.
        scoring: String,
    },
    /// A score is not written `A-B`.
    #[error("`{text}` is not a score; expected A-B such as 3-1")]
    ScoreSyntax {
        /// The value that was given.
        text: String,
    },
    /// A score is not part of a match.
    #[error("at {score} a match to {to} winning points is over")]
    Outside {
        /// The score asked for.
        score: String,
        /// The winning points that take the match.
        to: u32,
    },
}

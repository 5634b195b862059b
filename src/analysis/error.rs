//! Errors of questions asked of a game, a solution or a policy.

use super::Score;
use crate::game::GameError;
use crate::passed_on::passed_on;
use crate::policy::PolicyError;
use crate::solution::SolveError;
use crate::work::WorkError;

/// A question that has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The work for the answer cannot begin, or was stopped.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The game does not have this number of points, or this state.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The game cannot be solved, or its solution does not know the state.
    #[error(transparent)]
    Solve(SolveError),
    /// The policy does not cover what is asked of it.
    #[error(transparent)]
    Policy(PolicyError),
    /// The match is not possible, or the score is not part of it.
    #[error(transparent)]
    Series(#[from] SeriesError),
}

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
        score: Score,
        /// The winning points that take the match.
        to: u32,
    },
}

passed_on!(SolveError { Work, Game } => AnalysisError::Solve);
passed_on!(PolicyError { Work, Game, Solve } => AnalysisError::Policy);

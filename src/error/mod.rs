//! The error of this crate: one enum, with a kind for each room that has faults of its own.
//!
//! The kinds stand here, below the rooms that find them, so that every room returns the same
//! [`Error`] and wraps no other room's.

#![expect(
    missing_docs,
    reason = "the sentence of each variant says what it means and names its fields"
)]

use std::path::PathBuf;

use ::stochastic_game::PlayerError;

use crate::game::{GameError, Player};
use crate::work::{WorkError, memory};

mod certificate;
mod code;
mod hidden;
#[cfg(feature = "report")]
mod object;
mod policy;

pub(crate) use crate::matrix_game::MatrixError;
pub(crate) use ::stochastic_game::StochasticGameError;
pub(crate) use ::stochastic_game::StochasticGameFault;
#[cfg(feature = "report")]
pub(crate) use ::stochastic_game::model_checking::ModelError;
pub use ::stochastic_game::{DistributedError, TableFault};
pub use certificate::CertificateFault;
pub use hidden::{HiddenError, HiddenFileFault};
pub use policy::{BidsFault, PolicyError};
pub(crate) use stochastic_game::internal::Quoted;

/// An error of this crate. Its variant names the part of the crate that found the fault, however
/// many calls passed it on: a solve that is cancelled while a policy is judged is [`Error::Work`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    #[error("the certificate is not valid: {reason}")]
    Certificate { reason: CertificateFault },
    #[error(transparent)]
    Method(#[from] MethodError),
    #[cfg(feature = "report")]
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the table file {} cannot be used: {reason}", path.display())]
    TableFile { path: PathBuf, reason: String },
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error(transparent)]
    Blind(#[from] BlindError),
    #[error(transparent)]
    Hidden(#[from] HiddenError),
    #[error(transparent)]
    StochasticGame(#[from] StochasticGameError),
    #[error(transparent)]
    Series(#[from] SeriesError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

impl From<::matrix_game::Error> for Error {
    fn from(error: ::matrix_game::Error) -> Self {
        ::stochastic_game::Error::from(error).into()
    }
}

impl From<::stochastic_game::Error> for Error {
    fn from(error: ::stochastic_game::Error) -> Self {
        match error {
            ::stochastic_game::Error::Work(error) => error.into(),
            ::stochastic_game::Error::Matrix(error) => error.into(),
            ::stochastic_game::Error::StochasticGame(error) => error.into(),
            #[cfg(feature = "report")]
            ::stochastic_game::Error::Model(error) => error.into(),
            ::stochastic_game::Error::Distributed(error) => error.into(),
        }
    }
}

impl From<PlayerError> for Error {
    fn from(error: PlayerError) -> Self {
        GameError::from(error).into()
    }
}

impl From<StochasticGameFault> for Error {
    fn from(fault: StochasticGameFault) -> Self {
        Self::StochasticGame(fault.into())
    }
}

/// A method that is unknown, or not part of this build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    #[error("{} is not a method; expected simplex, tableau or lp", Quoted(text))]
    Unknown { text: String },
    #[error(
        "the method {method} is not part of this build, which was made without the feature {method}"
    )]
    Missing { method: String },
}

/// An impossible learner or search, or a rejected file of one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    #[error("{} is not a learner; expected one of {known}", Quoted(text))]
    LearnerUnknown { text: String, known: String },
    #[error("the option {option} cannot be {value}; expected {range}")]
    LearnerOption { option: &'static str, value: String, range: String },
    #[error("the learner {learner} has no option {option}; expected {}", if options.is_empty() { "none" } else { options })]
    LearnerLacksOption { learner: &'static str, option: &'static str, options: String },
    #[error(
        "learners need a scoring in which A wins at every end what B wins at its mirror image; {scoring} is not"
    )]
    LearnerScoring { scoring: String },
    #[error("{games} games are too many for this learner; at most {most} are possible")]
    TooManyGames { games: u64, most: u64 },
    #[error("not a saved training: {reason}")]
    TrainingFile { reason: String },
    #[error("a lookahead of 0 turns is not possible; expected 1 at least")]
    LookaheadDepth,
    #[error(
        "{} is not a player; expected uniform, simple:GAMES (such as simple:1e5), lookahead:DEPTH:LEAVES (such as \
         lookahead:2:uniform), quantal:PRECISION (such as quantal:10) or optimal",
        Quoted(text)
    )]
    LevelUnknown { text: String },
    #[error(
        "{} plays Tennis alone; a game of other rules has uniform, quantal:PRECISION (such as quantal:10) and optimal",
        Quoted(text)
    )]
    LevelOfTennis { text: String },
    #[error("not a learning curve: {reason}")]
    CurveFile { reason: String },
    #[error("the learner {learner} is not for games of this kind; expected {expected}")]
    LearnerUnfit { learner: &'static str, expected: &'static str },
    #[error("nobody learns in a game with uncertain probabilities")]
    UncertainGame,
}

/// An impossible match, or a score outside it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    #[error("a match to {to} winning points is not possible; expected 1 to {longest}")]
    Length { to: u32, longest: u32 },
    #[error(
        "scoring {scoring} cannot be counted as winning points; a match needs whole numbers that are the same for both players \
         and not all 0, such as two-one"
    )]
    Scoring { scoring: String },
    #[error("{} is not a score; expected A-B such as 3-1", Quoted(text))]
    ScoreSyntax { text: String },
    #[error("at {score} a match to {to} winning points is over")]
    Outside { score: String, to: u32 },
}

/// An error of blind Tennis: in the settings, in a query, or in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BlindError {
    #[error(
        "{} is not a way of guessing an account; expected fewest, middle or most",
        Quoted(text)
    )]
    GuessUnknown { text: String },
    #[error("a gap of {gap} is not possible; expected a number that is not below 0")]
    Gap { gap: f64 },
    #[error(
        "blind Tennis with {a}:{b} points has {} and {} information sets and would take about {} of memory, above the limit of \
         {}; that is enough for {most}:{most} points",
        counted(information_sets[0]), counted(information_sets[1]), memory(*bytes), memory(*limit)
    )]
    Memory { a: u32, b: u32, information_sets: [u64; 2], bytes: u64, limit: u64, most: u32 },
    #[error("{player} cannot have reached this point: {reason}")]
    History { player: Player, reason: String },
    #[error("{player}'s policy for {memory}: {reason}")]
    Distribution { player: Player, memory: String, reason: String },
    #[error("the blind and the open game have different rules")]
    Rules,
    #[error("the file of blind Tennis cannot be used: {reason}")]
    File { reason: String },
}

/// Writes a count, and says so if it is saturated.
fn counted(count: u64) -> String {
    if count == u64::MAX { "more than 10^19".to_owned() } else { count.to_string() }
}

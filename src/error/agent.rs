//! Errors of learners and of lookahead players.

/// A learner, a search or a file of theirs that is not possible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// There is no learner of this name.
    #[error("`{text}` is not a learner; expected one of {known}")]
    LearnerUnknown {
        /// The value that was given.
        text: String,
        /// The names there are.
        known: String,
    },
    /// An option of a learner is out of range.
    #[error("the option {option} cannot be {value}; expected {range}")]
    LearnerOption {
        /// The option.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// The values that are possible.
        range: String,
    },
    /// A learner does not have an option that was given.
    #[error("the learner {learner} has no option {option}; expected {}", if options.is_empty() { "none" } else { options })]
    LearnerLacksOption {
        /// The learner.
        learner: &'static str,
        /// The option.
        option: &'static str,
        /// The options it has.
        options: String,
    },
    /// A scoring does not treat both players alike, so that they cannot learn from the same table.
    #[error("learners need a scoring in which A wins at every end what B wins at its mirror image; {scoring} is not")]
    LearnerScoring {
        /// The scoring.
        scoring: String,
    },
    /// A learner's numbers would overflow in this many games.
    #[error("{games} games are too many for this learner; at most {most} are possible")]
    TooManyGames {
        /// The games asked for.
        games: u64,
        /// The most that are possible.
        most: u64,
    },
    /// A file does not hold a training.
    #[error("not a saved training: {reason}")]
    TrainingFile {
        /// The reason for the refusal.
        reason: String,
    },
    /// A search looks no turn ahead.
    #[error("a lookahead of 0 turns is not possible; expected 1 at least")]
    LookaheadDepth,
    /// There is no player of this name.
    #[error(
        "`{text}` is not a player; expected uniform, simple:GAMES (such as simple:1e5), lookahead:DEPTH:LEAVES (such as \
         lookahead:2:uniform), quantal:PRECISION (such as quantal:10) or optimal"
    )]
    LevelUnknown {
        /// The value that was given.
        text: String,
    },
    /// A file does not hold a learning curve.
    #[error("not a learning curve: {reason}")]
    CurveFile {
        /// The reason for the refusal.
        reason: String,
    },
}

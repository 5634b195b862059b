//! What can go wrong, each with a sentence for the person at the keyboard: every room's own errors, gathered.

use crate::analysis::Score;
use crate::game::{GameError, Player, State};
use crate::induction::Method;
use crate::matrix_game::MatrixError;

/// An error of this crate: of one of its rooms, or of any long work.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value or a move that the game does not have.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A matrix that is no matrix game.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// A method has an unknown name.
    #[error("`{text}` is not a method; expected simplex, tableau or lp")]
    MethodUnknown {
        /// What was given.
        text: String,
    },
    /// A method is not part of this build.
    #[error("the method {method} is not part of this build, which was made without the feature {method}")]
    MethodMissing {
        /// The method asked for.
        method: Method,
    },
    /// A player starts without points.
    #[error("{player} starts with 0 points; both players need at least 1")]
    NoPoints {
        /// Who.
        player: Player,
    },
    /// There are more points than the tables can index.
    #[error("{points} points are too many; at most {most} are supported")]
    TooManyPoints {
        /// The points asked for.
        points: u32,
        /// The most that are possible.
        most: u32,
    },
    /// The states of a game would take more memory than allowed.
    #[error("a game of {a}:{b} points would take {} of memory, above the limit of {}", memory(*bytes), memory(*limit))]
    Memory {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
        /// The bytes it would take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// No thread was asked for, or too many.
    #[error("{threads} threads are not possible; expected {}", if *most == 1 { "1 without the feature threads".to_owned() } else { format!("1..={most}") })]
    ThreadCount {
        /// The threads asked for.
        threads: usize,
        /// The most that are supported.
        most: usize,
    },
    /// Threads could not be started.
    #[error("threads could not be started: {reason}")]
    Threads {
        /// What the system said.
        reason: String,
    },
    /// A state is not part of the solution that was asked.
    #[error("{state} is outside the solution, which covers 0..={a} points for A and 0..={b} for B")]
    OutsideSolution {
        /// The state asked for.
        state: State,
        /// A's most points.
        a: u32,
        /// B's most points.
        b: u32,
    },
    /// A match goes to no or too many winning points.
    #[error("a match to {to} winning points is not possible; expected 1..={longest}")]
    SeriesLength {
        /// The winning points asked for.
        to: u32,
        /// The most that are possible.
        longest: u32,
    },
    /// A scoring cannot be counted as winning points.
    #[error("scoring {scoring} gives no winning points; a match needs whole numbers, the same for both players, such as two-one")]
    SeriesScoring {
        /// The scoring.
        scoring: String,
    },
    /// A score is not written `A-B`.
    #[error("`{text}` is not a score; expected A-B such as 3-1")]
    ScoreSyntax {
        /// What was given.
        text: String,
    },
    /// A score is not part of a match.
    #[error("at {score} a match to {to} winning points is over")]
    OutsideSeries {
        /// The score asked for.
        score: Score,
        /// The winning points that take the match.
        to: u32,
    },
    /// A certificate is refused.
    #[error("the certificate is not valid: {reason}")]
    Certificate {
        /// What is wrong with it.
        reason: String,
    },
    /// A table file is refused.
    #[error("the table file cannot be used: {reason}")]
    TableFile {
        /// What is wrong with it.
        reason: String,
    },
    /// What a policy says about a state is no distribution over the legal bids.
    #[error("{player}'s policy at {state}: {reason}")]
    PolicyDistribution {
        /// Whose policy.
        player: Player,
        /// The state.
        state: State,
        /// What is wrong there.
        reason: String,
    },
    /// A policy says nothing about some states.
    #[error("{player}'s policy says nothing about {}: {named}", if *missing == 1 { "a state".to_owned() } else { format!("{missing} states") })]
    PolicyIncomplete {
        /// Whose policy.
        player: Player,
        /// How many states are missing.
        missing: usize,
        /// The first of them, separated by commas.
        named: String,
    },
    /// A file does not have the form of a policy.
    #[error("not a policy: {reason}")]
    PolicyFile {
        /// What is wrong with it.
        reason: String,
    },
    /// A policy of one player was asked for the other's bids.
    #[error("the policy does not say how {player} bids")]
    PolicyLacksPlayer {
        /// Who.
        player: Player,
    },
    /// A state is not among those of a policy.
    #[error("{state} is outside the policy, which covers 0..={a} points for A and 0..={b} for B")]
    OutsidePolicy {
        /// The state asked for.
        state: State,
        /// A's most points.
        a: u32,
        /// B's most points.
        b: u32,
    },
    /// A policy is meant for another game.
    #[error("the policy is for {a}:{b} points and field {field}, the game has {game_a}:{game_b} points and field {game_field}")]
    PolicyGame {
        /// A's points in the policy.
        a: u32,
        /// B's points in the policy.
        b: u32,
        /// The half-width of the policy's field.
        field: i32,
        /// A's points in the game.
        game_a: u32,
        /// B's points in the game.
        game_b: u32,
        /// The half-width of the game's field.
        game_field: i32,
    },
    /// A policy cannot be completed by its mirror image.
    #[error("a policy for {a}:{b} points has no mirror image among its own states; both players need the same points")]
    PolicyMirror {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
    },
    /// A policy that bids differently in the two roles cannot be written as one matrix of weights.
    #[error("one matrix of weights serves both players, but B's bids are not the mirror image of A's")]
    PolicyLopsided,
    /// A policy would take more memory than allowed.
    #[error("a policy for {a}:{b} points would take {} of memory, above the limit of {}", memory(*bytes), memory(*limit))]
    PolicyMemory {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
        /// The bytes it would take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// There is no learner of this name.
    #[error("`{text}` is not a learner; expected one of {known}")]
    LearnerUnknown {
        /// What was given.
        text: String,
        /// The names there are.
        known: String,
    },
    /// An option of a learner is out of range.
    #[error("the option {option} cannot be {value}; expected {range}")]
    LearnerOption {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
        /// What is possible.
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
    /// A learner's numbers cannot hold what so many games teach.
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
        /// What is wrong with it.
        reason: String,
    },
    /// A search looks no turn ahead.
    #[error("a lookahead of 0 turns is not possible; expected 1 at least")]
    LookaheadDepth,
    /// A file does not hold a learning curve.
    #[error("not a learning curve: {reason}")]
    CurveFile {
        /// What is wrong with it.
        reason: String,
    },
    /// The progress callback asked to stop.
    #[error("cancelled")]
    Cancelled,
}

fn memory(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    // More than 64 bits can say is cut there.
    let more = if bytes == u64::MAX { "more than " } else { "" };
    format!("{more}{size:.1} {}", UNITS[unit])
}

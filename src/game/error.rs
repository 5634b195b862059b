//! Values and moves that do not belong to the game.

use stochastic_game::PlayerError;

use super::{Player, State};
use stochastic_game::internal::{Quoted, sentence};

/// A value or a move that does not belong to the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    #[error("ball {ball} is outside the field -{field} to {field}")]
    BallOutside { ball: i32, field: i32 },
    #[error("{} is not a ball position; expected an integer such as -2", Quoted(text))]
    BallSyntax { text: String },
    #[error(
        "{} is not a state; expected POINTS_A:POINTS_B@BALL such as 50:50@0 or 4:3@-2",
        Quoted(text)
    )]
    StateSyntax { text: String },
    #[error("{player} starts with 0 points; both players need at least 1")]
    NoPoints { player: Player },
    #[error("{points} points are too many; at most {most} are supported")]
    TooManyPoints { points: u32, most: u32 },
    #[error("{state} is outside the game, which has 0 to {a} points for A and 0 to {b} for B")]
    Outside { state: State, a: u32, b: u32 },
    #[error("{player} cannot bid {bid}: {}", legal_bids(*lowest, *highest))]
    BidIllegal { player: Player, bid: u32, lowest: u32, highest: u32 },
    #[error("the game is over at {state}")]
    GameOver { state: State },
    #[error("line {line}: {reason}")]
    RecordLine { line: usize, reason: RecordFault },
    #[error("the game was played by other rules ({played}) than those of the solution ({solved})")]
    OtherRules { played: String, solved: String },
    #[error(
        "{} are no rules; expected `field K motion MOTION scoring SCORING` such as `field 2 motion net scoring two-one`",
        Quoted(text)
    )]
    RulesSyntax { text: String },
    #[error("a field of {field} positions a side is not possible; expected 1 to {largest}")]
    FieldSize { field: i32, largest: i32 },
    #[error("a smallest bid of {min_bid} is not possible; expected 0 or 1")]
    MinBid { min_bid: u32 },
    #[error("{wanted} cannot be had where the smallest bid is 0 and a game may go on for ever")]
    ZeroBids { wanted: &'static str },
    #[error("{wanted} cannot be had where the rules favour a player")]
    Favoured { wanted: &'static str },
    #[error(
        "the limit needs a scoring that ranks the ends as the ball lies; expected OUT_A >= STAY_A >= DRAW >= STAY_B >= OUT_B, not {scoring}"
    )]
    Unnatural { scoring: String },
    #[error("{} is not a player; expected A or B", Quoted(text))]
    PlayerUnknown { text: String },
    #[error(
        "{} is not an end of a game; expected a sentence such as \"draw\" or \"A hits the ball out\"",
        Quoted(text)
    )]
    OutcomeUnknown { text: String },
    #[error("{} is not a motion; expected net or step", Quoted(text))]
    MotionUnknown { text: String },
    #[error(
        "{} is not a scoring; expected two-one, win-loss or five numbers OUT_A,STAY_A,DRAW,STAY_B,OUT_B",
        Quoted(text)
    )]
    ScoringSyntax { text: String },
    #[error(
        "{} is not a payoff; expected a finite number such as 2, -0.5, 1e-3 or 1/3",
        Quoted(text)
    )]
    ScoringNumber { text: String },
    #[error(
        "payoff {} is out of range: numerator and denominator may have 60 bits, 18 decimal digits",
        sentence(payoff)
    )]
    ScoringSize { payoff: String },
}

/// Why a line of a written game does not follow from the ones before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The line tells of something that is against the rules.
    #[error(transparent)]
    Game(Box<GameError>),
    #[error("the table has no start line")]
    NoStart,
    #[error("expected the start as `0 points_a points_b ball`, found {}", Quoted(text))]
    Start { text: String },
    #[error("expected {expected} numbers, found {found}: {}", Quoted(text))]
    Count { expected: usize, found: usize, text: String },
    #[error("{} is not a number", Quoted(text))]
    Number { text: String },
    #[error("expected turn {expected}, found turn {found}")]
    Turn { expected: usize, found: i64 },
    #[error("{number} is no bid")]
    Bid { number: i64 },
    #[error("{number} is no number of points")]
    Points { number: i64 },
    #[error("the ball is outside every field")]
    Ball,
    #[error("bids {bid_a} and {bid_b} from {before} lead to {after}, not to {written}")]
    After { bid_a: u32, bid_b: u32, before: State, after: State, written: State },
}

/// Why the bytes at the head of a file name no game of Tennis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// The bytes name a field or payoffs that are out of range.
    #[error(transparent)]
    Rules(Box<GameError>),
    #[error("it ends too early")]
    Ends,
    #[error("there is no motion {number}")]
    Motion { number: u64 },
    #[error("the mirror flag is {flag} instead of 0 or 1")]
    MirrorFlag { flag: u32 },
    #[error("its players start with {a}:{b} points")]
    Points { a: u32, b: u32 },
    #[error("it uses the mirror symmetry although the scoring does not have it")]
    Asymmetric,
}

impl From<GameError> for HeaderFault {
    fn from(error: GameError) -> Self {
        Self::Rules(Box::new(error))
    }
}

// Readers of other files put the fault into a sentence of their own.
impl From<HeaderFault> for String {
    fn from(fault: HeaderFault) -> Self {
        fault.to_string()
    }
}

impl From<PlayerError> for GameError {
    fn from(error: PlayerError) -> Self {
        Self::PlayerUnknown { text: error.text }
    }
}

impl From<GameError> for RecordFault {
    fn from(error: GameError) -> Self {
        Self::Game(Box::new(error))
    }
}

impl GameError {
    /// Rejects accounts without points, or with more than `most`.
    pub(crate) fn check_points(points: [u32; 2], most: u32) -> Result<(), Self> {
        if let Some((player, _)) =
            Player::BOTH.into_iter().zip(points).find(|&(_, points)| points == 0)
        {
            return Err(Self::NoPoints { player });
        }
        let points = points.into_iter().find(|&points| points > most);
        points.map_or(Ok(()), |points| Err(Self::TooManyPoints { points, most }))
    }
}

fn legal_bids(lowest: u32, highest: u32) -> String {
    match (lowest, highest) {
        (_, 0) => "with an empty account the only bid is 0".to_owned(),
        (0, 1) => "with 1 point left bids are 0 and 1".to_owned(),
        (1, 1) => "with 1 point left the only bid is 1".to_owned(),
        _ => format!("with {highest} points left bids are {lowest} to {highest}"),
    }
}

//! Errors of the game itself.

use super::{Player, State};

/// A value or a move that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// A ball position is not inside the field.
    #[error("ball {ball} is outside the field -{field}..={field}")]
    BallOutside {
        /// The position asked for.
        ball: i32,
        /// The half-width of the field.
        field: i32,
    },
    /// A ball position is not an integer.
    #[error("`{text}` is not a ball position; expected an integer such as -2")]
    BallSyntax {
        /// The value that was given.
        text: String,
    },
    /// A state is not written `POINTS_A:POINTS_B@BALL`.
    #[error("`{text}` is not a state; expected POINTS_A:POINTS_B@BALL such as 50:50@0 or 4:3@-2")]
    StateSyntax {
        /// The value that was given.
        text: String,
    },
    /// A player starts without points.
    #[error("{player} starts with 0 points; both players need at least 1")]
    NoPoints {
        /// The player.
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
    /// A state has more points than what was asked covers: a solution, a policy, a certificate.
    #[error("{state} is outside the game, which has 0..={a} points for A and 0..={b} for B")]
    Outside {
        /// The state asked for.
        state: State,
        /// A's most points.
        a: u32,
        /// B's most points.
        b: u32,
    },
    /// A bid does not fit the account it is made from.
    #[error("{player} cannot bid {bid}: {}", legal_bids(*lowest, *highest))]
    BidIllegal {
        /// The player who bids.
        player: Player,
        /// The bid.
        bid: u32,
        /// The lowest legal bid.
        lowest: u32,
        /// The highest legal bid.
        highest: u32,
    },
    /// A turn was played after the end of the game.
    #[error("the game is over at {state}")]
    GameOver {
        /// The final state.
        state: State,
    },
    /// A line of a written game does not follow from those before it.
    #[error("line {line}: {reason}")]
    RecordLine {
        /// The line, counted from 1.
        line: usize,
        /// The reason for the refusal.
        reason: String,
    },
    /// A game was played by other rules than those that a solution is for.
    #[error("the game was played by other rules ({played}) than those of the solution ({solved})")]
    OtherRules {
        /// The rules of the game.
        played: String,
        /// The rules of the solution.
        solved: String,
    },
    /// Rules are not written `field K motion MOTION scoring SCORING`, with ` min-bid 0` behind it where that is the smallest bid.
    #[error(
        "`{text}` are no rules; expected `field K motion MOTION scoring SCORING` such as `field 2 motion net scoring two-one`"
    )]
    RulesSyntax {
        /// The value that was given.
        text: String,
    },
    /// A field has no or too many positions.
    #[error("a field of {field} positions a side is not possible; expected 1..={largest}")]
    FieldSize {
        /// The half-width asked for.
        field: i32,
        /// The largest half-width.
        largest: i32,
    },
    /// A smallest bid is neither 0 nor 1.
    #[error("a smallest bid of {min_bid} is not possible; expected 0 or 1")]
    MinBid {
        /// The number asked for.
        min_bid: u32,
    },
    /// Something does not follow rules with a smallest bid of 0.
    #[error("{wanted} cannot be had where the smallest bid is 0 and a game may go on for ever")]
    ZeroBids {
        /// The thing asked for.
        wanted: &'static str,
    },
    /// Something does not follow rules that favour a player.
    #[error("{wanted} cannot be had where the rules favour a player")]
    Favoured {
        /// The thing asked for.
        wanted: &'static str,
    },
    /// The limit is asked for under a scoring for which more can hurt.
    #[error(
        "the limit needs a scoring that ranks the ends as the ball lies; expected OUT_A >= STAY_A >= DRAW >= STAY_B >= OUT_B, not {scoring}"
    )]
    Unnatural {
        /// The scoring.
        scoring: String,
    },
    /// A player is neither `A` nor `B`.
    #[error("`{text}` is not a player; expected A or B")]
    PlayerUnknown {
        /// The value that was given.
        text: String,
    },
    /// An end of a game has an unknown name.
    #[error("`{text}` is not an end of a game; expected a sentence such as \"draw\" or \"A hits the ball out\"")]
    OutcomeUnknown {
        /// The value that was given.
        text: String,
    },
    /// A motion is neither `net` nor `step`.
    #[error("`{text}` is not a motion; expected net or step")]
    MotionUnknown {
        /// The value that was given.
        text: String,
    },
    /// A scoring is neither a name nor five numbers.
    #[error("`{text}` is not a scoring; expected two-one, win-loss or five numbers OUT_A,STAY_A,DRAW,STAY_B,OUT_B")]
    ScoringSyntax {
        /// The value that was given.
        text: String,
    },
    /// A payoff is not a finite number.
    #[error("`{text}` is not a payoff; expected a finite number such as 2, -0.5 or 1/3")]
    ScoringNumber {
        /// The value that was given.
        text: String,
    },
    /// A payoff has too large a numerator or denominator.
    #[error("payoff {payoff} is out of range: numerator and denominator may have 60 bits, 18 decimal digits")]
    ScoringSize {
        /// The payoff.
        payoff: String,
    },
}

impl GameError {
    /// Refuses accounts with which no game starts, or larger ones than these.
    pub(crate) fn check_points(points: [u32; 2], most: u32) -> Result<(), Self> {
        if let Some((player, _)) = Player::BOTH.into_iter().zip(points).find(|&(_, points)| points == 0) {
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
        _ => format!("with {highest} points left bids are {lowest}..={highest}"),
    }
}

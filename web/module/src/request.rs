//! The questions a [`Desk`](crate::Desk) is asked, as JSON.

use pencil_tennis::{GameError, Player, Rules};
use serde::{Deserialize, Serialize};

/// A question.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Solves a game, which later questions are about. With `exact_bits`, exact values up to that
    /// size are found, too.
    Solve { points: [u32; 2], rules: RulesText, exact_bits: Option<usize> },
    /// The values of all states, by A's points, then B's, then the ball.
    Values,
    /// The payoffs that pure play decides, in this order; NaN where it decides nothing.
    Decided,
    /// A state: its value, both strategies, the value of every bid, the stage game.
    State { state: String },
    /// The exact value and strategies of a state.
    Exact { state: String },
    /// Bounds to this many decimals.
    Digits { state: String, digits: usize },
    /// The outcomes of games between two players from a state on.
    Outcomes { state: String, a: Bidder, b: Bidder },
    /// The beginning of the endgame with the ball on a position.
    Endgame { ball: i32 },
    /// Prepares the optimal strategies of all states for [`Self::Outcomes`].
    Prepare,
    /// Reads a policy from the bytes of a file, for one of the two bidders that come from files.
    Policy { bidder: Bidder },
    /// Prepares a player of adjustable strength, a [`Level`](pencil_tennis::agents::Level) by name,
    /// as the bidder `level`.
    Level { name: String },
    /// Judges a way to bid; numbers are the regrets at all states, A's and then B's, NaN where the
    /// game is over.
    Judge { bidder: Bidder },
    /// A player's bid for 64 random bits, in hexadecimal digits, and whether the player bids 0 here
    /// for all bits.
    Draw { state: String, player: Name, bidder: Bidder, bits: String },
    /// The SHA-256 of a text.
    Sha256 { text: String },
    /// Plays a game from a start; judges every turn and returns the written game. If it `stands`,
    /// both bid 0 for ever after these bids.
    Replay {
        start: String,
        bids: Vec<(u32, u32)>,
        #[serde(default)]
        stands: bool,
    },
    /// Solves blind Tennis from a state on, by the rules of the solved game, for a person who is
    /// `player` and meets an optimal or a uniform bidder. The next three are about it.
    Blind { start: String, player: Name, bidder: Bidder },
    /// The opponent's bid for random bits, after these bids.
    BlindDraw { bids: Vec<(u32, u32)>, bits: String },
    /// Plays a blind game from its start; judges the person's bids.
    BlindReplay { bids: Vec<(u32, u32)> },
    /// The person's information after these bids, and the best bids.
    BlindHint { bids: Vec<(u32, u32)> },
    /// Reads a written game.
    Read { text: String },
    /// Reads and solves a game of any rules from the bytes of its file; the next ones are about it.
    AnyOpen,
    /// The states whose names contain a word.
    AnyFind { word: String },
    /// A state with its matrix.
    AnyStage { state: String },
    /// The states within two turns.
    AnyNear { state: String },
    /// Makes a player of a level, or else of the bytes of a csv file.
    AnyPlayer { player: Name, level: Option<String> },
    /// The action of such a player for random bits.
    AnyDraw { state: String, player: Name, bits: String },
    /// The successor of two actions, by their numbers, for random bits.
    AnyNext { state: String, actions: [usize; 2], bits: String },
    /// Judges the policy in the bytes of a csv file.
    AnyJudge,
    /// The digest of a solution; see [`digest`](crate::digest).
    Digest { game: usize },
}

/// A bidding player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bidder {
    /// The optimum.
    Optimal,
    /// Every legal bid with equal probability.
    Uniform,
    /// The policy that was read to be played against.
    Opponent,
    /// The policy that was read to be judged.
    Judged,
    /// The player of [`Request::Level`].
    Level,
}

/// A player.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) enum Name {
    A,
    B,
}

impl From<Name> for Player {
    fn from(name: Name) -> Self {
        match name {
            Name::A => Self::A,
            Name::B => Self::B,
        }
    }
}

/// Rules as the command line writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RulesText {
    field: i32,
    motion: String,
    scoring: String,
    #[serde(default = "usual_min_bid")]
    min_bid: u32,
}

const fn usual_min_bid() -> u32 {
    1
}

impl RulesText {
    pub(crate) fn of(rules: &Rules) -> Self {
        Self {
            field: rules.field(),
            motion: rules.motion().to_string(),
            scoring: rules.scoring().to_string(),
            min_bid: rules.min_bid(),
        }
    }

    pub(crate) fn rules(&self) -> Result<Rules, GameError> {
        Rules::new(self.field, self.motion.parse()?, self.scoring.parse()?)?
            .with_min_bid(self.min_bid)
    }
}

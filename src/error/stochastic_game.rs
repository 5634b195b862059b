//! Errors of games that are read or put together.

use std::fmt;

use num_rational::BigRational;

use super::Error;
use crate::game::Player;

/// A game that is refused: the fault, with the line of the file, the state and the cell where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StochasticGameError(Box<Refusal>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    line: Option<u64>,
    state: Option<String>,
    cell: Option<[String; 2]>,
    fault: StochasticGameFault,
}

impl From<StochasticGameFault> for StochasticGameError {
    fn from(fault: StochasticGameFault) -> Self {
        Self(Box::new(Refusal { line: None, state: None, cell: None, fault }))
    }
}

impl From<StochasticGameFault> for Error {
    fn from(fault: StochasticGameFault) -> Self {
        Self::StochasticGame(fault.into())
    }
}

impl StochasticGameError {
    pub(crate) fn in_state(mut self, state: &str) -> Self {
        self.0.state = Some(state.to_owned());
        self
    }

    pub(crate) fn in_cell(mut self, a: &str, b: &str) -> Self {
        self.0.cell = Some([a, b].map(str::to_owned));
        self
    }

    /// The same in a line of a file, unless it names one already.
    pub(crate) fn in_line(mut self, line: u64) -> Self {
        self.0.line = self.0.line.or(Some(line).filter(|&line| line > 0));
        self
    }

    /// The line of the file, counted from 1.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// The state.
    pub fn state(&self) -> Option<&str> {
        self.0.state.as_deref()
    }

    /// A's and B's action of the cell.
    pub fn cell(&self) -> Option<[&str; 2]> {
        self.0.cell.as_ref().map(|cell| cell.each_ref().map(String::as_str))
    }

    /// The reason for the refusal.
    pub fn fault(&self) -> &StochasticGameFault {
        &self.0.fault
    }
}

impl fmt::Display for StochasticGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { line, state, cell, fault } = &*self.0;
        if let Some(line) = line {
            write!(f, "line {line}: ")?;
        }
        if let Some(state) = state {
            write!(f, "state {}: ", Quoted(state))?;
        }
        if let Some([a, b]) = cell {
            write!(f, "{} against {}: ", Quoted(a), Quoted(b))?;
        }
        write!(f, "{fault}")
    }
}

impl std::error::Error for StochasticGameError {}

/// A name from a file in a sentence: one line of bounded length, in quotation marks.
pub(crate) struct Quoted<'n>(pub(crate) &'n str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 80;
        let mut characters = self.0.chars().map(|character| if character.is_control() { ' ' } else { character });
        let name: String = characters.by_ref().take(LONGEST).collect();
        let more = if characters.next().is_some() { "…" } else { "" };
        write!(f, "`{name}{more}`")
    }
}

/// A reason to refuse a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StochasticGameFault {
    /// A text is no number.
    #[error(
        "{} is no number; expected a fraction such as 7/8 or a decimal such as -0.25, of at most 10,000 characters and 1,000 places",
        Quoted(text)
    )]
    Number {
        /// The text.
        text: String,
    },
    /// A kind of game is unknown.
    #[error("{} is no kind of game; expected acyclic, discounted, stopping or recursive", Quoted(text))]
    Kind {
        /// The text.
        text: String,
    },
    /// A discount is missing, superfluous or out of range.
    #[error("{reason}")]
    Discount {
        /// The sentence.
        reason: String,
    },
    /// Two states have the same name.
    #[error("there is a state of this name already")]
    DuplicateState,
    /// A player has two actions of the same name.
    #[error("{player} has two actions {}", Quoted(action))]
    DuplicateAction {
        /// A or B.
        player: char,
        /// The action.
        action: String,
    },
    /// A player has no action.
    #[error("{player} has no action; expected at least one")]
    NoAction {
        /// A or B.
        player: char,
    },
    /// The table of cells has not the shape that the actions ask for.
    #[error("the number of {lines} is {found}; expected {expected}, one for each action of {player}")]
    Shape {
        /// The number of rows, or of cells in a row.
        found: usize,
        /// What is counted.
        lines: String,
        /// The number of actions.
        expected: usize,
        /// A or B.
        player: char,
    },
    /// A start or a successor does not exist.
    #[error("there is no state {}", Quoted(name))]
    UnknownState {
        /// The name.
        name: String,
    },
    /// No start is given.
    #[error("there is no start; expected the name of at least one state")]
    NoStart,
    /// A payoff is too large to be counted in integers.
    #[error("a payoff of {payoff} is too large; expected at most 2.3e18 in size")]
    Payoff {
        /// The payoff.
        payoff: String,
    },
    /// Payoffs are larger than the rules said.
    #[error("payoffs can be larger here than `payoff_bound` says")]
    PayoffBound,
    /// A game that is said to be acyclic has a cycle.
    #[error("play can return to this state, but the game is said to be acyclic; expected kind recursive, stopping or discounted")]
    Cycle,
    /// A game that is said to stop need not.
    #[error(
        "the players can keep play among {states} for ever, but the game is said to stop; expected kind recursive or discounted"
    )]
    Endless {
        /// Some of the states.
        states: String,
    },
    /// Endless play pays unlike numbers in one cycle.
    #[error("endless play pays {here} here and {there} at {}, which lies in the same cycle; expected the same", Quoted(other))]
    UnlikeEndless {
        /// What it pays at the state, as a fraction.
        here: String,
        /// The other state.
        other: String,
        /// What it pays there.
        there: String,
    },
    /// A policy is not one of the game.
    #[error("{player}'s policy: {reason}")]
    Policy {
        /// The player.
        player: Player,
        /// The reason for the refusal.
        reason: String,
    },
    /// Play that certainly stops takes too many turns for its payoffs to be bounded.
    #[error("play can take too many turns until it stops")]
    TooLong,
    /// Rules in code answer otherwise when they are asked again.
    #[error("the rules contradict themselves: asked again, they tell of other actions, successors, weights or rewards")]
    Contradiction,
    /// The index of a state is not below the limit, or that of another state.
    #[error("the index of this state is not below `index_limit`, or another state has it, too")]
    Index,
    /// A state and its canonical one are not worth the same.
    #[error("`canonical` is wrong: the value lies in {own}, that of the canonical state in {canonical}")]
    Symmetry {
        /// Bounds of the state's value.
        own: String,
        /// Those of the canonical state, as the state sees them.
        canonical: String,
    },
    /// A checkpoint that a solve cannot go on from.
    #[error("the checkpoint {reason}")]
    Checkpoint {
        /// The reason.
        reason: String,
    },
    /// The game is too large.
    #[error("the game is too large: {reason}")]
    Size {
        /// The limit.
        reason: String,
    },
    /// A line of a file is not what it should be.
    #[error("{reason}")]
    Text {
        /// The reason.
        reason: String,
    },
    /// A probability is negative.
    #[error("the probability {probability} is negative")]
    Negative {
        /// The probability.
        probability: BigRational,
    },
    /// Probabilities do not sum to 1.
    #[error("the probabilities sum to {sum}; expected exactly 1")]
    Sum {
        /// Their sum.
        sum: BigRational,
    },
    /// No weight is positive.
    #[error("no state follows: the weights sum to 0")]
    NoWeight,
    /// A reward is divided by 0.
    #[error("the denominator of the reward is 0")]
    RewardDenominator,
    /// The common denominator is too large for exact integer weights.
    #[error(
        "the least common denominator of probabilities and reward has {bits} bits, together with the discount; at most {most} are \
         supported"
    )]
    Denominator {
        /// Its bits.
        bits: u64,
        /// The most that are supported.
        most: u64,
    },
    /// A reward in a recursive game.
    #[error("there is a reward; recursive games pay at ends and for endless play alone (expected kind stopping or discounted)")]
    Reward,
    /// A reward is too large.
    #[error("a reward of {reward} is too large; expected at most 2.3e18 in size")]
    LargeReward {
        /// The reward.
        reward: String,
    },
}

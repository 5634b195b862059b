//! Games of other rules, and their files, that are refused.

use num_rational::BigRational;

use super::{Error, TableFault};
use crate::excerpt::{Quoted, sentence};
use crate::player::Player;

/// A game that is refused: the fault, with the line of the file, the state and the cell where it
/// was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{}{}{}",
    .0.line.map_or(String::new(), |line| format!("line {line}: ")),
    .0.state.as_ref().map_or(String::new(), |state| format!("state {}: ", Quoted(state))),
    .0.cell.as_ref().map_or(String::new(), |[a, b]| format!("{} against {}: ", Quoted(a), Quoted(b))),
    .0.fault
)]
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

    /// Adds the line of a file, unless the error names one already.
    #[doc(hidden)]
    #[must_use]
    pub fn in_line(mut self, line: u64) -> Self {
        self.0.line = self.0.line.or(Some(line).filter(|&line| line > 0));
        self
    }

    /// The line of the file, counted from 1.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    pub fn state(&self) -> Option<&str> {
        self.0.state.as_deref()
    }

    pub fn cell(&self) -> Option<[&str; 2]> {
        self.0.cell.as_ref().map(|cell| cell.each_ref().map(String::as_str))
    }

    pub fn fault(&self) -> &StochasticGameFault {
        &self.0.fault
    }
}

/// A reason to refuse a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StochasticGameFault {
    #[error(
        "{} is no number; expected a fraction such as 7/8 or a decimal such as -0.25, of at most 10,000 characters and 1,000 places",
        Quoted(text)
    )]
    Number { text: String },
    #[error(
        "{} is no kind of game; expected acyclic, discounted, stopping, recursive, total or target",
        Quoted(text)
    )]
    Kind { text: String },
    #[error(transparent)]
    Discount(DiscountFault),
    #[error("there is a state of this name already")]
    DuplicateState,
    #[error("{player} has two actions {}", Quoted(action))]
    DuplicateAction { player: char, action: String },
    #[error("{player} has no action; expected at least one")]
    NoAction { player: char },
    #[error("the number of {} is {found}; expected {expected}, one for each action of {player}", lines(row.as_deref()))]
    Shape {
        /// The action of A in whose row the number of cells is wrong; else it is that of rows.
        row: Option<String>,
        found: usize,
        expected: usize,
        player: char,
    },
    #[error("there is no state {}", Quoted(name))]
    UnknownState { name: String },
    #[error("there is no start; expected the name of at least one state")]
    NoStart,
    #[error("a payoff of {} is too large; expected at most 2.3e18 in size", sentence(payoff))]
    Payoff { payoff: String },
    #[error("payoffs can be larger here than `payoff_bound` says")]
    PayoffBound,
    #[error("the ranks are wrong: {reason}")]
    Rank { reason: String },
    #[error(
        "play can return to this state, but the game is said to be acyclic; expected kind {expected}"
    )]
    Cycle { expected: String },
    #[error(
        "the players can keep play among {} for ever, but the game is said to stop; expected kind {expected}",
        listed(states)
    )]
    Endless { states: Vec<String>, expected: String },
    #[error(
        "endless play pays {} here and {} at {}, which lies in the same cycle; expected the same",
        sentence(here),
        sentence(there),
        Quoted(other)
    )]
    UnlikeEndless { here: String, other: String, there: String },
    #[error("{player}'s policy: {reason}")]
    Policy { player: Player, reason: ActionsFault },
    #[error("play can take too many turns until it stops")]
    TooLong,
    /// No bounds of the state passed the check that is made before a solution is published.
    #[error("no bounds are proved here: {reason}")]
    NotProved { reason: String },
    #[error(
        "the rules contradict themselves: asked again, they tell of other actions, successors, weights, rewards or payoffs"
    )]
    Contradiction,
    #[error("the index of this state is not below `index_limit`, or another state has it, too")]
    Index,
    #[error(
        "`canonical` is wrong: the value lies in {own}, that of the canonical state in {canonical}"
    )]
    Symmetry { own: String, canonical: String },
    #[error("the checkpoint {reason}")]
    Checkpoint { reason: String },
    #[error("the game is too large: {reason}")]
    Size { reason: String },
    /// A file that is no game, policy or model of its format.
    #[error("{reason}")]
    Text { reason: String },
    /// A claim that its check refuses: of a certificate, or of bounds that were found.
    #[error("{reason}")]
    Claim { reason: String },
    #[error("the packed game {reason}")]
    Packed { reason: String },
    #[error("turn {turn}: {reason}")]
    Turn { turn: usize, reason: String },
    #[error("{} is no comparison; expected <, <=, > or >=", Quoted(text))]
    Comparison { text: String },
    /// A policy whose payoff, against a best response, has no bounds that can be counted.
    #[error("{reason}")]
    PolicyPayoff { reason: String },
    #[error("{reason}")]
    UnknownGame { reason: String },
    #[error("the probability {} is negative", sentence(probability))]
    Negative { probability: BigRational },
    #[error("the probabilities sum to {}; expected exactly 1", sentence(sum))]
    Sum { sum: BigRational },
    #[error(
        "a probability may be {} to {}; expected two numbers, the first above 0 and at most as large as the second",
        sentence(least),
        sentence(most)
    )]
    Limits { least: String, most: String },
    #[error(
        "the least probabilities sum to {} and the largest to {}; expected 1 between them",
        sentence(least),
        sentence(most)
    )]
    LimitSums { least: String, most: String },
    #[error(
        "a probability is an interval, and it is not said for whom nature chooses in it; expected `nature`, A or B"
    )]
    NoNature,
    #[error("no state follows: the weights sum to 0")]
    NoWeight,
    #[error("the denominator of the reward is 0")]
    RewardDenominator,
    #[error(
        "the least common denominator of probabilities and reward has {bits} bits, together with the discount; at most {most} are \
         supported"
    )]
    Denominator { bits: u64, most: u64 },
    #[error(
        "there is a reward; recursive games pay at ends and for endless play alone (expected kind {expected})"
    )]
    Reward { expected: String },
    #[error(
        "there are rewards of both signs; a game of total reward has those of one sign (expected kind stopping or discounted)"
    )]
    Signs,
    #[error(
        "play that misses its end pays infinitely much in a game of kind target; expected no `endless`"
    )]
    TargetEndless,
    #[error(
        "the value is infinite for {player} at {}: rewards can be collected there for ever",
        listed(states)
    )]
    Infinite { player: Player, states: Vec<String> },
    #[error(
        "it is not decided whether the value is infinite for {player} at {}: no stationary strategy shows it, nor that it is finite",
        listed(states)
    )]
    Undecided { player: Player, states: Vec<String> },
    #[error("a reward of {} is too large; expected at most 2.3e18 in size", sentence(reward))]
    LargeReward { reward: String },
    #[error("a width of {width} is not possible; expected a number that is not below 0")]
    Width { width: String },
    /// The line of a file is malformed.
    #[error(transparent)]
    Line(LineFault),
    /// The file of a policy is malformed.
    #[error(transparent)]
    Table(TableFault),
    #[error("{} is no player; expected A or B", Quoted(text))]
    PlayerUnknown { text: String },
    #[error("a precision of {precision} is not possible; expected a finite number from 0")]
    Precision { precision: String },
    #[error("{} is an end", Quoted(name))]
    End { name: String },
    #[error("{player} has no action {} at {}; {known}", Quoted(action), Quoted(name))]
    ActionUnknown {
        player: Player,
        action: String,
        name: String,
        /// A sentence with actions that there are.
        known: String,
    },
}

/// A discount that does not belong to the kind of game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiscountFault {
    #[error(
        "a discount of {} is out of range; expected a number between 0 and 1",
        sentence(discount)
    )]
    Range { discount: BigRational },
    #[error("a discounted game has a discount; expected one such as \"9/10\"")]
    Missing,
    #[error("there is a discount; expected kind discounted")]
    Needless,
}

/// Why numbers are no strategy of a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionsFault {
    #[error("the policy has no row {row}; expected one of {width} numbers for each state")]
    NoRow { row: usize, width: usize },
    #[error("the probability {} of {} is not finite", sentence(probability), Quoted(action))]
    NotFinite { probability: String, action: String },
    #[error("the probability {} of {} is negative", sentence(probability), Quoted(action))]
    Negative { probability: String, action: String },
    #[error("nothing is said of how to play")]
    Nothing,
    #[error("the weights sum to more than a double holds")]
    TooLarge,
    #[error("the probabilities sum to {sum}; expected 1")]
    Sum { sum: String },
    #[error("the state is an end")]
    End,
    #[error("there is no action {action}; expected 0 to {last}")]
    Unknown { action: usize, last: usize },
    #[error("the action {} is given twice", Quoted(action))]
    Twice { action: String },
    #[error(
        "the probability of {} is too small to be told from 0; expected 0, or 2^-62 at least",
        Quoted(action)
    )]
    TooSmall { action: String },
}

/// A line of a file of games that is malformed. Columns are counted from 1, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    #[error("the file is empty; expected a line that says format and kind")]
    Empty,
    #[error("expected a JSON object in every line, in braces")]
    NoObject,
    #[error("the line ends too early; expected one JSON object in a line")]
    Ends,
    #[error("missing field {} (column {column})", Quoted(field))]
    Missing { field: String, column: usize },
    #[error("unknown field {}, expected {} (column {column})", Quoted(field), sentence(expected))]
    Unknown { field: String, expected: String, column: usize },
    #[error("duplicate field {} (column {column})", Quoted(field))]
    Duplicate { field: String, column: usize },
    #[error("{} (column {column}){hint}", sentence(reason))]
    Json { reason: String, column: usize, hint: &'static str },
    #[error(
        "in `{}`: found {}, expected {} (column {column}){hint}",
        sentence(field),
        sentence(found),
        sentence(expected)
    )]
    Type { field: String, found: String, expected: String, column: usize, hint: &'static str },
    #[error("the first line must be the header, which says format, version, kind and start")]
    NoHeader,
    #[error("the format is {}; expected `{expected}`", Quoted(text))]
    Format { text: String, expected: &'static str },
    #[error("the format has version {version}; only version {known} is known")]
    Version { version: u32, known: u32 },
    #[error("nature chooses for {}; expected \"A\" or \"B\"", Quoted(text))]
    Nature { text: String },
    #[error("expected either `value`, or `a`, `b` and `cells`")]
    Parts,
    #[error("the line has more than {most} bytes, which is too long")]
    TooLong { most: u64 },
    #[error("it cannot be read: {}", sentence(reason))]
    Unreadable { reason: String },
}

impl From<LineFault> for StochasticGameFault {
    fn from(fault: LineFault) -> Self {
        Self::Line(fault)
    }
}

impl From<LineFault> for StochasticGameError {
    fn from(fault: LineFault) -> Self {
        StochasticGameFault::from(fault).into()
    }
}

impl From<TableFault> for StochasticGameError {
    fn from(fault: TableFault) -> Self {
        StochasticGameFault::Table(fault).into()
    }
}

/// The name of the lines of which there are too few or too many.
fn lines(row: Option<&str>) -> String {
    row.map_or_else(
        || "rows of cells".to_owned(),
        |action| format!("cells in the row of {}", Quoted(action)),
    )
}

/// The first names of a set of states.
fn listed(states: &[String]) -> String {
    const MOST: usize = 20;
    let listed: Vec<String> =
        states.iter().take(MOST).map(|state| Quoted(state).to_string()).collect();
    let others = states.len() - listed.len();
    listed.join(", ") + &if others > 0 { format!(" and {others} others") } else { String::new() }
}

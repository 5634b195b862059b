use num_rational::BigRational;

use super::Error;
use crate::excerpt::{Quoted, sentence};
use crate::game::Player;

/// A game that is refused: the fault, with the line of the file, the state and the cell where it was found.
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

    /// The same in a line of a file, unless it names one already.
    pub(crate) fn in_line(mut self, line: u64) -> Self {
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
    #[error("{} is no kind of game; expected acyclic, discounted, stopping, recursive, total or target", Quoted(text))]
    Kind { text: String },
    #[error("{reason}")]
    Discount { reason: String },
    #[error("there is a state of this name already")]
    DuplicateState,
    #[error("{player} has two actions {}", Quoted(action))]
    DuplicateAction { player: char, action: String },
    #[error("{player} has no action; expected at least one")]
    NoAction { player: char },
    #[error("the number of {lines} is {found}; expected {expected}, one for each action of {player}")]
    Shape { found: usize, lines: String, expected: usize, player: char },
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
    #[error("play can return to this state, but the game is said to be acyclic; expected kind {expected}")]
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
    Policy { player: Player, reason: String },
    #[error("play can take too many turns until it stops")]
    TooLong,
    /// No bounds of the state passed the check that is made before a solution is published.
    #[error("no bounds are proved here: {reason}")]
    NotProved { reason: String },
    #[error("the rules contradict themselves: asked again, they tell of other actions, successors, weights, rewards or payoffs")]
    Contradiction,
    #[error("the index of this state is not below `index_limit`, or another state has it, too")]
    Index,
    #[error("`canonical` is wrong: the value lies in {own}, that of the canonical state in {canonical}")]
    Symmetry { own: String, canonical: String },
    #[error("the checkpoint {reason}")]
    Checkpoint { reason: String },
    #[error("the game is too large: {reason}")]
    Size { reason: String },
    #[error("{reason}")]
    Text { reason: String },
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
    #[error("the least probabilities sum to {} and the largest to {}; expected 1 between them", sentence(least), sentence(most))]
    LimitSums { least: String, most: String },
    #[error("a probability is an interval, and it is not said for whom nature chooses in it; expected `nature`, A or B")]
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
    #[error("there is a reward; recursive games pay at ends and for endless play alone (expected kind {expected})")]
    Reward { expected: String },
    #[error(
        "there are rewards of both signs; a game of total reward has those of one sign (expected kind stopping or discounted)"
    )]
    Signs,
    #[error("play that misses its end pays infinitely much in a game of kind target; expected no `endless`")]
    TargetEndless,
    #[error("the value is infinite for {player} at {}: rewards can be collected there for ever", listed(states))]
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
}

/// The first names of a set of states.
fn listed(states: &[String]) -> String {
    const MOST: usize = 20;
    let listed: Vec<String> = states.iter().take(MOST).map(|state| Quoted(state).to_string()).collect();
    let others = states.len() - listed.len();
    listed.join(", ") + &if others > 0 { format!(" and {others} others") } else { String::new() }
}

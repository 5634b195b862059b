//! Games with hidden information, their files and certificates that are refused.

use num_rational::BigRational;

use super::StochasticGameFault;
use crate::game::Player;
use stochastic_game::internal::{Quoted, sentence};

/// A game with hidden information that is refused, or a query or file that does not fit it. Nodes
/// have their numbers in prefix order, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HiddenError {
    #[error("{} is not a method for hidden information; expected lp, ipm or cfr", Quoted(text))]
    MethodUnknown { text: String },
    #[error(
        "{player} cannot tell node {first} from node {second} (information set {}), but made other choices before them; expected \
         perfect recall",
        Quoted(set)
    )]
    ImperfectRecall { player: Player, set: String, first: usize, second: usize },
    #[error(
        "{player} has other actions at node {second} than at node {first}, which lie in one information set, {}; expected the same \
         actions",
        Quoted(set)
    )]
    UnlikeActions { player: Player, set: String, first: usize, second: usize },
    #[error("node {node}: two actions have the name {}; expected distinct names", Quoted(name))]
    DuplicateAction { node: usize, name: String },
    #[error("node {node} has no successor; expected at least one")]
    NoSuccessor { node: usize },
    #[error("the tree is complete before node {node}; expected no further node")]
    Complete { node: usize },
    #[error("the tree is not complete: node {node} lacks {missing} of its successors")]
    Incomplete { node: usize, missing: usize },
    #[error("the tree has no nodes; expected at least one")]
    Empty,
    #[error("node {node}: the probabilities are negative or sum to {}; expected 1", sentence(sum))]
    Probabilities { node: usize, sum: BigRational },
    #[error("a payoff of {} is too large; expected at most 2^61 in size", sentence(payoff))]
    Payoff { payoff: String },
    #[error(
        "the tree has more than {limit} nodes; a higher limit may be set where memory suffices"
    )]
    TooLarge { limit: usize },
    #[error(
        "the rules contradict themselves at node {node}: asked again, they name other actions, chances, payoffs or observations"
    )]
    Contradiction { node: usize },
    #[error(
        "node {node}: {} cannot be observed; expected a word without spaces, other than (start)",
        Quoted(text)
    )]
    Observation { node: usize, text: String },
    #[error("a gap of {gap} is not possible; expected a number that is not below 0")]
    Gap { gap: String },
    #[error("{player} has no information set {}; {known}", Quoted(name))]
    UnknownSet {
        player: Player,
        name: String,
        /// A sentence with sets that there are.
        known: String,
    },
    #[error("there is no action {action} here; {known}")]
    UnknownAction {
        action: usize,
        /// A sentence with the numbers of the actions that there are.
        known: String,
    },
    #[error("{player}'s strategy at information set {}: {reason}", Quoted(set))]
    Strategy { player: Player, set: String, reason: String },
    #[error("not a strategy of this game: {reason}")]
    StrategyFile { reason: String },
    #[error("not a checkpoint of this game: {reason}")]
    Checkpoint { reason: String },
    #[error("the certificate is not valid: {}{reason}", location(*line))]
    Certificate {
        /// The line, counted from 1, unless the fault is that of the whole file.
        line: Option<usize>,
        reason: HiddenFileFault,
    },
    #[error(
        "the game has {sequences} sequences; a refinement takes at most {limit} (an action at an information set is one)"
    )]
    RefinedSize { sequences: usize, limit: usize },
    #[error("not a game tree: {}{reason}", location(*line))]
    TreeFile { line: Option<usize>, reason: HiddenFileFault },
    #[error("not a test sequence of these strategies: {reason}")]
    TestSequence { reason: String },
}

/// Why a certificate of a game with hidden information, or the file of its tree, is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HiddenFileFault {
    /// The nodes are no game tree, or the weights no strategy.
    #[error(transparent)]
    Game(Box<HiddenError>),
    #[error(transparent)]
    Number(Box<StochasticGameFault>),
    #[error("there is no first line")]
    Empty,
    #[error("{}", sentence(reason))]
    Unreadable { reason: String },
    #[error("it is no JSON: {}", sentence(reason))]
    Json { reason: String },
    #[error("expected the format {expected}")]
    Format { expected: &'static str },
    #[error("expected version {known}")]
    Version { known: u64 },
    #[error("expected {expected}")]
    Type { expected: &'static str },
    #[error("expected weights of {player} at {}", Quoted(set))]
    Weights { player: Player, set: String },
    #[error("expected weights that are whole and not negative")]
    Weight,
    #[error("expected the end of the file")]
    End,
    #[error("A's strategy secures less than the lower bound {}", sentence(lower))]
    Lower { lower: BigRational },
    #[error("B's strategy concedes more than the upper bound {}", sentence(upper))]
    Upper { upper: BigRational },
}

impl From<HiddenError> for HiddenFileFault {
    fn from(error: HiddenError) -> Self {
        Self::Game(Box::new(error))
    }
}

impl From<StochasticGameFault> for HiddenFileFault {
    fn from(fault: StochasticGameFault) -> Self {
        Self::Number(Box::new(fault))
    }
}

/// The line of a file before the fault in it.
fn location(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

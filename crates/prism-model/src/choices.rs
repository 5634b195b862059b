//! The choices of a state, and where they lead.

use num_rational::BigRational;

use crate::probability::Probability;
use crate::variable::State;

/// The choices of a state; none in a deadlock.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The player who chooses in a turn-based game, counted from 0; 0 in other models.
    pub owner: usize,
    /// The choices: in a concurrent game all joint actions of the players, in a chain at most one.
    pub choices: Vec<Choice>,
}

/// A choice of a state.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The steps: one; in a chain, where chance chooses among commands, each with its share.
    pub steps: Vec<LabelledStep>,
    /// The successors in order, with their probabilities, which sum to 1.
    pub to: Vec<(State, Probability)>,
}

/// A step with its share.
#[derive(Clone, Debug)]
pub struct LabelledStep {
    /// The probability that this is done; 1 but in a chain.
    pub share: BigRational,
    /// The action, `None` of an unlabelled command. In a concurrent game, each player's; `None` of
    /// one who waits.
    pub actions: Vec<Option<usize>>,
}

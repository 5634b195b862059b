//! Game trees: nodes, information sets and payoffs.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};
use stochastic_game::internal::Expected;

/// A two-player zero-sum game tree with chance, in which both players have perfect recall.
///
/// Nodes are numbered in prefix order: a node comes before its successors. The payoff of an end is
/// A's.
#[derive(Clone, Debug)]
pub struct GameTree {
    pub(crate) nodes: Vec<Node>,
    /// The successors of all nodes, one node's after the other's.
    pub(super) successors: Vec<u32>,
    /// The different payoffs.
    pub(crate) payoffs: Vec<BigRational>,
    /// The different distributions of chance.
    pub(crate) distributions: Vec<Vec<BigRational>>,
    pub(super) sets: ByPlayer<Vec<InformationSet>>,
    /// The number of sequences of each player: of the actions in all information sets, and the
    /// empty one, which has number 0.
    pub(super) sequences: ByPlayer<u32>,
    pub(super) title: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// The place of the first successor.
    pub(super) first: u32,
}

/// Numbers are places in the lists of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    End { payoff: u32 },
    Chance { distribution: u32 },
    Decision { player: Player, set: u32 },
}

/// The number of a player's information set. A set comes after the sets in which the player moved
/// before.
pub type SetId = usize;

/// The nodes that look alike to the player who moves there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationSet {
    pub(super) name: String,
    pub(super) actions: Vec<String>,
    /// The player's last sequence before this set: 0 if it is the first choice.
    pub(super) parent: u32,
    /// The sequence that ends with the first action here; further actions follow.
    pub(crate) first_sequence: u32,
    pub(super) first_node: u32,
    pub(super) nodes: u32,
}

impl InformationSet {
    /// The name, unique among the player's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the actions, distinct.
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes as usize
    }

    /// Checks that there is a probability for each action of the player here.
    ///
    /// # Errors
    /// [`HiddenError::Strategy`]
    pub(super) fn check_count(
        &self,
        player: Player,
        probabilities: &[BigRational],
    ) -> Result<(), HiddenError> {
        let (found, expected) = (probabilities.len(), self.actions.len());
        if found == expected {
            return Ok(());
        }
        let reason = format!("there are {found} probabilities; expected {expected}");
        Err(HiddenError::Strategy { player, set: self.name.clone(), reason })
    }

    /// The player's last sequence before this set: 0 if it is the first choice.
    pub(crate) fn parent(&self) -> usize {
        self.parent as usize
    }

    /// The sequences that end here.
    pub(crate) fn sequences(&self) -> std::ops::Range<usize> {
        let first = self.first_sequence as usize;
        first..first + self.actions.len()
    }
}

impl GameTree {
    /// The number of nodes, with chance and ends.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always `false`: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of ends.
    pub fn ends(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::End { .. })).count()
    }

    /// The game's name, if its source has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Gives the game a name.
    #[must_use]
    pub fn with_title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned()).filter(|title| !title.is_empty());
        self
    }

    /// Whether another tree has the same nodes, payoffs, probabilities and information sets,
    /// whatever the games are called.
    pub fn is_same_game(&self, other: &Self) -> bool {
        self.nodes == other.nodes
            && self.successors == other.successors
            && self.payoffs == other.payoffs
            && self.distributions == other.distributions
            && self.sets == other.sets
    }

    /// A player's information sets, by their numbers.
    pub fn information_sets(&self, player: Player) -> &[InformationSet] {
        &self.sets[player]
    }

    /// The number of a player's information set of this name. Takes time in proportion to their
    /// number.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn set(&self, player: Player, name: &str) -> Result<SetId, HiddenError> {
        let index = self.sets[player].iter().position(|set| set.name == name);
        index.ok_or_else(|| self.unknown_set(player, name))
    }

    /// A player's information set of this number.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub(crate) fn information_set(
        &self,
        player: Player,
        set: SetId,
    ) -> Result<&InformationSet, HiddenError> {
        let sets = &self.sets[player];
        sets.get(set).ok_or_else(|| {
            let known = match sets.len().checked_sub(1) {
                Some(last) => format!("expected 0 to {last}"),
                None => "there is none".to_owned(),
            };
            HiddenError::UnknownSet { player, name: set.to_string(), known }
        })
    }

    /// The error that a player has no information set of this name.
    pub(crate) fn unknown_set(&self, player: Player, name: &str) -> HiddenError {
        let known = Expected(self.sets[player].iter().map(InformationSet::name)).to_string();
        HiddenError::UnknownSet { player, name: name.to_owned(), known }
    }

    /// The number of a player's sequences, the empty one counted.
    pub(crate) fn sequence_count(&self, player: Player) -> usize {
        self.sequences[player] as usize
    }

    /// The nodes that follow a node.
    pub(crate) fn successors(&self, node: u32) -> &[u32] {
        let Node { kind, first } = self.nodes[node as usize];
        let count = match kind {
            NodeKind::End { .. } => 0,
            NodeKind::Chance { distribution } => self.distributions[distribution as usize].len(),
            NodeKind::Decision { player, set } => self.sets[player][set as usize].actions.len(),
        };
        &self.successors[first as usize..first as usize + count]
    }

    /// The smallest and the largest payoff.
    pub(super) fn payoff_range(&self) -> [BigRational; 2] {
        let smallest = self.payoffs.iter().min().cloned().unwrap_or_default();
        let largest = self.payoffs.iter().max().cloned().unwrap_or_default();
        [smallest, largest]
    }

    /// The exponent of the unit of bounds: the finest power of two for which every payoff stays
    /// within ±2^61.
    pub(super) fn unit_exponent(&self) -> u32 {
        const BOUND_BITS: u64 = 61;
        /// Beyond this exponent, printing a bound would take too long.
        const FINEST: u64 = 1_000;

        let largest = self.payoffs.iter().map(Signed::abs).max().unwrap_or_default();
        let limit = BigInt::from(1) << BOUND_BITS;
        let mut exponent = 0;
        while exponent < FINEST && largest.numer() << (exponent + 1) <= &limit * largest.denom() {
            exponent += 1;
            if exponent == BOUND_BITS && largest.numer().to_u8() == Some(0) {
                break;
            }
        }
        exponent as u32
    }
}

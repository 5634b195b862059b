//! Builds game trees and checks them, perfect recall included.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::tree::{GameTree, InformationSet, Node, NodeKind};
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};

/// Puts a [`GameTree`] together, node by node in prefix order: after a node, the whole tree of its
/// first action, then that of the second one, and so on.
///
/// ```
/// use pencil_tennis::hidden::{GameTree, HiddenSolver};
/// use pencil_tennis::Player;
///
/// // B does not see which coin A chose.
/// let mut tree = GameTree::builder();
/// tree.decision(Player::A, "A chooses", &["heads", "tails"])?;
/// for payoffs in [[3, -1], [-2, 1]] {
///     tree.decision(Player::B, "B guesses", &["heads", "tails"])?;
///     tree.end(payoffs[0])?;
///     tree.end(payoffs[1])?;
/// }
/// let solution = HiddenSolver::new(tree.finish()?).solve()?;
/// let bounds = solution.enclosure();
/// assert!(bounds.lower() <= 1.0 / 7.0 && 1.0 / 7.0 <= bounds.upper());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
///
/// # Errors
/// Every method checks what it is given: [`HiddenError`] names the node.
#[derive(Clone, Debug)]
pub struct GameTreeBuilder {
    limit: usize,
    tree: GameTree,
    payoffs: HashMap<BigRational, u32>,
    distributions: HashMap<Vec<BigRational>, u32>,
    sets: ByPlayer<HashMap<String, u32>>,
    /// Nodes that lack successors, the last one first.
    open: Vec<OpenNode>,
}

#[derive(Clone, Copy, Debug)]
struct OpenNode {
    node: u32,
    taken: u32,
    actions: u32,
    /// Each player's last sequence before this node.
    before: ByPlayer<u32>,
}

impl GameTree {
    /// The default limit of nodes, which with their sets take some gigabytes.
    pub const NODE_LIMIT: usize = 50_000_000;

    /// Begins a tree, of which nodes are given in prefix order.
    pub fn builder() -> GameTreeBuilder {
        GameTreeBuilder::new(Self::NODE_LIMIT)
    }
}

impl GameTreeBuilder {
    fn new(limit: usize) -> Self {
        let tree = GameTree {
            nodes: Vec::new(),
            successors: Vec::new(),
            payoffs: Vec::new(),
            distributions: Vec::new(),
            sets: ByPlayer::new(|_| Vec::new()),
            sequences: ByPlayer::new(|_| 1),
            title: None,
        };
        Self {
            // Places are 32-bit numbers.
            limit: limit.min(1 << 31),
            tree,
            payoffs: HashMap::new(),
            distributions: HashMap::new(),
            sets: ByPlayer::new(|_| HashMap::new()),
            open: Vec::new(),
        }
    }

    /// Sets the most nodes that are allowed.
    #[must_use]
    pub fn node_limit(mut self, limit: usize) -> Self {
        self.limit = limit.min(1 << 31);
        self
    }

    /// Adds an end, with the payoff to A.
    ///
    /// # Errors
    /// Those of [`end_exactly`](Self::end_exactly).
    pub fn end(&mut self, payoff: i64) -> Result<(), HiddenError> {
        self.end_exactly(BigRational::from_integer(payoff.into()))
    }

    /// Adds an end, with the payoff to A as a fraction.
    ///
    /// # Errors
    /// [`HiddenError::Payoff`] if it is larger than 2^61 in size; [`HiddenError::TooLarge`],
    /// [`HiddenError::Complete`].
    pub fn end_exactly(&mut self, payoff: BigRational) -> Result<(), HiddenError> {
        let largest = BigRational::from_integer(BigInt::from(1) << 61);
        if payoff.abs() > largest {
            return Err(HiddenError::Payoff { payoff: payoff.to_string() });
        }
        let payoff = interned(&mut self.payoffs, &mut self.tree.payoffs, payoff);
        self.push(NodeKind::End { payoff }, 0)
    }

    /// Adds a node of chance, with the probabilities of its successors, which sum to 1.
    ///
    /// # Errors
    /// [`HiddenError::Probabilities`], [`HiddenError::NoSuccessor`]; [`HiddenError::TooLarge`],
    /// [`HiddenError::Complete`].
    pub fn chance(&mut self, probabilities: &[BigRational]) -> Result<(), HiddenError> {
        let node = self.tree.nodes.len() + 1;
        if probabilities.is_empty() {
            return Err(HiddenError::NoSuccessor { node });
        }
        let sum: BigRational = probabilities.iter().sum();
        if !sum.is_one() || probabilities.iter().any(Signed::is_negative) {
            return Err(HiddenError::Probabilities { node, sum });
        }
        let distribution =
            interned(&mut self.distributions, &mut self.tree.distributions, probabilities.to_vec());
        self.push(NodeKind::Chance { distribution }, probabilities.len())?;
        Ok(())
    }

    /// Adds a node at which a player moves, in the information set of this name, with the names of
    /// the actions.
    ///
    /// # Errors
    /// [`HiddenError::UnlikeActions`] if the set has other actions at an earlier node;
    /// [`HiddenError::ImperfectRecall`] if the player moved otherwise before an earlier node of the
    /// set; [`HiddenError::DuplicateAction`], [`HiddenError::NoSuccessor`],
    /// [`HiddenError::TooLarge`], [`HiddenError::Complete`].
    pub fn decision<S: AsRef<str>>(
        &mut self,
        player: Player,
        set: &str,
        actions: &[S],
    ) -> Result<(), HiddenError> {
        let node = self.tree.nodes.len() + 1;
        if actions.is_empty() {
            return Err(HiddenError::NoSuccessor { node });
        }
        let before = self.sequences_here();
        let number = match self.sets[player].get(set) {
            Some(&number) => {
                self.check_member(player, number, actions, before[player])?;
                self.tree.sets[player][number as usize].nodes += 1;
                number
            }
            None => self.open_set(player, set, actions, before[player])?,
        };
        self.push(NodeKind::Decision { player, set: number }, actions.len())
    }

    /// Adds a node at which a player moves, in an information set that has a node.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`] if it has none; those of [`decision`](Self::decision).
    pub fn decision_again(&mut self, player: Player, set: &str) -> Result<(), HiddenError> {
        let Some(&number) = self.sets[player].get(set) else {
            return Err(self.tree.unknown_set(player, set));
        };
        let actions = self.tree.sets[player][number as usize].actions.clone();
        self.decision(player, set, &actions)
    }

    /// The tree, if it is complete.
    ///
    /// # Errors
    /// [`HiddenError::Incomplete`], [`HiddenError::Empty`]
    pub fn finish(self) -> Result<GameTree, HiddenError> {
        if let Some(&OpenNode { node, taken, actions, .. }) = self.open.last() {
            let missing = (actions - taken) as usize;
            return Err(HiddenError::Incomplete { node: node as usize + 1, missing });
        }
        if self.tree.nodes.is_empty() {
            return Err(HiddenError::Empty);
        }
        Ok(self.tree)
    }

    /// Both players' last sequences before the next node.
    fn sequences_here(&self) -> ByPlayer<u32> {
        let Some(parent) = self.open.last() else { return ByPlayer::new(|_| 0) };
        let mut sequences = parent.before;
        if let NodeKind::Decision { player, set } = self.tree.nodes[parent.node as usize].kind {
            sequences[player] = self.tree.sets[player][set as usize].first_sequence + parent.taken;
        }
        sequences
    }

    /// Checks that the next node belongs into an information set that has nodes.
    fn check_member<S: AsRef<str>>(
        &self,
        player: Player,
        number: u32,
        actions: &[S],
        before: u32,
    ) -> Result<(), HiddenError> {
        let set = &self.tree.sets[player][number as usize];
        let name = set.name.clone();
        let [first, second] = [set.first_node as usize + 1, self.tree.nodes.len() + 1];
        if !set.actions.iter().map(String::as_str).eq(actions.iter().map(AsRef::as_ref)) {
            return Err(HiddenError::UnlikeActions { player, set: name, first, second });
        }
        if set.parent != before {
            return Err(HiddenError::ImperfectRecall { player, set: name, first, second });
        }
        Ok(())
    }

    fn open_set<S: AsRef<str>>(
        &mut self,
        player: Player,
        name: &str,
        actions: &[S],
        parent: u32,
    ) -> Result<u32, HiddenError> {
        let node = self.tree.nodes.len();
        let actions: Vec<String> =
            actions.iter().map(|action| action.as_ref().to_owned()).collect();
        let mut sorted: Vec<&String> = actions.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(HiddenError::DuplicateAction { node: node + 1, name: pair[0].clone() });
        }
        let number = self.tree.sets[player].len() as u32;
        let first_sequence = self.tree.sequences[player];
        self.tree.sequences[player] += actions.len() as u32;
        self.sets[player].insert(name.to_owned(), number);
        self.tree.sets[player].push(InformationSet {
            name: name.to_owned(),
            actions,
            parent,
            first_sequence,
            first_node: node as u32,
            nodes: 1,
        });
        Ok(number)
    }

    /// Adds a node below the last one that lacks successors.
    fn push(&mut self, kind: NodeKind, actions: usize) -> Result<(), HiddenError> {
        let node = self.tree.nodes.len();
        // Every successor is a node, too.
        if node >= self.limit || self.tree.successors.len() + actions >= self.limit {
            return Err(HiddenError::TooLarge { limit: self.limit });
        }
        let before = self.sequences_here();
        if node > 0 {
            let Some(parent) = self.open.last_mut() else {
                return Err(HiddenError::Complete { node: node + 1 });
            };
            let index = self.tree.nodes[parent.node as usize].first + parent.taken;
            self.tree.successors[index as usize] = node as u32;
            parent.taken += 1;
        }
        let first = self.tree.successors.len() as u32;
        self.tree.nodes.push(Node { kind, first });
        self.tree.successors.resize(first as usize + actions, 0);
        while self.open.last().is_some_and(|open| open.taken == open.actions) {
            self.open.pop();
        }
        if actions > 0 {
            self.open.push(OpenNode {
                node: node as u32,
                taken: 0,
                actions: actions as u32,
                before,
            });
        }
        Ok(())
    }
}

/// The place of a value in a list without repetitions, to which it is added if it is new.
fn interned<T: Clone + Eq + Hash>(
    indices: &mut HashMap<T, u32>,
    list: &mut Vec<T>,
    value: T,
) -> u32 {
    match indices.entry(value) {
        Entry::Occupied(entry) => *entry.get(),
        Entry::Vacant(entry) => {
            list.push(entry.key().clone());
            *entry.insert(list.len() as u32 - 1)
        }
    }
}

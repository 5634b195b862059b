use std::cmp::Ordering;

use super::plan::Plan;
use super::view::{BlindView, RELATIONS, place_of};
use crate::bounds::FixedPointScale;
use crate::error::Error;
use crate::game::{ByPlayer, PayoffRanks, Player, Rules, State};

pub(super) const NOWHERE: u32 = u32::MAX;

/// A public node: the balls so far. Its entries are both players' sequences of bids that are compatible with them and with some
/// sequence of the opponent.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) ball: i8,
    /// The child for each relation of the bids, or [`NOWHERE`].
    pub(super) children: [u32; 3],
    /// The first entry of A and of B, which end at the next node's.
    pub(super) entries: ByPlayer<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The sequence of the lowest bid; for a forced bid, the sequence of the player's last choice.
    pub(super) sequence: u32,
    pub(super) action: u32,
    /// The action that led here; [`NOWHERE`] at the root.
    pub(super) parent: u32,
    pub(super) account: u16,
    pub(super) low: u16,
    pub(super) high: u16,
}

impl Entry {
    pub(super) const fn is_forced(&self) -> bool {
        self.low == self.high
    }

    pub(super) const fn sequence_of(&self, bid: u32) -> usize {
        (self.sequence + (bid - self.low as u32)) as usize
    }

    pub(super) const fn action_of(&self, bid: u32) -> usize {
        (self.action + (bid - self.low as u32)) as usize
    }

    pub(super) const fn bids(&self) -> std::ops::RangeInclusive<u32> {
        self.low as u32..=self.high as u32
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) sequence: u32,
    /// The sequence of the player's previous choice; see [`PlayerTree::parents`].
    pub(super) parent: u32,
    pub(super) bids: u32,
}

impl Decision {
    pub(super) const fn sequences(&self) -> std::ops::Range<usize> {
        self.sequence as usize..(self.sequence + self.bids) as usize
    }
}

/// For an action, the rank to A of the certain payoff after each of the three relations; `None` while it is open.
pub(super) type Endings = [Option<u8>; 3];

#[derive(Clone, Debug, Default)]
pub(super) struct PlayerTree {
    /// By nodes, then by the own bids.
    pub(super) entries: Vec<Entry>,
    /// By entries, then by bids.
    pub(super) endings: Vec<Endings>,
    /// Every decision comes after that of its parent sequence.
    pub(super) decisions: Vec<Decision>,
    /// The number of sequences; sequence 0 is the empty one, every other ends with a bid at a decision.
    pub(super) sequences: usize,
    /// Further sequences that lead to a decision, where the player may forget bids that no longer matter.
    pub(super) joined: Vec<u32>,
    /// For every decision the offset of its sequences in `joined`, and the end; empty under perfect recall.
    pub(super) joins: Vec<u32>,
}

impl PlayerTree {
    pub(super) fn decide(&mut self, parent: u32, bids: u32) -> u32 {
        let sequence = self.sequences as u32;
        self.decisions.push(Decision { sequence, parent, bids });
        self.sequences += bids as usize;
        sequence
    }

    /// The sequences that lead to a decision: its parent, and those joined to it.
    pub(super) fn parents(&self, decision: usize) -> impl Iterator<Item = usize> {
        let joined = match self.joins.get(decision..decision + 2) {
            Some(&[from, to]) => &self.joined[from as usize..to as usize],
            _ => &[],
        };
        std::iter::once(&self.decisions[decision].parent).chain(joined).map(|&sequence| sequence as usize)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(super) rules: Rules,
    pub(super) start: State,
    /// Every node comes before its children; a last one marks the end of the entries.
    pub(super) nodes: Vec<Node>,
    pub(super) player_trees: ByPlayer<PlayerTree>,
    /// For every entry of A the offset in `spans` of its compatible entries of B, and the end.
    pub(super) places: Vec<u32>,
    /// Ranges of B's entries, counted within the node.
    pub(super) spans: Vec<[u32; 2]>,
    pub(super) ranks: PayoffRanks,
}

impl Tree {
    pub(super) fn new(rules: &Rules, start: State) -> Self {
        Self {
            rules: *rules,
            start,
            nodes: vec![Node::default()],
            player_trees: ByPlayer::new(|_| PlayerTree { sequences: 1, ..PlayerTree::default() }),
            places: vec![0],
            spans: Vec::new(),
            ranks: PayoffRanks::new(rules.scoring()),
        }
    }

    /// Adds a node with all entries since the last one, without children yet, and returns its index; `partners` has, for every
    /// entry of A, the compatible ones of B.
    pub(super) fn push_node(&mut self, ball: i32, partners: &[Vec<u32>]) -> usize {
        let node = self.len();
        (self.nodes[node].ball, self.nodes[node].children) = (ball as i8, [NOWHERE; 3]);
        let entries = self.player_trees.as_ref().map(|player_tree| player_tree.entries.len() as u32);
        self.nodes.push(Node { entries, ..Node::default() });
        for list in partners {
            self.spans.extend(list.chunk_by(|one, next| one + 1 == *next).map(|run| [run[0], run[run.len() - 1] + 1]));
            self.places.push(self.spans.len() as u32);
        }
        node
    }

    pub(super) fn entries(&self, node: usize, player: Player) -> std::ops::Range<usize> {
        let [from, to] = [node, node + 1].map(|node| self.nodes[node].entries[player] as usize);
        from..to
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The root: its node, and the only entry of either player there.
    pub(super) const AT_START: Option<(usize, usize)> = Some((0, 0));

    /// The node and the player's entry after a bid and a relation, if they are in the tree.
    pub(super) fn follow(
        &self,
        player: Player,
        at: Option<(usize, usize)>,
        bid: u32,
        relation: Ordering,
    ) -> Option<(usize, usize)> {
        let (node, entry) = at?;
        let entry = &self.player_trees[player].entries[entry];
        let child = self.nodes[node].children[place_of(relation)];
        if child == NOWHERE || !entry.bids().contains(&bid) {
            return None;
        }
        let range = self.entries(child as usize, player);
        let action = entry.action_of(bid) as u32;
        let place = self.player_trees[player].entries[range.clone()].binary_search_by_key(&action, |entry| entry.parent).ok()?;
        Some((child as usize, range.start + place))
    }

    /// The view of a player after these bids and balls, and the place in the tree, if it is in the tree.
    pub(super) fn find(&self, player: Player, bids: &[u32], balls: &[i32]) -> Result<(BlindView, Option<(usize, usize)>), Error> {
        let mut at = Self::AT_START;
        let step = |bid, relation| at = self.follow(player, at, bid, relation);
        let view = BlindView::followed(&self.rules, self.start, player, (bids, balls), step)?;
        Ok((view, at))
    }

    /// The pairs of compatible entries of A and B at a node.
    pub(super) fn pairs(&self, node: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let first = self.entries(node, Player::B).start;
        self.entries(node, Player::A).flat_map(move |a| {
            let [from, to] = [a, a + 1].map(|entry| self.places[entry] as usize);
            self.spans[from..to].iter().map(move |&[from, to]| (a, first + from as usize..first + to as usize))
        })
    }

    pub(super) fn forget_pairs(&mut self) {
        (self.places, self.spans) = Default::default();
        self.player_trees.iter_mut().for_each(|player_tree| player_tree.endings = Vec::new());
    }

    /// The size without pairs.
    pub(super) fn bytes(&self) -> usize {
        let player_tree = |player_tree: &PlayerTree| {
            player_tree.entries.len() * size_of::<Entry>() + player_tree.decisions.len() * size_of::<Decision>()
        };
        self.player_trees.iter().map(player_tree).sum::<usize>() + self.nodes.len() * size_of::<Node>()
    }

    pub(super) fn unit(&self) -> FixedPointScale {
        self.rules.scoring().scale()
    }

    /// Calls `visit` with every compatible pair of A's and B's entries with a bid at a node, and the rank of A's payoff; `None` if
    /// the game continues.
    pub(super) fn for_each_turn(&self, node: usize, mut visit: impl FnMut((&Entry, u32), (&Entry, u32), Option<u8>)) {
        let ball = i32::from(self.nodes[node].ball);
        // The payoff if both spend everything now.
        let emptied = RELATIONS.map(|relation| self.ranks.of(self.rules.end_at(self.rules.after(ball, relation))));
        let ByPlayer { a: tree_a, b: tree_b } = &self.player_trees;
        for (a, range) in self.pairs(node) {
            let a = &tree_a.entries[a];
            for b in &tree_b.entries[range] {
                for bid in a.bids() {
                    let endings = tree_a.endings[a.action_of(bid)];
                    for reply in b.bids() {
                        let relation = place_of(bid.cmp(&reply));
                        let both_empty = bid == u32::from(a.account) && reply == u32::from(b.account);
                        let rank = endings[relation].or_else(|| tree_b.endings[b.action_of(reply)][relation]);
                        visit((a, bid), (b, reply), rank.or(both_empty.then_some(emptied[relation])));
                    }
                }
            }
        }
    }

    pub(super) fn is_symmetric(&self) -> bool {
        self.start.mirrored() == self.start && self.rules.scoring().is_antisymmetric()
    }

    /// One player's plan, played by the other, in a symmetric game.
    pub(super) fn mirrored(&self, player: Player, plan: &Plan) -> Plan {
        let opponent = player.opponent();
        let mut weights = vec![0; self.player_trees[opponent].sequences];
        weights[0] = plan.0[0];
        let mut open = vec![(0, 0)];
        while let Some((node, image)) = open.pop() {
            for (own, other) in self.entries(node, player).zip(self.entries(image, opponent)) {
                let (own, other) = (self.player_trees[player].entries[own], self.player_trees[opponent].entries[other]);
                for bid in own.bids() {
                    weights[other.sequence_of(bid)] = plan.0[own.sequence_of(bid)];
                }
            }
            let children = self.nodes[node].children.iter().zip(self.nodes[image].children.iter().rev());
            open.extend(
                children.filter(|&(&child, _)| child != NOWHERE).map(|(&child, &image)| (child as usize, image as usize)),
            );
        }
        Plan(weights)
    }
}

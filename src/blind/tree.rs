//! The tree of public nodes, with the leaves that belong to each.

use std::cmp::Ordering;

use super::pure_bounds::PureBoundsTable;
use super::view::{BlindView, relation_index};
use crate::bounds::FixedPointScale;
use crate::game::{ByPlayer, PayoffRanks, Player, Rules, State};
use crate::hidden::finder::sequence_game::Decision;

pub(super) const NOWHERE: u32 = u32::MAX;

/// A public node: the balls so far. Its entries are both players' sequences of bids that are
/// compatible with them and with some sequence of the opponent.
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

#[derive(Clone, Debug, Default)]
pub(super) struct PlayerTree {
    /// By nodes, then by the own bids.
    pub(super) entries: Vec<Entry>,
    /// Every decision comes after that of its parent sequence.
    pub(super) decisions: Vec<Decision>,
    /// The number of sequences; sequence 0 is the empty one, every other ends with a bid at a
    /// decision.
    pub(super) sequences: usize,
    /// For every decision the further sequences that lead to it, where the player may forget bids
    /// that no longer matter; empty under perfect recall.
    pub(super) joined: Vec<Vec<u32>>,
}

impl PlayerTree {
    pub(super) fn decide(&mut self, parent: u32, bids: u32) -> u32 {
        let first = self.sequences as u32;
        self.decisions.push(Decision { parent, first, actions: bids });
        self.sequences += bids as usize;
        first
    }

    /// The sequences that lead to a decision: its parent, and those joined to it.
    pub(super) fn parents(&self, decision: usize) -> impl Iterator<Item = usize> {
        let joined = self.joined.get(decision).into_iter().flatten();
        std::iter::once(&self.decisions[decision].parent)
            .chain(joined)
            .map(|&sequence| sequence as usize)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(super) rules: Rules,
    pub(super) start: State,
    /// Every node comes before its children; a last one marks the end of the entries.
    pub(super) nodes: Vec<Node>,
    pub(super) player_trees: ByPlayer<PlayerTree>,
    pub(super) ranks: PayoffRanks,
    /// Pure security levels if both are blind, which also bound an informed player's from below.
    pub(super) pure_bounds: ByPlayer<PureBoundsTable>,
}

impl Tree {
    pub(super) fn new(rules: &Rules, start: State) -> Self {
        Self {
            rules: *rules,
            start,
            nodes: vec![Node::default()],
            player_trees: ByPlayer::new(|_| PlayerTree { sequences: 1, ..PlayerTree::default() }),
            ranks: PayoffRanks::new(rules.scoring()),
            pure_bounds: ByPlayer::new(|player| {
                PureBoundsTable::new(rules, BlindView::start(player, start))
            }),
        }
    }

    /// Adds a node with all entries since the last one, without children yet, and returns its
    /// index.
    pub(super) fn push_node(&mut self, ball: i32) -> usize {
        let node = self.nodes.len() - 1;
        (self.nodes[node].ball, self.nodes[node].children) = (ball as i8, [NOWHERE; 3]);
        let entries =
            self.player_trees.as_ref().map(|player_tree| player_tree.entries.len() as u32);
        self.nodes.push(Node { entries, ..Node::default() });
        node
    }

    pub(super) fn entries(&self, node: usize, player: Player) -> &[Entry] {
        let [from, to] = [node, node + 1].map(|node| self.nodes[node].entries[player] as usize);
        &self.player_trees[player].entries[from..to]
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
        let child = self.nodes[node].children[relation_index(relation)];
        if child == NOWHERE || !entry.bids().contains(&bid) {
            return None;
        }
        let (child, action) = (child as usize, entry.action_of(bid) as u32);
        let index =
            self.entries(child, player).binary_search_by_key(&action, |entry| entry.parent).ok()?;
        Some((child, self.nodes[child].entries[player] as usize + index))
    }

    /// The numbers of sequences.
    pub(super) fn sequences(&self) -> ByPlayer<usize> {
        self.player_trees.as_ref().map(|player_tree| player_tree.sequences)
    }

    pub(super) fn bytes(&self) -> usize {
        let player_tree = |player_tree: &PlayerTree| {
            player_tree.entries.len() * size_of::<Entry>()
                + player_tree.decisions.len() * size_of::<Decision>()
        };
        self.player_trees.iter().map(player_tree).sum::<usize>()
            + self.nodes.len() * size_of::<Node>()
    }

    pub(super) fn unit(&self) -> FixedPointScale {
        self.rules.scoring().scale()
    }

    /// One player's strategy by sequences, played by the other, in a symmetric game.
    pub(super) fn mirrored(&self, player: Player, strategy: &[f64]) -> Vec<f64> {
        let opponent = player.opponent();
        let mut weights = vec![0.0; self.player_trees[opponent].sequences];
        weights[0] = strategy[0];
        let mut open = vec![(0, 0)];
        while let Some((node, image)) = open.pop() {
            for (entry, image_entry) in
                self.entries(node, player).iter().zip(self.entries(image, opponent))
            {
                for bid in entry.bids() {
                    weights[image_entry.sequence_of(bid)] = strategy[entry.sequence_of(bid)];
                }
            }
            let children =
                self.nodes[node].children.iter().zip(self.nodes[image].children.iter().rev());
            open.extend(
                children
                    .filter(|&(&child, _)| child != NOWHERE)
                    .map(|(&child, &image)| (child as usize, image as usize)),
            );
        }
        weights
    }
}

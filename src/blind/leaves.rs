//! The leaves of the tree: who wins what after which choices.

use std::cmp::Ordering;

use super::tree::{Endings, Entry, Tree};
use super::view::{RELATIONS, place_of};
use crate::game::Player;

impl Tree {
    /// Calls `visit` with every leaf of the tree: the sequences of A's and of B's last choice, and the rank of what A wins.
    ///
    /// Two sequences have one leaf in common at most: what follows two last choices is forced.
    pub(super) fn for_each_leaf(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for node in 0..self.len() {
            let ball = i32::from(self.nodes[node].ball);
            // What the game pays if both spend everything now.
            let end = |relation: Ordering| self.rules.end_at(self.rules.after(ball, relation));
            let emptied = RELATIONS.map(|relation| usize::from(self.ranks.of(end(relation))));
            for (a, range) in self.pairs(node) {
                let own = self.player_trees.a.entries[a];
                for other in &self.player_trees.b.entries[range] {
                    self.leaves_of(&own, other, &emptied, &mut visit);
                }
            }
        }
    }

    fn leaves_of(&self, own: &Entry, other: &Entry, emptied: &[usize; 3], visit: &mut impl FnMut(usize, usize, usize)) {
        let endings = |player: Player, entry: &Entry, bid| -> Endings { self.player_tree(player).endings[entry.action_of(bid)] };
        for a in own.bids() {
            let ends_a = endings(Player::A, own, a);
            for b in other.bids() {
                let relation = a.cmp(&b);
                let both_empty = || {
                    let empty = a == u32::from(own.account) && b == u32::from(other.account);
                    empty.then(|| emptied[place_of(relation)])
                };
                let rank = ends_a.rank(relation).or_else(|| endings(Player::B, other, b).rank(relation)).or_else(both_empty);
                if let Some(rank) = rank {
                    visit(own.sequence_of(a), other.sequence_of(b), rank);
                }
            }
        }
    }
}

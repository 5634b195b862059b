use std::cmp::Ordering;

use super::pure_bounds::PureBoundsTable;
use super::tree::{Endings, Entry, NOWHERE, Tree};
use super::view::{BlindView, RELATIONS, place_of};
use crate::game::{ByPlayer, Player, Rules, State};

/// The parts of the tree that are pruned without changing the value; `docs/blind.md` has the proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Ends a branch where a player can force the best remaining payoff.
    pub decided: bool,
    /// Drops bids that cannot pay more than another secures.
    pub dominated: bool,
}

impl Reductions {
    pub const ALL: Self = Self { decided: true, dominated: true };

    pub const NONE: Self = Self { decided: false, dominated: false };
}

/// A player's arrival at a node.
struct Arrival {
    view: BlindView,
    /// The sequence of the last choice.
    sequence: u32,
    /// The action that led here.
    parent: u32,
}

pub(super) struct Builder {
    tree: Tree,
    pure_bounds: ByPlayer<PureBoundsTable>,
    reductions: Reductions,
}

impl Builder {
    pub(super) fn build(rules: &Rules, start: State, reductions: Reductions) -> Tree {
        let mut builder = Self { tree: Tree::new(rules, start), pure_bounds: PureBoundsTable::of_both(rules, start), reductions };
        let root = |player| vec![Arrival { view: BlindView::start(player, start), sequence: 0, parent: NOWHERE }];
        builder.node(start.ball.position(), &ByPlayer::new(root), &[vec![0]]);
        builder.tree
    }

    /// The certain payoff after a player's bid and a relation, if branches end there.
    fn ending(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        let ball = self.tree.rules.after(view.ball.position(), relation);
        let open = self.tree.rules.is_inside(ball) && view.after(bid, relation, ball).is_some();
        let table = &self.pure_bounds[view.player];
        if open && !self.reductions.decided { None } else { table.decided(view, bid, relation) }
    }

    /// Adds a node and its subtree, and returns its index; `partners` has, for every entry of A, the compatible ones of B.
    fn node(&mut self, ball: i32, arrivals: &ByPlayer<Vec<Arrival>>, partners: &[Vec<u32>]) -> u32 {
        let first = self.tree.player_trees.as_ref().map(|player_tree| player_tree.endings.len());
        arrivals.iter().flatten().for_each(|arrival| self.enter(arrival));
        let node = self.tree.push_node(ball, partners);
        let actions = ByPlayer::new(|player| self.tree.player_trees[player].endings.len() - first[player]);
        // For every relation and action of A, the actions of B after which the game continues.
        let mut open = RELATIONS.map(|_| vec![Vec::new(); actions.a]);
        self.tree.for_each_turn(node, |(a, bid), (b, reply), rank| {
            if rank.is_none() {
                open[place_of(bid.cmp(&reply))][a.action_of(bid) - first.a].push((b.action_of(reply) - first.b) as u32);
            }
        });
        for (relation, mut partners) in RELATIONS.into_iter().zip(open) {
            if partners.iter().all(Vec::is_empty) {
                continue;
            }
            let mut goes_on = ByPlayer { a: partners.iter().map(|list| !list.is_empty()).collect(), b: vec![false; actions.b] };
            partners.iter().flatten().for_each(|&action| goes_on.b[action as usize] = true);
            // B's actions lead to entries in their order.
            let places = goes_on.b.iter().scan(0, |place, &goes_on| Some(std::mem::replace(place, *place + u32::from(goes_on))));
            let places: Vec<u32> = places.collect();
            partners.retain(|list| !list.is_empty());
            partners.iter_mut().flatten().for_each(|action| *action = places[*action as usize]);
            let next = self.tree.rules.after(ball, relation);
            let arrivals =
                ByPlayer::new(|player| self.arrivals((node, player), &arrivals[player], (relation, next), &goes_on[player]));
            self.tree.nodes[node].children[place_of(relation)] = self.node(next, &arrivals, &partners);
        }
        node as u32
    }

    fn enter(&mut self, &Arrival { view, sequence, parent }: &Arrival) {
        let bids = if self.reductions.dominated { self.pure_bounds[view.player].undominated(&view) } else { view.bids() };
        let endings = |bid| RELATIONS.map(|relation| self.ending(&view, bid, relation));
        let endings: Vec<Endings> = bids.clone().map(endings).collect();
        let player_tree = &mut self.tree.player_trees[view.player];
        let (low, high) = bids.into_inner();
        let sequence = if low < high { player_tree.decide(sequence, high - low + 1) } else { sequence };
        let (action, account) = (player_tree.endings.len() as u32, view.points as u16);
        player_tree.entries.push(Entry { sequence, action, parent, account, low: low as u16, high: high as u16 });
        player_tree.endings.extend(endings);
    }

    /// The arrivals of a player after those actions of a node after which the game goes on.
    fn arrivals(
        &self,
        (node, player): (usize, Player),
        before: &[Arrival],
        (relation, ball): (Ordering, i32),
        goes_on: &[bool],
    ) -> Vec<Arrival> {
        let entries = &self.tree.player_trees[player].entries[self.tree.entries(node, player)];
        let actions = entries.iter().zip(before).flat_map(|(entry, arrival)| entry.bids().map(move |bid| (entry, arrival, bid)));
        let after = |((entry, arrival, bid), _): ((&Entry, &Arrival, u32), _)| {
            let (sequence, parent) = (entry.sequence_of(bid) as u32, entry.action_of(bid) as u32);
            arrival.view.after(bid, relation, ball).map(|view| Arrival { view, sequence, parent })
        };
        actions.zip(goes_on).filter(|&(_, &goes_on)| goes_on).filter_map(after).collect()
    }
}

use std::cmp::Ordering;

use super::payoff_matrix::{PayoffMatrix, VisitLeaf};
use super::tree::{Entry, NOWHERE, Tree};
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

/// For an action, the rank to A of the certain payoff after each of the three relations; `None` while it is open.
type Endings = [Option<u8>; 3];

struct Builder<'b> {
    tree: Tree,
    reductions: Reductions,
    leaf: &'b mut VisitLeaf<'b>,
}

/// The tree of the game in which both are blind. Two sequences have at most one common leaf, since play after two last choices is
/// forced.
pub(super) fn build(rules: &Rules, start: State, reductions: Reductions) -> (Tree, PayoffMatrix) {
    PayoffMatrix::of_tree(|leaf| {
        let mut builder = Builder { tree: Tree::new(rules, start), reductions, leaf };
        let root = |player| vec![Arrival { view: BlindView::start(player, start), sequence: 0, parent: NOWHERE }];
        builder.node(start.ball.position(), &ByPlayer::new(root), &[vec![0]]);
        builder.tree
    })
}

impl Builder<'_> {
    /// The certain payoff after a player's bid and a relation, if branches end there.
    fn ending(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        let ball = self.tree.rules.after(view.ball.position(), relation);
        let open = self.tree.rules.is_inside(ball) && view.after(bid, relation, ball).is_some();
        let table = &self.tree.pure_bounds[view.player];
        if open && !self.reductions.decided { None } else { table.decided(view, bid, relation) }
    }

    /// Adds a node and its subtree, and returns its index; `partners` has, for every entry of A, the compatible ones of B.
    fn node(&mut self, ball: i32, arrivals: &ByPlayer<Vec<Arrival>>, partners: &[Vec<u32>]) -> u32 {
        let mut endings = ByPlayer::default();
        arrivals.iter().flatten().for_each(|arrival| self.enter(arrival, &mut endings[arrival.view.player]));
        let node = self.tree.push_node(ball);
        let Self { tree, leaf, .. } = self;
        // The payoff if both spend everything now.
        let emptied = RELATIONS.map(|relation| tree.ranks.of(tree.rules.end_at(tree.after(node, relation))));
        // For every relation and action of A, the actions of B after which the game continues.
        let mut open = RELATIONS.map(|_| vec![Vec::new(); endings.a.len()]);
        for (a, partners) in tree.entries(node, Player::A).iter().zip(partners) {
            for b in partners.iter().map(|&partner| &tree.entries(node, Player::B)[partner as usize]) {
                for bid in a.bids() {
                    for reply in b.bids() {
                        let (relation, action, other) = (place_of(bid.cmp(&reply)), a.action_of(bid), b.action_of(reply));
                        let both_empty = bid == u32::from(a.account) && reply == u32::from(b.account);
                        let rank = endings.a[action][relation].or(endings.b[other][relation]);
                        match rank.or(both_empty.then_some(emptied[relation])) {
                            Some(rank) => leaf(a.sequence_of(bid), b.sequence_of(reply), rank.into()),
                            None => open[relation][action].push(other as u32),
                        }
                    }
                }
            }
        }
        for (relation, mut partners) in RELATIONS.into_iter().zip(open) {
            if partners.iter().all(Vec::is_empty) {
                continue;
            }
            let mut goes_on =
                ByPlayer { a: partners.iter().map(|list| !list.is_empty()).collect(), b: vec![false; endings.b.len()] };
            partners.iter().flatten().for_each(|&action| goes_on.b[action as usize] = true);
            // B's actions lead to entries in their order.
            let places = goes_on.b.iter().scan(0, |place, &goes_on| Some(std::mem::replace(place, *place + u32::from(goes_on))));
            let places: Vec<u32> = places.collect();
            partners.retain(|list| !list.is_empty());
            partners.iter_mut().flatten().for_each(|action| *action = places[*action as usize]);
            let next = self.tree.after(node, relation);
            let arrivals = ByPlayer::new(|player| {
                following(self.tree.entries(node, player), &arrivals[player], (relation, next), &goes_on[player])
            });
            self.tree.nodes[node].children[place_of(relation)] = self.node(next, &arrivals, &partners);
        }
        node as u32
    }

    /// Adds an entry, and the endings of its actions to those of the node.
    fn enter(&mut self, &Arrival { view, sequence, parent }: &Arrival, endings: &mut Vec<Endings>) {
        let bids = if self.reductions.dominated { self.tree.pure_bounds[view.player].undominated(&view) } else { view.bids() };
        let (action, account) = (endings.len() as u32, view.points as u16);
        endings.extend(bids.clone().map(|bid| RELATIONS.map(|relation| self.ending(&view, bid, relation))));
        let player_tree = &mut self.tree.player_trees[view.player];
        let (low, high) = bids.into_inner();
        let sequence = if low < high { player_tree.decide(sequence, high - low + 1) } else { sequence };
        player_tree.entries.push(Entry { sequence, action, parent, account, low: low as u16, high: high as u16 });
    }
}

/// A player's arrivals after those actions of a node after which the game goes on.
fn following(entries: &[Entry], before: &[Arrival], (relation, ball): (Ordering, i32), goes_on: &[bool]) -> Vec<Arrival> {
    let actions = entries.iter().zip(before).flat_map(|(entry, arrival)| entry.bids().map(move |bid| (entry, arrival, bid)));
    let after = |((entry, arrival, bid), _): ((&Entry, &Arrival, u32), _)| {
        let (sequence, parent) = (entry.sequence_of(bid) as u32, entry.action_of(bid) as u32);
        arrival.view.after(bid, relation, ball).map(|view| Arrival { view, sequence, parent })
    };
    actions.zip(goes_on).filter(|&(_, &goes_on)| goes_on).filter_map(after).collect()
}

//! Builds the tree of public nodes and prunes it.

use std::cmp::Ordering;

use super::sequence_form::SequenceForm;
use super::tree::{Entry, NOWHERE, Tree};
use super::view::{BlindView, RELATIONS, relation_index};
use crate::game::{ByPlayer, Player, Rules, State};
use crate::hidden::finder::payoff_matrix::PayoffMatrix;

/// The parts of the tree that are pruned without changing the value; `docs/blind.md` has the
/// proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reductions {
    /// Ends a branch where a player can force the best remaining payoff.
    pub(super) decided: bool,
    /// Drops bids that cannot pay more than another secures.
    pub(super) dominated: bool,
}

impl Reductions {
    pub(super) const ALL: Self = Self { decided: true, dominated: true };

    pub(super) const NONE: Self = Self { decided: false, dominated: false };
}

/// A player's arrival at a node.
struct Arrival {
    view: BlindView,
    /// The sequence of the last choice.
    sequence: u32,
    /// The action that led here.
    parent: u32,
}

/// For an action, the rank to A of the certain payoff after each of the three relations; `None`
/// while it is open.
type Endings = [Option<u8>; 3];

struct Builder {
    tree: Tree,
    reductions: Reductions,
    /// By entries, then by bids.
    endings: ByPlayer<Vec<Endings>>,
    /// For every entry of A the offset in `spans` of its compatible entries of B, and the end.
    offsets: Vec<u32>,
    /// Ranges of B's entries, counted within the node.
    spans: Vec<[u32; 2]>,
}

/// The tree of the game in which both are blind, and its matrix. Two sequences have at most one
/// common leaf, since play after two last choices is forced.
pub(super) fn build(rules: &Rules, start: State, reductions: Reductions) -> SequenceForm {
    let (tree, endings) = (Tree::new(rules, start), ByPlayer::default());
    let mut builder = Builder { tree, reductions, endings, offsets: vec![0], spans: Vec::new() };
    let root = |player| {
        vec![Arrival { view: BlindView::start(player, start), sequence: 0, parent: NOWHERE }]
    };
    builder.node(start.ball.position(), &ByPlayer::new(root), &[vec![0]]);
    let matrix = PayoffMatrix::new(builder.tree.sequences(), |visit| {
        for node in 0..builder.tree.nodes.len() - 1 {
            builder.for_each_turn(node, |(a, bid), (b, reply), rank| {
                if let Some(rank) = rank {
                    visit(a.sequence_of(bid), b.sequence_of(reply), rank.into());
                }
            });
        }
    });
    let is_symmetric = start.mirrored() == start && rules.is_antisymmetric();
    SequenceForm { tree: builder.tree, matrix, is_symmetric }
}

impl Builder {
    /// The certain payoff after a player's bid and a relation, if branches end there.
    fn ending(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        let ball = self.tree.rules.after(view.ball.position(), relation);
        let open = self.tree.rules.is_inside(ball) && view.after(bid, relation, ball).is_some();
        let table = &self.tree.pure_bounds[view.player];
        if open && !self.reductions.decided { None } else { table.decided(view, bid, relation) }
    }

    /// Calls `visit` with every compatible pair of A's and B's entries with a bid at a node, and
    /// the rank of A's payoff; `None` if the game continues.
    fn for_each_turn(
        &self,
        node: usize,
        mut visit: impl FnMut((&Entry, u32), (&Entry, u32), Option<u8>),
    ) {
        let Tree { rules, ranks, nodes, .. } = &self.tree;
        // The payoff if both spend everything now.
        let emptied = RELATIONS
            .map(|relation| ranks.of(rules.end_at(rules.after(nodes[node].ball.into(), relation))));
        let [entries, others] = Player::BOTH.map(|player| self.tree.entries(node, player));
        let spans = self.offsets[nodes[node].entries.a as usize..]
            .windows(2)
            .map(|ends| &self.spans[ends[0] as usize..ends[1] as usize]);
        for (a, &[from, to]) in
            entries.iter().zip(spans).flat_map(|(a, spans)| spans.iter().map(move |span| (a, span)))
        {
            for b in &others[from as usize..to as usize] {
                for bid in a.bids() {
                    let endings = self.endings.a[a.action_of(bid)];
                    for reply in b.bids() {
                        let relation = relation_index(bid.cmp(&reply));
                        let both_empty =
                            bid == u32::from(a.account) && reply == u32::from(b.account);
                        let rank = endings[relation]
                            .or_else(|| self.endings.b[b.action_of(reply)][relation]);
                        visit(
                            (a, bid),
                            (b, reply),
                            rank.or(both_empty.then_some(emptied[relation])),
                        );
                    }
                }
            }
        }
    }

    /// Adds a node and its subtree, and returns its index; `partners` has, for every entry of A,
    /// the compatible ones of B.
    fn node(&mut self, ball: i32, arrivals: &ByPlayer<Vec<Arrival>>, partners: &[Vec<u32>]) -> u32 {
        let first = self.endings.as_ref().map(Vec::len);
        arrivals.iter().flatten().for_each(|arrival| self.enter(arrival));
        let node = self.tree.push_node(ball);
        for list in partners {
            self.spans.extend(
                list.chunk_by(|one, next| one + 1 == *next)
                    .map(|run| [run[0], run[run.len() - 1] + 1]),
            );
            self.offsets.push(self.spans.len() as u32);
        }
        let actions = ByPlayer::new(|player| self.endings[player].len() - first[player]);
        // For every relation and action of A, the actions of B after which the game continues.
        let mut open = RELATIONS.map(|_| vec![Vec::new(); actions.a]);
        self.for_each_turn(node, |(a, bid), (b, reply), rank| {
            if rank.is_none() {
                open[relation_index(bid.cmp(&reply))][a.action_of(bid) - first.a]
                    .push((b.action_of(reply) - first.b) as u32);
            }
        });
        for (relation, mut partners) in RELATIONS.into_iter().zip(open) {
            if partners.iter().all(Vec::is_empty) {
                continue;
            }
            let mut continues = ByPlayer {
                a: partners.iter().map(|list| !list.is_empty()).collect(),
                b: vec![false; actions.b],
            };
            partners.iter().flatten().for_each(|&action| continues.b[action as usize] = true);
            // B's actions lead to entries in their order.
            let indices = continues.b.iter().scan(0, |index, &continues| {
                Some(std::mem::replace(index, *index + u32::from(continues)))
            });
            let indices: Vec<u32> = indices.collect();
            partners.retain(|list| !list.is_empty());
            partners.iter_mut().flatten().for_each(|action| *action = indices[*action as usize]);
            let next = self.tree.rules.after(ball, relation);
            let arrivals = ByPlayer::new(|player| {
                successors(
                    self.tree.entries(node, player),
                    &arrivals[player],
                    relation,
                    next,
                    &continues[player],
                )
            });
            self.tree.nodes[node].children[relation_index(relation)] =
                self.node(next, &arrivals, &partners);
        }
        node as u32
    }

    fn enter(&mut self, &Arrival { view, sequence, parent }: &Arrival) {
        let bids = if self.reductions.dominated {
            self.tree.pure_bounds[view.player].undominated(&view)
        } else {
            view.bids()
        };
        let endings = |bid| RELATIONS.map(|relation| self.ending(&view, bid, relation));
        let endings: Vec<Endings> = bids.clone().map(endings).collect();
        let (player_tree, all) =
            (&mut self.tree.player_trees[view.player], &mut self.endings[view.player]);
        let (low, high) = bids.into_inner();
        let sequence =
            if low < high { player_tree.decide(sequence, high - low + 1) } else { sequence };
        let (action, account) = (all.len() as u32, view.points as u16);
        player_tree.entries.push(Entry {
            sequence,
            action,
            parent,
            account,
            low: low as u16,
            high: high as u16,
        });
        all.extend(endings);
    }
}

/// A player's arrivals after those actions of a node after which the game goes on, where the
/// relation of the bids takes the ball to `ball`.
fn successors(
    entries: &[Entry],
    before: &[Arrival],
    relation: Ordering,
    ball: i32,
    continues: &[bool],
) -> Vec<Arrival> {
    let actions = entries
        .iter()
        .zip(before)
        .flat_map(|(entry, arrival)| entry.bids().map(move |bid| (entry, arrival, bid)));
    let after = |((entry, arrival, bid), _): ((&Entry, &Arrival, u32), _)| {
        let (sequence, parent) = (entry.sequence_of(bid) as u32, entry.action_of(bid) as u32);
        arrival.view.after(bid, relation, ball).map(|view| Arrival { view, sequence, parent })
    };
    actions.zip(continues).filter(|&(_, &continues)| continues).filter_map(after).collect()
}

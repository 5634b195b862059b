use std::cmp::Ordering;

use super::pure_bounds::PureBoundsTable;
use super::tree::{Endings, Entry, NOWHERE, Node, Tree};
use super::view::{BlindView, RELATIONS, place_of};
use crate::game::{ByPlayer, PayoffRanks, Player, Rules, State};

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

const DEAD: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct PendingEntry {
    view: BlindView,
    sequence: u32,
    parent: u32,
    low: u32,
    high: u32,
    /// The index of its first action among those of the node.
    action: u32,
}

struct Arrivals {
    pending: Vec<PendingEntry>,
    /// For every action of the node its entry there, or [`DEAD`].
    places: Vec<u32>,
}

struct CompatibleEntries {
    entries: ByPlayer<Vec<PendingEntry>>,
    lists: Vec<Vec<u32>>,
}

pub(super) struct Builder {
    tree: Tree,
    pure_bounds: ByPlayer<PureBoundsTable>,
    reductions: Reductions,
}

impl Builder {
    pub(super) fn build(rules: &Rules, start: State, reductions: Reductions) -> Tree {
        let table = |player: Player| PureBoundsTable::new(rules, player, [start.points(player), start.points(player.opponent())]);
        let pure_bounds = ByPlayer::new(table);
        let tree = Tree {
            rules: *rules,
            start,
            nodes: Vec::new(),
            player_trees: ByPlayer::default(),
            places: Vec::new(),
            spans: Vec::new(),
            ranks: PayoffRanks::new(rules.scoring()),
        };
        let mut builder = Self { tree, pure_bounds, reductions };
        for player_tree in builder.tree.player_trees.iter_mut() {
            player_tree.sequences = 1;
        }
        let roots = ByPlayer::new(|player| vec![builder.pending(BlindView::start(player, start), 0, NOWHERE, 0)]);
        builder.node(start.ball.position(), roots, &[vec![0]]);
        let end = builder.tree.player_trees.as_ref().map(|player_tree| player_tree.entries.len() as u32);
        builder.tree.nodes.push(Node { ball: 0, children: [NOWHERE; 3], entries: end });
        builder.tree.places.push(builder.tree.spans.len() as u32);
        builder.tree
    }

    fn pending(&self, view: BlindView, sequence: u32, parent: u32, action: u32) -> PendingEntry {
        let bids = if self.reductions.dominated { self.pure_bounds[view.player].undominated(&view) } else { view.bids() };
        let (low, high) = bids.into_inner();
        PendingEntry { view, sequence, parent, low, high, action }
    }

    /// The certain payoff after a player's bid and a relation, if branches end there.
    fn ending(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        let ball = self.tree.rules.after(view.ball.position(), relation);
        let open = self.tree.rules.is_inside(ball) && view.after(bid, relation, ball).is_some();
        let table = &self.pure_bounds[view.player];
        if open && !self.reductions.decided { None } else { table.decided(view, bid, relation) }
    }

    /// Adds a node and its subtree, and returns its index; `pairs` has, for every entry of A, the compatible ones of B.
    fn node(&mut self, ball: i32, mut pending: ByPlayer<Vec<PendingEntry>>, pairs: &[Vec<u32>]) -> u32 {
        let number = self.tree.nodes.len();
        let entries = self.tree.player_trees.as_ref().map(|player_tree| player_tree.entries.len() as u32);
        self.tree.nodes.push(Node { ball: ball as i8, children: [NOWHERE; 3], entries });
        for list in pairs {
            self.tree.places.push(self.tree.spans.len() as u32);
            for run in list.chunk_by(|one, next| one + 1 == *next) {
                self.tree.spans.push([run[0], run[run.len() - 1] + 1]);
            }
        }
        let first_actions = self.tree.player_trees.as_ref().map(|player_tree| player_tree.endings.len() as u32);
        for player in Player::BOTH {
            self.enter(player, &mut pending[player]);
        }
        for relation in RELATIONS {
            let next = self.tree.rules.after(ball, relation);
            if !self.tree.rules.is_inside(next) {
                continue;
            }
            let arrivals = pending.as_ref().map(|pending| self.arrivals(pending, relation, next, first_actions));
            if let Some(CompatibleEntries { entries, lists }) = compatible(&pending, pairs, relation, arrivals) {
                let child = self.node(next, entries, &lists);
                self.tree.nodes[number].children[place_of(relation)] = child;
            }
        }
        number as u32
    }

    fn enter(&mut self, player: Player, pending: &mut [PendingEntry]) {
        let first = self.tree.player_trees[player].endings.len();
        for entry in pending {
            let endings: Vec<Endings> = (entry.low..=entry.high)
                .map(|bid| {
                    let mut endings = Endings::default();
                    for relation in RELATIONS {
                        if let Some(rank) = self.ending(&entry.view, bid, relation) {
                            endings.set(relation, rank);
                        }
                    }
                    endings
                })
                .collect();
            let player_tree = &mut self.tree.player_trees[player];
            let action = player_tree.endings.len();
            player_tree.endings.extend(endings);
            entry.action = (action - first) as u32;
            if entry.low < entry.high {
                entry.sequence = player_tree.decide(entry.sequence, entry.high - entry.low + 1);
            }
            player_tree.entries.push(Entry {
                sequence: entry.sequence,
                action: action as u32,
                parent: entry.parent,
                account: entry.view.points as u16,
                low: entry.low as u16,
                high: entry.high as u16,
            });
        }
    }

    fn arrivals(&self, pending: &[PendingEntry], relation: Ordering, ball: i32, first_actions: ByPlayer<u32>) -> Arrivals {
        let mut arrivals = Arrivals { pending: Vec::new(), places: Vec::new() };
        for entry in pending {
            for bid in entry.low..=entry.high {
                let open = self.ending(&entry.view, bid, relation).is_none();
                let Some(view) = entry.view.after(bid, relation, ball).filter(|_| open) else {
                    arrivals.places.push(DEAD);
                    continue;
                };
                let sequence = if entry.low < entry.high { entry.sequence + (bid - entry.low) } else { entry.sequence };
                let parent = first_actions[view.player] + arrivals.places.len() as u32;
                arrivals.places.push(arrivals.pending.len() as u32);
                arrivals.pending.push(self.pending(view, sequence, parent, 0));
            }
        }
        arrivals
    }
}

/// The compatible arrivals: entries of both players with at least one partner, and for each of A's its partners.
fn compatible(
    pending: &ByPlayer<Vec<PendingEntry>>,
    pairs: &[Vec<u32>],
    relation: Ordering,
    arrivals: ByPlayer<Arrivals>,
) -> Option<CompatibleEntries> {
    let ByPlayer { a, b } = arrivals;
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); a.pending.len()];
    let mut met = vec![false; b.pending.len()];
    for (own, list) in pending.a.iter().zip(pairs) {
        for bid in own.low..=own.high {
            let place = a.places[(own.action + bid - own.low) as usize];
            if place == DEAD {
                continue;
            }
            let partners = &mut lists[place as usize];
            let empty = own.view.points == bid;
            for other in list.iter().map(|&place| &pending.b[place as usize]) {
                let (low, high) = match relation {
                    Ordering::Greater => (other.low, other.high.min(bid.saturating_sub(1))),
                    Ordering::Equal => (other.low.max(bid), other.high.min(bid)),
                    Ordering::Less => (other.low.max(bid + 1), other.high),
                };
                if relation == Ordering::Greater && bid == 0 {
                    continue;
                }
                for reply in low..=high {
                    let place = b.places[(other.action + reply - other.low) as usize];
                    let ended = empty && reply == other.view.points;
                    if place != DEAD && !ended {
                        partners.push(place);
                        met[place as usize] = true;
                    }
                }
            }
        }
    }
    // Removes entries without a partner.
    let mut places = Vec::with_capacity(met.len());
    let mut kept = 0;
    for &met in &met {
        places.push(kept);
        kept += u32::from(met);
    }
    let keep = |pending: Vec<PendingEntry>, kept: &dyn Fn(usize) -> bool| -> Vec<PendingEntry> {
        pending.into_iter().enumerate().filter(|&(place, _)| kept(place)).map(|(_, entry)| entry).collect()
    };
    let children = ByPlayer { a: keep(a.pending, &|place| !lists[place].is_empty()), b: keep(b.pending, &|place| met[place]) };
    lists.retain(|list| !list.is_empty());
    for place in lists.iter_mut().flatten() {
        *place = places[*place as usize];
    }
    (!lists.is_empty()).then_some(CompatibleEntries { entries: children, lists })
}

//! The game in which one player alone is blind and the other sees all bids.
//!
//! The informed player knows the blind player's information set; of the own bids only the account matters. So the informed player
//! has a decision for every account at every information set of the blind player, which joins the sequences that lead to the
//! account.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::payoff_matrix::{Leaves, PayoffMatrix};
use super::plan::ProvedPlans;
use super::pure_bounds::PureBoundsTable;
use super::regret::{ProofProgress, RegretMinimisers, after_proof};
use super::tree::{PlayerTree, Tree};
use super::view::{BlindView, RELATIONS};
use crate::bounds::{Bounds, Enclosure};
use crate::game::{Ball, ByPlayer, PayoffRanks, Player, Rules, State};
use crate::work::Threads;

/// Bounds of the value to A if only `blind` is blind, at most `gap` apart unless `go_on`, which hears the bounds after every
/// proved iteration, breaks first.
pub(super) fn solve(
    rules: &Rules,
    start: State,
    blind: Player,
    gap: f64,
    mut go_on: impl FnMut(Enclosure) -> ControlFlow<()>,
) -> Enclosure {
    let (tree, matrix) = build(rules, start, blind);
    let mut minimisers = RegretMinimisers::new(&tree);
    let mut progress = ProofProgress::default();
    let mut next_proof = 0;
    let mut narrowest = Bounds::new(i64::MIN, i64::MAX);
    loop {
        if minimisers.iterations == next_proof {
            // The last strategies are often far ahead of the averages, and no strategy is kept: at 11:10 the bounds for a blind A
            // are 1e-5 apart after 4,550 iterations, by averages alone after 14,838.
            for weights in [minimisers.averages(), minimisers.bids()] {
                let Bounds { lower, upper } = ProvedPlans::approximate(&tree, &matrix, weights).enclosure.integers();
                narrowest = Bounds::new(narrowest.lower.max(lower), narrowest.upper.min(upper));
            }
            let bounds = Enclosure::new(narrowest, tree.unit());
            if bounds.width() <= gap || progress.has_ended(next_proof, bounds) || go_on(bounds).is_break() {
                return bounds;
            }
            next_proof = after_proof(next_proof);
        }
        minimisers.iterate(blind, &tree, &matrix, &Threads::alone());
    }
}

/// An account of the informed player, with the sequences that lead to it.
type OpenAccount = (u32, Vec<u32>);

struct Builder {
    tree: Tree,
    blind: Player,
    leaves: Leaves,
    /// The pure security levels of both players if both were blind, which also bound an informed player's from below.
    pure_bounds: ByPlayer<PureBoundsTable>,
}

/// The sequence form without decided branches and dominated bids; `docs/blind.md` proves that the value is the same.
fn build(rules: &Rules, start: State, blind: Player) -> (Tree, PayoffMatrix) {
    let table = |player: Player| PureBoundsTable::new(rules, player, [start.points(player), start.points(player.opponent())]);
    let mut player_trees = ByPlayer::new(|_| PlayerTree { sequences: 1, ..PlayerTree::default() });
    player_trees[blind.opponent()].joins.push(0);
    let ranks = PayoffRanks::new(rules.scoring());
    let (nodes, places, spans) = Default::default();
    let tree = Tree { rules: *rules, start, nodes, player_trees, places, spans, ranks };
    let mut builder = Builder { tree, blind, leaves: Leaves::default(), pure_bounds: ByPlayer::new(table) };
    builder.leaves.push_sequence([]);
    builder.node(&BlindView::start(blind, start), 0, &[(start.points(blind.opponent()), vec![0])]);
    let others = builder.tree.player_tree(blind.opponent()).sequences;
    (builder.tree, PayoffMatrix::of_side(blind, builder.leaves, others))
}

impl Builder {
    /// Adds an information set of the blind player and its subtree; `accounts` are the other's possible accounts there.
    fn node(&mut self, view: &BlindView, parent: u32, accounts: &[OpenAccount]) {
        let (low, high) = self.pure_bounds[self.blind].undominated(view).into_inner();
        let sequence = self.tree.player_trees[self.blind].decide(parent, high - low + 1);
        let opponent = self.blind.opponent();
        let mut replies = Vec::new();
        for (points, parents) in accounts {
            let (lowest, highest) = self.pure_bounds[opponent].undominated(&informed(view, *points)).into_inner();
            let player_tree = &mut self.tree.player_trees[opponent];
            let first = player_tree.decide(parents[0], highest - lowest + 1);
            player_tree.joined.extend(&parents[1..]);
            player_tree.joins.push(player_tree.joined.len() as u32);
            replies.extend((lowest..=highest).map(|reply| (points - reply, reply, first + reply - lowest)));
        }
        // Later information sets follow all leaves of this one, so that leaves are in the order of sequences.
        let mut following = Vec::new();
        for (place, bid) in (low..=high).enumerate() {
            let mut leaves = Vec::new();
            for relation in RELATIONS {
                let open = self.turn(view, bid, relation, &replies, &mut leaves);
                let ball = self.tree.rules.after(view.ball.position(), relation);
                if let Some(after) = view.after(bid, relation, ball).filter(|_| !open.is_empty()) {
                    following.push((after, sequence + place as u32, open));
                }
            }
            self.leaves.push_sequence(leaves);
        }
        for (after, parent, open) in following {
            self.node(&after, parent, &open);
        }
    }

    /// Adds the leaves of one bid and relation; returns the accounts with which the game continues.
    fn turn(
        &self,
        view: &BlindView,
        bid: u32,
        relation: Ordering,
        replies: &[(u32, u32, u32)],
        leaves: &mut Vec<(u32, u8)>,
    ) -> Vec<OpenAccount> {
        let ball = self.tree.rules.after(view.ball.position(), relation);
        let decided = self.pure_bounds[self.blind].decided(view, bid, relation);
        let after = BlindView { points: view.points - bid, ball: Ball::at(ball), ..*view };
        let mut open: Vec<OpenAccount> = Vec::new();
        for &(left, _, sequence) in replies.iter().filter(|&&(_, reply, _)| told(self.blind, bid, reply) == relation) {
            let over = !self.tree.rules.is_inside(ball) || (after.points == 0 && left == 0);
            let rank = if over {
                Some(self.tree.ranks.of(self.tree.rules.end_at(ball)))
            } else {
                decided.or_else(|| self.pure_bounds[self.blind.opponent()].certain(&informed(&after, left)))
            };
            match (rank, open.binary_search_by_key(&left, |&(points, _)| points)) {
                (Some(rank), _) => leaves.push((sequence, rank)),
                (None, Ok(place)) => open[place].1.push(sequence),
                (None, Err(place)) => open.insert(place, (left, vec![sequence])),
            }
        }
        open
    }
}

fn informed(view: &BlindView, points: u32) -> BlindView {
    BlindView { player: view.player.opponent(), points, fewest: view.points, most: view.points, ball: view.ball }
}

fn told(blind: Player, bid: u32, reply: u32) -> Ordering {
    match blind {
        Player::A => bid.cmp(&reply),
        Player::B => reply.cmp(&bid),
    }
}

//! The game in which one player alone is blind and the other sees all bids.
//!
//! The informed player knows the blind player's information set; of the own bids only the account
//! matters. So the informed player has a decision for every account at every information set of the
//! blind player, which joins the sequences that lead to the account.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::sequence_form::SequenceForm;
use super::tree::Tree;
use super::view::{BlindView, RELATIONS};
use crate::bounds::Enclosure;
use crate::game::{Ball, Player, Rules, State};
use crate::hidden::finder::payoff_matrix::PayoffMatrix;
use crate::hidden::search::Search;
use crate::hidden::settings::{Resources, SearchSettings};
use crate::hidden::{HiddenMethod, HiddenProgress};
use crate::work::{Callback, Clock, Threads};

/// Bounds of the value to A if only `blind` is blind, at most `gap` times the span of payoffs
/// apart, unless `on_bounds`, which receives the bounds now and then, breaks first.
pub(super) fn solve(
    rules: &Rules,
    start: State,
    blind: Player,
    gap: f64,
    mut on_bounds: impl FnMut(Enclosure) -> ControlFlow<()> + Send,
) -> Enclosure {
    let form = build(rules, start, blind);
    let mut settings = SearchSettings::new(gap);
    // The informed player forgets bids that no longer matter; the other methods need perfect
    // recall.
    settings.method = Some(HiddenMethod::Regret);
    settings.progress =
        Callback::new(Box::new(|progress: HiddenProgress| on_bounds(progress.enclosure)));
    let alone = Resources { threads: Threads::alone(), clock: Clock::start() };
    let mut search = Search::new(&form, &mut settings, &alone);
    search.run(None, &mut |_, _| {});
    search.value()
}

/// The accounts that the informed player may have, with the sequences that lead to each.
type Accounts = BTreeMap<u32, Vec<u32>>;

/// The sequence form without decided branches and dominated bids; `docs/blind.md` proves that the
/// value is the same.
fn build(rules: &Rules, start: State, blind: Player) -> SequenceForm {
    let (mut tree, mut leaves) = (Tree::new(rules, start), Vec::new());
    let accounts = Accounts::from([(start.points(blind.opponent()), vec![0])]);
    node(&mut tree, &mut leaves, &BlindView::start(blind, start), 0, &accounts);
    let matrix = PayoffMatrix::new(tree.sequences(), |visit| {
        for &([a, b], rank) in &leaves {
            visit(a as usize, b as usize, rank.into());
        }
    });
    SequenceForm { tree, matrix, is_symmetric: false }
}

/// The sequences of A and B, those of the blind player rising, and the rank of the payoff.
type Leaf = ([u32; 2], u8);

/// Adds an information set of the blind player and its subtree.
fn node(
    tree: &mut Tree,
    leaves: &mut Vec<Leaf>,
    view: &BlindView,
    parent: u32,
    accounts: &Accounts,
) {
    let (blind, opponent) = (view.player, view.player.opponent());
    let mut replies = Vec::new();
    for (points, parents) in accounts {
        let (lowest, highest) =
            tree.pure_bounds[opponent].undominated(&informed(view, *points)).into_inner();
        let player_tree = &mut tree.player_trees[opponent];
        let first = player_tree.decide(parents[0], highest - lowest + 1);
        player_tree.joined.push(parents[1..].to_vec());
        replies.extend(
            (lowest..=highest)
                .zip(first..)
                .map(|(reply, sequence)| (points - reply, reply, sequence)),
        );
    }
    let (low, high) = tree.pure_bounds[blind].undominated(view).into_inner();
    let first = tree.player_trees[blind].decide(parent, high - low + 1);
    // Later information sets follow all leaves of this one, so that leaves are in the order of
    // sequences.
    let mut successors = Vec::new();
    for ((bid, sequence), relation) in
        (low..=high).zip(first..).flat_map(|bid| RELATIONS.map(|relation| (bid, relation)))
    {
        let ball = tree.rules.after(view.ball.position(), relation);
        let after = BlindView { points: view.points - bid, ball: Ball::at(ball), ..*view };
        let decided = tree.pure_bounds[blind].decided(view, bid, relation);
        let mut open = Accounts::new();
        for &(left, reply, other) in &replies {
            let [a, b] = blind.own_first([bid, reply]);
            if a.cmp(&b) != relation {
                continue;
            }
            let rank = if !tree.rules.is_inside(ball) || (after.points == 0 && left == 0) {
                Some(tree.ranks.of(tree.rules.end_at(ball)))
            } else {
                decided.or_else(|| tree.pure_bounds[opponent].certain(&informed(&after, left)))
            };
            match rank {
                Some(rank) => leaves.push((blind.own_first([sequence, other]), rank)),
                None => open.entry(left).or_default().push(other),
            }
        }
        if let Some(after) = view.after(bid, relation, ball).filter(|_| !open.is_empty()) {
            successors.push((after, sequence, open));
        }
    }
    for (after, parent, open) in successors {
        node(tree, leaves, &after, parent, &open);
    }
}

fn informed(view: &BlindView, points: u32) -> BlindView {
    BlindView {
        player: view.player.opponent(),
        points,
        fewest: view.points,
        most: view.points,
        ball: view.ball,
    }
}

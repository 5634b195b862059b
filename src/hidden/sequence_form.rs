use std::sync::Mutex;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::finder::sequence_game::{Decision, SequenceGame};
use super::tree::{GameTree, NodeKind};
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// The number of sequences that a thread takes at once.
const PART: usize = 1 << 10;

/// The game in sequence form (von Stengel 1996), in doubles, for the finders.
///
/// Payoffs are scaled to −1..1, which changes neither the optimal strategies nor the convergence.
#[derive(Debug)]
pub(super) struct SequenceForm {
    pub(super) decisions: ByPlayer<Vec<Decision>>,
    pub(super) sequences: ByPlayer<usize>,
    /// By A's sequences, and by B's: for each of them the opponent's sequences with which it leads to ends.
    pub(super) leaves: ByPlayer<Leaves>,
}

/// A sparse matrix of payoffs to A times the probability of chance, in rows by one player's sequences.
#[derive(Debug)]
pub(super) struct Leaves {
    /// Where the row of each sequence begins, and where the last one ends.
    rows: Vec<u32>,
    columns: Vec<u32>,
    payoffs: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    sequences: ByPlayer<u32>,
    payoff: f64,
}

impl SequenceForm {
    pub(super) fn new(tree: &GameTree) -> Self {
        let decisions = ByPlayer::new(|player| {
            let sets = tree.information_sets(player).iter();
            sets.map(|set| Decision { parent: set.parent, first: set.first_sequence, actions: set.actions.len() as u32 })
                .collect()
        });
        let sequences = ByPlayer::new(|player| tree.sequence_count(player));
        let mut leaves = find_leaves(tree);
        let by_a = Leaves::new(&mut leaves, Player::A, sequences.a);
        let by_b = Leaves::new(&mut leaves, Player::B, sequences.b);
        Self { decisions, sequences, leaves: ByPlayer { a: by_a, b: by_b } }
    }
}

impl Leaves {
    fn new(leaves: &mut [Leaf], player: Player, sequences: usize) -> Self {
        let opponent = player.opponent();
        leaves.sort_by_key(|leaf| (leaf.sequences[player], leaf.sequences[opponent]));
        let mut rows = vec![0; sequences + 1];
        let mut columns: Vec<u32> = Vec::new();
        let mut payoffs: Vec<f64> = Vec::new();
        let mut last = None;
        for leaf in leaves.iter() {
            let place = (leaf.sequences[player], leaf.sequences[opponent]);
            if last == Some(place) {
                if let Some(sum) = payoffs.last_mut() {
                    *sum += leaf.payoff;
                }
                continue;
            }
            last = Some(place);
            columns.push(place.1);
            payoffs.push(leaf.payoff);
            rows[place.0 as usize + 1] = columns.len() as u32;
        }
        // Rows without leaves end where they begin.
        for row in 1..rows.len() {
            rows[row] = rows[row].max(rows[row - 1]);
        }
        Self { rows, columns, payoffs }
    }

    fn row(&self, sequence: usize) -> (&[u32], &[f64]) {
        let places = self.rows[sequence] as usize..self.rows[sequence + 1] as usize;
        (&self.columns[places.clone()], &self.payoffs[places])
    }

    /// The payoff to A at the ends of a sequence against an opponent's realisation plan.
    fn expected_payoff(&self, sequence: usize, plan: &[f64]) -> f64 {
        let (columns, payoffs) = self.row(sequence);
        let mut sum = 0.0;
        for (&column, &payoff) in columns.iter().zip(payoffs) {
            sum += payoff * plan[column as usize];
        }
        sum
    }
}

impl SequenceGame for SequenceForm {
    fn sequences(&self, player: Player) -> usize {
        self.sequences[player]
    }

    fn decisions(&self, player: Player) -> &[Decision] {
        &self.decisions[player]
    }

    fn leaves(&self, player: Player, sequence: usize) -> impl Iterator<Item = (usize, f64)> {
        let (columns, payoffs) = self.leaves[player].row(sequence);
        columns.iter().map(|&column| column as usize).zip(payoffs.iter().copied())
    }

    fn expected_payoffs(&self, player: Player, plan: &[f64], threads: &Threads, expected: &mut Vec<f64>) {
        let leaves = &self.leaves[player];
        let sign = f64::from(player.direction());
        expected.resize(self.sequences[player], 0.0);
        let parts = expected.chunks_mut(PART).enumerate();
        // One thread sums a sequence, in a fixed order.
        let is_shared = self.sequences[player] > PART;
        threads.run(is_shared, &Mutex::new(Vec::<()>::new()), parts, |(), (part, sums)| {
            for (place, sum) in sums.iter_mut().enumerate() {
                *sum = sign * leaves.expected_payoff(part * PART + place, plan);
            }
        });
    }
}

/// A node on the way through the tree, with both players' last sequences and the probability of chance.
struct Visit {
    node: u32,
    sequences: ByPlayer<u32>,
    chance: f64,
}

fn find_leaves(tree: &GameTree) -> Vec<Leaf> {
    let payoffs = scaled_payoffs(tree);
    let double = |number: &BigRational| number.to_f64().unwrap_or(0.0);
    let distributions: Vec<Vec<f64>> = tree.distributions.iter().map(|shares| shares.iter().map(double).collect()).collect();
    let mut leaves = Vec::new();
    let mut open = vec![Visit { node: 0, sequences: ByPlayer::new(|_| 0), chance: 1.0 }];
    while let Some(Visit { node, sequences, chance }) = open.pop() {
        match tree.nodes[node as usize].kind {
            NodeKind::End { payoff } => leaves.push(Leaf { sequences, payoff: chance * payoffs[payoff as usize] }),
            NodeKind::Chance { distribution } => {
                for (&node, share) in tree.successors(node).iter().zip(&distributions[distribution as usize]) {
                    open.push(Visit { node, sequences, chance: chance * share });
                }
            }
            NodeKind::Decision { player, set } => {
                let first = tree.sets[player][set as usize].first_sequence;
                for (&node, sequence) in tree.successors(node).iter().zip(first..) {
                    let mut after = sequences;
                    after[player] = sequence;
                    open.push(Visit { node, sequences: after, chance });
                }
            }
        }
    }
    leaves
}

/// The payoffs, moved and scaled from their range to −1..1.
fn scaled_payoffs(tree: &GameTree) -> Vec<f64> {
    let [smallest, largest] = tree.payoff_range();
    let span = &largest - &smallest;
    let scaled = |payoff: &BigRational| {
        if span.is_zero() {
            return 0.0;
        }
        let share = (payoff - &smallest) / &span;
        2.0 * share.to_f64().unwrap_or(0.5) - 1.0
    };
    tree.payoffs.iter().map(scaled).collect()
}

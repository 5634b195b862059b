//! Game trees as games in sequence form, which the finders solve.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::finder::merging::Merging;
use super::finder::payoff_matrix::{Leaf, PayoffMatrix};
use super::finder::sequence_game::{Decision, SequenceGame};
use super::tree::{GameTree, NodeKind};
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// The game in sequence form (von Stengel 1996), in doubles, for the finders.
///
/// Payoffs are scaled to −1..1, which changes neither the optimal strategies nor the convergence.
#[derive(Debug)]
pub(super) struct SequenceForm {
    decisions: ByPlayer<Vec<Decision>>,
    sequences: ByPlayer<usize>,
    matrix: PayoffMatrix<ChanceLeaf>,
}

/// The opponent's sequence, and the payoff to A times the probability of chance: twelve bytes, not
/// sixteen.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed(4))]
struct ChanceLeaf {
    sequence: u32,
    payoff: f64,
}

impl Leaf for ChanceLeaf {
    type Payoff = f64;

    fn new(opponent_sequence: usize, payoff: f64) -> Self {
        Self { sequence: opponent_sequence as u32, payoff }
    }

    fn unpacked(self) -> (usize, f64) {
        (self.sequence as usize, self.payoff)
    }
}

/// Ends with the same last sequences of both players.
#[derive(Clone, Copy, Debug)]
struct Ends {
    sequences: ByPlayer<u32>,
    payoff: f64,
}

impl SequenceForm {
    pub(super) fn new(tree: &GameTree) -> Self {
        let decisions = ByPlayer::new(|player| {
            let sets = tree.information_sets(player).iter();
            sets.map(|set| Decision {
                parent: set.parent,
                first: set.first_sequence,
                actions: set.actions.len() as u32,
            })
            .collect()
        });
        Self::with_ends(
            decisions,
            ByPlayer::new(|player| tree.sequence_count(player)),
            find_ends(tree),
        )
    }

    /// The form in which one decision stands for all that are alike, with the sums of their
    /// payoffs.
    pub(super) fn merged(&self, merging: &Merging) -> Self {
        let mut ends = Vec::new();
        for a in 0..self.sequences.a {
            for (b, payoff) in self.matrix.leaves(Player::A, a) {
                let sequences = ByPlayer { a: merging.sequences.a[a], b: merging.sequences.b[b] };
                ends.push(Ends { sequences, payoff });
            }
        }
        let sequences = merging
            .decisions
            .as_ref()
            .map(|decisions| decisions.last().map_or(1, |last| last.sequences().end));
        Self::with_ends(merging.decisions.clone(), sequences, ends)
    }

    fn with_ends(
        decisions: ByPlayer<Vec<Decision>>,
        sequences: ByPlayer<usize>,
        mut ends: Vec<Ends>,
    ) -> Self {
        ends.sort_by_key(|ends| (ends.sequences.a, ends.sequences.b));
        ends.dedup_by(|next, ends| {
            let is_same = next.sequences == ends.sequences;
            if is_same {
                ends.payoff += next.payoff;
            }
            is_same
        });
        let matrix = PayoffMatrix::new(sequences, |visit| {
            for &Ends { sequences: ByPlayer { a, b }, payoff } in &ends {
                visit(a as usize, b as usize, payoff);
            }
        });
        Self { decisions, sequences, matrix }
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
        self.matrix.leaves(player, sequence)
    }

    fn expected_payoffs(
        &self,
        player: Player,
        plan: &[f64],
        threads: &Threads,
        expected: &mut Vec<f64>,
    ) {
        let sign = f64::from(player.direction());
        self.matrix.expected_payoffs(player, threads, expected, |leaves| {
            let mut sum = 0.0;
            for leaf in leaves {
                sum += leaf.payoff * plan[leaf.sequence as usize];
            }
            sign * sum
        });
    }
}

/// A node on the way through the tree, with both players' last sequences and the probability of
/// chance.
struct Visit {
    node: u32,
    sequences: ByPlayer<u32>,
    chance: f64,
}

fn find_ends(tree: &GameTree) -> Vec<Ends> {
    let payoffs = scaled_payoffs(tree);
    let double = |number: &BigRational| number.to_f64().unwrap_or(0.0);
    let distributions: Vec<Vec<f64>> =
        tree.distributions.iter().map(|shares| shares.iter().map(double).collect()).collect();
    let mut ends = Vec::new();
    let mut open = vec![Visit { node: 0, sequences: ByPlayer::new(|_| 0), chance: 1.0 }];
    while let Some(Visit { node, sequences, chance }) = open.pop() {
        match tree.nodes[node as usize].kind {
            NodeKind::End { payoff } => {
                ends.push(Ends { sequences, payoff: chance * payoffs[payoff as usize] });
            }
            NodeKind::Chance { distribution } => {
                for (&node, share) in
                    tree.successors(node).iter().zip(&distributions[distribution as usize])
                {
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
    ends
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

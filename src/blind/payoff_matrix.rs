use std::sync::Mutex;

use super::plan::{JudgedPlan, Plan};
use super::tree::Tree;
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, Player};
use crate::hidden::finder::sequence_game::{Decision, SequenceGame};
use crate::hidden::search::SearchedGame;
use crate::work::Threads;

/// Blind Tennis in sequence form.
#[derive(Clone, Debug)]
pub(super) struct SequenceForm {
    pub(super) tree: Tree,
    pub(super) matrix: PayoffMatrix,
    /// Whether both players have the same game.
    pub(super) is_symmetric: bool,
}

impl SearchedGame for SequenceForm {
    type Form = Self;
    type Judgement = JudgedPlan;

    /// Regret minimisation is faster at first.
    #[cfg(feature = "lp")]
    const PROGRAMME_SEQUENCES: usize = 0;

    /// Tennis from 7:7 to 11:10 takes between 186 and 2,512 iterations, in less time than the interior-point method.
    const REGRET_ITERATIONS: f64 = 4_000.0;

    fn form(&self) -> &Self {
        self
    }

    /// Regret minimisation comes first for every gap, so that a run resumed with another gap goes on as if it had had it.
    fn likely_iterations(&self, _: f64) -> f64 {
        0.0
    }

    fn span(&self) -> f64 {
        let payoffs = self.tree.ranks.doubles();
        let lowest = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        highest - lowest
    }

    fn judge(&self, player: Player, weights: &[f64]) -> JudgedPlan {
        JudgedPlan::new(self, player, Plan::approximate(&self.tree.player_trees[player], weights))
    }

    fn is_better(&self, player: Player, judgement: &JudgedPlan, other: &JudgedPlan) -> bool {
        judgement.is_better_than(other, player)
    }

    fn value(&self, judgements: &ByPlayer<JudgedPlan>) -> Enclosure {
        JudgedPlan::value(&self.tree, judgements)
    }

    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    fn mirrored(&self, player: Player, weights: &[f64]) -> Vec<f64> {
        self.tree.mirrored(player, weights)
    }
}

impl SequenceGame for SequenceForm {
    fn sequences(&self, player: Player) -> usize {
        self.tree.player_trees[player].sequences
    }

    fn decisions(&self, player: Player) -> &[Decision] {
        &self.tree.player_trees[player].decisions
    }

    fn parents(&self, player: Player, decision: usize) -> impl Iterator<Item = usize> {
        self.tree.player_trees[player].parents(decision)
    }

    fn leaves(&self, player: Player, sequence: usize) -> impl Iterator<Item = (usize, f64)> {
        let mut payoffs = self.tree.ranks.doubles();
        let largest = payoffs.iter().fold(0.0, |largest: f64, payoff| largest.max(payoff.abs()));
        let scale = 1.0 / largest.max(f64::MIN_POSITIVE);
        for payoff in &mut payoffs {
            *payoff *= scale;
        }
        self.matrix.leaves(player, sequence).map(move |(other, rank)| (other, payoffs[rank]))
    }

    fn expected_payoffs(&self, player: Player, plan: &[f64], threads: &Threads, expected: &mut Vec<f64>) {
        let doubles = self.tree.ranks.doubles();
        let sign = f64::from(player.direction());
        let payoffs = std::array::from_fn(|rank| doubles.get(rank).map_or(0.0, |payoff| sign * payoff));
        self.matrix.expected_payoffs(player, plan, payoffs, threads, expected);
    }
}

/// The payoff matrix of the sequence form: for every sequence of either player the other's sequences with a common leaf, and A's
/// payoff there.
///
/// Both directions are stored, so that threads gather either player's expectations without sharing a sum.
#[derive(Clone, Debug)]
pub(super) struct PayoffMatrix {
    sides: ByPlayer<Leaves>,
}

#[derive(Clone, Debug)]
struct Leaves {
    /// The offset of a sequence's leaves, which end at the next one's offset.
    starts: Vec<u32>,
    /// The other player's sequence, and in the lowest three bits the rank of the payoff.
    leaves: Vec<u32>,
}

const RANK_BITS: u32 = 3;

const fn unpacked(leaf: u32) -> (usize, usize) {
    ((leaf >> RANK_BITS) as usize, (leaf & ((1 << RANK_BITS) - 1)) as usize)
}

/// The number of sequences that a thread takes at once.
const PART: usize = 1 << 10;

impl Leaves {
    /// Room for the leaves of every sequence; until all are entered, a sequence's start is the place of its next leaf.
    fn with_counts(mut starts: Vec<u32>) -> Self {
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        Self { starts, leaves: vec![0; sum as usize] }
    }

    fn enter(&mut self, sequence: usize, other: usize, rank: usize) {
        let place = &mut self.starts[sequence];
        self.leaves[*place as usize] = (other as u32) << RANK_BITS | rank as u32;
        *place += 1;
    }

    fn of(&self, sequence: usize) -> &[u32] {
        &self.leaves[self.starts[sequence] as usize..self.starts[sequence + 1] as usize]
    }
}

impl PayoffMatrix {
    /// The matrix of the leaves that `for_each` visits twice: the sequences of A and of B, and the rank of the payoff.
    pub(super) fn new(tree: &Tree, for_each: impl Fn(&mut dyn FnMut(usize, usize, usize))) -> Self {
        let mut counts = Player::BOTH.map(|player| vec![0_u32; tree.player_trees[player].sequences]);
        for_each(&mut |a, b, _| {
            counts[0][a] += 1;
            counts[1][b] += 1;
        });
        let mut sides = counts.map(Leaves::with_counts);
        for_each(&mut |a, b, rank| {
            sides[0].enter(a, b, rank);
            sides[1].enter(b, a, rank);
        });
        // Every start has become the next one's.
        for side in &mut sides {
            side.starts.insert(0, 0);
        }
        Self { sides: sides.into() }
    }

    pub(super) fn leaves(&self, player: Player, sequence: usize) -> impl Iterator<Item = (usize, usize)> {
        self.sides[player].of(sequence).iter().map(|&leaf| unpacked(leaf))
    }

    /// The expected payoff of each of a player's sequences at its leaves, against a plan of the opponent.
    ///
    /// One thread sums a sequence, in a fixed order, so that the result does not depend on the number of threads.
    pub(super) fn expected_payoffs(
        &self,
        player: Player,
        plan: &[f64],
        payoffs: [f64; 1 << RANK_BITS],
        threads: &Threads,
        yields: &mut Vec<f64>,
    ) {
        let lists = &self.sides[player];
        let sequences = lists.starts.len() - 1;
        yields.resize(sequences, 0.0);
        let parts = yields.chunks_mut(PART).enumerate();
        threads.run(sequences > PART, &Mutex::new(Vec::<()>::new()), parts, |(), (part, yields)| {
            for (place, sum) in yields.iter_mut().enumerate() {
                let expected = |&leaf: &u32| {
                    let (other, rank) = unpacked(leaf);
                    plan[other] * payoffs[rank]
                };
                *sum = lists.of(part * PART + place).iter().map(expected).sum();
            }
        });
    }

    pub(super) fn len(&self) -> usize {
        self.sides.a.leaves.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.sides.iter().map(|side| (side.starts.len() + side.leaves.len()) * size_of::<u32>()).sum()
    }
}

//! The tree of blind Tennis as a game in sequence form, which the finders solve.

use super::tree::Tree;
use crate::game::Player;
use crate::hidden::finder::payoff_matrix::{Leaf, PayoffMatrix};
use crate::hidden::finder::sequence_game::{Decision, SequenceGame};
use crate::work::Threads;

/// Blind Tennis in sequence form.
#[derive(Clone, Debug)]
pub(super) struct SequenceForm {
    pub(super) tree: Tree,
    pub(super) matrix: PayoffMatrix<RankedLeaf>,
    /// Whether both players have the same game.
    pub(super) is_symmetric: bool,
}

/// The opponent's sequence, and in the lowest bits the rank of the payoff: a third of the bytes of
/// a leaf with a double.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankedLeaf(u32);

impl RankedLeaf {
    const RANK_BITS: u32 = 3;

    const RANKS: usize = 1 << Self::RANK_BITS;
}

impl Leaf for RankedLeaf {
    type Payoff = usize;

    fn new(opponent_sequence: usize, rank: usize) -> Self {
        Self((opponent_sequence as u32) << Self::RANK_BITS | rank as u32)
    }

    fn unpacked(self) -> (usize, usize) {
        ((self.0 >> Self::RANK_BITS) as usize, self.0 as usize % Self::RANKS)
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

    fn expected_payoffs(
        &self,
        player: Player,
        plan: &[f64],
        threads: &Threads,
        expected: &mut Vec<f64>,
    ) {
        let doubles = self.tree.ranks.doubles();
        let sign = f64::from(player.direction());
        let payoffs: [f64; RankedLeaf::RANKS] =
            std::array::from_fn(|rank| doubles.get(rank).map_or(0.0, |payoff| sign * payoff));
        let payoff = |leaf: &RankedLeaf| {
            let (other, rank) = leaf.unpacked();
            plan[other] * payoffs[rank]
        };
        self.matrix
            .expected_payoffs(player, threads, expected, |leaves| leaves.iter().map(payoff).sum());
    }
}

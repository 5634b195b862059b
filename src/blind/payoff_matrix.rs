//! The payoffs of the sequence form: what A wins, by the last choices of both.

use std::sync::Mutex;

use super::tree::Tree;
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// The leaves of a tree by sequences: for every sequence of either player the other's sequences it has a leaf with, and what A
/// wins there.
///
/// Both directions are held, so that either player's expectations are gathered without two threads writing to one place.
#[derive(Clone, Debug)]
pub(super) struct PayoffMatrix {
    sides: ByPlayer<Leaves>,
}

#[derive(Clone, Debug)]
pub(super) struct Leaves {
    /// The offset of a sequence's leaves; they end where the next one's begin.
    starts: Vec<u32>,
    /// The other player's sequence, and in the lowest three bits the rank of the payoff.
    leaves: Vec<u32>,
}

const RANK_BITS: u32 = 3;

const fn unpacked(leaf: u32) -> (usize, usize) {
    ((leaf >> RANK_BITS) as usize, (leaf & ((1 << RANK_BITS) - 1)) as usize)
}

/// The sequences that a thread takes at once: enough to be worth taking.
const PART: usize = 1 << 10;

impl Leaves {
    fn with_counts(counts: Vec<u32>) -> Self {
        let mut starts = counts;
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        Self { starts, leaves: vec![0; sum as usize] }
    }

    /// Enters a leaf; while that goes on a sequence's start is where its next leaf goes.
    fn enter(&mut self, sequence: usize, other: usize, rank: usize) {
        let place = &mut self.starts[sequence];
        self.leaves[*place as usize] = (other as u32) << RANK_BITS | rank as u32;
        *place += 1;
    }

    fn close(&mut self) {
        self.starts.rotate_right(1);
        let end = std::mem::replace(&mut self.starts[0], 0);
        self.starts.push(end);
    }

    pub(super) fn push_sequence(&mut self, leaves: impl IntoIterator<Item = (u32, u8)>) {
        self.leaves.extend(leaves.into_iter().map(|(other, rank)| other << RANK_BITS | u32::from(rank)));
        self.starts.push(self.leaves.len() as u32);
    }

    fn of(&self, sequence: usize) -> &[u32] {
        &self.leaves[self.starts[sequence] as usize..self.starts[sequence + 1] as usize]
    }
}

impl Default for Leaves {
    fn default() -> Self {
        Self { starts: vec![0], leaves: Vec::new() }
    }
}

impl PayoffMatrix {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut counts = Player::BOTH.map(|player| vec![0_u32; tree.player_tree(player).sequences]);
        tree.for_each_leaf(|a, b, _| {
            counts[0][a] += 1;
            counts[1][b] += 1;
        });
        let mut sides = counts.map(Leaves::with_counts);
        tree.for_each_leaf(|a, b, rank| {
            sides[0].enter(a, b, rank);
            sides[1].enter(b, a, rank);
        });
        for side in &mut sides {
            side.close();
        }
        Self { sides: sides.into() }
    }

    /// The matrix of which `player`'s side is known, where the other player has this many sequences.
    pub(super) fn of_side(player: Player, side: Leaves, others: usize) -> Self {
        let leaves = |sequence: usize| side.of(sequence).iter().map(|&leaf| unpacked(leaf));
        let mut counts = vec![0_u32; others];
        for (other, _) in (0..side.starts.len() - 1).flat_map(leaves) {
            counts[other] += 1;
        }
        let mut transposed = Leaves::with_counts(counts);
        for sequence in 0..side.starts.len() - 1 {
            for (other, rank) in leaves(sequence) {
                transposed.enter(other, sequence, rank);
            }
        }
        transposed.close();
        Self { sides: ByPlayer::from(player.own_first([side, transposed])) }
    }

    pub(super) fn leaves(&self, player: Player, sequence: usize) -> impl Iterator<Item = (usize, usize)> {
        self.sides[player].of(sequence).iter().map(|&leaf| unpacked(leaf))
    }

    /// The expected payoff of each of a player's sequences at its leaves, against a plan of the opponent's.
    ///
    /// Every sequence is summed by one thread in one order, so that threads do not change a bit of it.
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

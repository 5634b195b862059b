//! The payoff matrix of the sequence form and products with it.

use std::sync::Mutex;

use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// The sparse payoff matrix of the sequence form: for every sequence of either player the
/// opponent's sequences with a common leaf, and what A wins there.
///
/// Both directions are stored, so that threads gather either player's expectations without sharing
/// a sum.
#[derive(Clone, Debug)]
pub(crate) struct PayoffMatrix<L> {
    rows: ByPlayer<Rows<L>>,
}

/// A leaf in a row of the matrix. An iteration of regret minimisation takes as long as all leaves
/// take to be read: games choose how many bytes a leaf has.
pub(crate) trait Leaf: Copy + Default + Sync {
    /// The payoff to A in the form in which the game keeps it.
    type Payoff: Copy;

    fn new(opponent_sequence: usize, payoff: Self::Payoff) -> Self;

    /// The opponent's sequence, and the payoff.
    fn unpacked(self) -> (usize, Self::Payoff);
}

#[derive(Clone, Debug)]
struct Rows<L> {
    /// The offset of a sequence's leaves, which end at the next one's offset.
    starts: Vec<u32>,
    leaves: Vec<L>,
}

/// The number of sequences that a thread takes at once.
const PART: usize = 1 << 10;

impl<L: Leaf> Rows<L> {
    /// Room for the leaves of every sequence; until all are entered, a sequence's start is the
    /// place of its next leaf.
    fn with_counts(mut starts: Vec<u32>) -> Self {
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        Self { starts, leaves: vec![L::default(); sum as usize] }
    }

    fn enter(&mut self, sequence: usize, leaf: L) {
        let index = &mut self.starts[sequence];
        self.leaves[*index as usize] = leaf;
        *index += 1;
    }

    fn of(&self, sequence: usize) -> &[L] {
        &self.leaves[self.starts[sequence] as usize..self.starts[sequence + 1] as usize]
    }
}

impl<L: Leaf> PayoffMatrix<L> {
    /// The matrix of players with so many sequences, and the leaves that `for_each` visits twice in
    /// one order: the sequences of A and of B, and the payoff. No two leaves have both sequences in
    /// common.
    pub(crate) fn new(
        sequences: ByPlayer<usize>,
        for_each: impl Fn(&mut dyn FnMut(usize, usize, L::Payoff)),
    ) -> Self {
        let mut counts = sequences.map(|sequences| vec![0_u32; sequences]);
        for_each(&mut |a, b, _| {
            counts.a[a] += 1;
            counts.b[b] += 1;
        });
        let mut rows = counts.map(Rows::with_counts);
        for_each(&mut |a, b, payoff| {
            rows.a.enter(a, L::new(b, payoff));
            rows.b.enter(b, L::new(a, payoff));
        });
        // Every start has become the next one's.
        for player in Player::BOTH {
            rows[player].starts.insert(0, 0);
        }
        Self { rows }
    }

    pub(crate) fn leaves(
        &self,
        player: Player,
        sequence: usize,
    ) -> impl Iterator<Item = (usize, L::Payoff)> {
        self.rows[player].of(sequence).iter().map(|leaf| leaf.unpacked())
    }

    /// The expected payoff of each of a player's sequences, which `sum` computes from its leaves.
    ///
    /// One thread sums a sequence, in a fixed order, so that the result does not depend on the
    /// number of threads.
    pub(crate) fn expected_payoffs(
        &self,
        player: Player,
        threads: &Threads,
        expected: &mut Vec<f64>,
        sum: impl Fn(&[L]) -> f64 + Sync,
    ) {
        let rows = &self.rows[player];
        let sequences = rows.starts.len() - 1;
        expected.resize(sequences, 0.0);
        let parts = expected.chunks_mut(PART).enumerate();
        threads.run(&Mutex::new(Vec::<()>::new()), parts, |(), (part, sums)| {
            for (index, expected) in sums.iter_mut().enumerate() {
                *expected = sum(rows.of(part * PART + index));
            }
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows
            .iter()
            .map(|rows| size_of_val(&rows.starts[..]) + size_of_val(&rows.leaves[..]))
            .sum()
    }
}

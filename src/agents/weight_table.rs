//! The integer weights that a reinforcement learner changes.

use crate::game::StateSpace;

const BLOCK: usize = 8;

/// An integer weight for every row of a [`Session`](super::session::Session) and every bid from 1.
///
/// A row stores its total, the sums of its blocks of eight weights, and the weights: with 50 points
/// 8 + 56 numbers, four cache lines. A draw reads the first line and one block; raising a weight
/// writes three numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WeightTable {
    /// The offset of the weights in a row: after the total and the sums, a multiple of a block.
    head: usize,
    stride: usize,
    numbers: Vec<u32>,
}

impl WeightTable {
    pub(super) fn ones(space: StateSpace) -> Self {
        let blocks = (space.points()[0] as usize).div_ceil(BLOCK);
        let head = (1 + blocks).next_multiple_of(BLOCK);
        let stride = head + blocks * BLOCK;
        let mut table = Self { head, stride, numbers: vec![0; stride * space.len()] };
        for (row, state) in space.states().enumerate() {
            (1..=state.a).for_each(|bid| table.raise(row, bid, 1));
        }
        table
    }

    /// Draws a bid by 64 random bits; the row must have a legal bid. Probabilities are exact up to
    /// 2⁻³².
    #[inline]
    pub(super) fn draw(&self, row: usize, bits: u64) -> u32 {
        let row = &self.numbers[row * self.stride..][..self.stride];
        let (head, weights) = row.split_at(self.head);
        // The high half of a product: a number below the total.
        let mut ticket = ((u128::from(bits) * u128::from(head[0])) >> 64) as u32;
        let mut block = 0;
        for &sum in &head[1..] {
            if ticket < sum {
                break;
            }
            ticket -= sum;
            block += 1;
        }
        // Finds the last running sum not above the ticket without branches, since none could be
        // predicted.
        let mut sum = 0;
        let mut passed = 0;
        for (index, &weight) in (1..).zip(&weights[block * BLOCK..][..BLOCK]) {
            sum += weight;
            passed = if sum <= ticket { index } else { passed };
        }
        (block * BLOCK) as u32 + passed + 1
    }

    #[inline]
    pub(super) fn total(&self, row: usize) -> u32 {
        self.numbers[row * self.stride]
    }

    #[inline]
    pub(super) fn weight(&self, row: usize, bid: u32) -> u32 {
        self.numbers[row * self.stride + self.head + bid as usize - 1]
    }

    /// Raises the weight of a bid, or lowers it by the complement of `by`.
    #[inline]
    pub(super) fn raise(&mut self, row: usize, bid: u32, by: u32) {
        let index = bid as usize - 1;
        let row = &mut self.numbers[row * self.stride..][..self.stride];
        for number in [0, 1 + index / BLOCK, self.head + index] {
            row[number] = row[number].wrapping_add(by);
        }
    }

    /// Halves every weight, rounded up, so that none becomes 0.
    pub(super) fn halve(&mut self) {
        for row in self.numbers.chunks_exact_mut(self.stride) {
            for weight in &mut row[self.head..] {
                *weight = weight.div_ceil(2);
            }
            Self::sum_up(row, self.head);
        }
    }

    fn sum_up(row: &mut [u32], head: usize) {
        let (sums, weights) = row.split_at_mut(head);
        for (sum, block) in sums[1..].iter_mut().zip(weights.chunks_exact(BLOCK)) {
            *sum = block.iter().sum();
        }
        sums[0] = weights.iter().sum();
    }

    /// The weights of all bids; 0 for those above the account.
    pub(super) fn weights(&self, row: usize) -> &[u32] {
        &self.numbers[row * self.stride..][self.head..self.stride]
    }

    /// The weights of all legal bids, row by row.
    pub(super) fn legal(&self, space: StateSpace) -> impl Iterator<Item = u32> {
        space
            .states()
            .enumerate()
            .flat_map(|(row, state)| &self.weights(row)[..state.a as usize])
            .copied()
    }

    /// Sets the weights of all legal bids, row by row; `None` unless there are as many as legal
    /// bids, all positive, and no sum is above `most`.
    pub(super) fn set_legal(
        &mut self,
        space: StateSpace,
        mut weights: impl Iterator<Item = u32>,
        most: u64,
    ) -> Option<()> {
        for (row, state) in space.states().enumerate() {
            let row = &mut self.numbers[row * self.stride..][..self.stride];
            let mut sum = 0_u64;
            for entry in &mut row[self.head..][..state.a as usize] {
                *entry = weights.next().filter(|&weight| weight > 0)?;
                sum += u64::from(*entry);
            }
            if sum > most.min(u64::from(u32::MAX)) {
                return None;
            }
            Self::sum_up(row, self.head);
        }
        weights.next().is_none().then_some(())
    }
}

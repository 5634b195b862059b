use super::geometry::GameGeometry;

const BLOCK: usize = 8;

/// An integer weight for every row of a [`GameGeometry`] and every bid from 1.
///
/// A row stores its total, the sums of its blocks of eight weights, and the weights: with 50 points 8 + 56 numbers, four cache
/// lines. A draw reads the first line and one block; raising a weight writes three numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WeightTable {
    /// The offset of the weights in a row: after the total and the sums, a multiple of a block.
    head: usize,
    stride: usize,
    numbers: Vec<u32>,
}

impl WeightTable {
    pub(super) fn ones(geometry: &GameGeometry) -> Self {
        let blocks = (geometry.points as usize).div_ceil(BLOCK);
        let head = (1 + blocks).next_multiple_of(BLOCK);
        let stride = head + blocks * BLOCK;
        let mut table = Self { head, stride, numbers: vec![0; stride * geometry.rows()] };
        for (row, own) in geometry.bidding() {
            (1..=own).for_each(|bid| table.raise(row, bid, 1));
        }
        table
    }

    /// Draws a bid by 64 random bits; the row must have a legal bid. Probabilities are exact up to 2⁻³².
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
        // Counts the running sums not above the ticket without branches, since none could be predicted.
        let mut sum = 0;
        let mut passed = 0;
        for &weight in &weights[block * BLOCK..][..BLOCK] {
            sum += weight;
            passed += u32::from(sum <= ticket);
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

    #[inline]
    pub(super) fn raise(&mut self, row: usize, bid: u32, by: u32) {
        let place = bid as usize - 1;
        let row = &mut self.numbers[row * self.stride..][..self.stride];
        for number in [0, 1 + place / BLOCK, self.head + place] {
            row[number] = row[number].wrapping_add(by);
        }
    }

    /// Lowers the weight of a bid by at most its value.
    #[inline]
    pub(super) fn lower(&mut self, row: usize, bid: u32, by: u32) {
        self.raise(row, bid, by.wrapping_neg());
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

    pub(super) fn weights(&self, row: usize, own: u32) -> &[u32] {
        &self.numbers[row * self.stride + self.head..][..own as usize]
    }

    pub(super) fn legal(&self, geometry: &GameGeometry) -> impl Iterator<Item = u32> {
        geometry.bidding().flat_map(|(row, own)| self.weights(row, own)).copied()
    }

    /// Sets the weights of all legal bids, row by row; `None` unless there are as many as legal bids, all positive, and no sum is
    /// above `most`.
    pub(super) fn set_legal(&mut self, geometry: &GameGeometry, mut weights: impl Iterator<Item = u32>, most: u64) -> Option<()> {
        for (row, own) in geometry.bidding() {
            let row = &mut self.numbers[row * self.stride..][..self.stride];
            let mut sum = 0_u64;
            for place in &mut row[self.head..][..own as usize] {
                *place = weights.next().filter(|&weight| weight > 0)?;
                sum += u64::from(*place);
            }
            if sum > most.min(u64::from(u32::MAX)) {
                return None;
            }
            Self::sum_up(row, self.head);
        }
        weights.next().is_none().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::WeightTable;
    use crate::agents::geometry::GameGeometry;
    use crate::game::Rules;

    #[test]
    fn every_ticket_buys_the_bid_that_it_is_printed_for() {
        let geometry = GameGeometry::new(&Rules::tennis(), 19).expect("a small game");
        let mut table = WeightTable::ones(&geometry);
        let row = geometry.row(19, 7, 2);
        for (bid, by) in [(1, 4), (8, 1), (9, 6), (16, 2), (17, 30), (19, 3)] {
            table.raise(row, bid, by);
        }
        table.lower(row, 17, 10);
        // Written out by hand: each bid as often as its weight says.
        let weights = [5, 1, 1, 1, 1, 1, 1, 2, 7, 1, 1, 1, 1, 1, 1, 3, 21, 1, 4_u32];
        let expected: Vec<u32> = (1..).zip(weights).flat_map(|(bid, weight)| vec![bid; weight as usize]).collect();
        let total = expected.len() as u32;
        assert_eq!(table.total(row), total);
        let drawn = (0..total).map(|ticket| {
            // The smallest bits that a ticket stands for.
            let bits = (u128::from(ticket) << 64).div_ceil(u128::from(total)) as u64;
            table.draw(row, bits)
        });
        assert_eq!(drawn.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn halving_rounds_up() {
        let geometry = GameGeometry::new(&Rules::tennis(), 9).expect("a small game");
        let mut table = WeightTable::ones(&geometry);
        table.raise(geometry.row(9, 9, 2), 9, 6);
        table.halve();
        assert_eq!(table.weights(geometry.row(9, 9, 2), 9), [1, 1, 1, 1, 1, 1, 1, 1, 4]);
        assert_eq!(table.total(geometry.row(9, 9, 2)), 12);
    }
}

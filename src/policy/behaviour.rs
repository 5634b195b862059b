//! The mixtures of a policy, without a check of the state.

use std::ops::{Range, RangeInclusive};

use crate::error::BidsFault;
use crate::game::{State, StateSpace};
use crate::matrix_game::DyadicStrategy;

/// One player's part of a policy, for states already checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BehaviourStrategy {
    space: StateSpace,
    /// The offsets of the states' supports, and the end of the last.
    starts: Vec<usize>,
    bids: Vec<u16>,
    /// Cumulative weights of each support, up to [`DyadicStrategy::WHOLE`], to draw from.
    sums: Vec<u64>,
}

impl BehaviourStrategy {
    /// A strategy without states, which are appended in the order of the space.
    pub(super) fn new(space: StateSpace) -> Self {
        let mut starts = Vec::with_capacity(space.len() + 1);
        starts.push(0);
        Self { space, starts, bids: Vec::new(), sums: Vec::new() }
    }

    /// Appends a state's support, whose weights sum to the whole.
    pub(super) fn push(&mut self, weights: impl Iterator<Item = (u32, u64)>) {
        let mut sum = 0;
        for (bid, weight) in weights {
            sum += weight;
            self.bids.push(bid as u16);
            self.sums.push(sum);
        }
        self.starts.push(self.bids.len());
    }

    pub(super) fn push_certain(&mut self, bid: u32) {
        self.push(std::iter::once((bid, DyadicStrategy::WHOLE)));
    }

    /// Appends a uniform distribution, as [`Self::push_shares`] does.
    pub(super) fn push_alike(&mut self, bids: RangeInclusive<u32>) {
        let count = u64::from(bids.end() - bids.start()) + 1;
        let (portion, left) = (DyadicStrategy::WHOLE / count, DyadicStrategy::WHOLE % count);
        // The first `left` bids have one part more.
        self.sums.extend((1..=count).map(|bids| bids * portion + bids.min(left)));
        self.bids.extend(bids.map(|bid| bid as u16));
        self.starts.push(self.bids.len());
    }

    /// Appends probabilities in proportion to the `shares` of bids from `lowest_bid` on, each off
    /// by less than one part of the whole; or describes their fault.
    pub(super) fn push_shares(&mut self, lowest_bid: u32, shares: &[f64]) -> Result<(), BidsFault> {
        if let Some(index) = shares.iter().position(|share| !(share.is_finite() && *share >= 0.0)) {
            return Err(BidsFault::Weight {
                bid: lowest_bid + index as u32,
                number: shares[index],
            });
        }
        let largest = shares.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(BidsFault::NoWeight);
        }
        // The largest share becomes an integer of 62 bits; scaling by a power of two in two halves
        // is exact and cannot overflow.
        let shift = 61 - exponent(largest);
        let (half, rest) = (f64::from(shift / 2).exp2(), f64::from(shift - shift / 2).exp2());
        let scaled = shares.iter().map(|share| (share * half * rest) as u64);
        let sum: u128 = scaled.clone().map(u128::from).sum();
        let mut last = (0, 0);
        let portion = |share: u64| {
            // Equal shares need one long division.
            if share != last.0 {
                last =
                    (share, (u128::from(share) * u128::from(DyadicStrategy::WHOLE) / sum) as u64);
            }
            last.1
        };
        let portions: Vec<u64> = scaled.clone().map(portion).collect();
        // Rounding down loses less than one part for each bid with a share.
        let mut left = DyadicStrategy::WHOLE - portions.iter().sum::<u64>();
        let weights = portions.into_iter().zip(scaled).map(|(portion, share)| {
            let more = u64::from(share > 0 && left > 0);
            left -= more;
            portion + more
        });
        self.push((lowest_bid..).zip(weights).filter(|&(_, weight)| weight > 0));
        Ok(())
    }

    /// The bids with a positive weight at the state that was appended last.
    pub(super) fn last_bids(&self) -> &[u16] {
        match self.starts[..] {
            [.., first, end] => &self.bids[first..end],
            _ => &[],
        }
    }

    fn range(&self, state: State) -> Range<usize> {
        let index = self.space.index(state);
        self.starts[index]..self.starts[index + 1]
    }

    pub(crate) fn weights(
        &self,
        state: State,
    ) -> impl ExactSizeIterator<Item = (u32, u64)> + use<'_> {
        let range = self.range(state);
        let (bids, sums) = (&self.bids[range.clone()], &self.sums[range]);
        bids.iter().zip(sums).enumerate().map(|(index, (&bid, &sum))| {
            let before = if index == 0 { 0 } else { sums[index - 1] };
            (u32::from(bid), sum - before)
        })
    }

    pub(super) fn draw(&self, state: State, bits: u64) -> u32 {
        self.bid_of(state, bits >> (u64::BITS - DyadicStrategy::WHOLE_BITS))
    }

    /// Draws among the nonzero bids, of which there must be one.
    pub(super) fn draw_other(&self, state: State, bits: u64) -> u32 {
        let waits = self.waits(state);
        let others = DyadicStrategy::WHOLE - waits;
        self.bid_of(state, waits + ((u128::from(bits) * u128::from(others)) >> u64::BITS) as u64)
    }

    /// The weight of a bid of 0.
    pub(crate) fn waits(&self, state: State) -> u64 {
        let first = self.range(state).start;
        if self.bids[first] == 0 { self.sums[first] } else { 0 }
    }

    fn bid_of(&self, state: State, ticket: u64) -> u32 {
        let range = self.range(state);
        let index = self.sums[range.clone()].partition_point(|&sum| sum <= ticket);
        u32::from(self.bids[range][index])
    }
}

/// The exponent of the largest power of two not above a positive number; more for subnormal
/// numbers.
fn exponent(number: f64) -> i32 {
    ((number.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

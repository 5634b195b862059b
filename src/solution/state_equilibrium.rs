//! The solution of one state.

use std::ops::RangeInclusive;

use num_rational::BigRational;

use super::Solution;
use crate::bounds::Enclosure;
use crate::game::{GameError, Player, State};
use crate::induction::ExactTier;
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::{ExactStrategy, big_rational};

/// A mixed strategy over bids, in integer weights that sum to 2⁶².
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidStrategy {
    /// Bids, rising, with their weights.
    support: Vec<(u32, u64)>,
}

/// Whether the last weight of a strategy is written, which follows from the sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastWeight {
    Written,
    LeftOut,
}

impl BidStrategy {
    pub(super) fn pure(bid: u32) -> Self {
        Self { support: vec![(bid, DyadicStrategy::WHOLE)] }
    }

    pub(super) fn new(bids: &[u16], weights: &[u64]) -> Self {
        Self {
            support: bids.iter().map(|&bid| u32::from(bid)).zip(weights.iter().copied()).collect(),
        }
    }

    /// A strategy of rising legal bids whose weights are positive and sum to the whole.
    pub(crate) fn checked(support: Vec<(u32, u64)>, legal: RangeInclusive<u32>) -> Option<Self> {
        let sum: u128 = support.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let possible = sum == u128::from(DyadicStrategy::WHOLE)
            && support.iter().all(|(bid, weight)| legal.contains(bid) && *weight > 0)
            && support.is_sorted_by(|lower, higher| lower.0 < higher.0);
        possible.then_some(Self { support })
    }

    pub(crate) fn from_dyadic(strategy: &DyadicStrategy, lowest: u32) -> Self {
        Self {
            support: strategy
                .support()
                .iter()
                .map(|&(index, weight)| (index + lowest, weight))
                .collect(),
        }
    }

    /// Appends the sizes of the supports, and the bids with their weights.
    pub(super) fn write(pair: &[Self; 2], out: &mut Vec<u8>, last: LastWeight) {
        for Self { support } in pair {
            out.extend((support.len() as u16).to_le_bytes());
            for (&(bid, weight), place) in support.iter().zip(1..) {
                out.extend((bid as u16).to_le_bytes());
                if last == LastWeight::Written || place < support.len() {
                    out.extend(weight.to_le_bytes());
                }
            }
        }
    }

    /// The strategy over the rows of its owner's stage game, of which `lowest` is the first.
    pub(crate) fn dyadic(&self, lowest: u32) -> DyadicStrategy {
        let mut dyadic = DyadicStrategy::default();
        dyadic.assign(self.weights().map(|(bid, weight)| (bid - lowest, weight as i64)));
        dyadic
    }

    /// The bids with positive probability, rising, and their probabilities.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = (u32, f64)> {
        self.weights().map(|(bid, weight)| (bid, weight as f64 / DyadicStrategy::WHOLE as f64))
    }

    /// As [`Self::probabilities`], with weights out of [`DyadicStrategy::WHOLE`].
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (u32, u64)> {
        self.support.iter().copied()
    }

    pub fn probability(&self, bid: u32) -> f64 {
        let place = self.support.binary_search_by_key(&bid, |&(own, _)| own);
        place.map_or(0.0, |place| self.support[place].1 as f64 / DyadicStrategy::WHOLE as f64)
    }

    pub fn mean(&self) -> f64 {
        self.probabilities().map(|(bid, probability)| f64::from(bid) * probability).sum()
    }

    pub fn support_size(&self) -> usize {
        self.support.len()
    }

    pub fn is_pure(&self) -> bool {
        self.support.len() == 1
    }
}

/// An equilibrium of one state: its value to A, both strategies, and the bounds that they prove.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateEquilibrium {
    pub state: State,
    pub value: f64,
    pub enclosure: Enclosure,
    pub a: BidStrategy,
    pub b: BidStrategy,
}

impl StateEquilibrium {
    pub const fn strategy(&self, player: Player) -> &BidStrategy {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }

    pub fn is_randomised(&self) -> bool {
        !(self.a.is_pure() && self.b.is_pure())
    }
}

/// A proved equilibrium in rationals: the value to A, and both players' bids, rising, with positive
/// probabilities that sum to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact {
    pub value: BigRational,
    pub a: Vec<(u32, BigRational)>,
    pub b: Vec<(u32, BigRational)>,
}

impl Solution {
    /// The exact value if [`Solver::exact`](crate::Solver::exact) found it; 0 at
    /// [even](crate::Rules::is_even) states.
    pub fn exact_value(&self, state: State) -> Result<Option<BigRational>, GameError> {
        self.check(state)?;
        if self.rules().is_even(state) {
            return Ok(Some(BigRational::from_integer(0.into())));
        }
        Ok(self.tables.exact_value(state).map(big_rational))
    }

    /// Whether the value is proved to be irrational: where two [bids of
    /// 0](crate::Rules::with_min_bid) repeat the state, its value is the root of a quadratic
    /// equation. Its [digits](Self::digits) can still be computed.
    ///
    /// ```
    /// use pencil_tennis::{Rules, Solver};
    ///
    /// let rules = Rules::oshi_zumo(1)?.with_min_bid(0)?;
    /// let solution = Solver::new(&rules).points([5, 4]).exact(Solver::EXACT_BITS).solve()?;
    /// let state = "5:4@0".parse()?; // √(3/5)
    /// assert!(solution.is_irrational(state)?);
    /// assert_eq!(solution.exact_value(state)?, None);
    /// assert_eq!(solution.digits(state, 30)?.value.as_deref(), Some("0.774596669241483377035853079956"));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn is_irrational(&self, state: State) -> Result<bool, GameError> {
        self.check(state)?;
        Ok(self
            .tables
            .exact
            .as_ref()
            .is_some_and(|tier| tier.irrational.contains(&self.tables.order.space.index(state))))
    }

    /// The exact value and strategies, if [`Solver::exact`](crate::Solver::exact) found them.
    pub fn exact(&self, state: State) -> Result<Option<Exact>, GameError> {
        self.check(state)?;
        let Some(tier) = &self.tables.exact else { return Ok(None) };
        if self.rules().outcome(state).is_some() {
            let certain = vec![(0, BigRational::from_integer(1.into()))];
            return Ok(self.exact_value(state)?.map(|value| Exact {
                value,
                a: certain.clone(),
                b: certain,
            }));
        }
        let order = &self.tables.order;
        let representative = order.representative(state);
        let found = tier
            .equilibrium(order.space.index(representative))
            .zip(self.tables.exact_value(representative));
        let strategy = |strategy: &ExactStrategy, points: u32| {
            let lowest = self.rules().lowest_bid(points);
            strategy
                .probabilities()
                .map(|(index, probability)| (index as u32 + lowest, big_rational(&probability)))
                .collect()
        };
        Ok(found.map(|(equilibrium, value)| {
            let (a, b) = (
                strategy(&equilibrium.row, representative.a),
                strategy(&equilibrium.column, representative.b),
            );
            let value = big_rational(value);
            if representative == state {
                Exact { value, a, b }
            } else {
                Exact { value: -value, a: b, b: a }
            }
        }))
    }

    pub const fn is_exact_asked(&self) -> bool {
        self.tables.exact.is_some()
    }

    pub fn exact_states(&self) -> usize {
        self.tables.exact.as_ref().map_or(0, ExactTier::known)
    }

    pub fn irrational_states(&self) -> usize {
        self.tables.exact.as_ref().map_or(0, |tier| tier.irrational.len())
    }
}

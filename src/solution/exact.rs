use dashu_ratio::RBig;
use num_rational::BigRational;

use super::Solution;
use crate::game::{GameError, State};
use crate::induction::ExactTier;
use crate::matrix_game::exact::{ExactEquilibrium, ExactStrategy, big_rational};

/// A proved equilibrium in rationals: the value to A, and both players' bids, rising, with positive probabilities that sum to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact {
    pub value: BigRational,
    pub a: Vec<(u32, BigRational)>,
    pub b: Vec<(u32, BigRational)>,
}

impl Exact {
    pub(crate) fn new(value: &RBig, equilibrium: &ExactEquilibrium, [lowest_a, lowest_b]: [u32; 2]) -> Self {
        let strategy = |strategy: &ExactStrategy, lowest: u32| {
            strategy.probabilities().map(|(index, probability)| (index as u32 + lowest, big_rational(&probability))).collect()
        };
        Self { value: big_rational(value), a: strategy(&equilibrium.row, lowest_a), b: strategy(&equilibrium.column, lowest_b) }
    }

    pub(crate) fn mirrored(self) -> Self {
        Self { value: -self.value, a: self.b, b: self.a }
    }
}

impl Solution {
    /// The exact value if [`Solver::exact`](crate::Solver::exact) found it; 0 at [even](crate::Rules::is_even) states.
    pub fn exact_value(&self, state: State) -> Result<Option<BigRational>, GameError> {
        self.check(state)?;
        if self.rules().is_even(state) {
            return Ok(Some(BigRational::from_integer(0.into())));
        }
        let tier = self.tables.exact.as_ref();
        Ok(tier.and_then(|tier| tier.value(self.tables.order.space.index(state))).map(big_rational))
    }

    /// Whether the value is proved to be irrational: where two [bids of 0](crate::Rules::with_min_bid) repeat the state, its
    /// value is the root of a quadratic equation. Its [digits](Self::digits) can still be computed.
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
        Ok(self.tables.exact.as_ref().is_some_and(|tier| tier.is_irrational(self.tables.order.space.index(state))))
    }

    /// The exact value and strategies, if [`Solver::exact`](crate::Solver::exact) found them.
    pub fn exact(&self, state: State) -> Result<Option<Exact>, GameError> {
        self.check(state)?;
        let order = &self.tables.order;
        let representative = order.representative(state);
        let lowest = [representative.a, representative.b].map(|points| self.rules().lowest_bid(points));
        let Some(tier) = &self.tables.exact else { return Ok(None) };
        let Some(value) = tier.value(order.space.index(representative)) else { return Ok(None) };
        if self.rules().outcome(state).is_some() {
            let certain = vec![(0, BigRational::from_integer(1.into()))];
            let value = tier.value(order.space.index(state)).map(big_rational).unwrap_or_default();
            return Ok(Some(Exact { value, a: certain.clone(), b: certain }));
        }
        let exact = tier.equilibrium(order.space.index(representative)).map(|equilibrium| Exact::new(value, equilibrium, lowest));
        Ok(if representative == state { exact } else { exact.map(Exact::mirrored) })
    }

    pub const fn is_exact_asked(&self) -> bool {
        self.tables.exact.is_some()
    }

    pub fn exact_states(&self) -> usize {
        self.tables.exact.as_ref().map_or(0, ExactTier::known)
    }

    pub fn irrational_states(&self) -> usize {
        self.tables.exact.as_ref().map_or(0, ExactTier::irrational)
    }
}

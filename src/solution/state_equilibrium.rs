//! The solution of one state.

use num_rational::BigRational;

use super::Solution;
use super::bid_strategy::BidStrategy;
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, GameError, Player, State};
use crate::induction::ExactTier;
use crate::matrix_game::Refined;
use crate::matrix_game::exact::{ExactStrategy, big_rational};

/// An equilibrium of one state: its value to A, both strategies, and the bounds that they prove.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateEquilibrium {
    pub state: State,
    pub value: f64,
    pub enclosure: Enclosure,
    pub a: BidStrategy,
    pub b: BidStrategy,
    /// The outcome of [`Solution::refined`] for either strategy; unchanged in every other
    /// equilibrium.
    pub refined: ByPlayer<Refined>,
}

impl StateEquilibrium {
    pub const fn strategy(&self, player: Player) -> &BidStrategy {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }

    /// An equilibrium of the strategies that the solver found.
    pub(crate) const fn usual(
        state: State,
        value: f64,
        enclosure: Enclosure,
        a: BidStrategy,
        b: BidStrategy,
    ) -> Self {
        let refined = ByPlayer { a: Refined::Unchanged, b: Refined::Unchanged };
        Self { state, value, enclosure, a, b, refined }
    }

    /// The equilibrium of the mirror image of the state, which is worth `value`.
    pub(crate) fn mirrored(&self, value: f64) -> Self {
        Self {
            state: self.state.mirrored(),
            value,
            enclosure: self.enclosure.mirrored(),
            a: self.b.clone(),
            b: self.a.clone(),
            refined: ByPlayer { a: self.refined.b, b: self.refined.a },
        }
    }
}

/// A proved equilibrium in rationals: the value to A, and the bids, rising, with positive
/// probabilities that sum to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact {
    pub value: BigRational,
    pub strategies: ByPlayer<Vec<(u32, BigRational)>>,
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
    /// use pencil_tennis::{Rules, Solver, unwatched};
    ///
    /// let rules = Rules::oshi_zumo(1)?.with_min_bid(0)?;
    /// let solution = Solver::new(&rules).points([5, 4]).exact(Solver::EXACT_BITS).solve()?;
    /// let state = "5:4@0".parse()?; // √(3/5)
    /// assert!(solution.is_irrational(state)?);
    /// assert_eq!(solution.exact_value(state)?, None);
    /// assert_eq!(solution.digits(state, 30, &mut unwatched)?.value.as_deref(), Some("0.774596669241483377035853079956"));
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
                strategies: ByPlayer { a: certain.clone(), b: certain },
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
                Exact { value, strategies: ByPlayer { a, b } }
            } else {
                Exact { value: -value, strategies: ByPlayer { a: b, b: a } }
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

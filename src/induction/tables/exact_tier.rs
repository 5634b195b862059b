use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use dashu_base::BitTest;
use dashu_ratio::{RBig, Relaxed};

use super::order::Order;
use super::stage_game::StageGame;
use crate::bounds::Bounds;
use crate::game::{ByPlayer, Outcome, Payoff, Player, Rules, State};
use crate::matrix_game::EnclosedPayoffs;
use crate::matrix_game::exact::{ExactEquilibrium, ExactPayoffs};

/// Exact values and strategies beside the floating-point ones, within a limit of size.
#[derive(Clone, Debug)]
pub(crate) struct ExactTier {
    /// The largest kept denominator in bits.
    limit_bits: usize,
    /// For every state its value and the player whose payoff it is; `None` if only bounds are known.
    values: Vec<Option<(Arc<ExactValue>, Player)>>,
    irrational: BTreeSet<usize>,
    /// For the states that are solved themselves.
    equilibria: Vec<Option<Box<ExactEquilibrium>>>,
    out_by_a: RBig,
    out_by_b: RBig,
}

/// A value to A and, at the mirror image of its state, to B.
#[derive(Debug)]
struct ExactValue {
    found: Relaxed,
    /// In lowest terms, computed when first read.
    reduced: OnceLock<ByPlayer<RBig>>,
}

impl ExactValue {
    fn reduced(&self) -> &ByPlayer<RBig> {
        self.reduced.get_or_init(|| {
            let value = self.found.clone().canonicalize();
            ByPlayer { b: -value.clone(), a: value }
        })
    }
}

impl ExactTier {
    /// A tier in which only the ends are known.
    pub(crate) fn new(rules: &Rules, order: Order, limit_bits: usize) -> Self {
        let payoff = |outcome| rational(rules.scoring().payoff(outcome));
        let mut tier = Self {
            limit_bits,
            values: vec![None; order.space.len()],
            irrational: BTreeSet::new(),
            equilibria: vec![None; order.space.len()],
            out_by_a: payoff(Outcome::OutByA),
            out_by_b: payoff(Outcome::OutByB),
        };
        for state in order.space.layer(0) {
            tier.values[order.space.index(state)] =
                rules.outcome(state).map(|outcome| (value(payoff(outcome).relax()), Player::A));
        }
        tier
    }

    /// Stores the result of a state and its mirror image.
    pub(crate) fn store(&mut self, order: Order, state: State, found: ExactResult) {
        let equilibrium = match found {
            ExactResult::Fraction(equilibrium) => equilibrium,
            ExactResult::Irrational => {
                self.irrational.extend([Some(state), order.image(state)].into_iter().flatten().map(|own| order.space.index(own)));
                return;
            }
        };
        let value = value(equilibrium.value.clone());
        if let Some(mirror) = order.image(state) {
            self.values[order.space.index(mirror)] = Some((Arc::clone(&value), Player::B));
        }
        self.values[order.space.index(state)] = Some((value, Player::A));
        self.equilibria[order.space.index(state)] = Some(equilibrium);
    }

    pub(crate) fn fits(&self, found: &ExactResult) -> bool {
        let ExactResult::Fraction(equilibrium) = found else { return true };
        let value = &equilibrium.value;
        value.denominator().bit_len() <= self.limit_bits
            || value.clone().canonicalize().denominator().bit_len() <= self.limit_bits
    }

    pub(crate) fn irrational(&self) -> usize {
        self.irrational.len()
    }

    pub(crate) fn is_irrational(&self, index: usize) -> bool {
        self.irrational.contains(&index)
    }

    /// The value of the state with this index, in lowest terms.
    pub(crate) fn value(&self, index: usize) -> Option<&RBig> {
        self.values[index].as_ref().map(|(value, player)| &value.reduced()[*player])
    }

    /// The equilibrium of the state with this index, if it was solved itself.
    pub(crate) fn equilibrium(&self, index: usize) -> Option<&ExactEquilibrium> {
        self.equilibria[index].as_deref()
    }

    pub(crate) fn known(&self) -> usize {
        self.values.iter().flatten().count()
    }
}

fn value(found: Relaxed) -> Arc<ExactValue> {
    Arc::new(ExactValue { found, reduced: OnceLock::new() })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExactResult {
    Fraction(Box<ExactEquilibrium>),
    Irrational,
}

impl From<ExactEquilibrium> for ExactResult {
    fn from(equilibrium: ExactEquilibrium) -> Self {
        Self::Fraction(Box::new(equilibrium))
    }
}

/// The stage game of a state over exact values and bounds.
pub(crate) struct ExactStage<'a> {
    pub(crate) tier: &'a ExactTier,
    pub(crate) rules: &'a Rules,
    pub(crate) order: Order,
    pub(crate) state: State,
    pub(crate) enclosed: EnclosedPayoffs<StageGame<'a, i64>>,
    pub(crate) exponent: u32,
}

impl ExactPayoffs for ExactStage<'_> {
    fn size(&self) -> [usize; 2] {
        self.enclosed.size()
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        let EnclosedPayoffs { row: a, column: b } = &self.enclosed;
        let (bid_a, bid_b) = ((row + a.lowest_bid()) as u32, (column + b.lowest_bid()) as u32);
        let next = self.rules.next(self.state, bid_a, bid_b);
        let position = next.ball.position();
        if !self.rules.is_inside(position) {
            return Some(if position > 0 { &self.tier.out_by_a } else { &self.tier.out_by_b });
        }
        self.tier.value(self.order.space.index(next))
    }

    fn bounds(&self, row: usize, column: usize) -> Bounds {
        self.enclosed.bounds(row, column)
    }

    fn exponent(&self) -> u32 {
        self.exponent
    }
}

pub(crate) fn rational(payoff: Payoff) -> RBig {
    RBig::from_parts((*payoff.numer()).into(), payoff.denom().unsigned_abs().into())
}

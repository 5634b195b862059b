//! Exact values beside the proved bounds.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::{RBig, Relaxed};

use super::order::Order;
use crate::bounds::{Bounds, Enclosure};
use crate::game::{Payoff, Rules, State};
use crate::matrix_game::exact::ExactEquilibrium;

/// Exact values and strategies beside the floating-point ones, within a limit of size.
#[derive(Clone, Debug)]
pub(crate) struct ExactTier {
    /// The largest kept denominator in bits.
    limit_bits: usize,
    /// The values of all states to A, and in lowest terms, computed when first read; `None` if only
    /// bounds are known.
    values: Vec<Option<(Relaxed, OnceLock<RBig>)>>,
    pub(crate) irrational: BTreeSet<usize>,
    /// For the states that are solved themselves.
    equilibria: Vec<Option<Box<ExactEquilibrium>>>,
}

impl ExactTier {
    /// A tier in which only the ends are known.
    pub(crate) fn new(rules: &Rules, order: Order, limit_bits: usize) -> Self {
        let mut values = vec![None; order.space.len()];
        for state in order.space.layer(0) {
            values[order.space.index(state)] =
                rules.payoff(state).map(|payoff| (rational(payoff).relax(), OnceLock::new()));
        }
        Self {
            limit_bits,
            values,
            irrational: BTreeSet::new(),
            equilibria: vec![None; order.space.len()],
        }
    }

    /// Stores the result of a state and its mirror image, if it is within the limit, and within the
    /// bounds that the proof pass found without it: a value outside is wrong, and counts as
    /// unknown.
    pub(crate) fn store(
        &mut self,
        order: Order,
        state: State,
        found: ExactResult,
        proved: Enclosure,
    ) {
        let (index, image) =
            (order.space.index(state), order.image(state).map(|image| order.space.index(image)));
        let value = match &found {
            ExactResult::Irrational => {
                self.irrational.extend([Some(index), image].into_iter().flatten());
                return;
            }
            ExactResult::Fraction(equilibrium) => equilibrium.value.clone(),
            ExactResult::Approached(value) => value.clone().relax(),
        };
        if !contains(proved, &value) {
            return;
        }
        let fits = |denominator: &UBig| denominator.bit_len() <= self.limit_bits;
        if !fits(value.denominator()) && !fits(value.clone().canonicalize().denominator()) {
            return;
        }
        if let Some(image) = image {
            self.values[image] = Some((-value.clone(), OnceLock::new()));
        }
        self.values[index] = Some((value, OnceLock::new()));
        if let ExactResult::Fraction(equilibrium) = found {
            self.equilibria[index] = Some(equilibrium);
        }
    }

    /// The equilibrium of the state with this index, if it was solved itself.
    pub(crate) fn equilibrium(&self, index: usize) -> Option<&ExactEquilibrium> {
        self.equilibria[index].as_deref()
    }

    /// The value of the state with this index, if it is known.
    pub(super) fn value(&self, index: usize) -> Option<&RBig> {
        let (value, reduced) = self.values[index].as_ref()?;
        Some(reduced.get_or_init(|| value.clone().canonicalize()))
    }

    pub(crate) fn known(&self) -> usize {
        self.values.iter().flatten().count()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExactResult {
    Fraction(Box<ExactEquilibrium>),
    /// The value; the player who gets more than the payoff of infinite plays has strategies for
    /// less than it alone.
    Approached(RBig),
    Irrational,
}

impl From<ExactEquilibrium> for ExactResult {
    fn from(equilibrium: ExactEquilibrium) -> Self {
        Self::Fraction(Box::new(equilibrium))
    }
}

/// Whether a value lies within proved bounds.
fn contains(proved: Enclosure, value: &Relaxed) -> bool {
    let (numerator, denominator) =
        (value.numerator() << proved.unit_exponent() as usize, value.denominator().as_ibig());
    let Bounds { lower, upper } = proved.integers();
    IBig::from(lower) * denominator <= numerator && numerator <= IBig::from(upper) * denominator
}

pub(crate) fn rational(payoff: Payoff) -> RBig {
    RBig::from_parts((*payoff.numer()).into(), payoff.denom().unsigned_abs().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value at a bound is kept, and one beyond it by the least fraction is not.
    #[test]
    fn values_outside_proved_bounds_are_refused() {
        let proved = Enclosure::proved(Bounds::new(-3, 5), 2);
        let value = |numerator: i64, denominator: u64| {
            RBig::from_parts(numerator.into(), denominator.into()).relax()
        };
        for (inside, numerator) in
            [(true, -750), (true, 0), (true, 1250), (false, -751), (false, 1251)]
        {
            assert_eq!(contains(proved, &value(numerator, 1000)), inside, "{numerator}");
        }
    }
}

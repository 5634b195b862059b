//! Exact values beside the proved bounds.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::{RBig, Relaxed};

use super::Tables;
use super::order::Order;
use super::stage_game::StageGame;
use crate::bounds::{Bounds, Enclosure, Rounding};
use crate::game::{Outcome, Payoff, Rules, State};
use crate::matrix_game::EnclosedPayoffs;
use crate::matrix_game::exact::{ExactEquilibrium, ExactPayoffs};

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
        let (own, image) =
            (order.space.index(state), order.image(state).map(|image| order.space.index(image)));
        let value = match &found {
            ExactResult::Irrational => {
                self.irrational.extend([Some(own), image].into_iter().flatten());
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
        self.values[own] = Some((value, OnceLock::new()));
        if let ExactResult::Fraction(equilibrium) = found {
            self.equilibria[own] = Some(equilibrium);
        }
    }

    /// The equilibrium of the state with this index, if it was solved itself.
    pub(crate) fn equilibrium(&self, index: usize) -> Option<&ExactEquilibrium> {
        self.equilibria[index].as_deref()
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

impl Tables {
    /// The exact value of a state inside the field, if it is known.
    pub(crate) fn exact_value(&self, state: State) -> Option<&RBig> {
        let (value, reduced) =
            self.exact.as_ref()?.values[self.order.space.index(state)].as_ref()?;
        Some(reduced.get_or_init(|| value.clone().canonicalize()))
    }
}

/// The stage game of a state over bounds, and exact values where they are known.
pub(crate) struct ExactStage<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) state: State,
    enclosed: EnclosedPayoffs<StageGame<'t, i64>>,
    /// The payoffs of the ends.
    ends: [RBig; 5],
    /// The value of a repetition, the first entry, and its bounds, if it was
    /// [set](Self::set_repetition).
    repetition: Option<(RBig, Bounds)>,
    /// By row and column, entries whose bounds agree, if they [count](Self::with_equal_bounds) as
    /// exact.
    equal: Vec<Option<RBig>>,
}

impl<'t> ExactStage<'t> {
    pub(crate) fn new(tables: &'t Tables, state: State) -> Self {
        let ends = Outcome::EACH.map(|outcome| rational(tables.rules.scoring().payoff(outcome)));
        Self {
            tables,
            state,
            enclosed: tables.enclosed_stage(state),
            ends,
            repetition: None,
            equal: Vec::new(),
        }
    }

    /// Takes bounds that agree for exact values.
    #[must_use]
    pub(crate) fn with_equal_bounds(mut self) -> Self {
        let [rows, columns] = self.size();
        let equal = |place: usize| {
            let Bounds { lower, upper } = self.bounds(place / columns, place % columns);
            (lower == upper && self.exact(place / columns, place % columns).is_none())
                .then(|| self.units(lower))
        };
        self.equal = (0..rows * columns).map(equal).collect();
        self
    }

    /// Sets the value of a repetition of the state, the first entry.
    pub(crate) fn set_repetition(&mut self, worth: &RBig) {
        let units = worth.numerator() << self.exponent() as usize;
        let bound = |rounding: Rounding| {
            i64::try_from(rounding.quotient(units.clone(), worth.denominator().clone().into()))
        };
        // The value lies within the range of all bounds.
        let [lower, upper] = [(Rounding::Down, -1), (Rounding::Up, 1)]
            .map(|(rounding, side)| bound(rounding).unwrap_or(side << 61));
        self.repetition = Some((worth.clone(), Bounds::new(lower, upper)));
    }
}

impl ExactPayoffs for ExactStage<'_> {
    fn size(&self) -> [usize; 2] {
        self.enclosed.size()
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        if let (Some((worth, _)), 0) = (&self.repetition, row + column) {
            return Some(worth);
        }
        let EnclosedPayoffs { row: a, column: b } = &self.enclosed;
        let (bid_a, bid_b) = ((row + a.lowest_bid) as u32, (column + b.lowest_bid) as u32);
        let next = self.tables.rules.next(self.state, bid_a, bid_b);
        match self.tables.rules.outcome(next) {
            Some(outcome) => Some(&self.ends[outcome.index()]),
            None => self
                .tables
                .exact_value(next)
                .or_else(|| self.equal.get(row * self.size()[1] + column)?.as_ref()),
        }
    }

    fn bounds(&self, row: usize, column: usize) -> Bounds {
        match self.repetition {
            Some((_, bounds)) if row + column == 0 => bounds,
            _ => self.enclosed.bounds(row, column),
        }
    }

    fn exponent(&self) -> u32 {
        self.tables.scale.exponent
    }
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

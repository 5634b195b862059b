//! Stage games of exact values.

use dashu_ratio::RBig;

use super::Tables;
use super::exact_tier::rational;
use super::stage_game::StageGame;
use crate::bounds::{Bounds, Rounding};
use crate::game::{Outcome, State};
use crate::matrix_game::EnclosedPayoffs;
use crate::matrix_game::exact::ExactPayoffs;

impl Tables {
    /// The exact value of a state inside the field, if it is known.
    pub(crate) fn exact_value(&self, state: State) -> Option<&RBig> {
        self.exact.as_ref()?.value(self.order.space.index(state))
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
        let equal = |index: usize| {
            let Bounds { lower, upper } = self.bounds(index / columns, index % columns);
            (lower == upper && self.exact(index / columns, index % columns).is_none())
                .then(|| self.units(lower))
        };
        self.equal = (0..rows * columns).map(equal).collect();
        self
    }

    /// Sets the value of a repetition of the state, the first entry.
    pub(crate) fn set_repetition(&mut self, value: &RBig) {
        let units = value.numerator() << self.exponent() as usize;
        let bound = |rounding: Rounding| {
            i64::try_from(rounding.quotient(units.clone(), value.denominator().clone().into()))
        };
        // The value lies within the range of all bounds.
        let [lower, upper] = [(Rounding::Down, -1), (Rounding::Up, 1)]
            .map(|(rounding, side)| bound(rounding).unwrap_or(side << 61));
        self.repetition = Some((value.clone(), Bounds::new(lower, upper)));
    }
}

impl ExactPayoffs for ExactStage<'_> {
    fn size(&self) -> [usize; 2] {
        self.enclosed.size()
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        if let (Some((value, _)), 0) = (&self.repetition, row + column) {
            return Some(value);
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

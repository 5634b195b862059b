//! Best replies, by doubles first and by integers where doubles cannot tell.

use super::dyadic_strategy::{DyadicStrategy, expected_payoffs};
use crate::Payoffs;
use crate::bounds::{Bounds, product};
use crate::dense::{add_scaled, add_two_scaled};

/// The search for the column of least expectation against a mixed strategy.
///
/// Sums of doubles, which take a third of the time, rule out all columns but a few, mostly one,
/// whose integer sums decide.
#[derive(Clone, Debug, Default)]
pub struct BestReply {
    strategy: Vec<(usize, u64)>,
    estimates: Vec<f64>,
    /// Of all columns where they were added up together, or empty.
    expectations: Vec<i128>,
}

/// If more than one column in this many is left, all are added up together, which is faster then.
const FEW: usize = 4;

impl BestReply {
    /// The first column of least expectation against a mixed strategy of (row, weight), rows
    /// rising, and its expectation in parts of [`DyadicStrategy::WHOLE`]. `approximate` has the
    /// payoffs rounded to doubles; no payoff lies outside `range`.
    pub fn find(
        &mut self,
        strategy: impl Iterator<Item = (usize, u64)>,
        payoffs: &impl Payoffs<i64>,
        approximate: &impl Payoffs<f64>,
        range: Bounds,
    ) -> (usize, i128) {
        self.strategy.clear();
        self.strategy.extend(strategy);
        self.estimates.clear();
        self.estimates.resize(payoffs.columns(), 0.0);
        let mut rows = self.strategy.iter();
        while let Some(&(row, weight)) = rows.next() {
            let (mut start, sums, factor) = (0, &mut self.estimates, weight as f64);
            if let Some(&(below, weight_below)) = rows.next() {
                let factors = [factor, weight_below as f64];
                approximate.walk_two_rows([row, below], |run, run_below| {
                    start = add_two_scaled(sums, start, [run, run_below], factors);
                });
            } else {
                approximate.walk_row(row, |run| start = add_scaled(sums, start, run, factor));
            }
        }
        // Weight, payoff and product are rounded once each, and the sum once a row at most, by 2⁻⁵³
        // of the whole times the largest payoff. Four more cover the squares of these errors and
        // the roundings of this line and the next.
        let largest = range.lower.unsigned_abs().max(range.upper.unsigned_abs()) as f64;
        let error = (self.strategy.len() + 7) as f64
            * (f64::EPSILON / 2.0)
            * DyadicStrategy::WHOLE as f64
            * largest;
        let limit = self.estimates.iter().copied().fold(f64::INFINITY, f64::min) + 2.0 * error;
        let possible = || {
            self.estimates
                .iter()
                .enumerate()
                .filter(|&(_, &estimate)| estimate <= limit)
                .map(|(column, _)| column)
        };
        let together = possible().count() * FEW > payoffs.columns();
        self.expectations.clear();
        let mut found = (0, i128::MAX);
        for column in possible() {
            let expectation = self.expectation(payoffs, column);
            if expectation < found.1 {
                found = (column, expectation);
            }
            // Nothing is less: where all is lost, all columns are as good.
            if expectation == i128::from(range.lower) << DyadicStrategy::WHOLE_BITS {
                break;
            }
            if together {
                expected_payoffs(self.strategy.iter().copied(), payoffs, &mut self.expectations);
                return self.least();
            }
        }
        found
    }

    /// The buffer of all columns' expectations, for callers that fill it.
    pub fn all(&mut self) -> &mut Vec<i128> {
        &mut self.expectations
    }

    pub fn least(&self) -> (usize, i128) {
        let expectations = self.expectations.iter().copied().enumerate();
        // The first if several are as small.
        expectations.min_by_key(|&(_, expectation)| expectation).unwrap_or((0, 0))
    }

    /// The expectation of one column against the last strategy, in parts of
    /// [`DyadicStrategy::WHOLE`].
    pub fn expectation(&self, payoffs: &impl Payoffs<i64>, column: usize) -> i128 {
        let term =
            |&(row, weight): &(usize, u64)| product(weight as i64, payoffs.entry(row, column));
        self.expectations
            .get(column)
            .copied()
            .unwrap_or_else(|| self.strategy.iter().map(term).sum())
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::payoffs::integers;
    use crate::sequence::doubles;

    proptest! {
        #[test]
        fn is_found_among_columns_that_doubles_cannot_tell_apart(
            columns in vec((0..3_usize, vec(-2..3_i64, 6)), 1..30),
            shares in vec(1..u64::from(u32::MAX), 6),
        ) {
            // Columns are one of three and a few units more or less in every entry.
            let bases = [1_i64 << 60, (1 << 60) + 1, -(1 << 61)];
            let entry = |row: usize, (base, more): &(usize, Vec<i64>)| bases[*base] + more[row];
            let rows: Vec<Vec<i64>> = (0..6).map(|row| columns.iter().map(|column| entry(row, column)).collect()).collect();
            let sum: u64 = shares.iter().sum();
            let part = |&share: &u64| (u128::from(share) * u128::from(DyadicStrategy::WHOLE) / u128::from(sum)) as u64;
            let mut weights: Vec<u64> = shares.iter().map(part).collect();
            weights[0] += DyadicStrategy::WHOLE - weights.iter().sum::<u64>();
            let exact: Vec<i128> = (0..columns.len())
                .map(|column| (0..6).map(|row| i128::from(weights[row]) * i128::from(rows[row][column])).sum())
                .collect();
            let least = *exact.iter().min().unwrap();

            let mut best = BestReply::default();
            let payoffs = integers(&rows);
            let occurring = rows.iter().flatten().copied().min().unwrap();
            // The lowest payoff occurs, or all are above it.
            for lowest in [occurring, -(1 << 61) - 9] {
                let strategy = weights.iter().copied().enumerate();
                let range = Bounds::new(lowest, 1 << 61);
                let found = best.find(strategy, &payoffs, &doubles(&rows), range);
                prop_assert_eq!(found, (exact.iter().position(|&expectation| expectation == least).unwrap(), least));
                for (column, &expectation) in exact.iter().enumerate() {
                    prop_assert_eq!(best.expectation(&payoffs, column), expectation);
                }
            }
        }
    }

    /// As doubles, 2⁶⁰ + 127 is 2⁶⁰, 2⁶⁰ + 385 is 2⁶⁰ + 512, and 2⁶⁰ − 190 is 2⁶⁰ − 128: the column
    /// that looks dearer is cheaper by 59/2.
    #[test]
    fn doubles_that_mislead_are_looked_at_again() {
        const LARGE: i64 = 1 << 60;
        let half = DyadicStrategy::WHOLE / 2;
        let least = (2 * i128::from(LARGE) + 385 - 190) * i128::from(half);
        // Columns that are dear enough to be ruled out decide how the others are added up.
        for dear in [0, 1, 30] {
            let row = |entries: [i64; 2]| {
                entries.into_iter().chain(vec![2 * LARGE; dear]).collect::<Vec<i64>>()
            };
            let rows = [row([LARGE + 127, LARGE + 385]), row([LARGE + 127, LARGE - 190])];
            let found = BestReply::default().find(
                [(0, half), (1, half)].into_iter(),
                &integers(&rows),
                &doubles(&rows),
                Bounds::new(-2 * LARGE, 2 * LARGE),
            );
            assert_eq!(found, (1, least), "{dear} dear columns");
        }
    }
}

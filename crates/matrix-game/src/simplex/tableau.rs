//! The condensed simplex tableau of a matrix game (Dantzig 1951; the condensed form is Tucker's).
//!
//! The column player minimises `v` subject to `r_i = v − Σ_j a_ij y_j ≥ 0`, `Σ y_j = 1`, `y ≥ 0`.
//! Eliminating `v` and one `y` gives a feasible dictionary of the matrix's size over differences of
//! payoffs: no first phase, no shift to positive payoffs. The reduced costs of the `r_i` are the
//! row player's probabilities.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::basis::{Basis, PivotRule};
use crate::dense::DoubleDouble;
use crate::payoffs::Payoffs;
use crate::tolerances::{
    DICTIONARY_ZERO, EQUAL_PRECISE_RATIOS, EQUAL_RATIOS, PRECISE_PIVOT, PRECISE_ZERO, TABLEAU_PIVOT,
};
use crate::tremble::{rate, rates};
use crate::work::Watch;

pub(super) fn are_equal<T: Real>(left: T, right: T) -> bool {
    let [left_size, right_size] = [left, right].map(|ratio| ratio.nearest().abs());
    (left - right).nearest().abs() <= T::EQUAL * left_size.max(right_size)
}

/// The order of two numbers, neither a NaN.
fn by_size<T: Real>(left: &T, right: &T) -> Ordering {
    left.partial_cmp(right).unwrap_or(Ordering::Equal)
}

/// Row `i` says `basic_i = rhs_i − Σ_k t_ik · nonbasic_k`; the last two rows do so for the
/// objectives.
///
/// *Ties.* Behind the `n` columns stand the right-hand side and its derivative when the column
/// player trembles. The latter breaks ties of the ratio test (lexicographic rule): it prevents
/// cycling and selects an optimal strategy of the row player that gains most from such errors. The
/// second objective does the same for the column player.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau<T = f64> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
    /// The variable of each row: `j` for `y_j`, `columns + i` for `r_i`.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    zero: T,
    pivot_row: Vec<T>,
    rates: Vec<f64>,
}

impl<T: Real> Tableau<T> {
    /// The dictionary in which `column` is played and its best reply `row` is tight: of several,
    /// the best against a trembling column player. Multiplies payoff differences by `scale`, to the
    /// size of probabilities: one tolerance serves both.
    pub(super) fn start<E: Copy + Into<T>>(
        &mut self,
        payoffs: &impl Payoffs<E>,
        row: usize,
        column: usize,
        scale: T,
    ) {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        (self.rows, self.columns) = (rows, columns);
        let width = columns + 2;
        self.entries.clear();
        let [zero, one] = [0.0, 1.0].map(T::from);
        self.entries.resize((rows + 2) * width, zero);
        let tight: &mut Vec<T> = &mut self.pivot_row;
        tight.clear();
        payoffs.walk_row(row, |run| tight.extend(run.iter().map(|&entry| entry.into())));
        let corner = tight[column];
        for entry in tight.iter_mut() {
            *entry = (*entry - corner) * scale;
        }
        self.rates.clear();
        self.rates.extend(rates(columns));
        let trembles: f64 = self.rates.iter().sum();
        let mut largest = 0.0_f64;
        let (dictionary, objectives) = self.entries.split_at_mut(rows * width);
        let (objective, second) = objectives.split_at_mut(width);
        for (i, entries) in dictionary.chunks_exact_mut(width).enumerate() {
            if i == row {
                // The row of y_column: 1 − Σ y_j, less the trembling.
                entries[..columns].fill(one);
                entries[column] = zero;
                entries[columns] = one;
                entries[columns + 1] = T::from(-trembles);
                continue;
            }
            let mut index = 0;
            payoffs.walk_row(i, |run| {
                for (entry, &payoff) in entries[index..].iter_mut().zip(run) {
                    *entry = payoff.into();
                }
                index += run.len();
            });
            let reference = entries[column];
            let mut trembling = zero;
            for ((entry, tight), rate) in
                entries[..columns].iter_mut().zip(tight.iter()).zip(&self.rates)
            {
                *entry = (*entry - reference) * scale - *tight;
                largest = largest.max(entry.nearest().abs());
                trembling = trembling - T::from(*rate) * *entry;
            }
            entries[column] = -one;
            entries[columns] = (corner - reference) * scale;
            // Equal rows tie even then; the lower one goes first.
            entries[columns + 1] = trembling + T::from(1e-9 * (i + 1) as f64);
            largest = largest.max(entries[columns].nearest());
            let factor = T::from(rate(rows - 1 - i));
            for (sum, entry) in second[..columns].iter_mut().zip(entries.iter()) {
                *sum = *sum - factor * *entry;
            }
        }
        for (entry, tight) in objective.iter_mut().zip(tight.iter()) {
            *entry = -*tight;
            largest = largest.max(tight.nearest().abs());
        }
        objective[column] = -one;
        second[column] = second[column] + T::from(rate(rows - 1 - row));
        self.zero = T::from(T::ZERO * largest);
        self.basic.clear();
        self.basic.extend((0..rows).map(|i| if i == row { column } else { columns + i }));
        self.nonbasic.clear();
        self.nonbasic.extend((0..columns).map(|j| if j == column { columns + row } else { j }));
    }

    /// The dictionary of a basis, by the largest pivots that lead to it; `false` when the basis is
    /// singular.
    pub(super) fn refresh<E: Copy + Into<T>>(
        &mut self,
        payoffs: &impl Payoffs<E>,
        basis: &Basis,
        scale: T,
    ) -> bool {
        self.start(payoffs, basis.rows[0], basis.columns[0], scale);
        let width = self.columns + 2;
        for _ in 1..basis.size() {
            let leaves = |&row: &usize| {
                self.basic[row]
                    .checked_sub(self.columns)
                    .is_some_and(|slack| basis.rows.binary_search(&slack).is_ok())
            };
            let enters =
                |&column: &usize| basis.columns.binary_search(&self.nonbasic[column]).is_ok();
            let size =
                |row: usize, column: usize| self.entries[row * width + column].nearest().abs();
            let candidates = (0..self.rows).filter(leaves);
            let candidates = candidates.flat_map(|row| {
                (0..self.columns).filter(enters).map(move |column| (size(row, column), row, column))
            });
            let largest = candidates.max_by(|one, other| one.0.total_cmp(&other.0));
            let Some((_, row, column)) = largest.filter(|&(size, ..)| size > 0.0) else {
                return false;
            };
            self.exchange(row, column);
        }
        true
    }

    /// Dual pivots until the dictionary is feasible up to rounding; `false` when `limit` pivots did
    /// not suffice or none could be trusted.
    pub(super) fn restore(&mut self, limit: usize) -> bool {
        let (width, rhs) = (self.columns + 2, self.columns);
        for _ in 0..limit {
            let values = self
                .entries
                .chunks_exact(width)
                .take(self.rows)
                .map(|entries| entries[rhs])
                .enumerate();
            let negative = values.filter(|&(_, value)| value < -self.zero);
            let Some((row, _)) = negative.min_by(|(_, one), (_, other)| by_size(one, other)) else {
                self.clear_degenerate();
                return true;
            };
            let double = |row: usize, column: usize| self.entries[row * width + column].nearest();
            let largest =
                (0..self.columns).map(|column| double(row, column).abs()).fold(0.0, f64::max);
            let falls = |&column: &usize| double(row, column) < -T::PIVOT * largest;
            let ratio = |column: usize| double(self.rows, column).min(0.0) / double(row, column);
            let column = (0..self.columns)
                .filter(falls)
                .min_by(|&one, &other| ratio(one).total_cmp(&ratio(other)));
            let Some(column) = column else { return false };
            self.exchange(row, column);
        }
        false
    }

    /// Makes degenerate rows exactly degenerate: the second right-hand side decides ties, not
    /// noise.
    fn clear_degenerate(&mut self) {
        let (width, rhs) = (self.columns + 2, self.columns);
        for entries in self.entries.chunks_exact_mut(width).take(self.rows) {
            if entries[rhs] < self.zero {
                entries[rhs] = T::from(0.0);
            }
        }
    }

    /// Pivots until optimal; `false` when `limit` pivots did not suffice or no pivot could be
    /// trusted.
    ///
    /// The second half pivots by the least index and without the second objective, which rounding
    /// can set against the first.
    ///
    /// To the callback a pivot for every row and column is the whole; `false` when it cancels.
    pub(super) fn run(&mut self, limit: usize, watch: &mut Watch<'_>) -> bool {
        let expected = (self.rows + self.columns) as f64;
        for pivots in 0..limit {
            if watch((pivots as f64 / expected).min(1.0)).is_break() {
                return false;
            }
            let rule =
                if pivots > limit / 2 { PivotRule::LeastIndex } else { PivotRule::LargestGain };
            let Some(column) = self.entering(rule) else { return true };
            let Some(row) = self.leaving(column, rule) else { return false };
            self.exchange(row, column);
            self.clear_degenerate();
        }
        false
    }

    /// The column that improves the value, or else the second objective at the same value.
    fn entering(&self, rule: PivotRule) -> Option<usize> {
        let width = self.columns + 2;
        let objective = &self.entries[self.rows * width..][..self.columns];
        let second = &self.entries[(self.rows + 1) * width..][..self.columns];
        let improving = objective.iter().enumerate().filter(|&(_, &gain)| gain > self.zero);
        if rule == PivotRule::LeastIndex {
            return improving
                .min_by_key(|&(column, _)| self.nonbasic[column])
                .map(|(column, _)| column);
        }
        let best = improving.max_by(|p, q| by_size(p.1, q.1).then(q.0.cmp(&p.0)));
        let neutral = |column: usize| objective[column] >= -self.zero;
        // The second objective sums over the rows and is a matter of taste: a coarser zero will do.
        let enough = T::from(1e3 * self.rows as f64) * self.zero;
        let preferred = || {
            let improving = second
                .iter()
                .enumerate()
                .filter(|&(column, &gain)| gain > enough && neutral(column));
            improving.max_by(|p, q| by_size(p.1, q.1).then(q.0.cmp(&p.0)))
        };
        best.or_else(preferred).map(|(column, _)| column)
    }

    /// The row that blocks the column's variable.
    fn leaving(&self, column: usize, rule: PivotRule) -> Option<usize> {
        let width = self.columns + 2;
        let rows = || self.entries.chunks_exact(width).take(self.rows);
        let smallest_pivot =
            T::from(T::PIVOT * rows().map(|row| row[column].nearest().abs()).fold(0.0, f64::max));
        let mut best: Option<(usize, [T; 2])> = None;
        for (i, row) in rows().enumerate() {
            let slope = row[column];
            if slope <= smallest_pivot {
                continue;
            }
            let ratios = [row[self.columns] / slope, row[self.columns + 1] / slope];
            let better = best.is_none_or(|(best_row, least)| {
                if !are_equal(ratios[0], least[0]) {
                    return ratios[0] < least[0];
                }
                match rule {
                    PivotRule::LeastIndex => self.basic[i] < self.basic[best_row],
                    PivotRule::LargestGain => ratios[1] < least[1],
                }
            });
            if better {
                best = Some((i, ratios));
            }
        }
        best.map(|(row, _)| row)
    }

    fn exchange(&mut self, row: usize, column: usize) {
        let width = self.columns + 2;
        let line = &mut self.entries[row * width..][..width];
        let [zero, one] = [0.0, 1.0].map(T::from);
        let inverse = one / line[column];
        line[column] = one;
        for entry in line.iter_mut() {
            *entry = *entry * inverse;
        }
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(line);
        for (i, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[column];
            if i == row || factor == zero {
                continue;
            }
            entries[column] = zero;
            for (entry, pivot) in entries.iter_mut().zip(&self.pivot_row) {
                *entry = *entry - factor * *pivot;
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    pub(super) fn basis(&self) -> Basis {
        Basis::of_dictionary(&self.basic, &self.nonbasic, self.columns)
    }

    pub(super) fn row_player(&self) -> impl Iterator<Item = (usize, T)> {
        let objective = &self.entries[self.rows * (self.columns + 2)..][..self.columns];
        let tight = move |(index, &variable): (usize, &usize)| {
            (variable >= self.columns).then(|| (variable - self.columns, -objective[index]))
        };
        self.nonbasic.iter().enumerate().filter_map(tight)
    }

    pub(super) fn column_player(&self) -> impl Iterator<Item = (usize, T)> {
        let rhs = |row: usize| self.entries[row * (self.columns + 2) + self.columns];
        self.basic
            .iter()
            .enumerate()
            .filter(|&(_, &variable)| variable < self.columns)
            .map(move |(row, &variable)| (variable, rhs(row)))
    }
}

/// A number of a tableau, with its tolerances of rounding.
pub(super) trait Real:
    Copy
    + From<f64>
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The share of a dictionary's largest number below which a number is 0.
    const ZERO: f64;
    /// The smallest pivot, as a share of the largest entry of its column.
    const PIVOT: f64;
    /// The relative difference up to which two ratios are equal.
    const EQUAL: f64;

    fn nearest(self) -> f64;
}

impl Real for f64 {
    const ZERO: f64 = DICTIONARY_ZERO;
    const PIVOT: f64 = TABLEAU_PIVOT;
    const EQUAL: f64 = EQUAL_RATIOS;

    #[inline]
    fn nearest(self) -> f64 {
        self
    }
}

impl Real for DoubleDouble {
    const ZERO: f64 = PRECISE_ZERO;
    const PIVOT: f64 = PRECISE_PIVOT;
    const EQUAL: f64 = EQUAL_PRECISE_RATIOS;

    #[inline]
    fn nearest(self) -> f64 {
        self.high
    }
}

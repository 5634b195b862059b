//! Games with a saddle point in pure strategies.

use super::Payoffs;
use super::payoffs::{copy_column, copy_row};
use super::tolerances::SADDLE_POINT;
use super::tremble::{Trembling, prefer};

/// An entry that is the smallest of its row and the largest of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SaddlePoint {
    pub row: usize,
    pub column: usize,
    pub value: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PureSecurityLevels {
    maximin: f64,
    row: usize,
    minimax: f64,
    column: usize,
    line: Vec<f64>,
    gains: Vec<(usize, f64)>,
}

impl PureSecurityLevels {
    /// Finds the preferred saddle point, up to rounding, or the safest column where there is none.
    /// `likely` is a guess of the safest row and column.
    pub(crate) fn saddle_point(
        &mut self,
        payoffs: &impl Trembling,
        likely: (usize, usize),
    ) -> Result<(usize, usize), usize> {
        self.compute(payoffs, likely);
        let tolerance = SADDLE_POINT * self.maximin.abs().max(self.minimax.abs());
        if self.minimax - self.maximin > tolerance {
            Err(self.column)
        } else {
            Ok(self.preferred(payoffs, tolerance))
        }
    }

    /// Computes the security levels.
    ///
    /// A row is read only if it beats the best one so far at the column that was worst for the row
    /// read last. In games like ours a few rows and columns are read.
    fn compute(&mut self, payoffs: &impl Payoffs, likely: (usize, usize)) {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        copy_column(payoffs, likely.1.min(columns - 1), &mut self.line);
        self.maximin = f64::NEG_INFINITY;
        for row in std::iter::once(likely.0.min(rows - 1)).chain(0..rows) {
            if self.line[row] > self.maximin {
                let (smallest, worst) = smallest_in_row(payoffs, row);
                if smallest > self.maximin {
                    (self.row, self.maximin) = (row, smallest);
                }
                copy_column(payoffs, worst, &mut self.line);
            }
        }
        copy_row(payoffs, self.row, &mut self.line);
        self.minimax = f64::INFINITY;
        for column in std::iter::once(likely.1.min(columns - 1)).chain(0..columns) {
            if self.line[column] < self.minimax {
                let (largest, best) = largest_in_column(payoffs, column);
                if largest < self.minimax {
                    (self.column, self.minimax) = (column, largest);
                }
                copy_row(payoffs, best, &mut self.line);
            }
        }
    }

    /// Among the rows and columns that are safest up to `tolerance`, those that gain most when the
    /// opponent [trembles](Trembling).
    fn preferred(&mut self, payoffs: &impl Trembling, tolerance: f64) -> (usize, usize) {
        let (least, most) = (self.maximin - tolerance, self.minimax + tolerance);
        let Self { row, column, line, gains, .. } = self;
        copy_column(payoffs, *column, line);
        gains.clear();
        gains.extend(
            (0..payoffs.rows())
                .filter(|&row| line[row] >= least)
                .map(|row| (row, payoffs.row_gain(row))),
        );
        let preferred_row =
            prefer(gains, |row| smallest_in_row(payoffs, row).0 >= least).unwrap_or(*row);
        copy_row(payoffs, *row, line);
        gains.clear();
        gains.extend(
            (0..payoffs.columns())
                .filter(|&column| line[column] <= most)
                .map(|column| (column, -payoffs.column_cost(column))),
        );
        let preferred_column =
            prefer(gains, |column| largest_in_column(payoffs, column).0 <= most).unwrap_or(*column);
        (preferred_row, preferred_column)
    }
}

fn smallest_in_row(payoffs: &impl Payoffs, row: usize) -> (f64, usize) {
    let mut extreme = Extreme::default();
    payoffs.walk_row(row, |run| extreme.take(run, |entry, least| entry < least));
    extreme.found()
}

fn largest_in_column(payoffs: &impl Payoffs, column: usize) -> (f64, usize) {
    let mut extreme = Extreme::default();
    payoffs.walk_column(column, |run| extreme.take(run, |entry, most| entry > most));
    extreme.found()
}

/// The most extreme entry of a line read run by run, and its first place.
#[derive(Default)]
struct Extreme {
    found: Option<(f64, usize)>,
    read: usize,
}

impl Extreme {
    /// Reads on. Entries are numbers, never NaN: plain comparisons vectorise, `f64::max` does not.
    fn take(&mut self, run: &[f64], beyond: impl Fn(f64, f64) -> bool) {
        let Some(&first) = run.first() else { return };
        let further = |one: f64, other: f64| if beyond(other, one) { other } else { one };
        // Four lanes side by side.
        let mut lanes = [first; 4];
        let fours = run.chunks_exact(4);
        let rest = fours.remainder().iter().copied().fold(first, further);
        for four in fours {
            for lane in 0..4 {
                lanes[lane] = further(lanes[lane], four[lane]);
            }
        }
        let extreme = lanes.into_iter().fold(rest, further);
        if self.found.is_none_or(|(before, _)| beyond(extreme, before)) {
            let index = run.iter().position(|&entry| entry == extreme).unwrap_or(0);
            self.found = Some((extreme, self.read + index));
        }
        self.read += run.len();
    }

    fn found(self) -> (f64, usize) {
        self.found.unwrap_or_default()
    }
}

/// The saddle point with the smallest row and column, or `None` when both players need to
/// randomise. Compares exactly.
///
/// ```
/// use matrix_game::{Matrix, saddle_point};
///
/// let dominated = Matrix::from_rows(&[[1.0, 3.0], [2.0, 4.0]])?;
/// assert_eq!(saddle_point(&dominated).unwrap().value, 2.0);
/// let pennies = Matrix::from_rows(&[[1.0, -1.0], [-1.0, 1.0]])?;
/// assert_eq!(saddle_point(&pennies), None);
/// # Ok::<(), matrix_game::Error>(())
/// ```
pub fn saddle_point(payoffs: &impl Payoffs) -> Option<SaddlePoint> {
    let mut security = PureSecurityLevels::default();
    security.compute(payoffs, (0, 0));
    let PureSecurityLevels { maximin, row, minimax, column, .. } = security;
    (maximin >= minimax).then_some(SaddlePoint { row, column, value: maximin })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Matrix;
    use super::super::tremble::rate;
    use super::*;

    /// Few different entries, so that saddle points and ties are frequent.
    fn games() -> impl Strategy<Value = Vec<Vec<i32>>> {
        (1..6_usize, 1..6_usize).prop_flat_map(|(rows, columns)| {
            proptest::collection::vec(proptest::collection::vec(-1..2_i32, columns), rows)
        })
    }

    proptest! {
        #[test]
        fn reading_few_lines_finds_what_reading_all_does(entries in games(), likely in (0..6_usize, 0..6_usize)) {
            let rows: Vec<Vec<f64>> = entries.iter().map(|row| row.iter().copied().map(f64::from).collect()).collect();
            let game = Matrix::from_rows(&rows).unwrap();
            let minimum = |row: usize| *entries[row].iter().min().unwrap();
            let maximum = |column: usize| entries.iter().map(|row| row[column]).max().unwrap();
            let maximin = (0..entries.len()).map(minimum).max().unwrap();
            let minimax = (0..entries[0].len()).map(maximum).min().unwrap();
            let mut security = PureSecurityLevels::default();
            security.compute(&game, likely);
            prop_assert_eq!((security.maximin, security.minimax), (f64::from(maximin), f64::from(minimax)));
            prop_assert_eq!((minimum(security.row), maximum(security.column)), (maximin, minimax));
            // Of the safe rows and columns those that gain most, counted in full.
            let (last_row, last_column) = (entries.len() - 1, entries[0].len() - 1);
            let gain = |row: usize| (0..=last_column).map(|column| rate(last_column - column) * rows[row][column]).sum::<f64>();
            let cost = |column: usize| (0..=last_row).map(|row| rate(last_row - row) * rows[row][column]).sum::<f64>();
            let (row, column) = security.preferred(&game, 0.0);
            prop_assert_eq!((minimum(row), maximum(column)), (maximin, minimax));
            // Sums of five numbers: differences of rounding are far below, those of rates far
            // above.
            prop_assert!((0..entries.len()).all(|other| minimum(other) < maximin || gain(other) <= gain(row) + 1e-12));
            prop_assert!((0..entries[0].len()).all(|other| maximum(other) > minimax || cost(other) >= cost(column) - 1e-12));
        }
    }
}

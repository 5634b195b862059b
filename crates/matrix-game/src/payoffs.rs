//! The payoff matrix as the solvers see it.

use crate::bounds::{BOUND_BITS, Bounds};
use crate::error::MatrixError;

/// A payoff matrix that need not exist in memory: the row player receives `entry(row, column)`.
///
/// `T` is `f64` where games are solved, `i64` (multiples of a fixed unit) where bounds are proved.
/// A matrix whose rows or columns lie in contiguous memory gains speed by overriding the walks.
///
/// ```
/// use matrix_game::{Payoffs, Simplex};
///
/// /// Rock, paper, scissors.
/// struct Rps;
/// impl Payoffs for Rps {
///     fn rows(&self) -> usize { 3 }
///     fn columns(&self) -> usize { 3 }
///     fn entry(&self, row: usize, column: usize) -> f64 {
///         [0.0, 1.0, -1.0][(row + 3 - column) % 3]
///     }
/// }
/// let equilibrium = Simplex::new().solve(&Rps);
/// assert!(equilibrium.value().abs() < 1e-15);
/// assert!((equilibrium.row_strategy()[0] - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub trait Payoffs<T: Copy = f64> {
    /// At least 1.
    fn rows(&self) -> usize;

    /// At least 1.
    fn columns(&self) -> usize;

    /// The payoff to the row player when `row` meets `column`.
    fn entry(&self, row: usize, column: usize) -> T;

    /// Calls `visit` with a row from left to right, as runs of entries contiguous in memory.
    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[T])) {
        for column in 0..self.columns() {
            visit(&[self.entry(row, column)]);
        }
    }

    /// Calls `visit` with two rows side by side, the higher one first: runs of entries in the same
    /// columns, left to right.
    fn walk_two_rows(&self, rows: [usize; 2], mut visit: impl FnMut(&[T], &[T])) {
        let [upper, lower] = rows;
        for column in 0..self.columns() {
            visit(&[self.entry(upper, column)], &[self.entry(lower, column)]);
        }
    }

    /// Appends the entries of a row in the given columns, which rise.
    fn gather(&self, row: usize, columns: &[usize], entries: &mut Vec<T>) {
        entries.extend(columns.iter().map(|&column| self.entry(row, column)));
    }

    /// Calls `visit` with a column from top to bottom, as runs of entries contiguous in memory.
    fn walk_column(&self, column: usize, mut visit: impl FnMut(&[T])) {
        for row in 0..self.rows() {
            visit(&[self.entry(row, column)]);
        }
    }
}

/// A matrix of this many rows and columns, whose entries a function computes.
pub struct ByEntry<F>(pub(crate) [usize; 2], pub(crate) F);

impl<T: Copy, F: Fn(usize, usize) -> T> Payoffs<T> for ByEntry<F> {
    fn rows(&self) -> usize {
        self.0[0]
    }

    fn columns(&self) -> usize {
        self.0[1]
    }

    fn entry(&self, row: usize, column: usize) -> T {
        self.1(row, column)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix from its rows.
    ///
    /// # Errors
    /// [`MatrixError::Shape`] when there is no row, no column, or rows of different lengths;
    /// [`MatrixError::Entry`] when an entry is not finite.
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self, MatrixError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if rows.iter().any(|row| row.as_ref().len() != columns) {
            return Err(MatrixError::Shape);
        }
        Self::from_entries(
            rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect(),
            columns,
        )
    }

    /// A matrix from its entries, row by row.
    ///
    /// # Errors
    /// As [`Self::from_rows`], with [`MatrixError::Shape`] also where the entries do not fill their
    /// rows.
    pub fn from_entries(entries: Vec<f64>, columns: usize) -> Result<Self, MatrixError> {
        if columns == 0 || entries.is_empty() || !entries.len().is_multiple_of(columns) {
            return Err(MatrixError::Shape);
        }
        if let Some(index) = entries.iter().position(|entry| !entry.is_finite()) {
            return Err(MatrixError::Entry {
                row: index / columns,
                column: index % columns,
                entry: entries[index],
            });
        }
        Ok(Self { columns, entries })
    }

    pub fn copy_of(payoffs: &impl Payoffs) -> Result<Self, MatrixError> {
        let rows: Vec<Vec<f64>> = (0..payoffs.rows())
            .map(|row| (0..payoffs.columns()).map(|column| payoffs.entry(row, column)).collect())
            .collect();
        Self::from_rows(&rows)
    }

    /// The middles of bounds in floating point, as shares of 2⁶² units: distances from `centre`, so
    /// that payoffs near it keep their digits.
    #[doc(hidden)]
    pub fn of_middles(
        size: [usize; 2],
        centre: i64,
        bounds: impl Fn(usize, usize) -> Bounds,
    ) -> Self {
        let unit = (-f64::from(BOUND_BITS + 1)).exp2();
        Self::unchecked(&ByEntry(size, |row, column| {
            let Bounds { lower, upper } = bounds(row, column);
            ((lower - centre) as f64 + (upper - centre) as f64) * unit
        }))
    }

    #[doc(hidden)]
    pub fn unchecked(payoffs: &impl Payoffs) -> Self {
        let mut entries = Vec::new();
        (0..payoffs.rows())
            .for_each(|row| payoffs.walk_row(row, |run| entries.extend_from_slice(run)));
        Self { columns: payoffs.columns(), entries }
    }

    /// A matrix from its entries, row by row.
    #[doc(hidden)]
    pub const fn of_entries(entries: Vec<f64>, columns: usize) -> Self {
        Self { columns, entries }
    }

    /// The entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    #[doc(hidden)]
    pub fn into_entries(self) -> Vec<f64> {
        self.entries
    }

    pub fn to_rows(&self) -> Vec<Vec<f64>> {
        self.entries.chunks(self.columns).map(<[f64]>::to_vec).collect()
    }
}

impl Payoffs for Matrix {
    fn rows(&self) -> usize {
        self.entries.len() / self.columns
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[f64])) {
        visit(&self.entries[row * self.columns..][..self.columns]);
    }
}

/// The smallest and the largest payoff.
pub(crate) fn extremes<T: Copy + PartialOrd>(payoffs: &impl Payoffs<T>) -> (T, T) {
    let mut extremes = (payoffs.entry(0, 0), payoffs.entry(0, 0));
    for row in 0..payoffs.rows() {
        payoffs.walk_row(row, |run| {
            extremes.0 = run
                .iter()
                .fold(extremes.0, |least, &entry| if entry < least { entry } else { least });
            extremes.1 =
                run.iter().fold(extremes.1, |most, &entry| if entry > most { entry } else { most });
        });
    }
    extremes
}

pub(crate) fn copy_row(payoffs: &impl Payoffs, row: usize, line: &mut Vec<f64>) {
    line.clear();
    payoffs.walk_row(row, |run| line.extend_from_slice(run));
}

pub(crate) fn copy_column(payoffs: &impl Payoffs, column: usize, line: &mut Vec<f64>) {
    line.clear();
    payoffs.walk_column(column, |run| line.extend_from_slice(run));
}

#[cfg(test)]
pub(super) fn integers(rows: &[Vec<i64>]) -> impl Payoffs<i64> {
    ByEntry([rows.len(), rows[0].len()], |row: usize, column: usize| rows[row][column])
}

/// A payoff matrix known within bounds, in one unit. Each player's matrix has the own choices as
/// rows and the own gains as positive.
#[derive(Clone, Debug)]
pub struct EnclosedPayoffs<P> {
    pub row: P,
    /// The negatives of the upper bounds, transposed.
    pub column: P,
}

impl<P: Payoffs<i64>> EnclosedPayoffs<P> {
    /// Rows and columns.
    #[doc(hidden)]
    pub fn size(&self) -> [usize; 2] {
        [self.row.rows(), self.row.columns()]
    }

    #[doc(hidden)]
    pub fn bounds(&self, row: usize, column: usize) -> Bounds {
        Bounds::new(self.row.entry(row, column), -self.column.entry(column, row))
    }

    /// The sums of lower and upper bounds: within ±2⁶² where the bounds are within ±2⁶¹.
    pub(crate) fn middle(&self) -> impl Payoffs<i64> {
        ByEntry(self.size(), |row, column| {
            let Bounds { lower, upper } = self.bounds(row, column);
            lower + upper
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_as_far_from_either_bound() {
        let [lower, minus_upper] = [vec![vec![-3, 4]], vec![vec![1], vec![-9]]];
        let enclosed = EnclosedPayoffs { row: integers(&lower), column: integers(&minus_upper) };
        let middle = enclosed.middle();
        assert_eq!([middle.entry(0, 0), middle.entry(0, 1)], [-3 - 1, 4 + 9]);
    }
}

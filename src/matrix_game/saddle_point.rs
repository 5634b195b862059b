//! Saddle points in pure strategies, and which of several pure strategies to prefer.

use super::Payoffs;
use super::tremble::{Trembling, prefer};

/// An entry that is the smallest of its row and the largest of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaddlePoint {
    /// The row player's optimal pure strategy.
    pub row: usize,
    /// The column player's optimal pure strategy.
    pub column: usize,
    /// The value of the game.
    pub value: f64,
}

/// What both players are certain to get from a pure strategy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PureSecurity {
    /// The largest of the rows' smallest entries, and the first row with it.
    pub(crate) maximin: f64,
    pub(crate) row: usize,
    /// The smallest of the columns' largest entries, and the first column with it.
    pub(crate) minimax: f64,
    pub(crate) column: usize,
}

impl PureSecurity {
    /// Works out a game.
    ///
    /// A row is read only if it is not worse already at the column that was worst for the row read last, which is often worst for
    /// others, too. In games like ours a few rows and columns are read.
    pub(crate) fn of(payoffs: &impl Payoffs) -> Self {
        let (mut row, mut maximin, mut worst) = (0, f64::NEG_INFINITY, 0);
        for candidate in 0..payoffs.rows() {
            if payoffs.entry(candidate, worst) > maximin {
                let (smallest, place) = smallest_in_row(payoffs, candidate);
                worst = place;
                if smallest > maximin {
                    (row, maximin) = (candidate, smallest);
                }
            }
        }
        let (mut column, mut minimax, mut best) = (0, f64::INFINITY, row);
        for candidate in 0..payoffs.columns() {
            if payoffs.entry(best, candidate) < minimax {
                let (largest, place) = largest_in_column(payoffs, candidate);
                best = place;
                if largest < minimax {
                    (column, minimax) = (candidate, largest);
                }
            }
        }
        Self { maximin, row, minimax, column }
    }

    /// Of the rows and columns that are safest up to `blur`, those that gain most when the opponent [trembles](Trembling).
    pub(crate) fn preferred(&self, payoffs: &impl Trembling, blur: f64) -> (usize, usize) {
        let (least, most) = (self.maximin - blur, self.minimax + blur);
        let mut worst = self.column;
        let row = prefer(
            0..payoffs.rows(),
            |row| payoffs.row_gain(row),
            |row| {
                payoffs.entry(row, worst) >= least && {
                    let (smallest, place) = smallest_in_row(payoffs, row);
                    worst = place;
                    smallest >= least
                }
            },
        );
        let mut best = self.row;
        let column = prefer(
            0..payoffs.columns(),
            |column| -payoffs.column_cost(column),
            |column| {
                payoffs.entry(best, column) <= most && {
                    let (largest, place) = largest_in_column(payoffs, column);
                    best = place;
                    largest <= most
                }
            },
        );
        (row.unwrap_or(self.row), column.unwrap_or(self.column))
    }
}

/// The smallest entry of a row, and the first column where it stands.
fn smallest_in_row(payoffs: &impl Payoffs, row: usize) -> (f64, usize) {
    let mut extreme = Extreme::default();
    payoffs.walk_row(row, |run| extreme.take(run, |entry, least| entry < least));
    extreme.found()
}

/// The largest entry of a column, and the first row where it stands.
fn largest_in_column(payoffs: &impl Payoffs, column: usize) -> (f64, usize) {
    let mut extreme = Extreme::default();
    payoffs.walk_column(column, |run| extreme.take(run, |entry, most| entry > most));
    extreme.found()
}

/// The most extreme entry so far of a line that is read run by run.
#[derive(Default)]
struct Extreme {
    found: Option<(f64, usize)>,
    read: usize,
}

impl Extreme {
    /// Reads on; `beyond` tells whether an entry is more extreme than another.
    ///
    /// Entries are numbers, never NaN: plain comparisons vectorise, `f64::max` does not.
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
            let place = run.iter().position(|&entry| entry == extreme).unwrap_or(0);
            self.found = Some((extreme, self.read + place));
        }
        self.read += run.len();
    }

    fn found(self) -> (f64, usize) {
        self.found.unwrap_or_default()
    }
}

/// The saddle point with the smallest row and column, or `None` when both players need to randomise.
///
/// Compares entries exactly and reads the matrix once.
///
/// ```
/// use pencil_tennis::matrix_game::{Matrix, saddle_point};
///
/// let dominated = Matrix::from_rows(&[[1.0, 3.0], [2.0, 4.0]])?;
/// assert_eq!(saddle_point(&dominated).unwrap().value, 2.0);
/// let pennies = Matrix::from_rows(&[[1.0, -1.0], [-1.0, 1.0]])?;
/// assert_eq!(saddle_point(&pennies), None);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn saddle_point(payoffs: &impl Payoffs) -> Option<SaddlePoint> {
    let PureSecurity { maximin, row, minimax, column } = PureSecurity::of(payoffs);
    (maximin >= minimax).then_some(SaddlePoint { row, column, value: maximin })
}

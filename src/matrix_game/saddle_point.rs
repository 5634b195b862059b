//! Saddle points in pure strategies, and which of several pure strategies to prefer.

use std::sync::LazyLock;

use super::Payoffs;
use super::basis::dot;

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

/// What each pure strategy is certain to get, for both players.
#[derive(Clone, Debug, Default)]
pub(crate) struct PureSecurity {
    row_minima: Vec<f64>,
    column_maxima: Vec<f64>,
}

impl PureSecurity {
    /// Works out a game; reads the matrix once.
    pub(crate) fn work_out(&mut self, payoffs: &impl Payoffs) {
        self.row_minima.clear();
        self.column_maxima.clear();
        self.column_maxima.resize(payoffs.columns(), f64::NEG_INFINITY);
        for row in 0..payoffs.rows() {
            let mut smallest = f64::INFINITY;
            let mut start = 0;
            payoffs.walk_row(row, |run| {
                let maxima = &mut self.column_maxima[start..start + run.len()];
                smallest = scan(run, maxima, smallest);
                start += run.len();
            });
            self.row_minima.push(smallest);
        }
    }

    /// The largest of the rows' smallest entries.
    pub(crate) fn maximin(&self) -> f64 {
        self.row_minima.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The smallest of the columns' largest entries.
    pub(crate) fn minimax(&self) -> f64 {
        self.column_maxima.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The difference between the largest and the smallest entry.
    pub(crate) fn range(&self) -> f64 {
        let smallest = self.row_minima.iter().copied().fold(f64::INFINITY, f64::min);
        self.column_maxima.iter().copied().fold(f64::NEG_INFINITY, f64::max) - smallest
    }

    /// The first column that is safest for the column player.
    pub(crate) fn safest_column(&self) -> usize {
        let minimax = self.minimax();
        self.column_maxima.iter().position(|&maximum| maximum <= minimax).unwrap_or(0)
    }

    /// Of the rows and columns that are safest up to `blur`, those that gain most when the opponent [trembles](tremble).
    ///
    /// Reads the safe rows and columns unless they can only be constant.
    pub(crate) fn preferred(&self, payoffs: &impl Payoffs, blur: f64) -> (usize, usize) {
        let (maximin, minimax) = (self.maximin(), self.minimax());
        let mut safe_rows = (0..payoffs.rows()).filter(|&row| self.row_minima[row] >= maximin - blur);
        let mut safe_columns = (0..payoffs.columns()).filter(|&column| self.column_maxima[column] <= minimax + blur);
        let largest = self.column_maxima.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = self.row_minima.iter().copied().fold(f64::INFINITY, f64::min);
        // A row whose smallest entry is the largest of all consists of it, and all such rows are alike.
        let row = if maximin >= largest { safe_rows.next() } else { Some(prefer(safe_rows, |row| row_gain(payoffs, row))) };
        let column = if minimax <= smallest {
            safe_columns.next()
        } else {
            Some(prefer(safe_columns, |column| -column_cost(payoffs, column)))
        };
        (row.unwrap_or(0), column.unwrap_or(0))
    }
}

/// Raises the maxima to the entries of a run and returns the smaller of `least` and the smallest entry; four lanes side by side.
///
/// Entries are numbers, never NaN: plain comparisons vectorise, `f64::max` does not.
fn scan(run: &[f64], maxima: &mut [f64], least: f64) -> f64 {
    let smaller = |left: f64, right: f64| if right < left { right } else { left };
    let larger = |left: f64, right: f64| if right > left { right } else { left };
    let mut lanes = [least; 4];
    let mut fours = run.chunks_exact(4);
    let mut maxima_fours = maxima.chunks_exact_mut(4);
    for (four, maxima) in (&mut fours).zip(&mut maxima_fours) {
        for lane in 0..4 {
            maxima[lane] = larger(maxima[lane], four[lane]);
            lanes[lane] = smaller(lanes[lane], four[lane]);
        }
    }
    let mut smallest = smaller(smaller(lanes[0], lanes[1]), smaller(lanes[2], lanes[3]));
    for (maximum, &entry) in maxima_fours.into_remainder().iter_mut().zip(fours.remainder()) {
        *maximum = larger(*maximum, entry);
        smallest = smaller(smallest, entry);
    }
    smallest
}

/// How often a choice is made in error, in proportion: nearly evenly, but no two choices alike, so that ties end here.
pub(crate) fn tremble(choice: usize) -> f64 {
    1.0 + 1e-3 * irregular(choice % RATES_KEPT)
}

/// The sum of all [`tremble`]s.
pub(crate) fn total_tremble(choices: usize) -> f64 {
    (0..choices).map(tremble).sum()
}

/// A fixed irregular sequence in [0, 1): the fractional parts of the multiples of the golden ratio.
pub(crate) fn irregular(index: usize) -> f64 {
    // 2^32 times the golden ratio's fractional part; the product wraps, which is taking the fractional part.
    f64::from((index as u32).wrapping_mul(2_654_435_769)) * (1.0 / 4_294_967_296.0)
}

/// What a column costs its player when the row player trembles.
pub(crate) fn column_cost(payoffs: &impl Payoffs, column: usize) -> f64 {
    let (mut sum, mut start) = (0.0, 0);
    payoffs.walk_column(column, |run| start = add_trembling(&mut sum, start, run));
    sum
}

/// What a row earns when the column player trembles.
pub(crate) fn row_gain(payoffs: &impl Payoffs, row: usize) -> f64 {
    let (mut sum, mut start) = (0.0, 0);
    payoffs.walk_row(row, |run| start = add_trembling(&mut sum, start, run));
    sum
}

/// The first [`tremble`]s; the sequence begins again after them.
static RATES: LazyLock<Vec<f64>> = LazyLock::new(|| (0..RATES_KEPT).map(tremble).collect());

/// Enough for the choices of a large game.
const RATES_KEPT: usize = 4096;

/// Adds the entries of a run, times their [`tremble`]s from `start` on, and returns where the run ends.
fn add_trembling(sum: &mut f64, mut start: usize, mut run: &[f64]) -> usize {
    let rates: &[f64] = &RATES;
    while !run.is_empty() {
        let rates = &rates[start % RATES_KEPT..];
        let (here, later) = run.split_at(run.len().min(rates.len()));
        *sum += dot(here, rates);
        start += here.len();
        run = later;
    }
    start
}

/// Among choices that are equally safe, the one that gains most; the first of several.
pub(crate) fn prefer(mut safe: impl Iterator<Item = usize>, gain: impl Fn(usize) -> f64) -> usize {
    let Some(mut best) = safe.next() else { return 0 };
    let Some(second) = safe.next() else { return best };
    let mut most = gain(best);
    for choice in std::iter::once(second).chain(safe) {
        let own = gain(choice);
        // Sums of the same numbers in another order agree to 1e-13 of their size; more is a difference.
        if own > most + 1e-13 * own.abs().max(most.abs()) {
            (best, most) = (choice, own);
        }
    }
    best
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
    let mut security = PureSecurity::default();
    security.work_out(payoffs);
    let value = security.maximin();
    if value < security.minimax() {
        return None;
    }
    let row = security.row_minima.iter().position(|&minimum| minimum >= value)?;
    Some(SaddlePoint { row, column: security.safest_column(), value })
}

//! Saddle points in pure strategies.

use super::Payoffs;

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

/// The best pure strategy of either player, whether or not they make a saddle point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PureSecurity {
    /// The first row whose smallest entry is largest.
    pub(crate) row: usize,
    /// The first column whose largest entry is smallest.
    pub(crate) column: usize,
    /// The smallest entry of that row.
    pub(crate) maximin: f64,
    /// The largest entry of that column.
    pub(crate) minimax: f64,
}

impl PureSecurity {
    /// Reads the matrix once; `column_maxima` is scratch space.
    pub(crate) fn of(payoffs: &impl Payoffs, column_maxima: &mut Vec<f64>) -> Self {
        column_maxima.clear();
        column_maxima.resize(payoffs.columns(), f64::NEG_INFINITY);
        let (mut row, mut maximin) = (0, f64::NEG_INFINITY);
        for i in 0..payoffs.rows() {
            let mut smallest = f64::INFINITY;
            let mut column = 0;
            payoffs.walk_row(i, |run| {
                for (maximum, &entry) in column_maxima[column..].iter_mut().zip(run) {
                    *maximum = maximum.max(entry);
                    smallest = smallest.min(entry);
                }
                column += run.len();
            });
            if smallest > maximin {
                (row, maximin) = (i, smallest);
            }
        }
        let (mut column, mut minimax) = (0, f64::INFINITY);
        for (j, &maximum) in column_maxima.iter().enumerate() {
            if maximum < minimax {
                (column, minimax) = (j, maximum);
            }
        }
        Self { row, column, maximin, minimax }
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
    let pure = PureSecurity::of(payoffs, &mut Vec::new());
    (pure.maximin >= pure.minimax).then_some(SaddlePoint { row: pure.row, column: pure.column, value: pure.maximin })
}

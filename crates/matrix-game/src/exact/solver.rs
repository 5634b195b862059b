//! Games of fractions, solved: floating point guesses, exact pivots lead on.

use dashu_base::Abs;
use dashu_ratio::RBig;

use super::basic_solution::ExactEquilibrium;
use super::fraction_matrix::{FractionMatrix, Undecided};
use super::{criss_cross, optimal_basis};
use crate::work::{Stop, Watch};
use crate::{ByEntry, Matrix, Simplex};

/// More pivots mean that the guess was none: the tableau in integers pivots faster.
const PIVOTS_FROM_GUESS: usize = 20;

/// The equilibrium of a game of fractions; `None` if it was stopped.
pub fn solve_fractions(rows: &[Vec<RBig>], watch: &mut Watch<'_>) -> Option<ExactEquilibrium> {
    let (stop, size) = (Stop::new(watch), [rows.len(), rows[0].len()]);
    let (approximate, largest) = approximation(rows);
    let share = |row: usize, column: usize| &rows[row][column] / &largest;
    let guess = Simplex::new().find(&approximate, &mut |share| stop.tell(share)).basis.clone();
    let stop: &dyn Fn() -> bool = &|| stop.is_asked();
    let game = FractionMatrix { rows, stop };
    // All payoffs are known, so that nothing stays undecided unless it is stopped, and the last
    // resort is finite.
    criss_cross::solve(&game, &guess, PIVOTS_FROM_GUESS)
        .or_else(|Undecided| {
            criss_cross::solve(&game, &optimal_basis(size, share, stop), usize::MAX)
        })
        .ok()
}

/// The payoffs as shares of the largest, which fit doubles, and the largest.
pub(super) fn approximation(rows: &[Vec<RBig>]) -> (Matrix, RBig) {
    let largest = rows
        .iter()
        .flatten()
        .map(|entry| entry.clone().abs())
        .max()
        .filter(|largest| !largest.is_zero());
    let largest = largest.unwrap_or(RBig::ONE);
    let share = |row: usize, column: usize| (&rows[row][column] / &largest).to_f64().value();
    (Matrix::unchecked(&ByEntry([rows.len(), rows[0].len()], share)), largest)
}

//! Trembles: small errors that select one of several optimal strategies.
//!
//! Selten's trembling hand (1975, *International Journal of Game Theory* 4), with nearly even
//! errors of which only the first order counts.

use super::tolerances::EQUAL_TREMBLES;
use super::{Matrix, Payoffs};

/// A game that knows the gain of a choice when the opponent *trembles*: plays every choice a little
/// more often than intended, at a [`rate`] of its own.
pub trait Trembling: Payoffs {
    /// The gain of a row from the column player's errors.
    fn row_gain(&self, row: usize) -> f64 {
        let (mut sum, mut behind) = (0.0, self.columns());
        self.walk_row(row, |run| add_errors(&mut sum, &mut behind, run));
        sum
    }

    /// The cost of a column through the row player's errors.
    fn column_cost(&self, column: usize) -> f64 {
        let (mut sum, mut behind) = (0.0, self.rows());
        self.walk_column(column, |run| add_errors(&mut sum, &mut behind, run));
        sum
    }
}

impl Trembling for Matrix {}

/// Adds the entries of a run times the rates of their choices; `behind` choices start with the
/// first of them.
fn add_errors(sum: &mut f64, behind: &mut usize, run: &[f64]) {
    for entry in run {
        *behind -= 1;
        *sum += rate(*behind) * entry;
    }
}

/// The rate of errors toward a choice with this many others behind it: nearly even, but no two
/// alike, so that ties end here.
///
/// A choice keeps its rate when choices are added in front, so that sums over the last ones can be
/// kept from game to game.
pub fn rate(behind: usize) -> f64 {
    1.0 + 1e-3 * irregular(behind)
}

pub(crate) fn rates(choices: usize) -> impl Iterator<Item = f64> {
    (0..choices).rev().map(rate)
}

/// A fixed irregular sequence in [0, 1): the fractional parts of the multiples of the golden ratio.
pub(crate) fn irregular(index: usize) -> f64 {
    // 2^32 times the golden ratio's fractional part; the product wraps, which is taking the
    // fractional part.
    f64::from((index as u32).wrapping_mul(2_654_435_769)) * (1.0 / 4_294_967_296.0)
}

/// The first choice of largest gain that is safe. Safety is asked of few choices.
pub(crate) fn prefer(
    gains: &mut [(usize, f64)],
    mut is_safe: impl FnMut(usize) -> bool,
) -> Option<usize> {
    loop {
        let most = gains
            .iter()
            .fold(f64::NEG_INFINITY, |most, &(_, gain)| if gain > most { gain } else { most });
        if most == f64::NEG_INFINITY {
            return None;
        }
        let enough = most - EQUAL_TREMBLES * most.abs();
        let (choice, gain) = gains.iter_mut().find(|(_, gain)| *gain >= enough)?;
        if is_safe(*choice) {
            return Some(*choice);
        }
        *gain = f64::NEG_INFINITY;
    }
}

//! Up to 16 rows and columns, without allocation.

use super::dictionary::{Chosen, Dictionary, Memory, Pivoted, ShouldContinue, length};
use super::security::{SecurityLevels, security_levels};
use super::{Payoffs, QuickError};

/// The most rows, and columns, of [`solve_small`].
pub const MOST_SMALL: usize = 16;

/// Solves a game of at most [`MOST_SMALL`] rows and columns. Payoffs to the row player stand row by
/// row; the strategies are written into the buffers, whose lengths are the numbers of rows and of
/// columns.
///
/// The bounds are proved for the strategies that are written, whatever these are: of a delicate
/// game they are wide, and `QuickSolver` goes on where this ends. Of several optimal strategies any
/// may be found.
///
/// No allocation, no panic, nothing but `core`: some microseconds for 16 rows and columns.
///
/// # Errors
/// [`QuickError`] for wrong lengths, sizes and numbers; the buffers are then as they were.
///
/// ```
/// let (mut row, mut column) = ([0.0; 2], [0.0; 2]);
/// let levels = matrix_game::quick::solve_small(&[3.0, -1.0, -2.0, 1.0], &mut row, &mut column)?;
/// assert!((levels.value - 1.0 / 7.0).abs() < 1e-15 && levels.upper - levels.lower < 1e-14);
/// assert!((row[0] - 3.0 / 7.0).abs() < 1e-15 && (column[0] - 2.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), matrix_game::quick::QuickError>(())
/// ```
pub fn solve_small(
    payoffs: &[f64],
    row: &mut [f64],
    column: &mut [f64],
) -> Result<SecurityLevels, QuickError> {
    let (rows, columns) = (row.len(), column.len());
    let payoffs = Payoffs::new(payoffs, rows, columns)?;
    if rows.max(columns) > MOST_SMALL {
        return Err(QuickError::Size { rows, columns });
    }
    let mut numbers = [0.0; length(MOST_SMALL, MOST_SMALL)];
    let (mut variables, mut chosen) = ([0; 2 * MOST_SMALL], [Chosen::default(); 2 * MOST_SMALL]);
    let memory = Memory { numbers: &mut numbers, variables: &mut variables, chosen: &mut chosen };
    // Nothing stops it: a small game is not asked.
    solve_in(&payoffs, memory, row, column, &mut |_| true).ok_or(QuickError::Cancelled)
}

/// So many payoffs are compared at a time.
const LANES: usize = 4;

/// As [`solve_small`], in memory of the caller; `None` where it was stopped.
pub(super) fn solve_in(
    payoffs: &Payoffs<'_>,
    memory: Memory<'_>,
    row: &mut [f64],
    column: &mut [f64],
    should_continue: &mut ShouldContinue<'_>,
) -> Option<SecurityLevels> {
    let (safest_row, secured) = safest_row(payoffs);
    let (safest_column, conceded) = safest_column(payoffs);
    if secured < conceded {
        let mut dictionary = Dictionary::new(payoffs, memory);
        let pivoted = dictionary.pivot(should_continue);
        if pivoted == Pivoted::Stopped {
            return None;
        }
        let is_found = pivoted == Pivoted::ToTheEnd && dictionary.write(payoffs, row, column);
        if is_found && let Some(levels) = security_levels(payoffs, row, column) {
            return Some(levels);
        }
    }
    row.fill(0.0);
    column.fill(0.0);
    row[safest_row] = 1.0;
    column[safest_column] = 1.0;
    // Pure strategies are strategies, so that their levels are proved. No value is beyond the
    // payoffs, to which the shift comes back.
    let [lower, upper] = [payoffs.least, payoffs.largest].map(|payoff| payoff + payoffs.shift);
    Some(security_levels(payoffs, row, column).unwrap_or(SecurityLevels {
        value: lower,
        lower,
        upper,
    }))
}

/// The row with the largest least payoff, and that payoff without the shift.
fn safest_row(payoffs: &Payoffs<'_>) -> (usize, f64) {
    let (mut safest, mut most) = (0, f64::NEG_INFINITY);
    for row in 0..payoffs.rows {
        let (chunks, rest) = payoffs.row(row).as_chunks::<LANES>();
        let mut lanes = [f64::INFINITY; LANES];
        for chunk in chunks {
            for (least, &entry) in lanes.iter_mut().zip(chunk) {
                *least = if entry < *least { entry } else { *least };
            }
        }
        let least = lanes
            .iter()
            .chain(rest)
            .fold(f64::INFINITY, |least, &entry| if entry < least { entry } else { least });
        if least > most {
            (safest, most) = (row, least);
        }
    }
    (safest, most - payoffs.shift)
}

/// The column with the least largest payoff, and that payoff without the shift.
fn safest_column(payoffs: &Payoffs<'_>) -> (usize, f64) {
    let (mut safest, mut least) = (0, f64::INFINITY);
    let mut compare = |column: usize, most: f64| {
        if most < least {
            (safest, least) = (column, most);
        }
    };
    let whole = payoffs.columns - payoffs.columns % LANES;
    for first in (0..whole).step_by(LANES) {
        let mut lanes = [f64::NEG_INFINITY; LANES];
        for row in 0..payoffs.rows {
            let Some(chunk) = payoffs.row(row)[first..].first_chunk::<LANES>() else { continue };
            for (most, &entry) in lanes.iter_mut().zip(chunk) {
                *most = if entry > *most { entry } else { *most };
            }
        }
        for (lane, most) in lanes.into_iter().enumerate() {
            compare(first + lane, most);
        }
    }
    for column in whole..payoffs.columns {
        let entries = payoffs.entries[column..].iter().step_by(payoffs.columns);
        compare(
            column,
            entries.fold(f64::NEG_INFINITY, |most, &entry| if entry > most { entry } else { most }),
        );
    }
    (safest, least - payoffs.shift)
}

//! Any size, and games that are too delicate for doubles.

use super::dictionary::{Chosen, Memory, ShouldContinue, length};
use super::security::{SecurityLevels, security_levels};
use super::small::solve_in;
use super::{Payoffs, QuickError};
use crate::work::{Stop, unwatched};
use crate::{Matrix, Simplex, Watch};

/// Solves one game after another: keeps its memory, and goes on to the careful [`Simplex`] where
/// the quick one leaves bounds wide.
///
/// *Bounds* are proved for the strategies that are written; with k positive probabilities they are
/// (2k + 6)·1.1e-16 of the largest payoff from what a strategy secures, and as much of the range of
/// payoffs where all of these lie within a factor of 2.
///
/// *Complexity.* O(rows · columns) a pivot; random games of 50 to 800 rows take 1 to 2.5 pivots a
/// row.
///
/// ```
/// use matrix_game::quick::QuickSolver;
///
/// let mut solver = QuickSolver::new();
/// let (mut row, mut column) = ([0.0; 3], [0.0; 3]);
/// let rock_paper_scissors = [0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0];
/// let levels = solver.solve(&rock_paper_scissors, &mut row, &mut column)?;
/// assert!(levels.lower <= 0.0 && 0.0 <= levels.upper && levels.upper - levels.lower < 1e-14);
/// assert!(row.iter().chain(&column).all(|probability| (probability - 1.0 / 3.0).abs() < 1e-15));
/// # Ok::<(), matrix_game::quick::QuickError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QuickSolver {
    numbers: Vec<f64>,
    variables: Vec<u32>,
    chosen: Vec<Chosen>,
    careful: Simplex,
}

/// The gap, as a share of the range of payoffs, beyond which a game is solved again: a quick
/// solution of some hundred rows leaves 1e-14 or so.
const WIDE: f64 = 1e-11;

impl QuickSolver {
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves a game. Payoffs to the row player stand row by row; the strategies are written into
    /// the buffers, whose lengths are the numbers of rows and of columns. Of several optimal
    /// strategies any may be found.
    ///
    /// # Errors
    /// [`QuickError`] for wrong lengths and numbers; the buffers are then as they were.
    pub fn solve(
        &mut self,
        payoffs: &[f64],
        row: &mut [f64],
        column: &mut [f64],
    ) -> Result<SecurityLevels, QuickError> {
        self.solve_watched(payoffs, row, column, &mut unwatched)
    }

    /// As [`solve`](Self::solve), for a game that takes long: `watch` hears at every pivot which
    /// share of the most pivots are done, and may cancel. A game of at most 48 columns does not ask
    /// it.
    ///
    /// # Errors
    /// The errors of [`solve`](Self::solve), and [`QuickError::Cancelled`].
    pub fn solve_watched(
        &mut self,
        payoffs: &[f64],
        row: &mut [f64],
        column: &mut [f64],
        watch: &mut Watch<'_>,
    ) -> Result<SecurityLevels, QuickError> {
        let game = Payoffs::new(payoffs, row.len(), column.len())?;
        let quick = self
            .solve_quickly(&game, row, column, &mut |share| watch(share).is_continue())
            .ok_or(QuickError::Cancelled)?;
        let rounding = 4.0 * f64::EPSILON * row.len().max(column.len()) as f64 * game.size();
        if quick.upper - quick.lower <= WIDE * (game.largest - game.least) + rounding {
            return Ok(quick);
        }
        self.solve_again(&game, quick, row, column, watch)
    }

    /// A quick pair, whose bounds may be wide; `None` where it was stopped.
    pub(super) fn solve_quickly(
        &mut self,
        game: &Payoffs<'_>,
        row: &mut [f64],
        column: &mut [f64],
        should_continue: &mut ShouldContinue<'_>,
    ) -> Option<SecurityLevels> {
        let (length, choices) = (length(row.len(), column.len()), row.len() + column.len());
        self.numbers.resize(length.max(self.numbers.len()), 0.0);
        self.variables.resize(choices.max(self.variables.len()), 0);
        self.chosen.resize(choices.max(self.chosen.len()), Chosen::default());
        let memory = Memory {
            numbers: &mut self.numbers,
            variables: &mut self.variables,
            chosen: &mut self.chosen,
        };
        solve_in(game, memory, row, column, should_continue)
    }

    /// The better of the quick pair and a careful one.
    fn solve_again(
        &mut self,
        game: &Payoffs<'_>,
        quick: SecurityLevels,
        row: &mut [f64],
        column: &mut [f64],
        watch: &mut Watch<'_>,
    ) -> Result<SecurityLevels, QuickError> {
        let rows: Vec<&[f64]> = (0..game.rows).map(|row| game.row(row)).collect();
        let Ok(matrix) = Matrix::from_rows(&rows) else { return Ok(quick) };
        let stop = Stop::new(watch);
        let careful = self.careful.solve_unless(&matrix, &stop);
        if stop.is_asked() {
            return Err(QuickError::Cancelled);
        }
        let levels = match security_levels(game, careful.row_strategy(), careful.column_strategy())
        {
            Some(levels) if levels.upper - levels.lower < quick.upper - quick.lower => {
                row.copy_from_slice(careful.row_strategy());
                column.copy_from_slice(careful.column_strategy());
                levels
            }
            _ => quick,
        };
        Ok(levels)
    }
}

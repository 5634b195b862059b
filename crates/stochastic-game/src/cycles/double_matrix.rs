//! Matrix games in floating point, without bounds: for guesses.

use crate::matrix_game::{Matrix, Payoffs, Simplex};

/// Solves one matrix game after another. Its result is both players' strategies, actions with their
/// probabilities.
#[derive(Default)]
pub(super) struct DoubleMatrix {
    entries: Vec<f64>,
    simplex: Simplex,
    pub(super) row: Vec<(usize, f64)>,
    pub(super) column: Vec<(usize, f64)>,
}

impl DoubleMatrix {
    /// Takes the payoffs to the player of the rows, row by row.
    pub(super) fn fill(&mut self, entries: impl Iterator<Item = f64>) {
        self.entries.clear();
        self.entries.extend(entries);
    }

    /// Solves the game of this many columns; returns its value.
    pub(super) fn solve(&mut self, columns: usize) -> f64 {
        let Self { entries, .. } = self;
        let least = |(row, line): (usize, &[f64])| {
            (line.iter().copied().fold(f64::INFINITY, f64::min), row)
        };
        let most = |column: usize| {
            (
                entries[column..]
                    .iter()
                    .step_by(columns)
                    .copied()
                    .fold(f64::NEG_INFINITY, f64::max),
                column,
            )
        };
        let secured = entries
            .chunks(columns)
            .enumerate()
            .map(least)
            .reduce(|one, other| if other.0 > one.0 { other } else { one });
        let conceded =
            (0..columns).map(most).reduce(|one, other| if other.0 < one.0 { other } else { one });
        let ((secured, row), (conceded, column)) =
            (secured.unwrap_or_default(), conceded.unwrap_or_default());
        if conceded <= secured {
            self.row.clear();
            self.row.push((row, 1.0));
            self.column.clear();
            self.column.push((column, 1.0));
            return secured;
        }
        let matrix = Matrix::of_entries(std::mem::take(&mut self.entries), columns);
        let found = self.simplex.find_from(&matrix, column).pair;
        self.row.clone_from(&found.row);
        self.column.clone_from(&found.column);
        let against = |&(row, share): &(usize, f64)| {
            share
                * self
                    .column
                    .iter()
                    .map(|&(column, share)| share * matrix.entry(row, column))
                    .sum::<f64>()
        };
        let value = self.row.iter().map(against).sum();
        self.entries = matrix.into_entries();
        value
    }
}

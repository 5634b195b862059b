//! The choice among several optimal bases.

use crate::basis::BasisFactorisation;
use crate::payoffs::{Payoffs, copy_column, copy_row};
use crate::tolerances::TREMBLE_DERIVATIVE;
use crate::tremble::{Trembling, rates};

#[derive(Clone, Debug, Default)]
pub struct TieBreaking {
    errors: Vec<f64>,
    line: Vec<f64>,
}

impl TieBreaking {
    /// Whether an optimal basis stays optimal when both players err a little and evenly, as the
    /// self-dual simplex decides it, without a dictionary. `tied` are the columns and rows that
    /// could be exchanged without loss.
    pub fn is_preferred(
        &mut self,
        payoffs: &impl Trembling,
        basis: &mut BasisFactorisation,
        tied: [&[usize]; 2],
    ) -> bool {
        let (idle_columns, other_columns) = split(tied[0], |column| basis.index_of_column(column));
        let (idle_rows, other_rows) = split(tied[1], |row| basis.index_of_row(row));
        let (size, enough) = (basis.size(), derivative_tolerance(payoffs));
        let Self { errors, line } = self;
        if !(idle_columns.is_empty() && other_rows.is_empty()) {
            answer_column_errors(payoffs, basis, errors);
            let slack = |row: usize| {
                copy_row(payoffs, row, line);
                let answer: f64 = basis
                    .columns()
                    .zip(errors.iter())
                    .map(|(column, share)| share * line[column])
                    .sum();
                errors[size] - answer - payoffs.row_gain(row)
            };
            let changes = idle_columns
                .into_iter()
                .map(|index| errors[index])
                .chain(other_rows.into_iter().map(slack));
            if changes.into_iter().any(|change| change < -enough) {
                return false;
            }
        }
        if !(idle_rows.is_empty() && other_columns.is_empty()) {
            answer_row_errors(payoffs, basis, errors);
            let surplus = |column: usize| {
                copy_column(payoffs, column, line);
                let answer: f64 =
                    basis.rows().zip(errors.iter()).map(|(row, share)| share * line[row]).sum();
                errors[size] + answer + payoffs.column_cost(column)
            };
            let changes = idle_rows
                .into_iter()
                .map(|index| errors[index])
                .chain(other_columns.into_iter().map(surplus));
            if changes.into_iter().any(|change| change < -enough) {
                return false;
            }
        }
        true
    }
}

/// The change of the basic columns and the value with the column player's errors, which keeps the
/// tight rows tight: `M · (y, v) = (−A_R t, −Σ t)`.
fn answer_column_errors(
    payoffs: &impl Trembling,
    basis: &mut BasisFactorisation,
    answer: &mut Vec<f64>,
) {
    answer.clear();
    answer.extend(basis.rows().map(|row| -payoffs.row_gain(row)));
    answer.push(-rates(payoffs.columns()).sum::<f64>());
    basis.solve(answer);
}

/// The change of the tight rows and the negative of the value with the row player's errors: `Mᵀ ·
/// (x, −v) = (−H_C, Σ τ)`.
fn answer_row_errors(
    payoffs: &impl Trembling,
    basis: &mut BasisFactorisation,
    answer: &mut Vec<f64>,
) {
    answer.clear();
    answer.extend(basis.columns().map(|column| -payoffs.column_cost(column)));
    answer.push(rates(payoffs.rows()).sum());
    basis.solve_transposed(answer);
}

/// The places of the choices in the basis, and the other choices.
fn split(choices: &[usize], index_of: impl Fn(usize) -> Option<usize>) -> (Vec<usize>, Vec<usize>) {
    let (mut indices, mut others) = (Vec::new(), Vec::new());
    for &choice in choices {
        match index_of(choice) {
            Some(index) => indices.push(index),
            None => others.push(choice),
        }
    }
    (indices, others)
}

pub(super) fn derivative_tolerance(payoffs: &impl Payoffs) -> f64 {
    TREMBLE_DERIVATIVE * (payoffs.columns() + payoffs.rows()) as f64
}

//! The equaliser system of a basis, factorised.

use super::Basis;
use crate::matrix_game::Payoffs;
use crate::matrix_game::dense::{dot, power_of_two_scale, subtract_four, subtract_scaled};

/// So many columns are eliminated in one go: entries below are then loaded and stored a quarter as often. Measured: no gain at 200 points, where
/// a basis fits the cache, a fifth of the factorisation's time at 320.
const PANEL: usize = 4;

/// The bordered system of a basis, factorised: `[A_RC −1; 1ᵀ 0]`.
///
/// Its solution with right-hand side `(0, …, 0, 1)` is the column player's equaliser and the value, the
/// solution of the transposed system the row player's. Payoffs are shifted by one entry of the block and multiplied
/// by a power of two, which changes only the value, so that a game whose payoffs nearly agree, or are tiny, is not ill-conditioned for that reason.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equaliser {
    order: usize,
    /// What every payoff was reduced by, and then multiplied with.
    shift: f64,
    scale: f64,
    /// `L` (unit diagonal, below) and `U` (on and above the diagonal) of the row-permuted matrix, row by row.
    factors: Vec<f64>,
    permutation: Vec<usize>,
    /// The columns that are being eliminated, below the finished rows.
    panel: Vec<[f64; PANEL]>,
}

impl Equaliser {
    /// Factorises the system of `basis` with partial pivoting; `false` when it is singular to working precision.
    pub(crate) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        let size = basis.size();
        let order = size + 1;
        self.order = order;
        self.factors.clear();
        // Factors may be kept for long.
        self.factors.reserve_exact(order * order);
        let shift = payoffs.entry(basis.rows[0], basis.columns[0]);
        self.shift = shift;
        let mut largest = 0.0_f64;
        for &i in &basis.rows {
            let start = self.factors.len();
            payoffs.gather(i, &basis.columns, &mut self.factors);
            for entry in &mut self.factors[start..] {
                *entry -= shift;
                largest = if entry.abs() > largest { entry.abs() } else { largest };
            }
            self.factors.push(-1.0);
        }
        self.scale = power_of_two_scale(largest);
        if self.scale != 1.0 {
            for row in self.factors.chunks_exact_mut(order) {
                row[..size].iter_mut().for_each(|entry| *entry *= self.scale);
            }
        }
        self.factors.extend(std::iter::repeat_n(1.0, size));
        self.factors.push(0.0);
        self.permutation.clear();
        self.permutation.extend(0..order);
        (0..order).step_by(PANEL).all(|start| self.eliminate(start))
    }

    /// Gaussian elimination of the columns from `start` on that make a panel; `false` when a pivot is missing.
    ///
    /// First within the panel alone, which finds the pivots; then all rows below are reduced by the pivot rows in one go.
    /// Every entry sees the same subtractions in the same order as column by column.
    fn eliminate(&mut self, start: usize) -> bool {
        let order = self.order;
        let width = PANEL.min(order - start);
        let end = start + width;
        self.panel.clear();
        self.panel.extend(self.factors[start * order..].chunks_exact(order).map(|row| {
            let mut part = [0.0; PANEL];
            part[..width].copy_from_slice(&row[start..end]);
            part
        }));
        for step in 0..width {
            let best = largest(&self.panel, step);
            let pivot_row = self.panel[best];
            let pivot = pivot_row[step];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            if best != step {
                self.panel.swap(step, best);
                let (step, best) = (start + step, start + best);
                let (upper, lower) = self.factors.split_at_mut(best * order);
                upper[step * order..][..order].swap_with_slice(&mut lower[..order]);
                self.permutation.swap(step, best);
            }
            for row in &mut self.panel[step + 1..] {
                let factor = row[step] / pivot;
                row[step] = factor;
                for column in step + 1..PANEL {
                    row[column] -= factor * pivot_row[column];
                }
            }
        }
        for (row, part) in self.factors[start * order..].chunks_exact_mut(order).zip(&self.panel) {
            row[start..end].copy_from_slice(&part[..width]);
        }
        if end == order {
            return true;
        }
        let (upper, lower) = self.factors.split_at_mut(end * order);
        let pivot_rows = &mut upper[start * order..];
        for step in 1..PANEL {
            let (above, row) = pivot_rows.split_at_mut(step * order);
            for (&factor, above) in self.panel[step][..step].iter().zip(above.chunks_exact(order)) {
                subtract_scaled(&mut row[end..order], &above[end..], factor);
            }
        }
        let pivot_rows: [&[f64]; PANEL] = std::array::from_fn(|step| &pivot_rows[step * order + end..(step + 1) * order]);
        for (row, factors) in lower.chunks_exact_mut(order).zip(&self.panel[PANEL..]) {
            subtract_four(&mut row[end..], pivot_rows, *factors);
        }
        true
    }

    /// Solves `M z = right`, in place.
    pub(crate) fn solve(&self, right: &mut [f64], scratch: &mut Vec<f64>) {
        let order = self.order;
        let sum = right[order - 1];
        right[..order - 1].iter_mut().for_each(|entry| *entry *= self.scale);
        scratch.clear();
        scratch.extend(self.permutation.iter().map(|&row| right[row]));
        for row in 0..order {
            let known = dot(&self.factors[row * order..][..row], scratch);
            scratch[row] -= known;
        }
        for row in (0..order).rev() {
            let factors = &self.factors[row * order..][..order];
            let known = dot(&factors[row + 1..], &scratch[row + 1..]);
            scratch[row] = (scratch[row] - known) / factors[row];
        }
        right.copy_from_slice(scratch);
        self.restore_value(right, sum);
    }

    /// Solves `Mᵀ z = right`, in place.
    pub(crate) fn solve_transposed(&self, right: &mut [f64], scratch: &mut Vec<f64>) {
        let order = self.order;
        let sum = right[order - 1];
        right[..order - 1].iter_mut().for_each(|entry| *entry *= self.scale);
        for row in 0..order {
            let factors = &self.factors[row * order..][..order];
            let solved = right[row] / factors[row];
            right[row] = solved;
            subtract_scaled(&mut right[row + 1..], &factors[row + 1..], solved);
        }
        for row in (0..order).rev() {
            let solved = right[row];
            subtract_scaled(&mut right[..row], &self.factors[row * order..][..row], solved);
        }
        scratch.clear();
        scratch.resize(order, 0.0);
        for (&place, &solved) in self.permutation.iter().zip(right.iter()) {
            scratch[place] = solved;
        }
        right.copy_from_slice(scratch);
        self.restore_value(right, sum);
    }

    /// Turns the value of the reduced and scaled payoffs into that of the payoffs, for probabilities with the given sum.
    fn restore_value(&self, solution: &mut [f64], sum: f64) {
        let value = &mut solution[self.order - 1];
        *value = *value / self.scale + self.shift * sum;
    }
}

/// The row of a panel, not above `step`, whose entry in the column `step` is the largest.
fn largest(panel: &[[f64; PANEL]], step: usize) -> usize {
    let (mut best, mut size) = (step, panel[step][step].abs());
    for (place, row) in panel.iter().enumerate().skip(step + 1) {
        if row[step].abs() > size {
            (best, size) = (place, row[step].abs());
        }
    }
    best
}

//! LU factors of a dense matrix.

use super::kernels::{dot, subtract_four, subtract_scaled};

/// Columns eliminated in one go, so that entries below are loaded and stored a quarter as often.
/// Measured: no gain at 200 points, where a basis fits the cache, a fifth of the factorisation's
/// time at 320.
const PANEL: usize = 4;

/// Which of the two systems of a matrix is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// `A z = b`.
    Original,
    /// `Aᵀ z = b`.
    Transposed,
}

/// The factors `P A = L U` of a square matrix, by partial pivoting. O(order³) to factorise,
/// O(order²) to solve.
///
/// Only a pivot of exactly 0 is singular; callers detect nearly singular systems from their
/// solutions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lu {
    order: usize,
    /// `L` (unit diagonal, below) and `U` (on and above the diagonal) of the row-permuted matrix,
    /// row by row.
    factors: Vec<f64>,
    permutation: Vec<usize>,
    panel: Vec<[f64; PANEL]>,
}

impl Lu {
    /// Factorises a matrix whose entries `fill` appends row by row to an empty list; `false` when
    /// it is singular.
    pub(crate) fn factorise(&mut self, order: usize, fill: impl FnOnce(&mut Vec<f64>)) -> bool {
        self.order = order;
        self.factors.clear();
        // Factors may be kept for long.
        self.factors.reserve_exact(order * order);
        fill(&mut self.factors);
        debug_assert_eq!(self.factors.len(), order * order, "a square matrix");
        self.permutation.clear();
        self.permutation.extend(0..order);
        (0..order).step_by(PANEL).all(|start| self.eliminate(start))
    }

    pub(crate) fn take_over(&mut self, other: &Self) {
        self.order = other.order;
        self.factors.clone_from(&other.factors);
        self.permutation.clone_from(&other.permutation);
    }

    /// Eliminates the columns of the panel that begins at `start`; `false` when a pivot is missing.
    ///
    /// Pivots within the panel, then reduces all rows below by the pivot rows in one go. Every
    /// entry sees the same subtractions in the same order as column by column.
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
        let pivot_rows: [&[f64]; PANEL] =
            std::array::from_fn(|step| &pivot_rows[step * order + end..(step + 1) * order]);
        for (row, factors) in lower.chunks_exact_mut(order).zip(&self.panel[PANEL..]) {
            subtract_four(&mut row[end..], pivot_rows, *factors);
        }
        true
    }

    /// Solves `A z = right`, or `Aᵀ z = right`, in place.
    pub(crate) fn solve(
        &self,
        orientation: Orientation,
        right: &mut [f64],
        scratch: &mut Vec<f64>,
    ) {
        match orientation {
            Orientation::Original => self.solve_original(right, scratch),
            Orientation::Transposed => self.solve_transposed(right, scratch),
        }
    }

    fn solve_original(&self, right: &mut [f64], scratch: &mut Vec<f64>) {
        let order = self.order;
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
    }

    fn solve_transposed(&self, right: &mut [f64], scratch: &mut Vec<f64>) {
        let order = self.order;
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
        for (&index, &solved) in self.permutation.iter().zip(right.iter()) {
            scratch[index] = solved;
        }
        right.copy_from_slice(scratch);
    }
}

fn largest(panel: &[[f64; PANEL]], step: usize) -> usize {
    let (mut best, mut size) = (step, panel[step][step].abs());
    for (index, row) in panel.iter().enumerate().skip(step + 1) {
        if row[step].abs() > size {
            (best, size) = (index, row[step].abs());
        }
    }
    best
}

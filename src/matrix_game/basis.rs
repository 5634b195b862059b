//! A basis of a matrix game, and the strategies that equalise on it.

use super::Payoffs;

/// As many rows as columns; on them, a basic solution makes every row and every column equally good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Basis {
    /// Rows, rising.
    pub(crate) rows: Vec<usize>,
    /// Columns, rising.
    pub(crate) columns: Vec<usize>,
}

impl Basis {
    /// Becomes one row and one column.
    pub(crate) fn set_single(&mut self, row: usize, column: usize) {
        self.rows.clear();
        self.rows.push(row);
        self.columns.clear();
        self.columns.push(column);
    }

    /// The number of rows, which is the number of columns.
    pub(crate) const fn size(&self) -> usize {
        self.rows.len()
    }
}

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
    scratch: Vec<f64>,
}

impl Equaliser {
    /// Factorises the system of `basis` with partial pivoting; `false` when it is singular to working precision.
    pub(crate) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        let size = basis.size();
        let order = size + 1;
        self.order = order;
        self.factors.clear();
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
        (0..order).all(|step| self.eliminate(step))
    }

    /// One step of Gaussian elimination; `false` when no pivot is left.
    fn eliminate(&mut self, step: usize) -> bool {
        let order = self.order;
        let column = |row: usize| row * order + step;
        let best = (step..order)
            .max_by(|&p, &q| self.factors[column(p)].abs().total_cmp(&self.factors[column(q)].abs()))
            .unwrap_or(step);
        let pivot = self.factors[column(best)];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        if best != step {
            let (upper, lower) = self.factors.split_at_mut(best * order);
            upper[step * order..][..order].swap_with_slice(&mut lower[..order]);
            self.permutation.swap(step, best);
        }
        let (upper, lower) = self.factors.split_at_mut((step + 1) * order);
        let pivot_row = &upper[step * order + step + 1..];
        for row in lower.chunks_exact_mut(order) {
            let factor = row[step] / pivot;
            row[step] = factor;
            if factor != 0.0 {
                for (entry, above) in row[step + 1..].iter_mut().zip(pivot_row) {
                    *entry -= factor * above;
                }
            }
        }
        true
    }

    /// Solves `M z = right`, in place.
    pub(crate) fn solve(&mut self, right: &mut [f64]) {
        let order = self.order;
        let sum = right[order - 1];
        right[..order - 1].iter_mut().for_each(|entry| *entry *= self.scale);
        self.scratch.clear();
        self.scratch.extend(self.permutation.iter().map(|&row| right[row]));
        for row in 0..order {
            let known = dot(&self.factors[row * order..][..row], &self.scratch);
            self.scratch[row] -= known;
        }
        for row in (0..order).rev() {
            let factors = &self.factors[row * order..][..order];
            let known = dot(&factors[row + 1..], &self.scratch[row + 1..]);
            self.scratch[row] = (self.scratch[row] - known) / factors[row];
        }
        right.copy_from_slice(&self.scratch);
        self.restore_value(right, sum);
    }

    /// Solves `Mᵀ z = right`, in place.
    pub(crate) fn solve_transposed(&mut self, right: &mut [f64]) {
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
        self.scratch.clear();
        self.scratch.resize(order, 0.0);
        for (&place, &solved) in self.permutation.iter().zip(right.iter()) {
            self.scratch[place] = solved;
        }
        right.copy_from_slice(&self.scratch);
        self.restore_value(right, sum);
    }

    /// Turns the value of the reduced and scaled payoffs into that of the payoffs, for probabilities with the given sum.
    fn restore_value(&self, solution: &mut [f64], sum: f64) {
        let value = &mut solution[self.order - 1];
        *value = *value / self.scale + self.shift * sum;
    }
}

/// The power of two that brings a magnitude into [1, 2); 1 for 0. Multiplying by it is exact.
pub(crate) fn power_of_two_scale(magnitude: f64) -> f64 {
    if magnitude > 0.0 && magnitude.is_finite() { (-magnitude.log2().floor()).clamp(-1000.0, 1000.0).exp2() } else { 1.0 }
}

/// The sum of products over the shorter of the two.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    // Four sums side by side: one running sum would wait for each addition before the next.
    let mut sums = [0.0; 4];
    let length = left.len().min(right.len());
    let (left, right) = (&left[..length], &right[..length]);
    let (left_fours, right_fours) = (left.chunks_exact(4), right.chunks_exact(4));
    let rest: f64 = left_fours.remainder().iter().zip(right_fours.remainder()).map(|(l, r)| l * r).sum();
    for (l, r) in left_fours.zip(right_fours) {
        for lane in 0..4 {
            sums[lane] += l[lane] * r[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn subtract_scaled(target: &mut [f64], source: &[f64], factor: f64) {
    if factor != 0.0 {
        for (target, source) in target.iter_mut().zip(source) {
            *target -= factor * source;
        }
    }
}

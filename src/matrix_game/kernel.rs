//! The inverse of a basis's bordered system, kept up to date while rows and columns come and go.

use super::{Basis, Payoffs};

/// The inverse of `M = [A_RC −1; 1ᵀ 0]` for an ordered basis; its rows belong to the basic columns and the value, its columns to
/// the tight rows and the sum of probabilities.
///
/// The last column of the inverse is the column player's equaliser and the value; the last row, negated, the row player's. Exchanging, adding or
/// removing a row or a column is a rank-one update, O(size²).
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel {
    /// The tight rows and the basic columns, in the order of the inverse.
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
    /// Row by row, `order` numbers each.
    inverse: Vec<f64>,
    order: usize,
    work: Vec<f64>,
}

impl Kernel {
    /// Inverts the system of a basis by Gauss-Jordan elimination with partial pivoting; `false` when it is singular.
    pub(crate) fn invert(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        self.rows.clone_from(&basis.rows);
        self.columns.clone_from(&basis.columns);
        let order = basis.size() + 1;
        self.order = order;
        // [M | permutation]: in-place inversion with the row exchanges undone as column exchanges at the end.
        self.inverse.clear();
        for &row in &basis.rows {
            payoffs.gather(row, &basis.columns, &mut self.inverse);
            self.inverse.push(-1.0);
        }
        self.inverse.extend(std::iter::repeat_n(1.0, order - 1));
        self.inverse.push(0.0);
        let mut exchanged = Vec::with_capacity(order);
        for step in 0..order {
            let at = |row: usize| self.inverse[row * order + step].abs();
            let best = (step..order).max_by(|&p, &q| at(p).total_cmp(&at(q))).unwrap_or(step);
            let pivot = self.inverse[best * order + step];
            if pivot.abs() < f64::MIN_POSITIVE || !pivot.is_finite() {
                return false;
            }
            exchanged.push(best);
            if best != step {
                let (upper, lower) = self.inverse.split_at_mut(best * order);
                upper[step * order..][..order].swap_with_slice(&mut lower[..order]);
            }
            self.inverse[step * order + step] = 1.0;
            self.work.clear();
            self.work.extend(self.inverse[step * order..][..order].iter().map(|entry| entry / pivot));
            for (row, entries) in self.inverse.chunks_exact_mut(order).enumerate() {
                if row == step {
                    entries.copy_from_slice(&self.work);
                    continue;
                }
                let factor = std::mem::take(&mut entries[step]);
                subtract(entries, &self.work, factor);
            }
        }
        for (step, &best) in exchanged.iter().enumerate().rev() {
            if best != step {
                for entries in self.inverse.chunks_exact_mut(order) {
                    entries.swap(step, best);
                }
            }
        }
        true
    }

    /// The number of rows of the inverse: the size of the basis and one.
    pub(crate) const fn order(&self) -> usize {
        self.order
    }

    /// A row of the inverse: that of a basic column, or with index `order − 1` that of the value.
    pub(crate) fn row(&self, index: usize) -> &[f64] {
        &self.inverse[index * self.order..][..self.order]
    }

    /// A column of the inverse into `column`.
    pub(crate) fn column(&self, index: usize, column: &mut Vec<f64>) {
        column.clear();
        column.extend(self.inverse.chunks_exact(self.order).map(|row| row[index]));
    }

    /// `inverse · right` into `product`.
    pub(crate) fn times(&self, right: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.extend(self.inverse.chunks_exact(self.order).map(|row| row.iter().zip(right).map(|(l, r)| l * r).sum::<f64>()));
    }

    /// `left · inverse` into `product`.
    pub(crate) fn times_left(&self, left: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.resize(self.order, 0.0);
        for (row, &factor) in self.inverse.chunks_exact(self.order).zip(left) {
            subtract(product, row, -factor);
        }
    }

    /// Puts column `column` of the game in the place of the basic column `place`; `alpha` is the inverse times the new bordered column.
    pub(crate) fn exchange_column(&mut self, place: usize, column: usize, alpha: &[f64]) {
        let order = self.order;
        self.columns[place] = column;
        self.work.clear();
        self.work.extend(self.inverse[place * order..][..order].iter().map(|entry| entry / alpha[place]));
        for (row, entries) in self.inverse.chunks_exact_mut(order).enumerate() {
            if row == place {
                entries.copy_from_slice(&self.work);
            } else {
                subtract(entries, &self.work, alpha[row]);
            }
        }
    }

    /// Puts row `row` of the game in the place of the tight row `place`; `beta` is the new bordered row times the inverse.
    pub(crate) fn exchange_row(&mut self, place: usize, row: usize, beta: &[f64]) {
        self.rows[place] = row;
        for entries in self.inverse.chunks_exact_mut(self.order) {
            let own = entries[place] / beta[place];
            subtract(entries, beta, own);
            entries[place] = own;
        }
    }

    /// Adds a row and a column of the game. `alpha` is the inverse times the new bordered column, `beta` the new bordered row times the
    /// inverse, `corner` the Schur complement of the new entry.
    pub(crate) fn grow(&mut self, row: usize, column: usize, alpha: &[f64], beta: &[f64], corner: f64) {
        let (order, size) = (self.order, self.order - 1);
        self.rows.push(row);
        self.columns.push(column);
        // The border stays last: the new row and column of the inverse go before it.
        let grown = order + 1;
        let mut inverse = std::mem::take(&mut self.work);
        inverse.clear();
        inverse.reserve(grown * grown);
        for (index, entries) in self.inverse.chunks_exact_mut(order).enumerate() {
            if index == size {
                push_new_row(&mut inverse, beta, corner, size);
            }
            let factor = alpha[index] / corner;
            subtract(entries, beta, -factor);
            inverse.extend_from_slice(&entries[..size]);
            inverse.push(-factor);
            inverse.push(entries[size]);
        }
        self.work = std::mem::replace(&mut self.inverse, inverse);
        self.order = grown;
    }

    /// Removes the tight row `row` and the basic column `column`, both by their place.
    pub(crate) fn shrink(&mut self, row: usize, column: usize) {
        let order = self.order;
        self.rows.remove(row);
        self.columns.remove(column);
        self.work.clear();
        self.work.extend_from_slice(&self.inverse[column * order..][..order]);
        let pivot = self.work[row];
        let mut kept = Vec::with_capacity((order - 1) * (order - 1));
        for (index, entries) in self.inverse.chunks_exact_mut(order).enumerate() {
            if index != column {
                let factor = entries[row] / pivot;
                subtract(entries, &self.work, factor);
                kept.extend_from_slice(&entries[..row]);
                kept.extend_from_slice(&entries[row + 1..]);
            }
        }
        self.inverse = kept;
        self.order = order - 1;
    }
}

fn push_new_row(inverse: &mut Vec<f64>, beta: &[f64], corner: f64, size: usize) {
    inverse.extend(beta[..size].iter().map(|entry| -entry / corner));
    inverse.push(1.0 / corner);
    inverse.push(-beta[size] / corner);
}

fn subtract(target: &mut [f64], source: &[f64], factor: f64) {
    if factor != 0.0 {
        for (target, source) in target.iter_mut().zip(source) {
            *target -= factor * source;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix_game::Matrix;

    fn game() -> Matrix {
        let entry = |i: usize, j: usize| ((i * 37 + j * 101 + i * j * 7) % 23) as f64 - 11.0;
        let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..7).map(|j| entry(i, j)).collect()).collect();
        Matrix::from_rows(&rows).unwrap()
    }

    fn inverted(rows: &[usize], columns: &[usize]) -> Kernel {
        let mut kernel = Kernel::default();
        assert!(kernel.invert(&game(), &Basis { rows: rows.to_vec(), columns: columns.to_vec() }));
        kernel
    }

    fn assert_same(updated: &Kernel, fresh: &Kernel) {
        assert_eq!((&updated.rows, &updated.columns), (&fresh.rows, &fresh.columns));
        for (left, right) in updated.inverse.iter().zip(&fresh.inverse) {
            // The systems are small and well-conditioned: updates lose two or three digits of sixteen at most.
            assert!((left - right).abs() <= 1e-12, "{left} and {right}");
        }
    }

    /// The bordered column of a game column, and the bordered row of a game row.
    fn column(kernel: &Kernel, j: usize) -> Vec<f64> {
        kernel.rows.iter().map(|&i| game().entry(i, j)).chain([1.0]).collect()
    }

    fn row(kernel: &Kernel, i: usize) -> Vec<f64> {
        kernel.columns.iter().map(|&j| game().entry(i, j)).chain([-1.0]).collect()
    }

    #[test]
    fn the_inverse_is_one() {
        let kernel = inverted(&[0, 2, 5], &[1, 3, 4]);
        let mut product = Vec::new();
        for (place, j) in [1, 3, 4].into_iter().enumerate() {
            kernel.times(&column(&kernel, j), &mut product);
            let unit: Vec<f64> = (0..4).map(|index| f64::from(u8::from(index == place))).collect();
            assert!(product.iter().zip(&unit).all(|(l, r)| (l - r).abs() < 1e-13), "{product:?}");
        }
    }

    #[test]
    fn updates_lead_to_the_same_inverse_as_a_fresh_start() {
        let (mut alpha, mut beta) = (Vec::new(), Vec::new());
        let mut kernel = inverted(&[0, 2, 5], &[1, 3, 4]);
        kernel.times(&column(&kernel, 6), &mut alpha);
        kernel.exchange_column(1, 6, &alpha);
        assert_same(&kernel, &inverted(&[0, 2, 5], &[1, 6, 4]));
        kernel.times_left(&row(&kernel, 3), &mut beta);
        kernel.exchange_row(0, 3, &beta);
        assert_same(&kernel, &inverted(&[3, 2, 5], &[1, 6, 4]));
        kernel.times(&column(&kernel, 0), &mut alpha);
        kernel.times_left(&row(&kernel, 1), &mut beta);
        let schur = game().entry(1, 0) - row(&kernel, 1).iter().zip(&alpha).map(|(l, r)| l * r).sum::<f64>();
        kernel.grow(1, 0, &alpha, &beta, schur);
        assert_same(&kernel, &inverted(&[3, 2, 5, 1], &[1, 6, 4, 0]));
        kernel.shrink(2, 0);
        assert_same(&kernel, &inverted(&[3, 2, 1], &[6, 4, 0]));
    }
}

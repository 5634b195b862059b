//! The system whose solution makes both players' supports indifferent.

use super::Basis;
use crate::Payoffs;
use crate::dense::{Lu, Orientation, power_of_two_scale};

/// The bordered system of a basis, factorised: `[A_RC −1; 1ᵀ 0]`.
///
/// With right-hand side `(0, …, 0, 1)` it gives the column player's equaliser and the value,
/// transposed the row player's. Payoffs are shifted by one of them and scaled by a power of two, so
/// that nearly equal or tiny ones are not ill-conditioned for that reason.
#[derive(Clone, Debug, Default)]
pub(super) struct EqualiserSystem {
    shift: f64,
    scale: f64,
    factors: Lu,
}

impl EqualiserSystem {
    /// Factorises the system with partial pivoting; `false` when it is singular to working
    /// precision.
    pub(super) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        let size = basis.size();
        let order = size + 1;
        let shift = payoffs.entry(basis.rows[0], basis.columns[0]);
        let mut scale = 1.0;
        let regular = self.factors.factorise(order, |entries| {
            let mut largest = 0.0_f64;
            for &i in &basis.rows {
                let start = entries.len();
                payoffs.gather(i, &basis.columns, entries);
                for entry in &mut entries[start..] {
                    *entry -= shift;
                    largest = if entry.abs() > largest { entry.abs() } else { largest };
                }
                entries.push(-1.0);
            }
            scale = power_of_two_scale(largest);
            if scale != 1.0 {
                for row in entries.chunks_exact_mut(order) {
                    row[..size].iter_mut().for_each(|entry| *entry *= scale);
                }
            }
            entries.extend(std::iter::repeat_n(1.0, size));
            entries.push(0.0);
        });
        (self.shift, self.scale) = (shift, scale);
        regular
    }

    /// Solves `M z = right`, or `Mᵀ z = right`, in place: with the shifted and scaled payoffs, then
    /// converts the value, for probabilities of the given sum.
    pub(super) fn solve(
        &self,
        orientation: Orientation,
        right: &mut [f64],
        scratch: &mut Vec<f64>,
    ) {
        let last = right.len() - 1;
        let sum = right[last];
        right[..last].iter_mut().for_each(|entry| *entry *= self.scale);
        self.factors.solve(orientation, right, scratch);
        right[last] = right[last] / self.scale + self.shift * sum;
    }
}

//! A factorised system, bordered by exchanged rows and columns.

use std::sync::Arc;

use super::Basis;
use super::equaliser_system::EqualiserSystem;
use crate::Payoffs;
use crate::dense::{Lu, Orientation, dot, subtract_scaled};

/// The system `[M₀ U; V D]`, solved through the factors of `M₀` and the small Schur complement `S =
/// D − V M₀⁻¹ U`.
#[derive(Clone, Debug, Default)]
pub(super) struct BorderedSystem {
    /// `M₀`, shared with later games.
    base: Arc<EqualiserSystem>,
    order: usize,
    /// `M₀⁻¹ U`, column by column, and `V M₀⁻¹`, row by row.
    from_unknowns: Vec<f64>,
    from_equations: Vec<f64>,
    /// `S`, row by row, and its factors.
    schur: Vec<f64>,
    schur_factors: Lu,
}

/// An unknown's or an equation's entries in the base, and their solution with `M₀` alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Border {
    entries: Vec<f64>,
    solution: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    triangular: Vec<f64>,
    schur: Vec<f64>,
}

impl BorderedSystem {
    /// Factorises the system of a basis, without a border; `false` when it is singular.
    pub(super) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        self.order = basis.size() + 1;
        for list in [&mut self.from_unknowns, &mut self.from_equations, &mut self.schur] {
            list.clear();
        }
        if Arc::get_mut(&mut self.base).is_none() {
            self.base = Arc::default();
        }
        Arc::get_mut(&mut self.base).is_some_and(|base| base.factorise(payoffs, basis))
    }

    pub(super) fn take_over(&mut self, known: &Self) {
        self.base = Arc::clone(&known.base);
        self.order = known.order;
        self.from_unknowns.clone_from(&known.from_unknowns);
        self.from_equations.clone_from(&known.from_equations);
        self.schur.clone_from(&known.schur);
        self.schur_factors.take_over(&known.schur_factors);
    }

    pub(super) const fn order(&self) -> usize {
        self.order
    }

    /// Solves the system, or the transposed one, in place; `border` becomes the base's part, before
    /// and after it is solved alone.
    pub(super) fn solve(
        &self,
        orientation: Orientation,
        right: &mut [f64],
        mut border: Option<&mut Border>,
        scratch: &mut Scratch,
    ) {
        let (from_equations, from_unknowns) = match orientation {
            Orientation::Original => (&self.from_equations, &self.from_unknowns),
            Orientation::Transposed => (&self.from_unknowns, &self.from_equations),
        };
        let (base, added) = right.split_at_mut(self.order);
        for (number, line) in added.iter_mut().zip(from_equations.chunks_exact(self.order)) {
            *number -= dot(line, base);
        }
        let Scratch { triangular, .. } = scratch;
        if let Some(Border { entries, .. }) = &mut border {
            entries.clear();
            entries.extend_from_slice(base);
        }
        self.base.solve(orientation, base, triangular);
        if let Some(Border { solution, .. }) = border {
            solution.clear();
            solution.extend_from_slice(base);
        }
        if !added.is_empty() {
            self.schur_factors.solve(orientation, added, triangular);
            for (&number, line) in added.iter().zip(from_unknowns.chunks_exact(self.order)) {
                subtract_scaled(base, line, number);
            }
        }
    }

    /// Adds an unknown and an equation; `corner` gives the entry of `D` for an equation and an
    /// unknown, counted from the first added. `false` when the result is singular.
    pub(super) fn add(
        &mut self,
        unknown: &Border,
        equation: &Border,
        corner: impl Fn(usize, usize) -> f64,
        scratch: &mut Scratch,
    ) -> bool {
        let (order, age) = (self.order, self.from_unknowns.len() / self.order);
        let mut schur = std::mem::take(&mut scratch.schur);
        schur.clear();
        for (index, row) in self.from_equations.chunks_exact(order).enumerate() {
            schur.extend_from_slice(&self.schur[index * age..][..age]);
            schur.push(corner(index, age) - dot(row, &unknown.entries));
        }
        for (index, column) in self.from_unknowns.chunks_exact(order).enumerate() {
            schur.push(corner(age, index) - dot(column, &equation.entries));
        }
        schur.push(corner(age, age) - dot(&unknown.solution, &equation.entries));
        scratch.schur = std::mem::replace(&mut self.schur, schur);
        self.from_unknowns.extend_from_slice(&unknown.solution);
        self.from_equations.extend_from_slice(&equation.solution);
        let schur = &self.schur;
        self.schur_factors.factorise(age + 1, |entries| entries.extend_from_slice(schur))
    }
}

impl Border {
    pub(super) fn negate(&mut self) {
        self.entries.iter_mut().chain(&mut self.solution).for_each(|number| *number = -*number);
    }
}

//! Factors of a basis that follow its exchanges.

use super::bordered_system::{Border, BorderedSystem, Scratch};
use super::{Basis, Variable};
use crate::Payoffs;
use crate::dense::Orientation;
use crate::payoffs::{copy_column, copy_row};

#[cfg(test)]
mod tests;

/// The equaliser system of a basis, followed through exchanges of rows and columns.
///
/// Every exchange borders the factorised system by an unknown and an equation (Bisschop and Meeraus
/// 1977): an entering column is a new unknown, an entering row a new equation; a leaving column
/// gets the equation that it is 0, a leaving row an unknown that absorbs it. An exchange costs two
/// solves with the old factors.
#[derive(Clone, Debug, Default)]
pub struct BasisFactorisation {
    system: BorderedSystem,
    base: Basis,
    added_equations: Vec<AddedVariable>,
    added_unknowns: Vec<AddedVariable>,
    /// The basis's rows and columns, rising, each with its equation or unknown. The base's last
    /// equation is the sum of probabilities, its last unknown the value.
    rows: Vec<(usize, usize)>,
    columns: Vec<(usize, usize)>,
    workspace: Workspace,
}

#[derive(Clone, Copy, Debug)]
struct AddedVariable {
    variable: Variable,
    /// For a leaving row or column: its equation or unknown.
    cancels: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Workspace {
    full: Vec<f64>,
    scratch: Scratch,
    spare: [Line; 2],
}

/// A variable to be exchanged, with its line in the present basis.
#[derive(Debug)]
pub(crate) struct Exchanged {
    added: AddedVariable,
    pub(crate) line: Line,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The entries of the new column, or row; zeros for a variable that cancels.
    pub(crate) entries: Vec<f64>,
    /// A number for every column of the basis and the value, or for every row and the sum.
    pub(crate) numbers: Vec<f64>,
    border: Border,
}

impl BasisFactorisation {
    pub(crate) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        self.base.clone_from(basis);
        self.added_equations.clear();
        self.added_unknowns.clear();
        for (list, choices) in [(&mut self.rows, &basis.rows), (&mut self.columns, &basis.columns)]
        {
            list.clear();
            list.extend(choices.iter().copied().zip(0..));
        }
        self.system.factorise(payoffs, basis)
    }

    pub fn take_over(&mut self, known: &Self) {
        self.system.take_over(&known.system);
        self.base.clone_from(&known.base);
        self.added_equations.clone_from(&known.added_equations);
        self.added_unknowns.clone_from(&known.added_unknowns);
        self.rows.clone_from(&known.rows);
        self.columns.clone_from(&known.columns);
    }

    /// Shifts the basis by one row and column, for a game that contains this one there.
    pub(crate) fn shift(&mut self) {
        self.base.rows.iter_mut().chain(&mut self.base.columns).for_each(|index| *index += 1);
        self.rows.iter_mut().chain(&mut self.columns).for_each(|(index, _)| *index += 1);
        for AddedVariable { variable: Variable::Column(index) | Variable::Slack(index), .. } in
            self.added_equations.iter_mut().chain(&mut self.added_unknowns)
        {
            *index += 1;
        }
    }

    pub fn bytes(&self) -> usize {
        self.system.order() * (self.system.order() + 2 * self.updates()) * size_of::<f64>()
    }

    pub fn updates(&self) -> usize {
        self.added_equations.len()
    }

    pub fn size(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn basis(&self) -> Basis {
        Basis { rows: self.rows().collect(), columns: self.columns().collect() }
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = usize> {
        self.rows.iter().map(|&(row, _)| row)
    }

    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = usize> {
        self.columns.iter().map(|&(column, _)| column)
    }

    pub(crate) fn index_of_row(&self, row: usize) -> Option<usize> {
        self.rows.binary_search_by_key(&row, |&(row, _)| row).ok()
    }

    pub(crate) fn index_of_column(&self, column: usize) -> Option<usize> {
        self.columns.binary_search_by_key(&column, |&(column, _)| column).ok()
    }

    /// Solves `M z = right` in place: right-hand sides of the rows and the sum; probabilities and
    /// the value.
    pub(crate) fn solve(&mut self, right: &mut [f64]) {
        self.solve_oriented(Orientation::Original, right);
    }

    /// Solves `Mᵀ z = right` in place: right-hand sides of the columns and the value; numbers of
    /// the rows and the sum.
    pub(crate) fn solve_transposed(&mut self, right: &mut [f64]) {
        self.solve_oriented(Orientation::Transposed, right);
    }

    fn solve_oriented(&mut self, orientation: Orientation, right: &mut [f64]) {
        let last = self.system.order() - 1;
        let mut full = self.cleared();
        let (given, found) = match orientation {
            Orientation::Original => (&self.rows, &self.columns),
            Orientation::Transposed => (&self.columns, &self.rows),
        };
        scatter(&mut full, given, last, right);
        self.system.solve(orientation, &mut full, None, &mut self.workspace.scratch);
        gather(&full, found, last, right);
        self.workspace.full = full;
    }

    /// FTRAN: `M⁻¹` times the bordered column of a variable that becomes basic: a column that
    /// enters, or the slack of a row that leaves. `None` for a basic one.
    pub(crate) fn ftran(
        &mut self,
        payoffs: &impl Payoffs,
        variable: Variable,
    ) -> Option<Exchanged> {
        self.solve_line(payoffs, variable, Orientation::Original)
    }

    /// BTRAN: the negative of the bordered row of a variable that becomes nonbasic times `M⁻¹`, or
    /// the row of `M⁻¹` that belongs to a column: a column that leaves, or the slack of a row that
    /// enters. `None` for a nonbasic one.
    pub(crate) fn btran(
        &mut self,
        payoffs: &impl Payoffs,
        variable: Variable,
    ) -> Option<Exchanged> {
        self.solve_line(payoffs, variable, Orientation::Transposed)
    }

    /// Solves the system, or the transposed one, for the line of a variable: either its column, or
    /// row, is new to the basis, or it cancels the other one that is there.
    fn solve_line(
        &mut self,
        payoffs: &impl Payoffs,
        variable: Variable,
        orientation: Orientation,
    ) -> Option<Exchanged> {
        let transposed = orientation == Orientation::Transposed;
        let is_new = transposed == matches!(variable, Variable::Slack(_));
        let cancels = self.index_of(variable);
        if is_new == cancels.is_some() {
            return None;
        }
        let mut line = std::mem::take(&mut self.workspace.spare[usize::from(transposed)]);
        let mut full = self.cleared();
        if let Some(index) = cancels {
            line.entries.clear();
            line.entries.resize(if transposed { payoffs.columns() } else { payoffs.rows() }, 0.0);
            full[index] = 1.0;
        } else {
            let (base, added, sign) = match variable {
                Variable::Column(column) => {
                    copy_column(payoffs, column, &mut line.entries);
                    (&self.base.rows, &self.added_equations, 1.0)
                }
                Variable::Slack(row) => {
                    copy_row(payoffs, row, &mut line.entries);
                    (&self.base.columns, &self.added_unknowns, -1.0)
                }
            };
            full.clear();
            full.extend(base.iter().map(|&choice| sign * line.entries[choice]));
            full.push(1.0);
            full.extend(added.iter().map(|added| match (added.variable, variable) {
                (Variable::Slack(choice), Variable::Column(_))
                | (Variable::Column(choice), Variable::Slack(_)) => sign * line.entries[choice],
                _ => 0.0,
            }));
        }
        self.system.solve(
            orientation,
            &mut full,
            Some(&mut line.border),
            &mut self.workspace.scratch,
        );
        if transposed && is_new {
            // The equation to be added is that of the row, not of its negative.
            line.border.negate();
        }
        line.numbers.resize(self.size() + 1, 0.0);
        let found = if transposed { &self.rows } else { &self.columns };
        gather(&full, found, self.system.order() - 1, &mut line.numbers);
        self.workspace.full = full;
        Some(Exchanged { added: AddedVariable { variable, cancels }, line })
    }

    /// Exchanges the variables of an FTRAN and of a BTRAN for the present basis; `false` when the
    /// result is singular.
    pub(crate) fn exchange(
        &mut self,
        payoffs: &impl Payoffs,
        entering: Exchanged,
        leaving: Exchanged,
    ) -> bool {
        let next = self.system.order() + self.updates();
        match entering.added.variable {
            Variable::Column(column) => insert(&mut self.columns, column, next),
            Variable::Slack(row) => remove(&mut self.rows, row),
        }
        match leaving.added.variable {
            Variable::Slack(row) => insert(&mut self.rows, row, next),
            Variable::Column(column) => remove(&mut self.columns, column),
        }
        self.added_unknowns.push(entering.added);
        self.added_equations.push(leaving.added);
        let (order, equations, unknowns) =
            (self.system.order(), &self.added_equations, &self.added_unknowns);
        let corner =
            |equation: usize, unknown: usize| match (equations[equation], unknowns[unknown]) {
                (
                    AddedVariable { variable: Variable::Slack(row), .. },
                    AddedVariable { variable: Variable::Column(column), .. },
                ) => payoffs.entry(row, column),
                (_, AddedVariable { cancels, .. }) if cancels == Some(order + equation) => 1.0,
                (AddedVariable { cancels, .. }, _) if cancels == Some(order + unknown) => 1.0,
                _ => 0.0,
            };
        let regular = self.system.add(
            &entering.line.border,
            &leaving.line.border,
            corner,
            &mut self.workspace.scratch,
        );
        self.workspace.spare = [entering.line, leaving.line];
        regular
    }

    /// The equation or the unknown of a variable's row or column, if that is in the basis.
    fn index_of(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::Column(column) => {
                self.index_of_column(column).map(|index| self.columns[index].1)
            }
            Variable::Slack(row) => self.index_of_row(row).map(|index| self.rows[index].1),
        }
    }

    fn cleared(&mut self) -> Vec<f64> {
        let mut full = std::mem::take(&mut self.workspace.full);
        full.clear();
        full.resize(self.system.order() + self.updates(), 0.0);
        full
    }
}

fn scatter(full: &mut [f64], indices: &[(usize, usize)], last: usize, numbers: &[f64]) {
    for (&(_, index), &number) in indices.iter().zip(numbers) {
        full[index] = number;
    }
    full[last] = numbers[indices.len()];
}

fn gather(full: &[f64], indices: &[(usize, usize)], last: usize, numbers: &mut [f64]) {
    for (number, &(_, index)) in numbers.iter_mut().zip(indices) {
        *number = full[index];
    }
    numbers[indices.len()] = full[last];
}

fn insert(list: &mut Vec<(usize, usize)>, choice: usize, index: usize) {
    let position = list.partition_point(|&(listed, _)| listed < choice);
    list.insert(position, (choice, index));
}

fn remove(list: &mut Vec<(usize, usize)>, choice: usize) {
    list.retain(|&(listed, _)| listed != choice);
}

//! A factorised basis that rows and columns enter and leave.

use super::bordered_system::{Border, BorderedSystem, Scratch};
use super::{Basis, Variable};
use crate::matrix_game::Payoffs;
use crate::matrix_game::payoffs::{copy_column, copy_row};

#[cfg(test)]
mod tests;

/// The equaliser system of a basis, followed through exchanges of rows and columns.
///
/// Every exchange borders the factorised system by an unknown and an equation (Bisschop and Meeraus 1977): an entering column is
/// a new unknown, an entering row a new equation; a leaving column gets the equation that it is 0, a leaving row an unknown that
/// absorbs it. An exchange costs two solves with the old factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct BasisFactorisation {
    system: BorderedSystem,
    base: Basis,
    added_equations: Vec<Added>,
    added_unknowns: Vec<Added>,
    /// The basis's rows and columns, rising, each with its equation or unknown. The base's last equation is the sum of
    /// probabilities, its last unknown the value.
    rows: Vec<(usize, usize)>,
    columns: Vec<(usize, usize)>,
    workspace: Workspace,
}

#[derive(Clone, Copy, Debug)]
struct Added {
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

/// A nonbasic variable to become basic: a column that enters, or the slack of a row that leaves.
#[derive(Debug)]
pub(crate) struct Entering {
    added: Added,
    line: Line,
}

/// A basic variable to become nonbasic: a column that leaves, or the slack of a row that enters.
#[derive(Debug)]
pub(crate) struct Leaving {
    added: Added,
    line: Line,
}

#[derive(Clone, Debug, Default)]
struct Line {
    entries: Vec<f64>,
    numbers: Vec<f64>,
    border: Border,
}

impl BasisFactorisation {
    /// Factorises a basis afresh; `false` when it is singular.
    pub(crate) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        self.base.clone_from(basis);
        self.added_equations.clear();
        self.added_unknowns.clear();
        for (list, choices) in [(&mut self.rows, &basis.rows), (&mut self.columns, &basis.columns)] {
            list.clear();
            list.extend(choices.iter().copied().zip(0..));
        }
        self.system.factorise(payoffs, basis)
    }

    pub(crate) fn take_over(&mut self, known: &Self) {
        self.system.take_over(&known.system);
        self.base.clone_from(&known.base);
        self.added_equations.clone_from(&known.added_equations);
        self.added_unknowns.clone_from(&known.added_unknowns);
        self.rows.clone_from(&known.rows);
        self.columns.clone_from(&known.columns);
    }

    /// Passes on to a game in which the same entries stand one row and one column farther on.
    pub(crate) fn shift(&mut self) {
        self.base.rows.iter_mut().chain(&mut self.base.columns).for_each(|place| *place += 1);
        self.rows.iter_mut().chain(&mut self.columns).for_each(|(place, _)| *place += 1);
        for Added { variable: Variable::Column(place) | Variable::Slack(place), .. } in
            self.added_equations.iter_mut().chain(&mut self.added_unknowns)
        {
            *place += 1;
        }
    }

    /// The bytes that the factors take.
    pub(crate) fn bytes(&self) -> usize {
        self.system.order() * (self.system.order() + 2 * self.updates()) * size_of::<f64>()
    }

    pub(crate) fn updates(&self) -> usize {
        self.added_equations.len()
    }

    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn basis(&self, basis: &mut Basis) {
        basis.clear();
        basis.rows.extend(self.rows());
        basis.columns.extend(self.columns());
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = usize> {
        self.rows.iter().map(|&(row, _)| row)
    }

    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = usize> {
        self.columns.iter().map(|&(column, _)| column)
    }

    pub(crate) fn place_of_row(&self, row: usize) -> Option<usize> {
        self.rows.binary_search_by_key(&row, |&(row, _)| row).ok()
    }

    pub(crate) fn place_of_column(&self, column: usize) -> Option<usize> {
        self.columns.binary_search_by_key(&column, |&(column, _)| column).ok()
    }

    /// Solves `M z = right` in place: right-hand sides of the rows and the sum; probabilities and the value.
    pub(crate) fn solve(&mut self, right: &mut [f64]) {
        let last = self.system.order() - 1;
        let mut full = self.cleared();
        scatter(&mut full, &self.rows, last, right);
        self.system.solve(&mut full, None, &mut self.workspace.scratch);
        gather(&full, &self.columns, last, right);
        self.workspace.full = full;
    }

    /// Solves `Mᵀ z = right` in place: right-hand sides of the columns and the value; numbers of the rows and the sum.
    pub(crate) fn solve_transposed(&mut self, right: &mut [f64]) {
        let last = self.system.order() - 1;
        let mut full = self.cleared();
        scatter(&mut full, &self.columns, last, right);
        self.system.solve_transposed(&mut full, None, &mut self.workspace.scratch);
        gather(&full, &self.rows, last, right);
        self.workspace.full = full;
    }

    /// FTRAN: `M⁻¹` times the bordered column of an entering variable; `None` for a basic one.
    pub(crate) fn ftran(&mut self, payoffs: &impl Payoffs, variable: Variable) -> Option<Entering> {
        let cancels = match (variable, self.place_of(variable)) {
            (Variable::Column(_), None) => None,
            (Variable::Slack(_), Some(place)) => Some(self.rows[place].1),
            _ => return None,
        };
        let mut line = std::mem::take(&mut self.workspace.spare[0]);
        let mut full = self.cleared();
        match variable {
            Variable::Column(column) => {
                copy_column(payoffs, column, &mut line.entries);
                full.clear();
                full.extend(self.base.rows.iter().map(|&row| line.entries[row]));
                full.push(1.0);
                full.extend(self.added_equations.iter().map(|equation| match equation.variable {
                    Variable::Slack(row) => line.entries[row],
                    Variable::Column(_) => 0.0,
                }));
            }
            Variable::Slack(_) => {
                line.clear(payoffs.rows());
                if let Some(equation) = cancels {
                    full[equation] = 1.0;
                }
            }
        }
        self.system.solve(&mut full, Some(&mut line.border), &mut self.workspace.scratch);
        line.numbers.resize(self.size() + 1, 0.0);
        gather(&full, &self.columns, self.system.order() - 1, &mut line.numbers);
        self.workspace.full = full;
        Some(Entering { added: Added { variable, cancels }, line })
    }

    /// BTRAN: the negative of the bordered row of a leaving variable times `M⁻¹`, or the row of `M⁻¹` that belongs to a column;
    /// `None` for a nonbasic one.
    pub(crate) fn btran(&mut self, payoffs: &impl Payoffs, variable: Variable) -> Option<Leaving> {
        let cancels = match (variable, self.place_of(variable)) {
            (Variable::Slack(_), None) => None,
            (Variable::Column(_), Some(place)) => Some(self.columns[place].1),
            _ => return None,
        };
        let mut line = std::mem::take(&mut self.workspace.spare[1]);
        let mut full = self.cleared();
        match variable {
            Variable::Slack(row) => {
                copy_row(payoffs, row, &mut line.entries);
                full.clear();
                full.extend(self.base.columns.iter().map(|&column| -line.entries[column]));
                full.push(1.0);
                full.extend(self.added_unknowns.iter().map(|unknown| match unknown.variable {
                    Variable::Column(column) => -line.entries[column],
                    Variable::Slack(_) => 0.0,
                }));
            }
            Variable::Column(_) => {
                line.clear(payoffs.columns());
                if let Some(unknown) = cancels {
                    full[unknown] = 1.0;
                }
            }
        }
        self.system.solve_transposed(&mut full, Some(&mut line.border), &mut self.workspace.scratch);
        if cancels.is_none() {
            // The equation to be added is that of the row, not of its negative.
            line.border.negate();
        }
        line.numbers.resize(self.size() + 1, 0.0);
        gather(&full, &self.rows, self.system.order() - 1, &mut line.numbers);
        self.workspace.full = full;
        Some(Leaving { added: Added { variable, cancels }, line })
    }

    /// Exchanges two variables found for the present basis; `false` when the result is singular.
    pub(crate) fn exchange(&mut self, payoffs: &impl Payoffs, entering: Entering, leaving: Leaving) -> bool {
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
        let (order, equations, unknowns) = (self.system.order(), &self.added_equations, &self.added_unknowns);
        let corner = |equation: usize, unknown: usize| match (equations[equation], unknowns[unknown]) {
            (Added { variable: Variable::Slack(row), .. }, Added { variable: Variable::Column(column), .. }) => {
                payoffs.entry(row, column)
            }
            (_, Added { cancels, .. }) if cancels == Some(order + equation) => 1.0,
            (Added { cancels, .. }, _) if cancels == Some(order + unknown) => 1.0,
            _ => 0.0,
        };
        let regular = self.system.add(&entering.line.border, &leaving.line.border, corner, &mut self.workspace.scratch);
        self.workspace.spare = [entering.line, leaving.line];
        regular
    }

    fn place_of(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::Column(column) => self.place_of_column(column),
            Variable::Slack(row) => self.place_of_row(row),
        }
    }

    fn cleared(&mut self) -> Vec<f64> {
        let mut full = std::mem::take(&mut self.workspace.full);
        full.clear();
        full.resize(self.system.order() + self.updates(), 0.0);
        full
    }
}

impl Entering {
    /// The entries of the column, or zeros for the slack of a row.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.line.entries
    }

    /// A number for every column of the basis, and the value's.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.line.numbers
    }
}

impl Leaving {
    /// The entries of the row, or zeros for a column.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.line.entries
    }

    /// A number for every row of the basis, and the sum's.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.line.numbers
    }
}

impl Line {
    fn clear(&mut self, choices: usize) {
        self.entries.clear();
        self.entries.resize(choices, 0.0);
    }
}

fn scatter(full: &mut [f64], places: &[(usize, usize)], last: usize, numbers: &[f64]) {
    for (&(_, place), &number) in places.iter().zip(numbers) {
        full[place] = number;
    }
    full[last] = numbers[places.len()];
}

fn gather(full: &[f64], places: &[(usize, usize)], last: usize, numbers: &mut [f64]) {
    for (number, &(_, place)) in numbers.iter_mut().zip(places) {
        *number = full[place];
    }
    numbers[places.len()] = full[last];
}

fn insert(list: &mut Vec<(usize, usize)>, choice: usize, index: usize) {
    let place = list.partition_point(|&(own, _)| own < choice);
    list.insert(place, (choice, index));
}

fn remove(list: &mut Vec<(usize, usize)>, choice: usize) {
    list.retain(|&(own, _)| own != choice);
}

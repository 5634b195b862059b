//! A basis of a matrix game, and the strategies that equalise on it.

mod bordered_system;
mod equaliser_system;
mod factorisation;

pub(crate) use equaliser_system::EqualiserSystem;
pub(crate) use factorisation::{BasisFactorisation, Entering, Leaving};

/// Equally many rows and columns, on which a basic solution equalises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Basis {
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
}

/// A variable of a game's dictionary; the order is that of the least-index rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// The probability of a column; basic when the column is in the basis.
    Column(usize),
    /// The slack of a row against the value; basic when the row is *not* in the basis.
    Slack(usize),
}

impl Basis {
    pub(crate) fn single(row: usize, column: usize) -> Self {
        Self { rows: vec![row], columns: vec![column] }
    }

    pub(crate) fn set_single(&mut self, row: usize, column: usize) {
        self.rows.clear();
        self.rows.push(row);
        self.columns.clear();
        self.columns.push(column);
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.columns.clear();
    }

    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn is_basic(&self, variable: Variable) -> bool {
        match variable {
            Variable::Column(column) => self.columns.binary_search(&column).is_ok(),
            Variable::Slack(row) => self.rows.binary_search(&row).is_err(),
        }
    }

    pub(crate) fn toggle(&mut self, variable: Variable) {
        let (list, index) = match variable {
            Variable::Column(column) => (&mut self.columns, column),
            Variable::Slack(row) => (&mut self.rows, row),
        };
        match list.binary_search(&index) {
            Ok(place) => drop(list.remove(place)),
            Err(place) => list.insert(place, index),
        }
    }
}

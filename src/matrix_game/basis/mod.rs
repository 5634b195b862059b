//! A basis of a matrix game, and the strategies that equalise on it.

mod equaliser_system;
mod factorisation;

pub(crate) use equaliser_system::EqualiserSystem;
pub(crate) use factorisation::{BasisFactorisation, Entering, Leaving};

/// Equally many rows and columns; on them, a basic solution makes every row and every column equally good.
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

    /// Becomes empty.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.columns.clear();
    }

    /// The number of rows, which is the number of columns.
    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }
}

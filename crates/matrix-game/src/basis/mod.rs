//! A basis of a matrix game, and the strategies that equalise on it.

mod bordered_system;
mod equaliser_system;
mod factorisation;

pub use factorisation::BasisFactorisation;
pub(crate) use factorisation::Exchanged;

/// Equally many rows and columns, on which a basic solution equalises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
}

/// A variable of a game's dictionary; the order is that of the least-index rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// The probability of a column; basic when the column is in the basis.
    Column(usize),
    /// The slack of a row against the value; basic when the row is *not* in the basis.
    Slack(usize),
}

/// How a simplex method chooses among the improving variables, and among the blocking ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PivotRule {
    /// The largest gain (Dantzig 1951): few pivots.
    LargestGain,
    /// The least variable (Bland 1977): it cannot cycle.
    LeastIndex,
}

impl Variable {
    /// The variables of a game of this size (rows and columns), in order.
    pub(crate) fn all(size: [usize; 2]) -> impl Iterator<Item = Self> {
        let [rows, columns] = size;
        (0..columns).map(Self::Column).chain((0..rows).map(Self::Slack))
    }
}

impl Basis {
    /// The basis of a dictionary, whose variables are `j` for the probability of a column and
    /// `columns + i` for the slack of a row.
    pub(crate) fn of_dictionary(basic: &[usize], nonbasic: &[usize], columns: usize) -> Self {
        let tight = nonbasic.iter().filter_map(|variable| variable.checked_sub(columns));
        let played = basic.iter().copied().filter(|&variable| variable < columns);
        let mut basis = Self { rows: tight.collect(), columns: played.collect() };
        basis.rows.sort_unstable();
        basis.columns.sort_unstable();
        basis
    }

    pub(crate) fn single(row: usize, column: usize) -> Self {
        Self { rows: vec![row], columns: vec![column] }
    }

    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// The place of a variable's column or row in the basis.
    pub(crate) fn index_of(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::Column(column) => self.columns.binary_search(&column).ok(),
            Variable::Slack(row) => self.rows.binary_search(&row).ok(),
        }
    }

    pub(crate) fn is_basic(&self, variable: Variable) -> bool {
        self.index_of(variable).is_some() == matches!(variable, Variable::Column(_))
    }

    pub(crate) fn toggle(&mut self, variable: Variable) {
        let (list, index) = match variable {
            Variable::Column(column) => (&mut self.columns, column),
            Variable::Slack(row) => (&mut self.rows, row),
        };
        match list.binary_search(&index) {
            Ok(position) => drop(list.remove(position)),
            Err(position) => list.insert(position, index),
        }
    }
}

//! A payoff matrix of which bounds are known.

use super::Payoffs;
use crate::bounds::Bounds;

/// A game that is known within bounds: two matrices in one unit, of what is sure to be paid to either player, each of whom sees
/// the own choices as rows and the own gains as positive.
#[derive(Clone, Debug)]
pub(crate) struct EnclosedPayoffs<P> {
    /// What the row player gets at least.
    pub(crate) row: P,
    /// What the column player gets at least: the negatives of the upper bounds, turned.
    pub(crate) column: P,
}

/// The middle of the bounds: their sum, within ±2⁶² where they are within ±2⁶¹.
pub(crate) struct Middle<P>(pub(crate) EnclosedPayoffs<P>);

impl<P: Payoffs<i64>> Payoffs<i64> for Middle<P> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn entry(&self, row: usize, column: usize) -> i64 {
        let Bounds { lower, upper } = self.0.bounds(row, column);
        lower + upper
    }
}

impl<P: Payoffs<i64>> EnclosedPayoffs<P> {
    pub(crate) fn rows(&self) -> usize {
        self.row.rows()
    }

    pub(crate) fn columns(&self) -> usize {
        self.row.columns()
    }

    pub(crate) fn bounds(&self, row: usize, column: usize) -> Bounds {
        Bounds::new(self.row.entry(row, column), -self.column.entry(column, row))
    }
}

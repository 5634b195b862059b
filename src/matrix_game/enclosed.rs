use super::Payoffs;
use crate::bounds::Bounds;

/// A payoff matrix known within bounds, in one unit. Each player's matrix has the own choices as rows and the own gains as
/// positive.
#[derive(Clone, Debug)]
pub(crate) struct EnclosedPayoffs<P> {
    pub(crate) row: P,
    /// The negatives of the upper bounds, transposed.
    pub(crate) column: P,
}

/// The sums of lower and upper bounds: within ±2⁶² where the bounds are within ±2⁶¹.
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

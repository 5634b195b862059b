use super::{ByEntry, Payoffs};
use crate::bounds::Bounds;

/// A payoff matrix known within bounds, in one unit. Each player's matrix has the own choices as rows and the own gains as
/// positive.
#[derive(Clone, Debug)]
pub(crate) struct EnclosedPayoffs<P> {
    pub(crate) row: P,
    /// The negatives of the upper bounds, transposed.
    pub(crate) column: P,
}

impl<P: Payoffs<i64>> EnclosedPayoffs<P> {
    /// Rows and columns.
    pub(crate) fn size(&self) -> [usize; 2] {
        [self.row.rows(), self.row.columns()]
    }

    pub(crate) fn bounds(&self, row: usize, column: usize) -> Bounds {
        Bounds::new(self.row.entry(row, column), -self.column.entry(column, row))
    }

    /// The sums of lower and upper bounds: within ±2⁶² where the bounds are within ±2⁶¹.
    pub(crate) fn middle(&self) -> impl Payoffs<i64> {
        ByEntry(self.size(), |row, column| {
            let Bounds { lower, upper } = self.bounds(row, column);
            lower + upper
        })
    }
}

use super::dense::add_scaled;
use super::{Payoffs, StrategyPair};

/// A pair of mixed strategies with the security levels that they attain.
///
/// The levels are computed from the strategies and the matrix: however the pair was found, the value lies between them, up to the
/// rounding of the two sums (some 1e-15 of the largest payoff; [`solve`](crate::solve) proves bounds without that reserve).
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    row: Vec<f64>,
    column: Vec<f64>,
    lower: f64,
    upper: f64,
}

impl Equilibrium {
    /// Judges a pair of strategies. Reads the support's rows and columns once.
    pub(crate) fn judge(payoffs: &impl Payoffs, pair: &StrategyPair) -> Self {
        let mut row = vec![0.0; payoffs.rows()];
        let mut column = vec![0.0; payoffs.columns()];
        let mut against_columns = vec![0.0; payoffs.columns()];
        let mut against_rows = vec![0.0; payoffs.rows()];
        for &(i, probability) in &pair.row {
            row[i] = probability;
            let mut start = 0;
            payoffs.walk_row(i, |run| start = add_scaled(&mut against_columns, start, run, probability));
        }
        for &(j, probability) in &pair.column {
            column[j] = probability;
            let mut start = 0;
            payoffs.walk_column(j, |run| start = add_scaled(&mut against_rows, start, run, probability));
        }
        let lower = against_columns.iter().copied().fold(f64::INFINITY, f64::min);
        let upper = against_rows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { row, column, lower, upper }
    }

    /// The middle of the two security levels.
    pub fn value(&self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }

    /// The security level of the row strategy: its payoff against the worst column.
    pub const fn lower(&self) -> f64 {
        self.lower
    }

    /// The security level of the column strategy: the payoff that it concedes to the worst row.
    pub const fn upper(&self) -> f64 {
        self.upper
    }

    /// The duality gap `upper − lower`: 0 for an optimal pair, up to rounding.
    pub fn gap(&self) -> f64 {
        self.upper - self.lower
    }

    pub fn row_strategy(&self) -> &[f64] {
        &self.row
    }

    pub fn column_strategy(&self) -> &[f64] {
        &self.column
    }
}

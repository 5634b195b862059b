//! A pair of strategies in doubles.

use super::Payoffs;
use super::dense::add_scaled;

/// A pair of mixed strategies with the security levels that they attain.
///
/// The levels are computed from the strategies and the matrix: however the pair was found, the
/// value lies between them, up to the rounding of the two sums (some 1e-15 of the largest payoff;
/// `EnclosedSimplex` proves bounds without that reserve).
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
            payoffs.walk_row(i, |run| {
                start = add_scaled(&mut against_columns, start, run, probability);
            });
        }
        for &(j, probability) in &pair.column {
            column[j] = probability;
            let mut start = 0;
            payoffs.walk_column(j, |run| {
                start = add_scaled(&mut against_rows, start, run, probability);
            });
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

/// A mixed strategy for each player as (index, probability), indices rising, probabilities
/// positive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrategyPair {
    pub row: Vec<(usize, f64)>,
    pub column: Vec<(usize, f64)>,
}

impl StrategyPair {
    pub(crate) fn pure(row: usize, column: usize) -> Self {
        Self { row: vec![(row, 1.0)], column: vec![(column, 1.0)] }
    }
}

/// Drops negative rounding errors and scales the rest to sum 1; `false`, with an empty `strategy`,
/// when nothing is positive.
pub(crate) fn normalise(
    strategy: &mut Vec<(usize, f64)>,
    raw: impl Iterator<Item = (usize, f64)>,
) -> bool {
    strategy.clear();
    strategy.extend(raw.filter(|&(_, probability)| probability > 0.0));
    strategy.sort_unstable_by_key(|&(index, _)| index);
    let sum: f64 = strategy.iter().map(|&(_, probability)| probability).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        strategy.clear();
        return false;
    }
    for (_, probability) in strategy.iter_mut() {
        *probability /= sum;
    }
    true
}

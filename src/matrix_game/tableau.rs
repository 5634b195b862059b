//! The condensed simplex tableau of a matrix game.
//!
//! The column player's programme is: minimise `v` subject to `r_i = v − Σ_j a_ij y_j ≥ 0`, `Σ y_j = 1`, `y ≥ 0`.
//! Solving for `v` and one `y` by hand gives a feasible dictionary that has the size of the matrix and contains
//! only differences of payoffs, so that neither a first phase nor a shift to positive payoffs is needed.
//! The reduced costs of the `r_i` are the row player's probabilities: one solve yields both strategies
//! (Dantzig 1951; the condensed form is Tucker's).

use super::{Basis, Payoffs};

/// How the entering column is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PivotRule {
    /// The most negative reduced cost: few pivots.
    Dantzig,
    /// The smallest index (Bland): many pivots, and no cycle whatever the rounding of the ratio test does.
    Bland,
}

/// Below this share of the largest payoff difference a reduced cost or a right-hand side counts as zero.
///
/// Entries of a tableau are sums of a few products of magnitude 1 after scaling, so that rounding leaves some
/// 1e-16 to 1e-15 where mathematics has 0; differences of payoffs that matter (1e-12) stay far above.
const ZERO: f64 = 1e-14;

/// A pivot smaller than this share of the largest entry of its column is a rounding error, not a pivot.
const SMALLEST_PIVOT: f64 = 1e-11;

/// The condensed tableau. Row `i` says `basic_i = rhs_i − Σ_k t_ik · nonbasic_k`; the last row does so for `v`.
///
/// Behind the `n` columns stand the right-hand side and a second one that only breaks ties: it is the direction
/// in which the right-hand side is thought to be perturbed (lexicographic rule), which prevents cycling.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
    /// The variable of each row: `j` for `y_j`, `columns + i` for `r_i`.
    basic: Vec<usize>,
    /// The variable of each column.
    nonbasic: Vec<usize>,
    zero: f64,
    pivot_row: Vec<f64>,
}

impl Tableau {
    /// The dictionary in which the column player plays `column` and `row`, a best reply to it, is tight.
    pub(crate) fn start(&mut self, payoffs: &impl Payoffs, row: usize, column: usize) {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        (self.rows, self.columns) = (rows, columns);
        let width = columns + 2;
        self.entries.clear();
        self.entries.resize((rows + 1) * width, 0.0);
        let tight: &mut Vec<f64> = &mut self.pivot_row;
        tight.clear();
        payoffs.walk_row(row, |run| tight.extend_from_slice(run));
        let corner = tight[column];
        for entry in tight.iter_mut() {
            *entry -= corner;
        }
        let mut largest = 0.0_f64;
        for (i, entries) in self.entries.chunks_exact_mut(width).take(rows).enumerate() {
            // An irregular but fixed sequence in [1, 2): no two rows tie in it.
            entries[columns + 1] = 1.0 + ((i + 1) as f64 * 0.618_033_988_749_895).fract();
            if i == row {
                // The row of y_column: 1 − Σ y_j.
                entries[..columns].fill(1.0);
                entries[column] = 0.0;
                entries[columns] = 1.0;
                continue;
            }
            let mut place = 0;
            payoffs.walk_row(i, |run| {
                entries[place..place + run.len()].copy_from_slice(run);
                place += run.len();
            });
            let reference = entries[column];
            for (entry, tight) in entries.iter_mut().zip(tight.iter()) {
                *entry = (*entry - reference) - tight;
                largest = largest.max(entry.abs());
            }
            entries[column] = -1.0;
            entries[columns] = (corner - reference).max(0.0);
            largest = largest.max(entries[columns]);
        }
        let objective = &mut self.entries[rows * width..];
        for (entry, tight) in objective.iter_mut().zip(tight.iter()) {
            *entry = -tight;
            largest = largest.max(tight.abs());
        }
        objective[column] = -1.0;
        self.zero = ZERO * largest;
        self.basic.clear();
        self.basic.extend((0..rows).map(|i| if i == row { column } else { columns + i }));
        self.nonbasic.clear();
        self.nonbasic.extend((0..columns).map(|j| if j == column { columns + row } else { j }));
    }

    /// Pivots until optimal; `false` when `limit` pivots did not suffice or no pivot could be trusted.
    pub(crate) fn run(&mut self, rule: PivotRule, limit: usize) -> bool {
        for _ in 0..limit {
            let Some(column) = self.entering(rule) else { return true };
            let Some(row) = self.leaving(column, rule) else { return false };
            self.pivot(row, column);
        }
        false
    }

    /// The column whose variable improves the value when it grows.
    fn entering(&self, rule: PivotRule) -> Option<usize> {
        let objective = &self.entries[self.rows * (self.columns + 2)..][..self.columns];
        let improving = objective.iter().enumerate().filter(|&(_, &gain)| gain > self.zero);
        match rule {
            PivotRule::Dantzig => improving.max_by(|p, q| p.1.total_cmp(q.1).then(q.0.cmp(&p.0))),
            PivotRule::Bland => improving.min_by_key(|&(column, _)| self.nonbasic[column]),
        }
        .map(|(column, _)| column)
    }

    /// The row that is the first to become negative when the column's variable grows.
    fn leaving(&self, column: usize, rule: PivotRule) -> Option<usize> {
        let width = self.columns + 2;
        let rows = || self.entries.chunks_exact(width).take(self.rows);
        let smallest_pivot = SMALLEST_PIVOT * rows().map(|row| row[column].abs()).fold(0.0, f64::max);
        let mut best: Option<(usize, [f64; 2])> = None;
        for (i, row) in rows().enumerate() {
            let slope = row[column];
            if slope <= smallest_pivot {
                continue;
            }
            let ratios = [row[self.columns] / slope, row[self.columns + 1] / slope];
            let better = match &best {
                None => true,
                Some((other, best)) => match ratios[0].total_cmp(&best[0]) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Greater => false,
                    std::cmp::Ordering::Equal if rule == PivotRule::Bland => self.basic[i] < self.basic[*other],
                    std::cmp::Ordering::Equal => ratios[1] < best[1],
                },
            };
            if better {
                best = Some((i, ratios));
            }
        }
        best.map(|(row, _)| row)
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.columns + 2;
        let own = &mut self.entries[row * width..][..width];
        let inverse = 1.0 / own[column];
        own[column] = 1.0;
        for entry in own.iter_mut() {
            *entry *= inverse;
        }
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(own);
        let rhs = self.columns;
        for (i, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[column];
            if i == row || factor == 0.0 {
                continue;
            }
            entries[column] = 0.0;
            for (entry, pivot) in entries.iter_mut().zip(&self.pivot_row) {
                *entry -= factor * pivot;
            }
            // A degenerate row is exactly degenerate: ties are decided by the second right-hand side, not by noise.
            if i < self.rows && entries[rhs] < self.zero {
                entries[rhs] = 0.0;
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    /// The tight rows and the played columns.
    pub(crate) fn basis(&self, basis: &mut Basis) {
        basis.rows.clear();
        basis
            .rows
            .extend(self.nonbasic.iter().filter(|&&variable| variable >= self.columns).map(|variable| variable - self.columns));
        basis.rows.sort_unstable();
        basis.columns.clear();
        basis.columns.extend(self.basic.iter().filter(|&&variable| variable < self.columns));
        basis.columns.sort_unstable();
    }

    /// The row player's probabilities as the tableau has them.
    pub(crate) fn row_player(&self) -> impl Iterator<Item = (usize, f64)> {
        let objective = &self.entries[self.rows * (self.columns + 2)..];
        let tight = move |(place, &variable): (usize, &usize)| {
            (variable >= self.columns).then(|| (variable - self.columns, -objective[place]))
        };
        self.nonbasic.iter().enumerate().filter_map(tight)
    }

    /// The column player's probabilities as the tableau has them.
    pub(crate) fn column_player(&self) -> impl Iterator<Item = (usize, f64)> {
        let rhs = |row: usize| self.entries[row * (self.columns + 2) + self.columns];
        self.basic
            .iter()
            .enumerate()
            .filter(|&(_, &variable)| variable < self.columns)
            .map(move |(row, &variable)| (variable, rhs(row)))
    }
}

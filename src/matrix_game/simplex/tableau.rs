//! The condensed simplex tableau of a matrix game.
//!
//! The column player's programme is: minimise `v` subject to `r_i = v − Σ_j a_ij y_j ≥ 0`, `Σ y_j = 1`, `y ≥ 0`.
//! Solving for `v` and one `y` by hand gives a feasible dictionary that has the size of the matrix and contains
//! only differences of payoffs, so that neither a first phase nor a shift to positive payoffs is needed.
//! The reduced costs of the `r_i` are the row player's probabilities: one solve yields both strategies
//! (Dantzig 1951; the condensed form is Tucker's).

use crate::matrix_game::basis::Basis;
use crate::matrix_game::payoffs::Payoffs;
use crate::matrix_game::tolerances::{DICTIONARY_ZERO, EQUAL_RATIOS, TABLEAU_PIVOT};
use crate::matrix_game::tremble::{rate, rates};

/// Whether two ratios are equal up to rounding: they are quotients of numbers that carry errors of some 1e-15.
pub(crate) fn is_tie(left: f64, right: f64) -> bool {
    (left - right).abs() <= EQUAL_RATIOS * left.abs().max(right.abs())
}

/// The condensed tableau. Row `i` says `basic_i = rhs_i − Σ_k t_ik · nonbasic_k`; the last two rows do so for the objectives.
///
/// *Ties.* Behind the `n` columns stand the right-hand side and its derivative when the column player trembles, playing every
/// column a little more often than it wants to. It breaks ties of the ratio test (lexicographic rule), which prevents
/// cycling and, among the optimal strategies of the row player, selects one that gains most from such errors. The
/// second objective does the same for the column player: among equally good columns it prefers what makes the row player's errors
/// costly.
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
    ///
    /// Of several best replies, `row` must be the best against a trembling column player.
    ///
    /// Payoff differences are multiplied by `scale`, so that they are of the size of probabilities: one tolerance serves both.
    pub(crate) fn start(&mut self, payoffs: &impl Payoffs, row: usize, column: usize, scale: f64) {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        (self.rows, self.columns) = (rows, columns);
        let width = columns + 2;
        self.entries.clear();
        self.entries.resize((rows + 2) * width, 0.0);
        let tight: &mut Vec<f64> = &mut self.pivot_row;
        tight.clear();
        payoffs.walk_row(row, |run| tight.extend_from_slice(run));
        let corner = tight[column];
        for entry in tight.iter_mut() {
            *entry = (*entry - corner) * scale;
        }
        let trembles: f64 = rates(columns).sum();
        let mut largest = 0.0_f64;
        let (dictionary, objectives) = self.entries.split_at_mut(rows * width);
        let (objective, second) = objectives.split_at_mut(width);
        for (i, entries) in dictionary.chunks_exact_mut(width).enumerate() {
            if i == row {
                // The row of y_column: 1 − Σ y_j, less what the trembling takes away.
                entries[..columns].fill(1.0);
                entries[column] = 0.0;
                entries[columns] = 1.0;
                entries[columns + 1] = -trembles;
                continue;
            }
            let mut place = 0;
            payoffs.walk_row(i, |run| {
                entries[place..place + run.len()].copy_from_slice(run);
                place += run.len();
            });
            let reference = entries[column];
            let mut trembling = 0.0;
            for ((entry, tight), rate) in entries[..columns].iter_mut().zip(tight.iter()).zip(rates(columns)) {
                *entry = (*entry - reference) * scale - tight;
                largest = largest.max(entry.abs());
                trembling -= rate * *entry;
            }
            entries[column] = -1.0;
            entries[columns] = ((corner - reference) * scale).max(0.0);
            // Equal rows tie even then; the lower one goes first.
            entries[columns + 1] = trembling + 1e-9 * (i + 1) as f64;
            largest = largest.max(entries[columns]);
            for (sum, entry) in second[..columns].iter_mut().zip(entries.iter()) {
                *sum -= rate(rows - 1 - i) * entry;
            }
        }
        for (entry, tight) in objective.iter_mut().zip(tight.iter()) {
            *entry = -tight;
            largest = largest.max(tight.abs());
        }
        objective[column] = -1.0;
        second[column] += rate(rows - 1 - row);
        self.zero = DICTIONARY_ZERO * largest;
        self.basic.clear();
        self.basic.extend((0..rows).map(|i| if i == row { column } else { columns + i }));
        self.nonbasic.clear();
        self.nonbasic.extend((0..columns).map(|j| if j == column { columns + row } else { j }));
    }

    /// Pivots until optimal; `false` when `limit` pivots did not suffice or no pivot could be trusted.
    pub(crate) fn run(&mut self, limit: usize) -> bool {
        for _ in 0..limit {
            let Some(column) = self.entering() else { return true };
            let Some(row) = self.leaving(column) else { return false };
            self.pivot(row, column);
        }
        false
    }

    /// The column whose variable improves the value when it grows, or else the second objective at the same value.
    fn entering(&self) -> Option<usize> {
        let width = self.columns + 2;
        let objective = &self.entries[self.rows * width..][..self.columns];
        let second = &self.entries[(self.rows + 1) * width..][..self.columns];
        let improving = objective.iter().enumerate().filter(|&(_, &gain)| gain > self.zero);
        let best = improving.max_by(|p, q| p.1.total_cmp(q.1).then(q.0.cmp(&p.0)));
        let neutral = |column: usize| objective[column] >= -self.zero;
        // The second objective sums over the rows and is a matter of taste: a coarser zero will do.
        let enough = 1e3 * self.zero * self.rows as f64;
        let preferred = || {
            let improving = second.iter().enumerate().filter(|&(column, &gain)| gain > enough && neutral(column));
            improving.max_by(|p, q| p.1.total_cmp(q.1).then(q.0.cmp(&p.0)))
        };
        best.or_else(preferred).map(|(column, _)| column)
    }

    /// The row that is the first to become negative when the column's variable grows.
    fn leaving(&self, column: usize) -> Option<usize> {
        let width = self.columns + 2;
        let rows = || self.entries.chunks_exact(width).take(self.rows);
        let smallest_pivot = TABLEAU_PIVOT * rows().map(|row| row[column].abs()).fold(0.0, f64::max);
        let mut best: Option<(usize, [f64; 2])> = None;
        for (i, row) in rows().enumerate() {
            let slope = row[column];
            if slope <= smallest_pivot {
                continue;
            }
            let ratios = [row[self.columns] / slope, row[self.columns + 1] / slope];
            let better = best.is_none_or(|(_, least)| {
                if !is_tie(ratios[0], least[0]) {
                    return ratios[0] < least[0];
                }
                ratios[1] < least[1]
            });
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
        let objective = &self.entries[self.rows * (self.columns + 2)..][..self.columns];
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

//! The parametric self-dual simplex on an implicit matrix, from any basis.
//!
//! A dictionary of a game has a variable for every column, its probability `y_j`, and one for every row, its slack
//! `r_i = v − Σ a_ij y_j`. Each is either *basic*, with a value that must not be negative, or *nonbasic*, with a reduced cost that must not be:
//! the reduced cost of a slack is the row's probability, that of a column its surplus. So one list holds for every variable the one number
//! that must become non-negative, and primal and dual are treated alike (Dantzig's self-dual parametric method; Vanderbei, *Linear Programming*, ch. 7).
//!
//! From a basis that is almost optimal the method needs few pivots: every variable is raised by `μ` times a positive shift, just enough to make all
//! of them non-negative, and `μ` is lowered to 0. What blocks it is pivoted away. The matrix is never copied; a pivot
//! reads the rows and the columns of the basis once, and the inverse of the basis is updated in O(size²).

use super::kernel::Kernel;
use super::payoffs::add_scaled;
use super::saddle_point::{column_cost, irregular, row_gain, total_tremble};
use super::tableau::is_tie;
use super::{Basis, Payoffs};

/// Below this share of the payoffs' size a negative number is rounding.
const ZERO: f64 = 1e-14;

/// A pivot smaller than this is not trusted, in the same sense.
const SMALLEST_PIVOT: f64 = 1e-9;

/// After so many updates the inverse is computed afresh.
const REFRESH: usize = 50;

/// A dictionary and the buffers to pivot it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelfDual {
    kernel: Kernel,
    rows: usize,
    columns: usize,
    /// For each variable (columns, then rows): the place in the kernel if the column is basic or the row tight.
    place: Vec<Option<usize>>,
    /// The number of each variable that has to become non-negative.
    value: Vec<f64>,
    /// Its change with the parameter.
    shift: Vec<f64>,
    /// The dictionary's row and column of the current pivot: of nonbasic and of basic variables.
    dictionary: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
    line: Vec<f64>,
    sums: Vec<f64>,
}

impl SelfDual {
    /// Pivots from `basis` to an optimal one, and on to the one preferred among the optimal ones.
    ///
    /// Returns `false`, leaving the basis as it was, when `limit` pivots did not suffice or numbers became unusable.
    pub(crate) fn improve(&mut self, payoffs: &impl Payoffs, basis: &mut Basis, limit: usize) -> bool {
        (self.rows, self.columns) = (payoffs.rows(), payoffs.columns());
        let mut pivots = 0;
        let solved =
            self.begin(payoffs, basis) && self.solve(payoffs, limit, &mut pivots) && self.prefer(payoffs, limit, &mut pivots);
        if solved {
            basis.rows = sorted(&self.kernel.rows);
            basis.columns = sorted(&self.kernel.columns);
        }
        solved
    }

    /// Columns are basic in the kernel, slacks outside it.
    fn is_basic(&self, variable: usize) -> bool {
        self.place[variable].is_some() == (variable < self.columns)
    }

    /// Sets up the dictionary of a basis.
    fn begin(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        if !self.kernel.invert(payoffs, basis) {
            return false;
        }
        self.find_places();
        self.find_values(payoffs);
        true
    }

    fn find_places(&mut self) {
        self.place.clear();
        self.place.resize(self.columns + self.rows, None);
        for (place, &column) in self.kernel.columns.iter().enumerate() {
            self.place[column] = Some(place);
        }
        for (place, &row) in self.kernel.rows.iter().enumerate() {
            self.place[self.columns + row] = Some(place);
        }
    }

    /// Probabilities from the kernel, slacks and surpluses from the matrix.
    fn find_values(&mut self, payoffs: &impl Payoffs) {
        let size = self.kernel.order() - 1;
        self.kernel.column(size, &mut self.alpha);
        self.beta.clear();
        self.beta.extend(self.kernel.row(size).iter().map(|entry| -entry));
        let mut value = std::mem::take(&mut self.value);
        self.expand(payoffs, &mut value, 0.0);
        self.value = value;
    }

    /// From `alpha` (a number for every basic column, and a change of the value) and `beta` (one for every tight row, and the negative
    /// of that change) to a number for every variable: probabilities as they are, slacks `v − Σ a y`, surpluses `Σ x a − v`.
    ///
    /// `numbers` must hold what else is added to slacks and surpluses when `keep` is 1, and is overwritten when it is 0.
    fn expand(&mut self, payoffs: &impl Payoffs, numbers: &mut Vec<f64>, keep: f64) {
        let size = self.kernel.order() - 1;
        numbers.resize(self.columns + self.rows, 0.0);
        combine_rows(payoffs, &self.kernel.rows, &self.beta, &mut self.line);
        combine_columns(payoffs, &self.kernel.columns, &self.alpha, &mut self.sums);
        let value = self.alpha[size];
        for (column, surplus) in self.line.iter().enumerate() {
            numbers[column] = match self.place[column] {
                Some(place) => self.alpha[place],
                None => surplus + self.beta[size] + keep * numbers[column],
            };
        }
        for (row, sum) in self.sums.iter().enumerate() {
            let variable = self.columns + row;
            numbers[variable] = match self.place[variable] {
                Some(place) => self.beta[place],
                None => value - sum + keep * numbers[variable],
            };
        }
    }

    /// Lowers the parameter to 0.
    fn solve(&mut self, payoffs: &impl Payoffs, limit: usize, pivots: &mut usize) -> bool {
        let largest = self.value.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let zero = ZERO * largest;
        self.reset_shifts();
        let mut refreshed = *pivots;
        loop {
            let Some((blocking, parameter)) = self.blocking() else { return true };
            if parameter <= zero {
                return true;
            }
            let pivot = |other: &Self, variable: usize| other.value[variable] + parameter * other.shift[variable];
            if *pivots >= limit || !self.exchange(payoffs, blocking, pivot, |_| 0.0) {
                return false;
            }
            *pivots += 1;
            if *pivots - refreshed >= REFRESH {
                refreshed = *pivots;
                let basis = Basis { rows: sorted(&self.kernel.rows), columns: sorted(&self.kernel.columns) };
                if !self.begin(payoffs, &basis) {
                    return false;
                }
                // A feasible parameter for the fresh numbers is found anew.
                self.reset_shifts();
            }
        }
    }

    /// Positive and irregular, so that ties end here.
    fn reset_shifts(&mut self) {
        self.shift.clear();
        self.shift.extend((0..self.columns + self.rows).map(|variable| 1.0 + irregular(variable)));
    }

    /// The variable that becomes negative first when the parameter falls, and where.
    fn blocking(&self) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (variable, (&value, &shift)) in self.value.iter().zip(&self.shift).enumerate() {
            if value < 0.0 && shift > 0.0 && best.is_none_or(|(_, parameter)| -value > parameter * shift) {
                best = Some((variable, -value / shift));
            }
        }
        best
    }

    /// Among optimal bases, goes on to one that stays optimal when both players err a little and evenly.
    ///
    /// The shifts become the derivatives under trembling; a variable that is 0 must not have a negative one.
    fn prefer(&mut self, payoffs: &impl Payoffs, limit: usize, pivots: &mut usize) -> bool {
        let largest = self.value.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        // Degenerate variables are 0 up to rounding in the dictionary, which the kernel's size and condition enlarge.
        let zero = 1e-13 * largest;
        if !self.has_ties(zero) {
            return true;
        }
        self.find_trembles(payoffs);
        // Sums over all choices, of sizes up to that of the payoffs.
        let enough = 1e-9 * (self.columns + self.rows) as f64;
        // First the row player's choice, among basic variables, then the column player's, which leaves the former untouched but for
        // ties that rounding hides: hence a second round.
        for basic in [true, false, true, false] {
            loop {
                let tied = |variable: usize| self.value[variable].abs() <= zero && self.is_basic(variable) == basic;
                let worst = (0..self.columns + self.rows)
                    .filter(|&variable| self.shift[variable] < -enough && tied(variable))
                    .min_by(|&p, &q| self.shift[p].total_cmp(&self.shift[q]));
                let Some(worst) = worst else { break };
                if *pivots >= limit {
                    return false;
                }
                let value = |other: &Self, variable: usize| snapped(other.value[variable], zero);
                let second = |shift: f64| if basic { 0.0 } else { shift };
                if !self.exchange(payoffs, worst, value, second) {
                    // No partner: the preference is unbounded only through rounding. The basis is optimal all the same.
                    return true;
                }
                *pivots += 1;
            }
        }
        true
    }

    /// Whether some choice could be exchanged without a loss.
    fn has_ties(&self, zero: f64) -> bool {
        self.value.iter().any(|value| value.abs() <= zero)
    }

    /// The derivatives of all variables when both players tremble.
    fn find_trembles(&mut self, payoffs: &impl Payoffs) {
        let mut shift = std::mem::take(&mut self.shift);
        shift.clear();
        shift.resize(self.columns + self.rows, 0.0);
        // What the errors alone yield: to each column those of the row player, from each row those of the column player.
        for row in 0..self.rows {
            shift[self.columns + row] = -row_gain(payoffs, row);
        }
        for (column, shift) in shift[..self.columns].iter_mut().enumerate() {
            *shift = column_cost(payoffs, column);
        }
        // M · (y, v) = (−A_R t, −Σ t) and, transposed, Mᵀ · (x, −v) = (−H_C, Σ τ).
        let mut right: Vec<f64> = self.kernel.rows.iter().map(|&row| shift[self.columns + row]).collect();
        right.push(-total_tremble(self.columns));
        self.kernel.times(&right, &mut self.alpha);
        let mut left: Vec<f64> = self.kernel.columns.iter().map(|&column| -shift[column]).collect();
        left.push(total_tremble(self.rows));
        self.kernel.times_left(&left, &mut self.beta);
        self.expand(payoffs, &mut shift, 1.0);
        self.shift = shift;
    }

    /// Pivots on `variable`, which is or becomes negative, and the partner that the ratio test finds; `false` when there is none.
    ///
    /// `value` is the number that the ratio test keeps non-negative, `second` what breaks ties, of the shift.
    fn exchange(
        &mut self,
        payoffs: &impl Payoffs,
        variable: usize,
        value: impl Fn(&Self, usize) -> f64,
        second: impl Fn(f64) -> f64,
    ) -> bool {
        self.dictionary.clear();
        self.dictionary.resize(self.columns + self.rows, 0.0);
        let basic = self.is_basic(variable);
        // A negative basic variable grows with a nonbasic one of negative coefficient; a nonbasic one makes those of positive coefficient fall.
        let sign = if basic { -1.0 } else { 1.0 };
        if basic {
            self.dictionary_row(payoffs, variable);
        } else {
            self.dictionary_column(payoffs, variable);
        }
        let candidates = || (0..self.columns + self.rows).filter(|&other| self.is_basic(other) != basic);
        let steepest = candidates().map(|other| self.dictionary[other].abs()).fold(0.0, f64::max);
        let mut best: Option<(usize, [f64; 2])> = None;
        for other in candidates() {
            let slope = sign * self.dictionary[other];
            if slope <= SMALLEST_PIVOT * steepest {
                continue;
            }
            let ratio = [value(self, other) / slope, second(self.shift[other]) / slope];
            let better = best.is_none_or(|(chosen, least)| {
                if !is_tie(ratio[0], least[0]) {
                    return ratio[0] < least[0];
                }
                // Of equal ratios the larger pivot is the safer one.
                ratio[1] < least[1] || (ratio[1] == least[1] && slope > sign * self.dictionary[chosen])
            });
            if better {
                best = Some((other, ratio));
            }
        }
        let Some((partner, _)) = best else { return false };
        let (leaving, entering) = if basic {
            self.dictionary_column(payoffs, partner);
            (variable, partner)
        } else {
            self.dictionary_row(payoffs, partner);
            (partner, variable)
        };
        self.update(leaving, entering)
    }

    /// The coefficients of a basic variable: `beta` is its row of the kernel, bordered; nonbasic variables' places are filled.
    fn dictionary_row(&mut self, payoffs: &impl Payoffs, basic: usize) {
        let size = self.kernel.order() - 1;
        match self.place[basic] {
            Some(place) => {
                self.beta.clear();
                self.beta.extend_from_slice(self.kernel.row(place));
                combine_rows(payoffs, &self.kernel.rows, &self.beta, &mut self.line);
            }
            None => {
                let row = basic - self.columns;
                copy_row(payoffs, row, &mut self.line);
                let mut left: Vec<f64> = self.kernel.columns.iter().map(|&column| -self.line[column]).collect();
                left.push(1.0);
                self.kernel.times_left(&left, &mut self.beta);
                let own = std::mem::take(&mut self.line);
                combine_rows(payoffs, &self.kernel.rows, &self.beta, &mut self.sums);
                self.line = own;
                for (entry, sum) in self.line.iter_mut().zip(&self.sums) {
                    *entry += sum;
                }
            }
        }
        for (column, entry) in self.line.iter().enumerate() {
            if self.place[column].is_none() {
                self.dictionary[column] = entry + self.beta[size];
            }
        }
        for (place, &row) in self.kernel.rows.iter().enumerate() {
            self.dictionary[self.columns + row] = self.beta[place];
        }
    }

    /// The coefficients of a nonbasic variable: `alpha` is its column of the kernel; basic variables' places are filled.
    fn dictionary_column(&mut self, payoffs: &impl Payoffs, nonbasic: usize) {
        let size = self.kernel.order() - 1;
        match self.place[nonbasic] {
            Some(place) => {
                self.kernel.column(place, &mut self.alpha);
                combine_columns(payoffs, &self.kernel.columns, &self.alpha, &mut self.sums);
            }
            None => {
                copy_column(payoffs, nonbasic, &mut self.line);
                let mut right: Vec<f64> = self.kernel.rows.iter().map(|&row| self.line[row]).collect();
                right.push(1.0);
                self.kernel.times(&right, &mut self.alpha);
                combine_columns(payoffs, &self.kernel.columns, &self.alpha, &mut self.sums);
                for (sum, entry) in self.sums.iter_mut().zip(&self.line) {
                    *sum -= entry;
                }
            }
        }
        for (row, sum) in self.sums.iter().enumerate() {
            if self.place[self.columns + row].is_none() {
                self.dictionary[self.columns + row] = self.alpha[size] - sum;
            }
        }
        for (place, &column) in self.kernel.columns.iter().enumerate() {
            self.dictionary[column] = self.alpha[place];
        }
    }

    /// Exchanges a basic and a nonbasic variable; the dictionary's row and column and `alpha` and `beta` are those of the pivot.
    fn update(&mut self, leaving: usize, entering: usize) -> bool {
        let pivot = self.dictionary[leaving];
        if !(pivot.is_finite() && pivot != 0.0) {
            return false;
        }
        for numbers in [&mut self.value, &mut self.shift] {
            let step = numbers[leaving] / pivot;
            let cost = numbers[entering] / pivot;
            for (variable, number) in numbers.iter_mut().enumerate() {
                let basic = self.place[variable].is_some() == (variable < self.columns);
                *number -= self.dictionary[variable] * if basic { step } else { cost };
            }
            numbers[entering] = step;
            numbers[leaving] = -cost;
        }
        let columns = self.columns;
        match (self.place[leaving], self.place[entering]) {
            // A basic column against a nonbasic one.
            (Some(place), None) => self.kernel.exchange_column(place, entering, &self.alpha),
            // A slack against a tight row; the bordered row is the negative of what the dictionary was computed with.
            (None, Some(place)) => {
                self.beta.iter_mut().for_each(|entry| *entry = -*entry);
                self.kernel.exchange_row(place, leaving - columns, &self.beta);
            }
            (None, None) => {
                self.beta.iter_mut().for_each(|entry| *entry = -*entry);
                self.kernel.grow(leaving - columns, entering, &self.alpha, &self.beta, pivot);
            }
            // A basis of one row and one column has nothing to give up; only rounding could ask for it.
            (Some(_), Some(_)) if self.kernel.rows.len() == 1 => return false,
            (Some(column), Some(row)) => {
                self.kernel.shrink(row, column);
                self.find_places();
            }
        }
        for (place, &column) in self.kernel.columns.iter().enumerate() {
            self.place[column] = Some(place);
        }
        for (place, &row) in self.kernel.rows.iter().enumerate() {
            self.place[columns + row] = Some(place);
        }
        // What left the basis or became slack.
        if leaving < columns {
            self.place[leaving] = None;
        }
        if entering >= columns {
            self.place[entering] = None;
        }
        true
    }
}

/// 0 for what is 0 up to rounding.
fn snapped(value: f64, zero: f64) -> f64 {
    if value <= zero { 0.0 } else { value }
}

fn sorted(list: &[usize]) -> Vec<usize> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}

/// `Σ factor_k · row_k` over the given rows.
fn combine_rows(payoffs: &impl Payoffs, rows: &[usize], factors: &[f64], sums: &mut Vec<f64>) {
    sums.clear();
    sums.resize(payoffs.columns(), 0.0);
    for (&row, &factor) in rows.iter().zip(factors) {
        let mut start = 0;
        payoffs.walk_row(row, |run| start = add_scaled(sums, start, run, factor));
    }
}

/// `Σ factor_k · column_k` over the given columns.
fn combine_columns(payoffs: &impl Payoffs, columns: &[usize], factors: &[f64], sums: &mut Vec<f64>) {
    sums.clear();
    sums.resize(payoffs.rows(), 0.0);
    for (&column, &factor) in columns.iter().zip(factors) {
        let mut start = 0;
        payoffs.walk_column(column, |run| start = add_scaled(sums, start, run, factor));
    }
}

fn copy_row(payoffs: &impl Payoffs, row: usize, line: &mut Vec<f64>) {
    line.clear();
    payoffs.walk_row(row, |run| line.extend_from_slice(run));
}

fn copy_column(payoffs: &impl Payoffs, column: usize, line: &mut Vec<f64>) {
    line.clear();
    payoffs.walk_column(column, |run| line.extend_from_slice(run));
}

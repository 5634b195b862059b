//! The parametric self-dual simplex on an implicit matrix, from any basis.
//!
//! A dictionary of a game has a variable for every column, its probability `y_j`, and one for every
//! row, its slack `r_i = v − Σ a_ij y_j`. Each is either *basic*, with a value that must not be
//! negative, or *nonbasic*, with a reduced cost that must not be: the reduced cost of a slack is
//! the row's probability, that of a column its surplus. So one list holds for every variable the
//! one number that must become non-negative, and primal and dual are treated alike (Dantzig's
//! self-dual parametric method; Vanderbei, *Linear Programming*, ch. 7).
//!
//! From a basis that is almost optimal the method needs few pivots: every variable is raised by `μ`
//! times a positive shift, just enough to make all of them non-negative, and `μ` is lowered to 0. A
//! blocking variable is pivoted away. The matrix is never copied; a pivot reads the rows and the
//! columns of the basis once, and the factorisation of the basis follows in O(size²).

use super::tableau::are_equal;
use super::tie_breaking::derivative_tolerance;
use crate::basis::{BasisFactorisation, Exchanged, Variable};
use crate::dense::add_scaled;
use crate::payoffs::Payoffs;
use crate::tolerances::{DEGENERATE, DICTIONARY_ZERO, SELF_DUAL_PIVOT};
use crate::tremble::{Trembling, irregular, rates};

const REFRESH: usize = 30;

#[derive(Clone, Debug, Default)]
pub(crate) struct SelfDual {
    rows: usize,
    columns: usize,
    /// For each variable (columns, then rows), whether its column or row is in the basis.
    inside: Vec<bool>,
    /// The number of each variable that must become non-negative.
    value: Vec<f64>,
    shift: Vec<f64>,
    /// The dictionary's row of the current pivot, 0 for basic variables, and its column, 0 for
    /// nonbasic ones.
    pivot_row: Vec<f64>,
    pivot_column: Vec<f64>,
    /// Numbers of the basic columns and the value; of the tight rows and the sum.
    alpha: Vec<f64>,
    beta: Vec<f64>,
    line: Vec<f64>,
    sums: Vec<f64>,
}

impl SelfDual {
    /// Pivots from the basis of the last [`equalise`](Self::equalise) to the preferred optimal one.
    ///
    /// Returns the number of pivots, or `None` when `limit` pivots did not suffice or numbers
    /// became unusable.
    pub(crate) fn improve(
        &mut self,
        payoffs: &impl Trembling,
        basis: &mut BasisFactorisation,
        limit: usize,
    ) -> Option<usize> {
        self.set_up(payoffs, basis);
        let mut pivots = 0;
        let improved = self.solve(payoffs, basis, limit, &mut pivots)
            && self.prefer(payoffs, basis, limit, &mut pivots);
        improved.then_some(pivots)
    }

    fn is_basic(&self, variable: usize) -> bool {
        self.inside[variable] == (variable < self.columns)
    }

    /// Computes the probabilities of a factorised basis; whether none is negative beyond rounding.
    pub(crate) fn equalise(&mut self, basis: &mut BasisFactorisation) -> bool {
        for (numbers, sum) in [(&mut self.alpha, 1.0), (&mut self.beta, -1.0)] {
            numbers.clear();
            numbers.resize(basis.size(), 0.0);
            numbers.push(sum);
        }
        basis.solve(&mut self.alpha);
        basis.solve_transposed(&mut self.beta);
        let size = basis.size();
        // Probabilities sum to 1; the value beside them may have any sign.
        [&self.alpha, &self.beta].into_iter().all(|numbers| {
            numbers[..size].iter().all(|&probability| probability >= -DICTIONARY_ZERO)
        })
    }

    /// Sets up the dictionary of the basis that was equalised last.
    fn set_up(&mut self, payoffs: &impl Payoffs, basis: &BasisFactorisation) {
        (self.rows, self.columns) = (payoffs.rows(), payoffs.columns());
        self.inside.clear();
        self.inside.resize(self.columns + self.rows, false);
        basis.columns().for_each(|column| self.inside[column] = true);
        basis.rows().for_each(|row| self.inside[self.columns + row] = true);
        let mut value = std::mem::take(&mut self.value);
        self.expand(payoffs, basis, &mut value, 0.0);
        self.value = value;
    }

    /// The probabilities of the basic columns and tight rows after [`equalise`](Self::equalise),
    /// each followed by the value or its negative.
    pub(crate) fn probabilities(&self) -> [&[f64]; 2] {
        [&self.alpha, &self.beta]
    }

    /// The dictionary's probabilities of all columns and of all rows, good enough to be refined.
    pub(crate) fn pivoted_probabilities(&self) -> [&[f64]; 2] {
        self.value.split_at(self.columns).into()
    }

    fn zero(&self) -> f64 {
        DICTIONARY_ZERO
            * self.value.iter().fold(
                0.0,
                |largest: f64, value| if value.abs() > largest { value.abs() } else { largest },
            )
    }

    /// Extends `alpha` (numbers of the basic columns, and a change of the value) and `beta` (of the
    /// tight rows, and the negative of that change) to every variable: probabilities as they are,
    /// slacks `v − Σ a y`, surpluses `Σ x a − v`. Adds `keep` (0 or
    /// 1) times the old `numbers` to slacks and surpluses.
    fn expand(
        &mut self,
        payoffs: &impl Payoffs,
        basis: &BasisFactorisation,
        numbers: &mut Vec<f64>,
        keep: f64,
    ) {
        let size = basis.size();
        numbers.resize(self.columns + self.rows, 0.0);
        self.line.clear();
        self.line.resize(self.columns, 0.0);
        add_rows(payoffs, basis.rows(), &self.beta, &mut self.line);
        combine_columns(payoffs, basis.columns(), &self.alpha, &mut self.sums);
        let (value, minus_value) = (self.alpha[size], self.beta[size]);
        for (number, surplus) in numbers.iter_mut().zip(&self.line) {
            *number = surplus + minus_value + keep * *number;
        }
        for (number, sum) in numbers[self.columns..].iter_mut().zip(&self.sums) {
            *number = value - sum + keep * *number;
        }
        for (column, probability) in basis.columns().zip(&self.alpha) {
            numbers[column] = *probability;
        }
        for (row, probability) in basis.rows().zip(&self.beta) {
            numbers[self.columns + row] = *probability;
        }
    }

    fn solve(
        &mut self,
        payoffs: &impl Payoffs,
        basis: &mut BasisFactorisation,
        limit: usize,
        pivots: &mut usize,
    ) -> bool {
        let zero = self.zero();
        self.reset_shifts();
        loop {
            let Some((blocking, parameter)) = self.blocking() else { return true };
            if parameter <= zero {
                return true;
            }
            let raised = |other: &Self, variable: usize| {
                other.value[variable] + parameter * other.shift[variable]
            };
            if *pivots >= limit || !self.exchange(payoffs, basis, blocking, raised, |_| 0.0) {
                return false;
            }
            *pivots += 1;
            // The shifts stay as pivots left them: their rounding changes the way and not where it
            // ends. (New shifts would perturb another game: a quarter to all of the irregular games
            // of 100 and 200 choices went astray, measured.)
            if basis.updates() >= REFRESH && !self.refactorise(payoffs, basis) {
                return false;
            }
        }
    }

    /// Factorises the present basis afresh and sets up its dictionary; `false` when it is singular.
    fn refactorise(&mut self, payoffs: &impl Payoffs, basis: &mut BasisFactorisation) -> bool {
        let present = basis.basis();
        if !basis.factorise(payoffs, &present) {
            return false;
        }
        self.equalise(basis);
        self.set_up(payoffs, basis);
        true
    }

    /// Positive and irregular, so that ties end here; small for non-negative variables, which then
    /// rarely block.
    fn reset_shifts(&mut self) {
        let size = |value: f64| if value < 0.0 { 1.0 } else { 0.1 };
        self.shift.clear();
        self.shift.extend(
            self.value
                .iter()
                .enumerate()
                .map(|(variable, &value)| size(value) * (1.0 + irregular(variable))),
        );
    }

    /// The variable that becomes negative first when the parameter falls, and the parameter then.
    fn blocking(&self) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (variable, (&value, &shift)) in self.value.iter().zip(&self.shift).enumerate() {
            if value < 0.0
                && shift > 0.0
                && best.is_none_or(|(_, parameter)| -value > parameter * shift)
            {
                best = Some((variable, -value / shift));
            }
        }
        best
    }

    /// Moves on to an optimal basis that stays optimal when both players err a little and evenly.
    ///
    /// The shifts become the derivatives under trembling; a variable that is 0 must not have a
    /// negative one.
    fn prefer(
        &mut self,
        payoffs: &impl Trembling,
        basis: &mut BasisFactorisation,
        limit: usize,
        pivots: &mut usize,
    ) -> bool {
        // Degenerate variables are 0 up to rounding in the dictionary, which the basis's size and
        // condition enlarge.
        let zero = DEGENERATE * self.zero();
        if !self.value.iter().any(|value| value.abs() <= zero) {
            return true;
        }
        self.find_trembles(payoffs, basis);
        let enough = derivative_tolerance(payoffs);
        // First the row player's choice, among basic variables, then the column player's, which
        // leaves the former untouched but for ties that rounding hides: hence a second round.
        for basic in [true, false, true, false] {
            loop {
                let tied = |variable: usize| {
                    self.value[variable].abs() <= zero && self.is_basic(variable) == basic
                };
                let worst = (0..self.columns + self.rows)
                    .filter(|&variable| self.shift[variable] < -enough && tied(variable))
                    .min_by(|&p, &q| self.shift[p].total_cmp(&self.shift[q]));
                let Some(worst) = worst else { break };
                if *pivots >= limit {
                    return false;
                }
                let value = |other: &Self, variable: usize| {
                    let value = other.value[variable];
                    if value <= zero { 0.0 } else { value }
                };
                let second = |shift: f64| if basic { 0.0 } else { shift };
                if !self.exchange(payoffs, basis, worst, value, second) {
                    // No partner: the preference is unbounded only through rounding. The basis is
                    // optimal all the same.
                    return true;
                }
                *pivots += 1;
                if basis.updates() >= REFRESH {
                    if !self.refactorise(payoffs, basis) {
                        return false;
                    }
                    self.find_trembles(payoffs, basis);
                }
            }
        }
        true
    }

    /// Sets the shifts to the derivatives under trembling: the payoffs of the errors alone, to each
    /// column those of the row player and from each row those of the column player, with the
    /// basis's answer. That keeps the tight rows tight, `M · (y, v) = (r, −Σ t)`, and the basic
    /// columns, `Mᵀ · (x, −v) = (−c, Σ τ)`, for the rows' and columns' own payoffs `r` and `c`.
    fn find_trembles(&mut self, payoffs: &impl Trembling, basis: &mut BasisFactorisation) {
        let mut shift = std::mem::take(&mut self.shift);
        shift.clear();
        shift.extend((0..self.columns).map(|column| payoffs.column_cost(column)));
        shift.extend((0..self.rows).map(|row| -payoffs.row_gain(row)));
        self.alpha.clear();
        self.alpha.extend(basis.rows().map(|row| shift[self.columns + row]));
        self.alpha.push(-rates(self.columns).sum::<f64>());
        basis.solve(&mut self.alpha);
        self.beta.clear();
        self.beta.extend(basis.columns().map(|column| -shift[column]));
        self.beta.push(rates(self.rows).sum());
        basis.solve_transposed(&mut self.beta);
        self.expand(payoffs, basis, &mut shift, 1.0);
        self.shift = shift;
    }

    /// Pivots on a negative `variable` and its partner by the ratio test; `false` when there is
    /// none.
    ///
    /// The ratio test keeps `value` non-negative; `second`, of the shift, breaks ties.
    fn exchange(
        &mut self,
        payoffs: &impl Payoffs,
        basis: &mut BasisFactorisation,
        variable: usize,
        value: impl Fn(&Self, usize) -> f64,
        second: impl Fn(f64) -> f64,
    ) -> bool {
        // A negative basic variable grows with a nonbasic one of negative coefficient; a nonbasic
        // one makes those of positive coefficient fall.
        if self.is_basic(variable) {
            let Some(leaving) = self.find_pivot_row(payoffs, basis, variable) else { return false };
            let Some(partner) = self.partner(&self.pivot_row, -1.0, value, second) else {
                return false;
            };
            let Some(entering) = self.find_pivot_column(payoffs, basis, partner) else {
                return false;
            };
            self.update(variable, partner, basis.size())
                && basis.exchange(payoffs, entering, leaving)
        } else {
            let Some(entering) = self.find_pivot_column(payoffs, basis, variable) else {
                return false;
            };
            let Some(partner) = self.partner(&self.pivot_column, 1.0, value, second) else {
                return false;
            };
            let Some(leaving) = self.find_pivot_row(payoffs, basis, partner) else { return false };
            self.update(partner, variable, basis.size())
                && basis.exchange(payoffs, entering, leaving)
        }
    }

    /// The partner by the ratio test, from the other variables' coefficients and their sign.
    fn partner(
        &self,
        coefficients: &[f64],
        sign: f64,
        value: impl Fn(&Self, usize) -> f64,
        second: impl Fn(f64) -> f64,
    ) -> Option<usize> {
        let steepest = coefficients.iter().fold(0.0_f64, |steepest, entry| {
            if entry.abs() > steepest { entry.abs() } else { steepest }
        });
        let smallest = SELF_DUAL_PIVOT * steepest;
        let mut best: Option<(usize, [f64; 2])> = None;
        for (other, coefficient) in coefficients.iter().enumerate() {
            let slope = sign * coefficient;
            if slope <= smallest {
                continue;
            }
            let ratio = [value(self, other) / slope, second(self.shift[other]) / slope];
            let better = best.is_none_or(|(chosen, least)| {
                if !are_equal(ratio[0], least[0]) {
                    return ratio[0] < least[0];
                }
                // Of equal ratios the larger pivot is the safer one.
                ratio[1] < least[1] || (ratio[1] == least[1] && slope > sign * coefficients[chosen])
            });
            if better {
                best = Some((other, ratio));
            }
        }
        best.map(|(partner, _)| partner)
    }

    const fn variable(&self, number: usize) -> Variable {
        if number < self.columns {
            Variable::Column(number)
        } else {
            Variable::Slack(number - self.columns)
        }
    }

    fn find_pivot_row(
        &mut self,
        payoffs: &impl Payoffs,
        basis: &mut BasisFactorisation,
        basic: usize,
    ) -> Option<Exchanged> {
        let leaving = basis.btran(payoffs, self.variable(basic))?;
        let sum = leaving.line.numbers[basis.size()];
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(&leaving.line.entries);
        add_rows(payoffs, basis.rows(), &leaving.line.numbers, &mut self.pivot_row);
        self.pivot_row.iter_mut().for_each(|entry| *entry += sum);
        self.pivot_row.resize(self.columns + self.rows, 0.0);
        basis.columns().for_each(|column| self.pivot_row[column] = 0.0);
        for (row, number) in basis.rows().zip(&leaving.line.numbers) {
            self.pivot_row[self.columns + row] = *number;
        }
        Some(leaving)
    }

    fn find_pivot_column(
        &mut self,
        payoffs: &impl Payoffs,
        basis: &mut BasisFactorisation,
        nonbasic: usize,
    ) -> Option<Exchanged> {
        let entering = basis.ftran(payoffs, self.variable(nonbasic))?;
        combine_columns(payoffs, basis.columns(), &entering.line.numbers, &mut self.sums);
        let value = entering.line.numbers[basis.size()];
        self.pivot_column.clear();
        self.pivot_column.resize(self.columns, 0.0);
        self.pivot_column.extend(
            self.sums.iter().zip(&entering.line.entries).map(|(sum, entry)| value - sum + entry),
        );
        basis.rows().for_each(|row| self.pivot_column[self.columns + row] = 0.0);
        for (column, number) in basis.columns().zip(&entering.line.numbers) {
            self.pivot_column[column] = *number;
        }
        Some(entering)
    }

    /// Exchanges two variables in the dictionary by the current pivot row and column; `false` when
    /// the pivot is unusable.
    fn update(&mut self, leaving: usize, entering: usize, size: usize) -> bool {
        let pivot = self.pivot_column[leaving];
        // A basis of one row and one column has nothing to give up; only rounding could ask for it.
        let emptied = size == 1 && leaving < self.columns && entering >= self.columns;
        if !(pivot.is_finite() && pivot != 0.0) || emptied {
            return false;
        }
        for numbers in [&mut self.value, &mut self.shift] {
            let step = numbers[leaving] / pivot;
            let cost = numbers[entering] / pivot;
            let coefficients = self.pivot_column.iter().zip(&self.pivot_row);
            for (number, (of_basic, of_nonbasic)) in numbers.iter_mut().zip(coefficients) {
                *number -= of_basic * step + of_nonbasic * cost;
            }
            numbers[entering] = step;
            numbers[leaving] = -cost;
        }
        self.inside[leaving] = !self.inside[leaving];
        self.inside[entering] = !self.inside[entering];
        true
    }
}

fn add_rows(
    payoffs: &impl Payoffs,
    rows: impl Iterator<Item = usize>,
    factors: &[f64],
    sums: &mut [f64],
) {
    for (row, &factor) in rows.zip(factors) {
        let mut start = 0;
        payoffs.walk_row(row, |run| start = add_scaled(sums, start, run, factor));
    }
}

fn combine_columns(
    payoffs: &impl Payoffs,
    columns: impl Iterator<Item = usize>,
    factors: &[f64],
    sums: &mut Vec<f64>,
) {
    sums.clear();
    sums.resize(payoffs.rows(), 0.0);
    for (column, &factor) in columns.zip(factors) {
        let mut start = 0;
        payoffs.walk_column(column, |run| start = add_scaled(sums, start, run, factor));
    }
}

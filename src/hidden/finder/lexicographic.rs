//! The simplex method for the sequence form with trembles: every sequence of `k` own actions has a weight of at least `ε^k`, for an
//! infinitesimal ε (P. B. Miltersen, T. B. Sørensen: Computing a quasi-perfect equilibrium of a two-player game. Economic Theory 42,
//! 2010).
//!
//! With `x = l + x'`, where `l` has A's lower bounds, `m` B's and `U` the payoffs, A's linear programme is
//!
//! ```text
//! max mᵀUᵀx' + φᵀq    over x' ≥ 0 and values q of B's decisions, where
//! Σ x'_child − x'_parent = l_parent − Σ l_child                          at every decision of A
//! q_d − Σ q_next ≤ (Uᵀ(l + x'))_s,    φ_d = m_parent − Σ m_child         at every sequence s of B's decision d
//! ```
//!
//! ε stands in the constants and in the objective alone, never in the matrix. So the tableau has numbers; constants and gains have a
//! number for each power of ε, and are compared lexicographically. The computation is in doubles: its result is a guess.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::super::sequence_form::SequenceForm;
use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};

/// Smaller numbers count as 0, like the smaller weights of linear programmes.
const TOLERANCE: f64 = 1e-9;

/// Smaller numbers are set to 0, so that rounding errors do not fill the tableau: a hundredth of the tolerance.
const NOISE: f64 = 1e-11;

/// After this many pivots in a row that change nothing, Bland's rule prevents cycles.
const MOST_IDLE_PIVOTS: u32 = 50;

/// The search gives up after this many pivots for each row and column, so that rounding cannot keep it forever.
const MOST_PIVOTS: usize = 50;

/// An optimal basis of the programme with trembles.
#[derive(Debug)]
pub(in super::super) struct TremblingBasis {
    /// By sequences: whether the weight may be above its lower bound. The player's values of these sequences are those of their
    /// decisions.
    pub(in super::super) above: ByPlayer<Vec<bool>>,
}

/// By sequences: the number of own actions.
pub(in super::super) fn lengths(form: &SequenceForm, player: Player) -> Vec<usize> {
    let mut lengths = vec![0; form.sequences(player)];
    for decision in form.decisions(player) {
        let length = lengths[decision.parent as usize] + 1;
        lengths[decision.sequences()].fill(length);
    }
    lengths
}

impl TremblingBasis {
    /// Finds a basis; `None` if rounding prevents it. Breaks if `go_on` does.
    pub(in super::super) fn find(
        form: &SequenceForm,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        let mut tableau = Tableau::new(form);
        tableau.start(form);
        let mut idle = 0;
        for _ in 0..MOST_PIVOTS * (tableau.rows.len() + tableau.columns.len()) {
            go_on()?;
            let rule = if idle < MOST_IDLE_PIVOTS { Rule::SteepestGain } else { Rule::Bland };
            let Some(column) = tableau.entering(rule) else {
                return ControlFlow::Continue(Some(tableau.basis(form)));
            };
            // Payoffs are bounded: without rounding some row limits every column.
            let Some(row) = tableau.leaving(column, rule) else { break };
            let is_idle = sign(tableau.constants.of(row)) == Ordering::Equal;
            idle = if is_idle { idle + 1 } else { 0 };
            tableau.pivot(row, column);
        }
        ControlFlow::Continue(None)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    /// A sequence of A: its weight above the lower bound.
    Weight(usize),
    /// A sequence of B: how much worse for B than the value of its decision it is.
    Slack(usize),
    /// The value of a decision of B, of either sign.
    Value(usize),
    /// A decision of A: by how much the weights miss their sum. It is 0.
    Flow(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The largest gain enters, the largest pivot leaves.
    SteepestGain,
    /// The first variable enters, the first one leaves.
    Bland,
}

/// Polynomials in ε of equal degree: for each of them the coefficients in ascending order.
#[derive(Debug)]
struct Polynomials {
    orders: usize,
    coefficients: Vec<f64>,
}

impl Polynomials {
    fn new(count: usize, orders: usize) -> Self {
        Self { orders, coefficients: vec![0.0; count * orders] }
    }

    fn of(&self, place: usize) -> &[f64] {
        &self.coefficients[place * self.orders..(place + 1) * self.orders]
    }

    fn add(&mut self, place: usize, order: usize, number: f64) {
        self.coefficients[place * self.orders + order] += number;
    }

    fn scale(&mut self, place: usize, factor: f64) {
        for coefficient in &mut self.coefficients[place * self.orders..(place + 1) * self.orders] {
            *coefficient *= factor;
        }
    }

    /// Subtracts a multiple of one polynomial from another.
    fn subtract(&mut self, place: usize, factor: f64, other: usize) {
        for order in 0..self.orders {
            let product = factor * self.coefficients[other * self.orders + order];
            let coefficient = &mut self.coefficients[place * self.orders + order];
            *coefficient = without_noise(*coefficient - product);
        }
    }
}

/// The sign of a polynomial for small ε: that of the first coefficient that is not 0.
fn sign(coefficients: &[f64]) -> Ordering {
    match leading(coefficients) {
        Some((_, coefficient)) => coefficient.total_cmp(&0.0),
        None => Ordering::Equal,
    }
}

/// The order and the number of the first coefficient that is not 0.
fn leading(coefficients: &[f64]) -> Option<(usize, f64)> {
    let mut orders = coefficients.iter().copied().enumerate();
    orders.find(|(_, coefficient)| coefficient.abs() > TOLERANCE)
}

fn without_noise(number: f64) -> f64 {
    if number.abs() < NOISE { 0.0 } else { number }
}

/// Each row says: its variable, plus the sum of its entries times the variables of the columns, is its constant. The objective is the
/// sum of the columns' variables times their gains.
#[derive(Debug)]
struct Tableau {
    rows: Vec<Variable>,
    columns: Vec<Variable>,
    entries: Vec<f64>,
    constants: Polynomials,
    gains: Polynomials,
}

impl Tableau {
    /// The numbers of rows and columns.
    fn size(form: &SequenceForm) -> [usize; 2] {
        let rows = form.decisions(Player::A).len() + form.sequences(Player::B) - 1;
        let columns = form.sequences(Player::A) - 1 + form.decisions(Player::B).len();
        [rows, columns]
    }

    /// The programme as it stands, with flow constraints and slacks in the rows.
    fn new(form: &SequenceForm) -> Self {
        let [own, other] = Player::BOTH.map(|player| lengths(form, player));
        let orders = |lengths: &[usize]| lengths.iter().max().map_or(1, |longest| longest + 1);
        let [row_count, column_count] = Self::size(form);
        let flows = form.decisions(Player::A).len();
        let weights = form.sequences(Player::A) - 1;
        let mut rows: Vec<Variable> = (0..flows).map(Variable::Flow).collect();
        rows.extend((1..form.sequences(Player::B)).map(Variable::Slack));
        let mut columns: Vec<Variable> = (1..=weights).map(Variable::Weight).collect();
        columns.extend((0..form.decisions(Player::B).len()).map(Variable::Value));
        let mut tableau = Self {
            rows,
            columns,
            entries: vec![0.0; row_count * column_count],
            constants: Polynomials::new(row_count, orders(&own)),
            gains: Polynomials::new(column_count, orders(&other)),
        };
        for (row, decision) in form.decisions(Player::A).iter().enumerate() {
            let parent = decision.parent as usize;
            tableau.constants.add(row, own[parent], 1.0);
            if parent > 0 {
                *tableau.entry(row, parent - 1) = -1.0;
            }
            for sequence in decision.sequences() {
                tableau.constants.add(row, own[sequence], -1.0);
                *tableau.entry(row, sequence - 1) = 1.0;
            }
        }
        for (number, decision) in form.decisions(Player::B).iter().enumerate() {
            let column = weights + number;
            let parent = decision.parent as usize;
            tableau.gains.add(column, other[parent], 1.0);
            if parent > 0 {
                *tableau.entry(flows + parent - 1, column) = -1.0;
            }
            for sequence in decision.sequences() {
                tableau.gains.add(column, other[sequence], -1.0);
                *tableau.entry(flows + sequence - 1, column) = 1.0;
            }
        }
        for (sequence, &length) in own.iter().enumerate() {
            for (reply, payoff) in form.leaves(Player::A, sequence) {
                if sequence > 0 {
                    tableau.gains.add(sequence - 1, other[reply], payoff);
                }
                if reply > 0 {
                    tableau.constants.add(flows + reply - 1, length, payoff);
                }
                if sequence > 0 && reply > 0 {
                    *tableau.entry(flows + reply - 1, sequence - 1) -= payoff;
                }
            }
        }
        tableau
    }

    fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.columns.len() + column]
    }

    fn row(&self, row: usize) -> &[f64] {
        let width = self.columns.len();
        &self.entries[row * width..(row + 1) * width]
    }

    /// Goes to the basis in which A plays the first action everywhere, and B a best response.
    fn start(&mut self, form: &SequenceForm) {
        let flows = form.decisions(Player::A).len();
        let weights = form.sequences(Player::A) - 1;
        for (row, decision) in form.decisions(Player::A).iter().enumerate() {
            let column = decision.first as usize - 1;
            self.pivot(row, column);
            self.remove(column);
        }
        for (number, decision) in form.decisions(Player::B).iter().enumerate().rev() {
            let mut rows = decision.sequences().map(|sequence| flows + sequence - 1);
            let Some(mut best) = rows.next() else { continue };
            for row in rows {
                if self.compare_constants(row, 1.0, best, 1.0) == Ordering::Less {
                    best = row;
                }
            }
            self.pivot(best, weights + number);
        }
    }

    /// Leaves a column out, whose variable stays 0.
    fn remove(&mut self, column: usize) {
        for row in 0..self.rows.len() {
            *self.entry(row, column) = 0.0;
        }
        self.gains.scale(column, 0.0);
    }

    /// Compares two rows' constants, each divided by a positive number.
    fn compare_constants(&self, row: usize, divisor: f64, other: usize, other_divisor: f64) -> Ordering {
        for (one, other) in self.constants.of(row).iter().zip(self.constants.of(other)) {
            let difference = one / divisor - other / other_divisor;
            if difference.abs() > TOLERANCE {
                return difference.total_cmp(&0.0);
            }
        }
        Ordering::Equal
    }

    /// The column of a variable whose increase raises the objective; `None` at the optimum.
    fn entering(&self, rule: Rule) -> Option<usize> {
        let mut best: Option<(usize, usize, f64)> = None;
        for column in 0..self.columns.len() {
            let Some((order, gain)) = leading(self.gains.of(column)).filter(|&(_, gain)| gain > 0.0) else { continue };
            let is_better = match (best, rule) {
                (None, _) => true,
                (Some((before, _, _)), Rule::Bland) => self.columns[column] < self.columns[before],
                (Some((_, lowest, largest)), Rule::SteepestGain) => order < lowest || (order == lowest && gain > largest),
            };
            if is_better {
                best = Some((column, order, gain));
            }
        }
        best.map(|(column, _, _)| column)
    }

    /// The row of the variable that is the first to become 0 while the column's grows. Values of decisions have either sign.
    fn leaving(&self, column: usize, rule: Rule) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (row, &variable) in self.rows.iter().enumerate() {
            let entry = self.row(row)[column];
            if entry <= TOLERANCE || matches!(variable, Variable::Value(_)) {
                continue;
            }
            let is_better = best.is_none_or(|(before, largest)| {
                let order = self.compare_constants(row, entry, before, largest);
                order.then_with(|| match rule {
                    Rule::Bland => variable.cmp(&self.rows[before]),
                    Rule::SteepestGain => largest.total_cmp(&entry),
                }) == Ordering::Less
            });
            if is_better {
                best = Some((row, entry));
            }
        }
        best.map(|(row, _)| row)
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.columns.len();
        let pivot = self.row(row)[column];
        for entry in &mut self.entries[row * width..(row + 1) * width] {
            *entry /= pivot;
        }
        *self.entry(row, column) = 1.0 / pivot;
        self.constants.scale(row, 1.0 / pivot);
        let pivot_row: Vec<(usize, f64)> = self.row(row).iter().copied().enumerate().filter(|&(_, entry)| entry != 0.0).collect();
        for other in 0..self.rows.len() {
            let factor = self.row(other)[column];
            if other == row || factor == 0.0 {
                continue;
            }
            let entries = &mut self.entries[other * width..(other + 1) * width];
            entries[column] = 0.0;
            for &(place, entry) in &pivot_row {
                entries[place] = without_noise(entries[place] - factor * entry);
            }
            self.constants.subtract(other, factor, row);
        }
        let gain = self.gains.of(column).to_vec();
        self.gains.scale(column, 0.0);
        for &(place, entry) in &pivot_row {
            for (order, coefficient) in gain.iter().enumerate() {
                self.gains.add(place, order, -coefficient * entry);
            }
        }
        std::mem::swap(&mut self.rows[row], &mut self.columns[column]);
    }

    fn basis(&self, form: &SequenceForm) -> TremblingBasis {
        let mut above = ByPlayer::new(|player| vec![false; form.sequences(player)]);
        for &variable in &self.rows {
            if let Variable::Weight(sequence) = variable {
                above.a[sequence] = true;
            }
        }
        // B plays what costs nothing.
        for &variable in &self.columns {
            if let Variable::Slack(sequence) = variable {
                above.b[sequence] = true;
            }
        }
        TremblingBasis { above }
    }
}

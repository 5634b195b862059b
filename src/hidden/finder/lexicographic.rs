//! The simplex method for the sequence form with trembles: every sequence of `k` own actions has a
//! weight of at least `ε^k`, for an infinitesimal ε (P. B. Miltersen, T. B. Sørensen: Computing a
//! quasi-perfect equilibrium of a two-player game. Economic Theory 42, 2010).
//!
//! With `x = l + x'`, where `l` has A's lower bounds, `m` B's and `U` the payoffs, A's linear
//! programme is
//!
//! ```text
//! max mᵀUᵀx' + φᵀq    over x' ≥ 0 and values q of B's decisions, where
//! Σ x'_child − x'_parent = l_parent − Σ l_child                          at every decision of A
//! q_d − Σ q_next ≤ (Uᵀ(l + x'))_s,    φ_d = m_parent − Σ m_child         at every sequence s of B's decision d
//! ```
//!
//! ε stands in the constants and in the objective alone, never in the matrix. So the tableau has
//! numbers; constants and gains have a number for each power of ε, and are compared
//! lexicographically. Such comparisons depend on which numbers are 0, and doubles alone do not
//! tell: in Leduc poker a search with a tolerance was lost. So each double has a residue, which
//! does. Signs are those of the doubles: the result is a guess.
//!
//! Many weights are 0 but for higher powers of ε, or equal to their bounds, so that most pivots
//! would change nothing and the method could cycle. A last power, smaller than all others, has a
//! random positive number in each row: no two rows then limit a column equally (Dantzig, Orden and
//! Wolfe 1955).

use std::cmp::Ordering;
use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::Zero;

use super::super::sequence_form::SequenceForm;
use super::super::tree::{GameTree, NodeKind};
use super::residue::Number;
use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};

/// The search gives up after this many pivots for each row and column, so that rounding cannot keep
/// it forever.
const MOST_PIVOTS: usize = 50;

/// An optimal basis of the programme with trembles.
#[derive(Debug)]
pub(in super::super) struct TremblingBasis {
    /// By sequences: whether the weight may be above its lower bound. The player's values of these
    /// sequences are those of their decisions.
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
    /// The bytes of the search for each row of the tableau and each of its columns.
    pub(in super::super) const ENTRY_BYTES: u64 = size_of::<Number>() as u64;

    /// Finds a basis; `None` if rounding prevents it. Breaks if `check_cancel` does.
    pub(in super::super) fn find(
        tree: &GameTree,
        form: &SequenceForm,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        let mut tableau = Tableau::new(tree, form, check_cancel)?;
        tableau.start(form, check_cancel)?;
        tableau.perturb();
        for _ in 0..=MOST_PIVOTS * (tableau.rows.len() + tableau.columns.len()) {
            check_cancel()?;
            let Some(column) = tableau.entering() else {
                return ControlFlow::Continue(Some(tableau.basis(form)));
            };
            // Payoffs are bounded: without rounding some row limits every column.
            let Some(row) = tableau.leaving(column) else { break };
            tableau.pivot(row, column);
        }
        ControlFlow::Continue(None)
    }
}

#[derive(Clone, Copy, Debug)]
enum Variable {
    /// A sequence of A: its weight above the lower bound.
    Weight(usize),
    /// A sequence of B: how much worse for B than the value of its decision it is.
    Slack(usize),
    /// The value of a decision of B, of either sign.
    Value,
    /// By how much the weights at a decision of A miss their sum. It is 0.
    Flow,
}

/// Polynomials in ε of equal degree: for each of them the coefficients in ascending order.
#[derive(Debug)]
struct Polynomials {
    orders: usize,
    coefficients: Vec<Number>,
}

impl Polynomials {
    fn new(count: usize, orders: usize) -> Self {
        Self { orders, coefficients: vec![Number::ZERO; count * orders] }
    }

    fn of(&self, index: usize) -> &[Number] {
        &self.coefficients[index * self.orders..(index + 1) * self.orders]
    }

    fn add(&mut self, index: usize, order: usize, number: Number) {
        let coefficient = &mut self.coefficients[index * self.orders + order];
        *coefficient = *coefficient + number;
    }

    fn scale(&mut self, index: usize, factor: Number) {
        for coefficient in &mut self.coefficients[index * self.orders..(index + 1) * self.orders] {
            *coefficient = *coefficient * factor;
        }
    }

    /// Subtracts a multiple of one polynomial from another.
    fn subtract(&mut self, index: usize, factor: Number, other: usize) {
        for order in 0..self.orders {
            let product = factor * self.coefficients[other * self.orders + order];
            self.add(index, order, -product);
        }
    }
}

/// The order and the number of the first coefficient that is not 0.
fn leading(coefficients: &[Number]) -> Option<(usize, Number)> {
    let mut orders = coefficients.iter().copied().enumerate();
    orders.find(|(_, coefficient)| !coefficient.is_zero())
}

/// Each row says: its variable, plus the sum of its entries times the variables of the columns, is
/// its constant. The objective is the sum of the columns' variables times their gains.
#[derive(Debug)]
struct Tableau {
    /// The number of A's decisions: slacks begin in the row after them.
    flows: usize,
    rows: Vec<Variable>,
    columns: Vec<Variable>,
    entries: Vec<Number>,
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
    fn new(
        tree: &GameTree,
        form: &SequenceForm,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Self> {
        let [lengths_a, lengths_b] = Player::BOTH.map(|player| lengths(form, player));
        let orders = |lengths: &[usize]| lengths.iter().max().map_or(1, |longest| longest + 1);
        let [row_count, column_count] = Self::size(form);
        let flows = form.decisions(Player::A).len();
        let weights = form.sequences(Player::A) - 1;
        let mut rows: Vec<Variable> = vec![Variable::Flow; flows];
        rows.extend((1..form.sequences(Player::B)).map(Variable::Slack));
        let mut columns: Vec<Variable> = (1..=weights).map(Variable::Weight).collect();
        columns.resize(weights + form.decisions(Player::B).len(), Variable::Value);
        let mut tableau = Self {
            flows,
            rows,
            columns,
            entries: vec![Number::ZERO; row_count * column_count],
            // One more for the perturbation.
            constants: Polynomials::new(row_count, orders(&lengths_a) + 1),
            gains: Polynomials::new(column_count, orders(&lengths_b)),
        };
        for (row, decision) in form.decisions(Player::A).iter().enumerate() {
            let parent = decision.parent as usize;
            tableau.constants.add(row, lengths_a[parent], Number::ONE);
            if parent > 0 {
                *tableau.entry(row, parent - 1) = -Number::ONE;
            }
            for sequence in decision.sequences() {
                tableau.constants.add(row, lengths_a[sequence], -Number::ONE);
                *tableau.entry(row, sequence - 1) = Number::ONE;
            }
        }
        for (number, decision) in form.decisions(Player::B).iter().enumerate() {
            let column = weights + number;
            let parent = decision.parent as usize;
            tableau.gains.add(column, lengths_b[parent], Number::ONE);
            if parent > 0 {
                *tableau.entry(flows + parent - 1, column) = -Number::ONE;
            }
            for sequence in decision.sequences() {
                tableau.gains.add(column, lengths_b[sequence], -Number::ONE);
                *tableau.entry(flows + sequence - 1, column) = Number::ONE;
            }
        }
        tableau.add_payoffs(tree, &ByPlayer { a: lengths_a, b: lengths_b }, check_cancel)?;
        ControlFlow::Continue(tableau)
    }

    /// Adds the payoffs at the ends of the game. Breaks if `check_cancel` does.
    fn add_payoffs(
        &mut self,
        tree: &GameTree,
        lengths: &ByPlayer<Vec<usize>>,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let payoffs = scaled_payoffs(tree);
        let numbers = |shares: &Vec<BigRational>| shares.iter().map(Number::of).collect();
        let distributions: Vec<Vec<Number>> = tree.distributions.iter().map(numbers).collect();
        // A node with both players' last sequences and the probability of chance.
        let mut open = vec![(0, ByPlayer::new(|_| 0_usize), Number::ONE)];
        while let Some((node, sequences, chance)) = open.pop() {
            check_cancel()?;
            match tree.nodes[node as usize].kind {
                NodeKind::End { payoff } => {
                    self.add_payoff(sequences, lengths, chance * payoffs[payoff as usize]);
                }
                NodeKind::Chance { distribution } => {
                    for (&after, &share) in
                        tree.successors(node).iter().zip(&distributions[distribution as usize])
                    {
                        open.push((after, sequences, chance * share));
                    }
                }
                NodeKind::Decision { player, set } => {
                    let moves = tree.sets[player][set as usize].sequences();
                    for (&after, sequence) in tree.successors(node).iter().zip(moves) {
                        let mut next = sequences;
                        next[player] = sequence;
                        open.push((after, next, chance));
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds the payoff to A, times the probability of chance, at an end with both players' last
    /// sequences. The tableau is as it began.
    fn add_payoff(
        &mut self,
        sequences: ByPlayer<usize>,
        lengths: &ByPlayer<Vec<usize>>,
        payoff: Number,
    ) {
        let ByPlayer { a: sequence, b: reply } = sequences;
        if sequence > 0 {
            self.gains.add(sequence - 1, lengths.b[reply], payoff);
        }
        if reply > 0 {
            self.constants.add(self.flows + reply - 1, lengths.a[sequence], payoff);
        }
        if sequence > 0 && reply > 0 {
            let entry = self.entry(self.flows + reply - 1, sequence - 1);
            *entry = *entry - payoff;
        }
    }

    fn entry(&mut self, row: usize, column: usize) -> &mut Number {
        &mut self.entries[row * self.columns.len() + column]
    }

    fn row(&self, row: usize) -> &[Number] {
        let width = self.columns.len();
        &self.entries[row * width..(row + 1) * width]
    }

    /// Goes to the basis in which A plays the first action everywhere, and B a best response.
    /// Breaks if `check_cancel` does.
    fn start(
        &mut self,
        form: &SequenceForm,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let weights = form.sequences(Player::A) - 1;
        for (row, decision) in form.decisions(Player::A).iter().enumerate() {
            check_cancel()?;
            let column = decision.first as usize - 1;
            self.pivot(row, column);
            self.remove(column);
        }
        for (number, decision) in form.decisions(Player::B).iter().enumerate().rev() {
            check_cancel()?;
            let flows = self.flows;
            let mut rows = decision.sequences().map(|sequence| flows + sequence - 1);
            let Some(mut best) = rows.next() else { continue };
            for row in rows {
                if self.compare_limits(row, best, weights + number) == Ordering::Less {
                    best = row;
                }
            }
            self.pivot(best, weights + number);
        }
        ControlFlow::Continue(())
    }

    /// Adds to the constants a last power of ε with random numbers.
    fn perturb(&mut self) {
        let last = self.constants.orders - 1;
        let mut state = 1;
        for row in 0..self.rows.len() {
            // Steele and Vigna's multiplier.
            state = 0xd134_2543_de82_ef95_u64.wrapping_mul(state).wrapping_add(1);
            // Numbers up to 2^20, far from 0.
            let random = 1 << 19 | (state >> 45) as u32;
            self.constants.add(row, last, random.into());
        }
    }

    /// Leaves a column out, whose variable stays 0.
    fn remove(&mut self, column: usize) {
        for row in 0..self.rows.len() {
            *self.entry(row, column) = Number::ZERO;
        }
        self.gains.scale(column, Number::ZERO);
    }

    /// Compares the values of a column's variable at which two rows' variables become 0. The
    /// entries are positive.
    fn compare_limits(&self, row: usize, other: usize, column: usize) -> Ordering {
        let [entry, other_entry] = [row, other].map(|row| self.row(row)[column]);
        for (&one, &two) in self.constants.of(row).iter().zip(self.constants.of(other)) {
            let order = (one * other_entry - two * entry).sign();
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The column of a variable whose increase raises the objective; `None` at the optimum. Gains
    /// of lower powers come first, then larger ones.
    fn entering(&self) -> Option<usize> {
        let mut best: Option<(usize, usize, f64)> = None;
        for column in 0..self.columns.len() {
            let Some((order, gain)) = leading(self.gains.of(column)) else { continue };
            let gain = gain.double();
            let is_better = best.is_none_or(|(_, lowest, largest)| {
                order < lowest || (order == lowest && gain > largest)
            });
            if gain > 0.0 && is_better {
                best = Some((column, order, gain));
            }
        }
        best.map(|(column, _, _)| column)
    }

    /// The row of the variable that is the first to become 0 while the column's grows. Values of
    /// decisions have either sign.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (row, &variable) in self.rows.iter().enumerate() {
            if self.row(row)[column].sign() != Ordering::Greater
                || matches!(variable, Variable::Value)
            {
                continue;
            }
            if best.is_none_or(|best| self.compare_limits(row, best, column) == Ordering::Less) {
                best = Some(row);
            }
        }
        best
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.columns.len();
        let inverse = self.row(row)[column].inverse();
        for entry in &mut self.entries[row * width..(row + 1) * width] {
            *entry = *entry * inverse;
        }
        *self.entry(row, column) = inverse;
        self.constants.scale(row, inverse);
        let pivot_row: Vec<(usize, Number)> = self
            .row(row)
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, entry)| !entry.is_zero())
            .collect();
        for other in 0..self.rows.len() {
            let factor = self.row(other)[column];
            if other == row || factor.is_zero() {
                continue;
            }
            let entries = &mut self.entries[other * width..(other + 1) * width];
            entries[column] = Number::ZERO;
            for &(index, entry) in &pivot_row {
                entries[index] = entries[index] - factor * entry;
            }
            self.constants.subtract(other, factor, row);
        }
        let gain = self.gains.of(column).to_vec();
        self.gains.scale(column, Number::ZERO);
        for &(index, entry) in &pivot_row {
            for (order, &coefficient) in gain.iter().enumerate() {
                self.gains.add(index, order, -(coefficient * entry));
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

/// The payoffs, moved and scaled from their range to 0..1.
fn scaled_payoffs(tree: &GameTree) -> Vec<Number> {
    let [smallest, largest] = tree.payoff_range();
    let span = &largest - &smallest;
    let scaled = |payoff: &BigRational| {
        if span.is_zero() { Number::ZERO } else { Number::of(&((payoff - &smallest) / &span)) }
    };
    tree.payoffs.iter().map(scaled).collect()
}

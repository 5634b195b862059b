//! Refines a solution of a linear programme to fractions: the vertex that it approximates.
//!
//! A vertex is determined by linear equations: own sequences that are not played have weight 0, or
//! with trembles their lower bound, and the opponent's sequences that are best responses are worth
//! the value of their information set. The result is a guess, like that of every finder; the exact
//! check of it decides.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use num_rational::BigRational;
#[cfg(feature = "lp")]
use num_traits::Signed;
use num_traits::{One, Zero};

use super::super::sequence_form::SequenceForm;
use super::super::tree::{GameTree, NodeKind};
use super::lexicographic::{TremblingBasis, lengths};
#[cfg(feature = "lp")]
use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};
#[cfg(feature = "lp")]
use crate::work::Threads;

/// Sequences with smaller weights count as not played, and replies that are worse by less as best
/// responses: the programme's tolerance is 1e-9.
#[cfg(feature = "lp")]
const PLAYED: f64 = 1e-9;

/// The most unknowns for which the equations of an ordinary vertex are solved: elimination takes a
/// second or so in fractions of that size. Refinements have a limit of their own.
#[cfg(feature = "lp")]
const MOST_UNKNOWNS: usize = 2_000;

/// A sum of unknowns with coefficients. Unknowns are numbered; none has coefficient 0.
type Row = BTreeMap<usize, BigRational>;

/// The coefficients of a polynomial in ε, the size of trembles, in ascending order. Without
/// trembles there is one.
type Coefficients = Vec<BigRational>;

/// Linear equations: each row times the unknowns is a constant.
#[derive(Debug, Default)]
struct Equations {
    rows: Vec<(Row, Coefficients)>,
}

/// What is known of a player's plan. The weight of a sequence is its lower bound, plus an unknown
/// if it has one.
#[derive(Debug)]
struct Plan {
    player: Player,
    /// By sequences, polynomials of equal degree.
    lower: Vec<Coefficients>,
    /// The numbers of the unknowns, by sequences. Sequences that are alike have one unknown.
    unknowns: BTreeMap<usize, usize>,
    /// By unknowns: the numbers that are taken where the equations leave them free.
    guesses: Vec<Coefficients>,
}

impl Plan {
    /// Whether the plan leads to what follows a sequence.
    fn reaches(&self, sequence: usize) -> bool {
        self.unknowns.contains_key(&sequence)
            || self.lower[sequence].iter().any(|coefficient| !coefficient.is_zero())
    }

    fn zero(&self) -> Coefficients {
        vec![BigRational::zero(); self.lower[0].len()]
    }

    /// The weights by sequences, of the solved equations.
    fn weights(self, solved: &[Coefficients]) -> Vec<Coefficients> {
        let mut weights = self.lower;
        for (&sequence, &unknown) in &self.unknowns {
            add_multiple(&mut weights[sequence], &BigRational::one(), &solved[unknown]);
        }
        weights
    }

    /// The number of unknown weights.
    fn unknown_weights(&self) -> usize {
        self.unknowns.values().max().map_or(0, |last| last + 1)
    }

    /// The number of the equations' unknowns: the weights of played sequences, then the values of
    /// the opponent's information sets.
    fn unknowns(&self, tree: &GameTree) -> usize {
        self.unknown_weights() + tree.information_sets(self.player.opponent()).len()
    }

    /// The weights that solve the equations; `None` if there are none. Breaks if `check_cancel`
    /// does.
    fn solve(
        mut self,
        tree: &GameTree,
        are_best: &[bool],
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Vec<Coefficients>>> {
        let unknowns = self.unknowns(tree);
        let mut equations = Equations::default();
        equations.add_flow(tree, &self);
        equations.add_best_responses(tree, &self, are_best, check_cancel)?;
        let mut guesses = std::mem::take(&mut self.guesses);
        guesses.resize(unknowns, self.zero());
        let solved = equations.solve(guesses, check_cancel)?;
        ControlFlow::Continue(solved.map(|solved| self.weights(&solved)))
    }
}

/// The weights of a player's sequences in fractions, by an approximation of a vertex of the optimal
/// plans, in which sequences are played alike for which the same `merged` one stands; `None` if the
/// equations have no solution with non-negative weights, or too many unknowns. Breaks if
/// `check_cancel` does.
#[cfg(feature = "lp")]
pub(in super::super) fn exact_plan(
    tree: &GameTree,
    form: &SequenceForm,
    player: Player,
    plan: &[f64],
    merged: Option<&[u32]>,
    check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Vec<BigRational>>> {
    let mut lower = vec![vec![BigRational::zero()]; plan.len()];
    lower[0] = vec![BigRational::one()];
    let played: Vec<bool> = plan.iter().map(|&weight| weight > PLAYED).collect();
    let unknowns = numbered(&played, merged);
    let mut guesses: Vec<Coefficients> = Vec::new();
    for (&sequence, &unknown) in &unknowns {
        // The first of those that are alike.
        if unknown == guesses.len() {
            guesses.push(vec![rounded(plan[sequence])]);
        }
    }
    let known = Plan { player, lower, unknowns, guesses };
    if known.unknowns(tree) > MOST_UNKNOWNS {
        return ControlFlow::Continue(None);
    }
    let Some(weights) = known.solve(tree, &best_responses(form, player, plan), check_cancel)?
    else {
        return ControlFlow::Continue(None);
    };
    let weights: Vec<BigRational> = weights.into_iter().flatten().collect();
    let is_plan = weights.iter().all(|weight| !weight.is_negative());
    ControlFlow::Continue(is_plan.then_some(weights))
}

/// The weights of a player's sequences as polynomials in ε, by a basis of the programme with
/// trembles; `None` if the equations have no solution. Breaks if `check_cancel` does.
pub(in super::super) fn trembling_plan(
    tree: &GameTree,
    form: &SequenceForm,
    player: Player,
    basis: &TremblingBasis,
    check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Vec<Coefficients>>> {
    let lengths = lengths(form, player);
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let mut lower = vec![vec![BigRational::zero(); longest + 1]; lengths.len()];
    for (bound, &length) in lower.iter_mut().zip(&lengths) {
        bound[length] = BigRational::one();
    }
    let known =
        Plan { player, lower, unknowns: numbered(&basis.above[player], None), guesses: Vec::new() };
    known.solve(tree, &basis.above[player.opponent()], check_cancel)
}

/// Whether each of the opponent's sequences is, but for rounding, a best response at its
/// information set.
#[cfg(feature = "lp")]
fn best_responses(form: &SequenceForm, player: Player, plan: &[f64]) -> Vec<bool> {
    let opponent = player.opponent();
    let mut payoffs = Vec::new();
    form.expected_payoffs(opponent, plan, &Threads::alone(), &mut payoffs);
    let mut are_best = vec![false; payoffs.len()];
    for decision in form.decisions(opponent).iter().rev() {
        let mut best = f64::NEG_INFINITY;
        for &payoff in &payoffs[decision.sequences()] {
            best = best.max(payoff);
        }
        for sequence in decision.sequences() {
            are_best[sequence] = best - payoffs[sequence] < PLAYED;
        }
        payoffs[decision.parent as usize] += best;
    }
    are_best
}

/// The numbers of the unknown weights: those of the sequences that are played, but for the empty
/// one. Sequences for which the same merged one stands have one number.
fn numbered(played: &[bool], merged: Option<&[u32]>) -> BTreeMap<usize, usize> {
    let mut numbers = BTreeMap::new();
    let mut unknowns = BTreeMap::new();
    for sequence in (1..played.len()).filter(|&sequence| played[sequence]) {
        let next = numbers.len();
        let stands_for_it = merged.map_or(sequence, |merged| merged[sequence] as usize);
        unknowns.insert(sequence, *numbers.entry(stands_for_it).or_insert(next));
    }
    unknowns
}

/// A weight in few binary digits, so that fractions stay short.
#[cfg(feature = "lp")]
fn rounded(weight: f64) -> BigRational {
    const PARTS: i32 = 1 << 20;
    BigRational::new(((weight * f64::from(PARTS)).round() as i64).into(), PARTS.into())
}

/// Adds a number to a coefficient.
fn add(row: &mut Row, unknown: usize, number: &BigRational) {
    let coefficient = row.entry(unknown).or_default();
    *coefficient += number;
    if coefficient.is_zero() {
        row.remove(&unknown);
    }
}

/// Adds a multiple of a polynomial.
fn add_multiple(sum: &mut [BigRational], factor: &BigRational, other: &[BigRational]) {
    for (sum, coefficient) in sum.iter_mut().zip(other) {
        if !coefficient.is_zero() {
            *sum += factor * coefficient;
        }
    }
}

impl Equations {
    /// At each information set that is reached, the weights of the actions sum to that of the
    /// sequence before.
    fn add_flow(&mut self, tree: &GameTree, plan: &Plan) {
        for set in tree.information_sets(plan.player) {
            let parent = set.parent as usize;
            if !plan.reaches(parent) {
                continue;
            }
            let mut row = Row::new();
            let mut constant = plan.lower[parent].clone();
            for sequence in set.sequences() {
                if let Some(&unknown) = plan.unknowns.get(&sequence) {
                    add(&mut row, unknown, &BigRational::one());
                }
                add_multiple(&mut constant, &-BigRational::one(), &plan.lower[sequence]);
            }
            if let Some(&unknown) = plan.unknowns.get(&parent) {
                add(&mut row, unknown, &-BigRational::one());
            }
            self.rows.push((row, constant));
        }
    }

    /// Each best response of the opponent is worth the value of its information set: the payoffs at
    /// its ends, and the values of the sets that follow. Breaks if `check_cancel` does.
    fn add_best_responses(
        &mut self,
        tree: &GameTree,
        plan: &Plan,
        are_best: &[bool],
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let player = plan.player;
        let opponent = player.opponent();
        let mut rows: BTreeMap<usize, (Row, Coefficients)> = BTreeMap::new();
        for (set, value) in tree.information_sets(opponent).iter().zip(plan.unknown_weights()..) {
            for sequence in set.sequences().filter(|&sequence| are_best[sequence]) {
                let (row, _) = rows.entry(sequence).or_insert_with(|| (Row::new(), plan.zero()));
                add(row, value, &-BigRational::one());
            }
            if let Some((row, _)) = rows.get_mut(&(set.parent as usize)) {
                add(row, value, &BigRational::one());
            }
        }
        // A node, with A's and B's last sequences and the probability of chance.
        let mut open = vec![(0, ByPlayer::new(|_| 0_usize), BigRational::one())];
        while let Some((node, sequences, chance)) = open.pop() {
            check_cancel()?;
            match tree.nodes[node as usize].kind {
                NodeKind::End { payoff } => {
                    let payoff = &tree.payoffs[payoff as usize] * &chance;
                    let Some((row, constant)) = rows.get_mut(&sequences[opponent]) else {
                        continue;
                    };
                    add_multiple(constant, &-&payoff, &plan.lower[sequences[player]]);
                    if let Some(&unknown) = plan.unknowns.get(&sequences[player]) {
                        add(row, unknown, &payoff);
                    }
                }
                NodeKind::Chance { distribution } => {
                    let shares = &tree.distributions[distribution as usize];
                    for (&after, share) in tree.successors(node).iter().zip(shares) {
                        open.push((after, sequences, &chance * share));
                    }
                }
                NodeKind::Decision { player: mover, set } => {
                    let set = &tree.sets[mover][set as usize];
                    for (&after, sequence) in tree.successors(node).iter().zip(set.sequences()) {
                        if mover == opponent || plan.reaches(sequence) {
                            let mut next = sequences;
                            next[mover] = sequence;
                            open.push((after, next, chance.clone()));
                        }
                    }
                }
            }
        }
        self.rows.extend(rows.into_values());
        ControlFlow::Continue(())
    }

    /// A solution, if there is one, by elimination: always of an unknown in a row with fewest
    /// unknowns. Free unknowns are as guessed. Breaks if `check_cancel` does.
    fn solve(
        mut self,
        guess: Vec<Coefficients>,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Vec<Coefficients>>> {
        let unknowns = guess.len();
        // By unknowns: the rows that have it.
        let mut columns = vec![BTreeSet::new(); unknowns];
        for (number, (row, _)) in self.rows.iter().enumerate() {
            for &unknown in row.keys() {
                columns[unknown].insert(number);
            }
        }
        let mut left: BTreeSet<usize> = (0..self.rows.len()).collect();
        let mut pivots = Vec::with_capacity(unknowns);
        while pivots.len() < unknowns {
            let shortest = left.iter().copied().filter(|&row| !self.rows[row].0.is_empty());
            let Some(pivot) = shortest.min_by_key(|&row| self.rows[row].0.len()) else { break };
            left.remove(&pivot);
            let (row, constant) = self.rows[pivot].clone();
            let Some(unknown) = row.keys().copied().min_by_key(|&unknown| columns[unknown].len())
            else {
                break;
            };
            for other in columns[unknown].clone() {
                check_cancel()?;
                if left.contains(&other) {
                    self.eliminate(other, unknown, &row, &constant, &mut columns);
                }
            }
            pivots.push((pivot, unknown));
        }
        // Rows that are left say 0 = 0.
        let is_zero = |row: usize| self.rows[row].1.iter().all(Zero::is_zero);
        if !left.iter().copied().all(is_zero) {
            return ControlFlow::Continue(None);
        }
        let mut solution = guess;
        for (pivot, unknown) in pivots.into_iter().rev() {
            check_cancel()?;
            let (row, constant) = &self.rows[pivot];
            let mut rest = constant.clone();
            for (&other, coefficient) in row {
                if other != unknown {
                    add_multiple(&mut rest, &-coefficient, &solution[other]);
                }
            }
            for number in &mut rest {
                *number /= &row[&unknown];
            }
            solution[unknown] = rest;
        }
        ControlFlow::Continue(Some(solution))
    }

    /// Subtracts a multiple of a row from another, which then lacks an unknown.
    fn eliminate(
        &mut self,
        number: usize,
        unknown: usize,
        row: &Row,
        constant: &[BigRational],
        columns: &mut [BTreeSet<usize>],
    ) {
        let (other, other_constant) = &mut self.rows[number];
        let factor = &other[&unknown] / &row[&unknown];
        for (&index, coefficient) in row {
            add(other, index, &-(&factor * coefficient));
            if other.contains_key(&index) {
                columns[index].insert(number);
            } else {
                columns[index].remove(&number);
            }
        }
        add_multiple(other_constant, &-factor, constant);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::games::KuhnPoker;
    use super::*;

    /// Answers a number of questions with yes, and the next one with no.
    fn patience(mut questions: usize) -> impl FnMut() -> ControlFlow<()> {
        move || match questions.checked_sub(1) {
            Some(left) => {
                questions = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }

    /// Checks that a task ends at every question that is answered with no, and that it asks enough
    /// of them.
    fn assert_interruptible(
        task: impl Fn(&mut dyn FnMut() -> ControlFlow<()>) -> bool,
        least: usize,
    ) {
        let needed =
            (0..10_000).find(|&questions| !task(&mut patience(questions))).expect("the task ends");
        assert!(needed > least, "{needed}");
    }

    /// The search for a basis and all steps in fractions hear that they should end.
    #[test]
    fn steps_in_fractions_can_be_interrupted() {
        let tree = GameTree::from_rules(&KuhnPoker).unwrap();
        let form = SequenceForm::new(&tree);
        assert_interruptible(
            |check_cancel| TremblingBasis::find(&tree, &form, check_cancel).is_break(),
            12,
        );
        let basis = TremblingBasis::find(&tree, &form, &mut patience(10_000))
            .continue_value()
            .flatten()
            .expect("a basis");
        for player in Player::BOTH {
            let trembling = |check_cancel: &mut dyn FnMut() -> ControlFlow<()>| {
                trembling_plan(&tree, &form, player, &basis, check_cancel).is_break()
            };
            // More than one at each node that the player reaches.
            assert_interruptible(trembling, tree.len());
        }
        #[cfg(feature = "lp")]
        {
            let uniform = form.realised(Player::A, &vec![1.0; form.sequences(Player::A)]);
            let exact = |check_cancel: &mut dyn FnMut() -> ControlFlow<()>| {
                exact_plan(&tree, &form, Player::A, &uniform, None, check_cancel).is_break()
            };
            assert_interruptible(exact, tree.len());
        }
    }
}

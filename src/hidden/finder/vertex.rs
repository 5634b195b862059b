//! Refines a solution of a linear programme to fractions: the vertex that it approximates.
//!
//! A vertex is determined by linear equations: own sequences that are not played have weight 0, and the opponent's sequences that are
//! best responses are worth the value of their information set. The result is a guess, like that of every finder; the exact best
//! response to it decides.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::super::sequence_form::SequenceForm;
use super::super::tree::{GameTree, NodeKind};
use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// Sequences with smaller weights count as not played, and replies that are worse by less as best responses: the programme's tolerance
/// is 1e-9.
const PLAYED: f64 = 1e-9;

/// The most unknowns for which the equations are solved: elimination takes a second or so in fractions of that size.
const MOST_UNKNOWNS: usize = 2_000;

/// A sum of unknowns with coefficients. Unknowns are numbered; none has coefficient 0.
type Row = BTreeMap<usize, BigRational>;

/// Linear equations: each row times the unknowns is a constant.
#[derive(Debug, Default)]
struct Equations {
    rows: Vec<(Row, BigRational)>,
}

/// The weights of a player's sequences in fractions, by an approximation of a vertex of the optimal plans; `None` if the equations
/// have no solution with non-negative weights, or too many unknowns.
pub(in super::super) fn exact_plan(
    tree: &GameTree,
    form: &SequenceForm,
    player: Player,
    plan: &[f64],
) -> Option<Vec<BigRational>> {
    let own = numbered(&played(plan));
    // Unknowns are the weights of played sequences, then the values of the opponent's information sets.
    let unknowns = own.len() + tree.information_sets(player.opponent()).len();
    if unknowns > MOST_UNKNOWNS {
        return None;
    }
    let mut equations = Equations::default();
    equations.add_flow(tree, player, &own);
    equations.add_best_responses(tree, player, &own, &best_responses(form, player, plan));
    let mut guess = vec![BigRational::zero(); unknowns];
    for (&sequence, &unknown) in &own {
        guess[unknown] = rounded(plan[sequence]);
    }
    let solved = equations.solve(guess)?;
    let mut weights = vec![BigRational::zero(); plan.len()];
    weights[0] = BigRational::one();
    for (&sequence, &unknown) in &own {
        weights[sequence] = solved[unknown].clone();
    }
    let is_plan = weights.iter().all(|weight| !weight.is_negative());
    is_plan.then_some(weights)
}

/// Whether each of the opponent's sequences is, but for rounding, a best response at its information set.
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

/// Whether each sequence is played; the empty one is.
fn played(plan: &[f64]) -> Vec<bool> {
    let mut played: Vec<bool> = plan.iter().map(|&weight| weight > PLAYED).collect();
    played[0] = true;
    played
}

/// The numbers of the unknown weights: those of the sequences that are played, but for the empty one.
fn numbered(played: &[bool]) -> BTreeMap<usize, usize> {
    let sequences = (1..played.len()).filter(|&sequence| played[sequence]);
    sequences.zip(0..).collect()
}

/// A weight in few binary digits, so that fractions stay short.
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

impl Equations {
    /// At each information set that is reached, the weights of the actions sum to that of the sequence before.
    fn add_flow(&mut self, tree: &GameTree, player: Player, own: &BTreeMap<usize, usize>) {
        for set in tree.information_sets(player) {
            let parent = set.parent as usize;
            if parent > 0 && !own.contains_key(&parent) {
                continue;
            }
            let mut row = Row::new();
            for sequence in set.sequences() {
                if let Some(&unknown) = own.get(&sequence) {
                    add(&mut row, unknown, &BigRational::one());
                }
            }
            let mut constant = BigRational::one();
            if let Some(&unknown) = own.get(&parent) {
                add(&mut row, unknown, &-BigRational::one());
                constant = BigRational::zero();
            }
            self.rows.push((row, constant));
        }
    }

    /// Each best response of the opponent is worth the value of its information set: the payoffs at its ends, and the values of the
    /// sets that follow.
    fn add_best_responses(&mut self, tree: &GameTree, player: Player, own: &BTreeMap<usize, usize>, are_best: &[bool]) {
        let opponent = player.opponent();
        let mut rows: BTreeMap<usize, (Row, BigRational)> = BTreeMap::new();
        for (set, value) in tree.information_sets(opponent).iter().zip(own.len()..) {
            for sequence in set.sequences().filter(|&sequence| are_best[sequence]) {
                let (row, _) = rows.entry(sequence).or_default();
                add(row, value, &-BigRational::one());
            }
            if let Some((row, _)) = rows.get_mut(&(set.parent as usize)) {
                add(row, value, &BigRational::one());
            }
        }
        // A node, with A's and B's last sequences and the probability of chance.
        let mut open = vec![(0, ByPlayer::new(|_| 0_usize), BigRational::one())];
        while let Some((node, sequences, chance)) = open.pop() {
            match tree.nodes[node as usize].kind {
                NodeKind::End { payoff } => {
                    let payoff = &tree.payoffs[payoff as usize] * &chance;
                    let Some((row, constant)) = rows.get_mut(&sequences[opponent]) else { continue };
                    match own.get(&sequences[player]) {
                        Some(&unknown) => add(row, unknown, &payoff),
                        None if sequences[player] == 0 => *constant -= payoff,
                        None => {}
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
                        if mover == opponent || own.contains_key(&sequence) {
                            let mut next = sequences;
                            next[mover] = sequence;
                            open.push((after, next, chance.clone()));
                        }
                    }
                }
            }
        }
        self.rows.extend(rows.into_values());
    }

    /// A solution, if there is one, by elimination: always of an unknown in a row with fewest unknowns. Free unknowns are as guessed.
    fn solve(mut self, guess: Vec<BigRational>) -> Option<Vec<BigRational>> {
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
            let unknown = row.keys().copied().min_by_key(|&unknown| columns[unknown].len())?;
            for other in columns[unknown].clone() {
                if left.contains(&other) {
                    self.eliminate(other, unknown, &row, &constant, &mut columns);
                }
            }
            pivots.push((pivot, unknown));
        }
        // Rows that are left say 0 = 0.
        if left.iter().any(|&row| !self.rows[row].1.is_zero()) {
            return None;
        }
        let mut solution = guess;
        for (pivot, unknown) in pivots.into_iter().rev() {
            let (row, constant) = &self.rows[pivot];
            let mut rest = constant.clone();
            for (&other, coefficient) in row {
                if other != unknown {
                    rest -= coefficient * &solution[other];
                }
            }
            solution[unknown] = rest / &row[&unknown];
        }
        Some(solution)
    }

    /// Subtracts a multiple of a row from another, which then lacks an unknown.
    fn eliminate(&mut self, number: usize, unknown: usize, row: &Row, constant: &BigRational, columns: &mut [BTreeSet<usize>]) {
        let (other, other_constant) = &mut self.rows[number];
        let factor = &other[&unknown] / &row[&unknown];
        for (&place, coefficient) in row {
            add(other, place, &-(&factor * coefficient));
            if other.contains_key(&place) {
                columns[place].insert(number);
            } else {
                columns[place].remove(&number);
            }
        }
        *other_constant -= factor * constant;
    }
}

//! The simplex method from the basis of a similar game.

use super::Simplex;
use super::candidate::{Candidate, best_reply};
use crate::basis::{Basis, BasisFactorisation, Variable};
use crate::equilibrium::normalise;
use crate::payoffs::Payoffs;
use crate::tremble::Trembling;

#[derive(Clone, Copy, Debug)]
pub enum Start<'s> {
    Basis(&'s Basis),
    /// The basis of another game with its factorisation, one row and one column back; the basis may
    /// have grown by its first row and column.
    Shifted(&'s BasisFactorisation, &'s Basis),
    Column(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Optimal, and preferred among the optimal pairs.
    Preferred,
    Optimal,
    Rejected,
}

impl Simplex {
    /// Pivots to an optimal and preferred basis; returns the last candidate if `judge` found it
    /// optimal and numbers stayed usable.
    ///
    /// `judge` sees the pair of the starting basis, if that is regular and has no negative
    /// probability, and, unless that is preferred, the pair after the pivots, which went on until
    /// it was preferred; it is told which. Reads the matrix in both directions.
    #[doc(hidden)]
    pub fn improve(
        &mut self,
        payoffs: &impl Trembling,
        start: Start<'_>,
        mut judge: impl FnMut(&mut Candidate<'_>, bool) -> Judgement,
    ) -> Option<Candidate<'_>> {
        if !self.load(payoffs, start) {
            return None;
        }
        let feasible = self.self_dual.equalise(&mut self.factorisation);
        let judged = feasible && !matches!(start, Start::Column(_)) && self.take_equalised();
        let mut last =
            if judged { judge(&mut self.candidate(), false) } else { Judgement::Rejected };
        if last != Judgement::Preferred {
            // Measured counts from a neighbour's basis are a few, from a single entry below rows +
            // columns.
            let limit = 10 * (payoffs.rows() + payoffs.columns());
            let pivots = self.self_dual.improve(payoffs, &mut self.factorisation, limit)?;
            if !judged || pivots > 0 {
                self.basis = self.factorisation.basis();
                last = if self.take_pivoted() {
                    judge(&mut self.candidate(), true)
                } else {
                    Judgement::Rejected
                };
            }
        }
        (last != Judgement::Rejected).then(|| self.candidate())
    }

    /// The pair that equalises on a basis, negative numbers dropped; `None` when the basis is
    /// singular.
    #[doc(hidden)]
    pub fn equalise(&mut self, payoffs: &impl Trembling, basis: &Basis) -> Option<Candidate<'_>> {
        self.basis.clone_from(basis);
        self.take_equaliser(payoffs).then(|| self.candidate())
    }

    /// Takes the pair that equalises on the present basis; `false` when the basis is singular.
    pub(super) fn take_equaliser(&mut self, payoffs: &impl Payoffs) -> bool {
        let is_regular = self.factorisation.factorise(payoffs, &self.basis);
        if is_regular {
            self.self_dual.equalise(&mut self.factorisation);
        }
        is_regular && self.take_equalised()
    }

    /// The present pair and basis, with its factorisation.
    pub(super) fn candidate(&mut self) -> Candidate<'_> {
        Candidate {
            pair: &self.pair,
            basis: &self.basis,
            factorisation: Some(&mut self.factorisation),
        }
    }

    /// The present pair and basis, which is not factorised.
    pub(super) const fn unfactorised_candidate(&self) -> Candidate<'_> {
        Candidate { pair: &self.pair, basis: &self.basis, factorisation: None }
    }

    /// Sets up basis and factorisation; whether the basis is regular.
    fn load(&mut self, payoffs: &impl Trembling, start: Start<'_>) -> bool {
        match start {
            Start::Basis(basis) => self.basis.clone_from(basis),
            Start::Column(column) => {
                self.basis = Basis::single(best_reply(payoffs, column), column);
            }
            Start::Shifted(known, basis) => {
                self.basis.clone_from(basis);
                self.factorisation.take_over(known);
                self.factorisation.shift();
                if self.factorisation.size() == basis.size() || self.grow(payoffs) == Some(true) {
                    return true;
                }
            }
        }
        self.factorisation.factorise(payoffs, &self.basis)
    }

    /// Adds the first row and column of the basis to the factorisation; whether it stays regular.
    fn grow(&mut self, payoffs: &impl Payoffs) -> Option<bool> {
        let entering =
            self.factorisation.ftran(payoffs, Variable::Column(self.basis.columns[0]))?;
        let leaving = self.factorisation.btran(payoffs, Variable::Slack(self.basis.rows[0]))?;
        Some(self.factorisation.exchange(payoffs, entering, leaving))
    }

    /// Takes the pair equalised last; `false` when it has no probabilities.
    fn take_equalised(&mut self) -> bool {
        let [column, row] = self.self_dual.probabilities();
        normalise(
            &mut self.pair.column,
            self.basis.columns.iter().copied().zip(column.iter().copied()),
        ) && normalise(&mut self.pair.row, self.basis.rows.iter().copied().zip(row.iter().copied()))
    }

    /// Takes the dictionary's pair; `false` when it has no probabilities.
    fn take_pivoted(&mut self) -> bool {
        let [columns, rows] = self.self_dual.pivoted_probabilities();
        let Basis { rows: row_basis, columns: column_basis } = &self.basis;
        normalise(
            &mut self.pair.column,
            column_basis.iter().map(|&column| (column, columns[column])),
        ) && normalise(&mut self.pair.row, row_basis.iter().map(|&row| (row, rows[row])))
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::exact::solve_bordered;
    use crate::sequence::{doubles, matrix, sequence};
    use crate::{Equilibrium, Matrix};

    /// The column player's equaliser and the value; `None` when the basis is singular.
    fn equaliser(entries: &[Vec<i64>], basis: &Basis) -> Option<Vec<RBig>> {
        let size = basis.size();
        let entry = |i: usize, j: usize| RBig::from(entries[basis.rows[i]][basis.columns[j]]);
        solve_bordered(size, entry, |index| i64::from(index == size))
    }

    /// The distance of the security levels of the pair that pivots lead to.
    fn gap_from(game: &Matrix, start: Start<'_>) -> Option<f64> {
        let mut solver = Simplex::default();
        let found = solver.improve(game, start, |_, _| Judgement::Optimal);
        found.map(|candidate| Equilibrium::judge(game, candidate.pair).gap())
    }

    #[test]
    fn pivots_lead_from_any_basis_to_an_optimal_pair() {
        for seed in 0..300 {
            let (rows, columns) = (1 + seed as usize % 9, 1 + seed as usize / 9 % 8);
            // Few different entries make ties, many make none.
            let game = matrix(sequence(seed), [rows, columns], [2, 100][seed as usize % 2]);
            let size = 1 + seed as usize % rows.min(columns);
            let basis = Basis { rows: (rows - size..rows).collect(), columns: (0..size).collect() };
            let starts = [
                // Of a singular basis rounding may make anything, which its judge then rejects.
                equaliser(&game, &basis).map(|_| Start::Basis(&basis)),
                Some(Start::Column(0)),
            ];
            let game = doubles(&game);
            for start in starts.into_iter().flatten() {
                let found = gap_from(&game, start).expect("an optimal pair");
                // Sums of nine products of up to 100, from a basis with a condition of some
                // thousand.
                assert!(found.abs() <= 1e-9, "{found:e} in {game:?} from {start:?}");
            }
        }
    }

    /// Over many refactorisations. New shifts led astray in about half of such games.
    #[test]
    fn refactorising_leaves_the_perturbed_game_as_it_is() {
        for seed in 0..6 {
            let game = doubles(&matrix(sequence(1_000 + seed), [100; 2], 100));
            let found = gap_from(&game, Start::Column(0)).expect("an optimal pair");
            // Forty products of up to 100 each, and a basis with a condition of some thousand.
            assert!(found.abs() <= 1e-9, "{found:e}");
        }
    }

    #[test]
    fn a_system_that_moved_along_gives_the_equaliser_of_the_larger_game() {
        let mut compared = [0; 2];
        for seed in 0..40 {
            let exact = matrix(sequence(seed), [7; 2], 50);
            let larger = doubles(&exact);
            let smaller =
                doubles(&exact[1..].iter().map(|row| row[1..].to_vec()).collect::<Vec<_>>());
            let known = Basis { rows: vec![0, 2, 3], columns: vec![1, 3, 5] };
            let mut factorisation = BasisFactorisation::default();
            assert!(factorisation.factorise(&smaller, &known));
            let moved = |grown: bool| {
                let line = |choices: &[usize]| {
                    grown
                        .then_some(0)
                        .into_iter()
                        .chain(choices.iter().map(|choice| choice + 1))
                        .collect()
                };
                Basis { rows: line(&known.rows), columns: line(&known.columns) }
            };
            for grown in [false, true] {
                let basis = moved(grown);
                let Some(exact) = equaliser(&exact, &basis) else { continue };
                compared[usize::from(grown)] += 1;
                let mut solver = Simplex::default();
                assert!(solver.load(&larger, Start::Shifted(&factorisation, &basis)));
                assert_eq!(
                    solver.factorisation.updates(),
                    usize::from(grown),
                    "nothing is factorised anew"
                );
                solver.self_dual.equalise(&mut solver.factorisation);
                let largest =
                    exact.iter().map(|number| number.to_f64().value().abs()).fold(1.0, f64::max);
                for (found, exact) in solver.self_dual.probabilities()[0].iter().zip(&exact) {
                    // Four equations of entries up to 50: a condition of some ten thousand at worst
                    // in this list.
                    assert!(
                        (found - exact.to_f64().value()).abs() <= 1e-11 * largest,
                        "{found} is not {exact}"
                    );
                }
            }
        }
        assert_eq!(compared, [40; 2], "no basis of the list is singular");
    }
}

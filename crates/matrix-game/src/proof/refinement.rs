//! Iterative refinement of integer weights.
//!
//! A strategy found in floating point equalises to some 1e-16. The residuals are computed exactly,
//! in integers, and the factorised basis turns them into corrections (mixed-precision refinement;
//! Wilkinson 1963). Bounds are proved from the resulting weights.

use super::dyadic_strategy::{DyadicStrategy, expected_payoffs, weights_of};
use crate::basis::{Basis, BasisFactorisation};
use crate::bounds::product;
use crate::equilibrium::{StrategyPair, normalise};
use crate::{ByEntry, EnclosedPayoffs, Payoffs};

const SHARE_BITS: u32 = 61;

#[derive(Clone, Debug, Default)]
pub struct Refinement {
    weights: Vec<i64>,
    residuals: Vec<f64>,
    expectations: Vec<i128>,
    entries: Vec<i64>,
    everywhere: Vec<i128>,
}

impl Refinement {
    /// Rounds `pair` to integer weights and corrects them with the factorised basis. Integer
    /// payoffs count units of 2^−`exponent` of the factorised ones.
    pub(crate) fn refine(
        &mut self,
        basis: &Basis,
        factorisation: &mut BasisFactorisation,
        pair: &StrategyPair,
        game: &EnclosedPayoffs<impl Payoffs<i64>>,
        exponent: u32,
        refined: &mut [DyadicStrategy; 2],
    ) {
        let [row, column] = refined;
        self.residuals_of(
            &pair.row,
            &basis.rows,
            &basis.columns,
            &game.row,
            -unit_of_residuals(exponent),
        );
        factorisation.solve_transposed(&mut self.residuals);
        self.correct(&basis.rows, row);
        // The column player's payoffs are the negative of the matrix that was factorised.
        self.residuals_of(
            &pair.column,
            &basis.columns,
            &basis.rows,
            &game.column,
            unit_of_residuals(exponent),
        );
        factorisation.solve(&mut self.residuals);
        self.correct(&basis.columns, column);
    }

    /// The corrected strategy that equalises the columns of a basis; `false` when the system is
    /// singular.
    pub(crate) fn equalise(
        &mut self,
        secured: &impl Payoffs<i64>,
        basis: &Basis,
        strategy: &mut DyadicStrategy,
    ) -> bool {
        // Distances from one of the payoffs, so that nearly equal ones keep their digits.
        let centre = i128::from(secured.entry(basis.rows[0], basis.columns[0]));
        let unit = (-f64::from(SHARE_BITS)).exp2();
        let share = |row, column| (i128::from(secured.entry(row, column)) - centre) as f64 * unit;
        let mut equaliser = BasisFactorisation::default();
        if !equaliser.factorise(&ByEntry([secured.rows(), secured.columns()], share), basis) {
            return false;
        }
        let mut solution = vec![0.0; basis.size()];
        // Transposed, the border reads (Aᵀ, 1; −1ᵀ, 0): the probabilities sum to 1 when its last
        // right-hand side is −1.
        solution.push(-1.0);
        equaliser.solve_transposed(&mut solution);
        let mut probabilities = Vec::new();
        if !normalise(&mut probabilities, basis.rows.iter().copied().zip(solution)) {
            return false;
        }
        self.residuals_of(
            &probabilities,
            &basis.rows,
            &basis.columns,
            secured,
            -unit_of_residuals(SHARE_BITS),
        );
        equaliser.solve_transposed(&mut self.residuals);
        self.correct(&basis.rows, strategy);
        true
    }

    /// The differences between the expectations of the opponent's choices, which an equaliser makes
    /// 0, times a factor.
    fn residuals_of(
        &mut self,
        strategy: &[(usize, f64)],
        choices: &[usize],
        replies: &[usize],
        payoffs: &impl Payoffs<i64>,
        factor: f64,
    ) {
        // An exact distribution: the largest weight takes the residual of the border.
        weights_of(choices, strategy, &mut self.weights);
        self.expected_payoffs(choices, replies, payoffs);
        let reference = self.expectations[0];
        self.residuals.clear();
        self.residuals
            .extend(self.expectations.iter().map(|&sum| (sum - reference) as f64 * factor));
        self.residuals.push(0.0);
    }

    fn expected_payoffs(
        &mut self,
        choices: &[usize],
        replies: &[usize],
        payoffs: &impl Payoffs<i64>,
    ) {
        let weighted =
            choices.iter().copied().zip(self.weights.iter().map(|&weight| weight as u64));
        if 2 * replies.len() > payoffs.columns() {
            // To read whole rows is faster than to pick more than half of them.
            expected_payoffs(weighted, payoffs, &mut self.everywhere);
            self.expectations.clear();
            self.expectations.extend(replies.iter().map(|&choice| self.everywhere[choice]));
            return;
        }
        self.expectations.clear();
        self.expectations.resize(replies.len(), 0);
        for (choice, weight) in weighted {
            self.entries.clear();
            payoffs.gather(choice, replies, &mut self.entries);
            for (sum, &entry) in self.expectations.iter_mut().zip(&self.entries) {
                *sum += product(weight as i64, entry);
            }
        }
    }

    fn correct(&self, choices: &[usize], strategy: &mut DyadicStrategy) {
        let corrected = self.weights.iter().zip(&self.residuals).map(|(&weight, &correction)| {
            // A correction of the order of 1 would mean a singular basis; the conversion saturates
            // and the sum is mended.
            weight.saturating_add((correction * DyadicStrategy::WHOLE as f64).round() as i64)
        });
        strategy.assign(choices.iter().map(|&choice| choice as u32).zip(corrected));
    }
}

/// The unit of residuals, products of weights with payoffs in units of 2^−`exponent`.
fn unit_of_residuals(exponent: u32) -> f64 {
    (-f64::from(DyadicStrategy::WHOLE_BITS + exponent)).exp2()
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::exact::solve_bordered;
    use crate::payoffs::integers;
    use crate::sequence::sequence;

    /// 60 irregular bits with a heavy diagonal: every size has an equaliser with positive
    /// probabilities.
    fn game(seed: u64, size: usize) -> Vec<Vec<i64>> {
        let mut draw = sequence(seed);
        // 56 bits, as many as the entries below are made of.
        let mut draw = || (draw(1 << 28) << 28 | draw(1 << 28)) as i64;
        let entry = |row, column, number: i64| {
            if row == column { (1 << 60) - (number >> 3) } else { number >> 3 >> size.ilog2() }
        };
        (0..size).map(|row| (0..size).map(|column| entry(row, column, draw())).collect()).collect()
    }

    #[test]
    fn weights_are_those_of_the_exact_equaliser() {
        for seed in 0..30 {
            let size = 2 + seed as usize % 7;
            let game = game(seed, size);
            let all: Vec<usize> = (0..size).collect();
            let mut strategy = DyadicStrategy::default();
            let basis = Basis { rows: all.clone(), columns: all };
            assert!(Refinement::default().equalise(&integers(&game), &basis, &mut strategy));
            let exact = solve_bordered(
                size,
                |i, j| RBig::from(game[j][i]),
                |index| i64::from(index == size),
            )
            .unwrap();
            assert_eq!(strategy.support().len(), size, "every choice is made");
            for (&(row, weight), exact) in strategy.support().iter().zip(&exact) {
                let error = RBig::from(weight) - exact * RBig::from(DyadicStrategy::WHOLE);
                // Half a unit for the rounding of every weight, of which the largest bears all, and
                // as much from residuals that round to a unit.
                assert!(
                    error.to_f64().value().abs() <= size as f64,
                    "row {row} misses {error} units of 2^-62"
                );
            }
        }
    }
}

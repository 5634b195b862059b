//! The check of an exact solution, by the definition of an equilibrium alone (von Neumann 1928): it
//! shares no code with the pivots that found it.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::basic_solution::{ExactEquilibrium, ExactStrategy};
use super::linear_system::Fractions;

/// Whether the row player's strategy wins at least the value against every column, and the column
/// player's concedes at most the value against every row.
///
/// *Complexity.* O(support · (rows + columns)) products of big integers.
pub fn is_equilibrium(rows: &[Vec<RBig>], found: &ExactEquilibrium) -> bool {
    let columns = rows.first().map_or(0, Vec::len);
    let value = found.value.clone().canonicalize();
    let (numerator, denominator) = (value.numerator(), value.denominator());
    // The sign of (expected payoff - value).
    let excess = |strategy: &ExactStrategy, payoffs: &Fractions| {
        let expected: IBig = strategy
            .numerators()
            .zip(&payoffs.numerators)
            .map(|(weight, payoff)| weight * payoff)
            .sum();
        expected * IBig::from(denominator.clone())
            - numerator * IBig::from(strategy.denominator() * &payoffs.denominator)
    };
    let secures = |column: usize| {
        let payoffs = Fractions::of(found.row.support().iter().map(|&row| &rows[row][column]));
        excess(&found.row, &payoffs) >= IBig::ZERO
    };
    let concedes = |row: usize| {
        let payoffs =
            Fractions::of(found.column.support().iter().map(|&column| &rows[row][column]));
        excess(&found.column, &payoffs) <= IBig::ZERO
    };
    is_strategy(&found.row, rows.len())
        && is_strategy(&found.column, columns)
        && (0..columns).all(secures)
        && (0..rows.len()).all(concedes)
}

/// Whether these are positive probabilities of rising actions that sum to 1.
fn is_strategy(strategy: &ExactStrategy, actions: usize) -> bool {
    let is_rising = strategy.support().windows(2).all(|pair| pair[0] < pair[1]);
    let sum: IBig = strategy.numerators().sum();
    is_rising
        && strategy.support().iter().all(|&action| action < actions)
        && strategy.numerators().all(|weight| *weight > IBig::ZERO)
        && *strategy.denominator() > UBig::ZERO
        && sum == IBig::from(strategy.denominator().clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::solve_fractions;
    use crate::work::unwatched;

    /// 3, -1; -2, 1: worth 1/7 by 3/7, 4/7 and 2/7, 5/7.
    fn game() -> Vec<Vec<RBig>> {
        [[3, -1], [-2, 1]].map(|row| row.map(RBig::from).to_vec()).to_vec()
    }

    fn strategy(weights: &[(usize, i32)], denominator: u8) -> ExactStrategy {
        let (support, numerators) =
            weights.iter().map(|&(action, weight)| (action, IBig::from(weight))).unzip();
        ExactStrategy::new(support, Fractions { numerators, denominator: denominator.into() })
    }

    fn check(
        value: [i32; 2],
        row: &[(usize, i32)],
        column: &[(usize, i32)],
        denominator: u8,
    ) -> bool {
        let mut found = solve_fractions(&game(), &mut unwatched).unwrap();
        let [numerator, parts] = value.map(IBig::from);
        found.value = (RBig::from(numerator) / RBig::from(parts)).relax();
        (found.row, found.column) = (strategy(row, denominator), strategy(column, denominator));
        is_equilibrium(&game(), &found)
    }

    #[test]
    fn the_equilibrium_worked_out_by_hand_passes() {
        assert!(check([1, 7], &[(0, 3), (1, 4)], &[(0, 2), (1, 5)], 7));
        assert!(is_equilibrium(&game(), &solve_fractions(&game(), &mut unwatched).unwrap()));
    }

    #[test]
    fn forged_equilibria_are_refused() {
        let (row, column) = ([(0, 3), (1, 4)], [(0, 2), (1, 5)]);
        assert!(!check([1_000_001, 7_000_000], &row, &column, 7), "a value above");
        assert!(!check([999_999, 7_000_000], &row, &column, 7), "a value below");
        assert!(!check([1, 7], &[(0, 4), (1, 3)], &column, 7), "another row strategy");
        assert!(!check([1, 7], &row, &[(0, 3), (1, 4)], 7), "another column strategy");
        assert!(!check([1, 7], &[(0, 3), (1, 5)], &column, 7), "shares beyond 1");
        assert!(!check([1, 7], &[(1, 4), (0, 3)], &column, 7), "actions out of order");
        assert!(!check([3, 1], &[(0, 7)], &[(0, 14), (1, -7)], 7), "a negative share");
    }
}

//! The security levels of two strategies, without rounding.
//!
//! In a game of doubles, sums of double length rule out all replies but the few that may be best;
//! fractions decide between these.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_rational::BigRational;

use super::fraction_matrix::big_rational;
use super::linear_system::Fractions;
use crate::dense::DoubleDouble;
use crate::{Matrix, Payoffs};

/// The levels of two strategies in a game of doubles, each as parts of the sum of its weights.
pub(super) fn in_doubles(game: &Matrix, row: &[f64], column: &[f64]) -> [BigRational; 2] {
    let turned =
        Matrix::of_entries(turn(game.entries(), game.columns(), |payoff| -payoff), game.rows());
    [secured_in_doubles(game, row), -secured_in_doubles(&turned, column)]
        .map(|level| big_rational(&level))
}

/// The levels of two strategies in a game of fractions, row by row.
pub(super) fn in_fractions(
    payoffs: &Fractions,
    columns: usize,
    row: &[f64],
    column: &[f64],
) -> [BigRational; 2] {
    let numerators = turn(&payoffs.numerators, columns, |payoff| -payoff);
    let turned = Fractions { numerators, denominator: payoffs.denominator.clone() };
    [secured(payoffs, columns, row), -secured(&turned, row.len(), column)]
        .map(|level| big_rational(&level))
}

/// The game as the column player sees it: his choices are the rows.
fn turn<T>(entries: &[T], columns: usize, other: impl Fn(&T) -> T) -> Vec<T> {
    (0..columns).flat_map(|column| entries[column..].iter().step_by(columns)).map(other).collect()
}

fn secured_in_doubles(game: &Matrix, strategy: &[f64]) -> RBig {
    let support: Vec<usize> = (0..strategy.len()).filter(|&row| strategy[row] > 0.0).collect();
    let columns = possible_replies(game, strategy, &support);
    let entries =
        support.iter().flat_map(|&row| columns.iter().map(move |&column| game.entry(row, column)));
    let weights: Vec<f64> = support.iter().map(|&row| strategy[row]).collect();
    secured(&Fractions::of(doubles(entries).iter()), columns.len(), &weights)
}

/// 2^-106: four of it bound the relative error of a sum of double length, which is below 3.1 of it.
const LAST_BIT: f64 = f64::EPSILON * f64::EPSILON / 4.0;

/// The least positive double. The error of a product below the normal numbers is at most five of
/// it.
const LEAST: f64 = 5e-324;

/// Halves of larger numbers are infinite (see [`DoubleDouble::product`]).
const LARGEST: f64 = 1e298;

/// The columns whose expectation may be the least: all of them where numbers are huge. Nothing is
/// shared with the searches for strategies but the arithmetic of double length, whose errors are
/// tested against fractions.
fn possible_replies(game: &Matrix, strategy: &[f64], support: &[usize]) -> Vec<usize> {
    let weight: f64 = support.iter().map(|&row| strategy[row]).sum();
    let size = game.entries().iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    if weight.max(size).max(weight * size) > LARGEST {
        return (0..game.columns()).collect();
    }
    let mut sums = vec![DoubleDouble::default(); game.columns()];
    for &row in support {
        for (sum, &entry) in sums.iter_mut().zip(&game.entries()[row * game.columns()..]) {
            *sum = *sum + DoubleDouble::product(strategy[row], entry);
        }
    }
    // Every sum on the way is at most the weight times the size of payoffs, up to a rounding that
    // the last eight cover.
    let count = support.len() as f64;
    let error = (4.0 * count + 8.0) * LAST_BIT * weight * size + 8.0 * (count + 1.0) * LEAST;
    let least = sums.iter().copied().fold(DoubleDouble::from(f64::INFINITY), |least, sum| {
        if sum < least { sum } else { least }
    });
    let limit = least + DoubleDouble::from(2.0 * error);
    (0..game.columns()).filter(|&column| sums[column] <= limit).collect()
}

/// The least expectation of all columns, as part of the sum of the weights.
fn secured(payoffs: &Fractions, columns: usize, strategy: &[f64]) -> RBig {
    let weights = Fractions::of(doubles(strategy.iter().copied()).iter()).numerators;
    let expectation = |column: usize| {
        let entries = payoffs.numerators[column..].iter().step_by(columns);
        weights
            .iter()
            .zip(entries)
            .filter(|(weight, _)| !weight.is_zero())
            .map(|(weight, entry)| weight * entry)
            .sum::<IBig>()
    };
    let least = (0..columns).map(expectation).min().unwrap_or_default();
    let whole = UBig::try_from(weights.iter().sum::<IBig>()).unwrap_or(UBig::ONE);
    RBig::from_parts(least, whole * &payoffs.denominator)
}

/// Doubles as fractions. Matrices and strategies are finite.
fn doubles(numbers: impl Iterator<Item = f64>) -> Vec<RBig> {
    numbers.map(|number| RBig::try_from(number).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn fraction(number: f64) -> RBig {
        RBig::try_from(number).expect("a finite number")
    }

    /// The least expectation of all columns, one after another.
    fn least(rows: &[Vec<f64>], strategy: &[f64]) -> RBig {
        let sum =
            |terms: &mut dyn Iterator<Item = RBig>| terms.fold(RBig::ZERO, |sum, term| sum + term);
        let whole = sum(&mut strategy.iter().copied().map(fraction));
        let expectation = |column: usize| {
            sum(&mut rows
                .iter()
                .zip(strategy)
                .map(|(row, &weight)| fraction(row[column]) * fraction(weight)))
                / &whole
        };
        (0..rows[0].len()).map(expectation).min().expect("a column")
    }

    fn payoffs() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-2_i8..3).prop_map(f64::from),
            -1.0..1.0,
            (0..3_u8).prop_map(|last| 1.0 + f64::from(last) * f64::EPSILON),
            (-9_i8..9).prop_map(|units| f64::from(units) * LEAST),
            (-1.0..1.0_f64).prop_map(|share| share * f64::MAX),
        ]
    }

    fn weights() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            0.0..1.0,
            (-120..0_i32).prop_map(|exponent| f64::from(exponent).exp2()),
            Just(1e-310),
            Just(1e300)
        ]
    }

    proptest! {
        #[test]
        fn levels_are_those_of_fractions(
            rows in (1..5_usize).prop_flat_map(|columns| vec(vec(payoffs(), columns), 1..5)),
            shares in vec(weights(), 8),
        ) {
            let [row, column] = [&shares[..rows.len()], &shares[4..4 + rows[0].len()]].map(|shares| {
                // Some weight is positive.
                let mut strategy = shares.to_vec();
                strategy[0] += 0.25;
                strategy
            });
            let turned: Vec<Vec<f64>> = (0..rows[0].len()).map(|j| rows.iter().map(|row| -row[j]).collect()).collect();
            let expected = [least(&rows, &row), -least(&turned, &column)].map(|level| big_rational(&level));
            prop_assert_eq!(in_doubles(&Matrix::from_rows(&rows).unwrap(), &row, &column), expected.clone());
            let entries: Vec<RBig> = rows.iter().flatten().copied().map(fraction).collect();
            prop_assert_eq!(in_fractions(&Fractions::of(entries.iter()), rows[0].len(), &row, &column), expected);
        }
    }

    /// The last bit of 1 + 2^-60 in double length is 2^-112. What the dearer column gets in three
    /// quarters is lost each time; what the cheaper one gets at once, 0.6 of it, is rounded to a
    /// whole.
    #[test]
    fn sums_of_double_length_that_mislead_are_looked_at_again() {
        let part = (-114_f64).exp2();
        let strategy = [1.0, (-60_f64).exp2(), part, part, part];
        let rows = [[1.0, 1.0], [1.0, 1.0], [1.0, 2.4], [1.0, 0.0], [1.0, 0.0]];
        let game = Matrix::from_rows(&rows).unwrap();
        assert_eq!(possible_replies(&game, &strategy, &[0, 1, 2, 3, 4]), [0, 1]);
        assert_eq!(
            secured_in_doubles(&game, &strategy),
            least(&rows.map(|row| row.to_vec()), &strategy)
        );
        // A column that is dearer by more is ruled out.
        let dearer = Matrix::from_rows(&rows.map(|[one, other]| [one, other + 1e-15])).unwrap();
        assert_eq!(possible_replies(&dearer, &strategy, &[0, 1, 2, 3, 4]), [0]);
    }

    /// Half of three least doubles is rounded to two of them, half of one to none.
    #[test]
    fn products_below_the_normal_numbers_that_mislead_are_looked_at_again() {
        let strategy = [0.5; 4];
        let rows = [[3.0 * LEAST, LEAST], [0.0, LEAST], [0.0, LEAST], [0.0, LEAST]];
        let game = Matrix::from_rows(&rows).unwrap();
        assert_eq!(
            secured_in_doubles(&game, &strategy),
            least(&rows.map(|row| row.to_vec()), &strategy)
        );
    }
}

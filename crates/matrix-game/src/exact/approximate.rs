//! Solutions in doubles of games in fractions, with proved bounds.

use dashu_ratio::RBig;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::fraction_matrix::rational;
use super::linear_system::Fractions;
use super::security_levels;
use super::solver::approximation;
use crate::bounds::{BOUND_BITS, Bounds, Enclosure};
use crate::error::{Error, MatrixError};
use crate::quick::QuickSolver;
use crate::work::{Watch, WorkError};

/// A solution in doubles of a matrix game whose payoffs are fractions, with proved bounds of the
/// value: quick where [`ExactSolution`](crate::ExactSolution) would take long.
///
/// [`QuickSolver`] finds both strategies in doubles. What they secure is summed in fractions, of
/// the payoffs as they are given, so that the bounds hold however good the strategies are; mostly
/// they are some 1e-16 of the largest payoff apart.
///
/// ```
/// use matrix_game::{ApproximateSolution, unwatched};
/// use num_rational::BigRational;
///
/// let game = [[3, -1], [-2, 1]].map(|row| row.map(|payoff: i32| BigRational::from_integer(payoff.into())).to_vec());
/// let solution = ApproximateSolution::new(&game, &mut unwatched)?;
/// assert!(solution.enclosure().contains(&BigRational::new(1.into(), 7.into())));
/// assert!((solution.row_strategy()[0] - 3.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), matrix_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ApproximateSolution {
    row: Vec<f64>,
    column: Vec<f64>,
    enclosure: Enclosure,
}

/// The finest unit of bounds, as of certificates: 2^−this.
const FINEST: u32 = 126;

impl ApproximateSolution {
    /// Solves the game with these rows; the callback hears of the progress and may cancel at any
    /// time.
    ///
    /// *Complexity.* That of the simplex method in doubles, and O(support · (rows + columns))
    /// products of big integers.
    ///
    /// # Errors
    /// [`MatrixError::Shape`] when there is no row, no column, or rows of different lengths;
    /// [`MatrixError::Size`] for a payoff from 2^61 on;
    /// [`WorkError::Cancelled`](crate::WorkError::Cancelled).
    pub fn new<R: AsRef<[BigRational]>>(rows: &[R], watch: &mut Watch<'_>) -> Result<Self, Error> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if columns == 0 || rows.iter().any(|row| row.as_ref().len() != columns) {
            return Err(MatrixError::Shape.into());
        }
        let most = BigRational::from_integer(BigInt::from(1) << BOUND_BITS);
        if rows.iter().flat_map(AsRef::as_ref).any(|payoff| payoff.abs() >= most) {
            return Err(MatrixError::Size { bits: BOUND_BITS }.into());
        }
        let rows: Vec<Vec<RBig>> =
            rows.iter().map(|row| row.as_ref().iter().map(rational).collect()).collect();
        let (mut row, mut column) = (vec![0.0; rows.len()], vec![0.0; columns]);
        // Payoffs lie between -1 and 1 here, so that nothing else is refused.
        let solved = QuickSolver::new().solve_watched(
            approximation(&rows).0.entries(),
            &mut row,
            &mut column,
            watch,
        );
        solved.map_err(|_| WorkError::Cancelled)?;
        let entries = Fractions::of(rows.iter().flatten());
        let levels = security_levels::in_fractions(&entries, columns, &row, &column);
        Ok(Self { enclosure: enclosure(&levels), row, column })
    }

    /// Proved bounds of the value.
    pub const fn enclosure(&self) -> Enclosure {
        self.enclosure
    }

    /// A probability for each row.
    pub fn row_strategy(&self) -> &[f64] {
        &self.row
    }

    /// A probability for each column.
    pub fn column_strategy(&self) -> &[f64] {
        &self.column
    }
}

/// The security levels of two strategies, rounded outward to a unit in which the larger one has
/// some [`BOUND_BITS`] bits.
fn enclosure(levels: &[BigRational; 2]) -> Enclosure {
    let [lower, upper] = levels;
    let exponent = exponent_for(&lower.abs().max(upper.abs()));
    let unit = BigRational::from_integer(BigInt::from(1) << exponent);
    // Levels are smaller than 2^61, as payoffs are: these fit. Bounds that did not would prove
    // nothing.
    let units = |bound: BigRational, other: i64| bound.to_integer().to_i64().unwrap_or(other);
    let bounds = Bounds::new(
        units((lower * &unit).floor(), i64::MIN >> 1),
        units((upper * &unit).ceil(), -(i64::MIN >> 1)),
    );
    Enclosure::proved(bounds, exponent)
}

/// The exponent of a unit 2^−e, at most [`FINEST`], in which a number below 2^61 has at most
/// [`BOUND_BITS`] bits.
fn exponent_for(number: &BigRational) -> u32 {
    if number.is_zero() {
        return FINEST;
    }
    // The quotient of numbers with n and with d bits is below 2^(n − d + 1).
    let [numerator, denominator] = [number.numer(), number.denom()].map(|part| part.bits() as i64);
    let bits = numerator - denominator + 1;
    (i64::from(BOUND_BITS) - bits).clamp(0, FINEST.into()) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ExactSolution;
    use crate::exact::big_rational;
    use crate::work::unwatched;

    fn written(rows: &[Vec<(i64, u32)>]) -> Vec<Vec<BigRational>> {
        let fraction = |&(numerator, denominator): &(i64, u32)| {
            BigRational::new(numerator.into(), denominator.into())
        };
        rows.iter().map(|row| row.iter().map(fraction).collect()).collect()
    }

    proptest! {
        /// Tenths, sevenths and others are no doubles.
        #[test]
        fn bounds_contain_the_value_of_the_payoffs_as_they_are_written(rows in (1_usize..6, 1_usize..6).prop_flat_map(|(rows, columns)| {
            proptest::collection::vec(proptest::collection::vec((-1_000_000_i64..1_000_000, 1_u32..30), columns), rows)
        })) {
            let rows = written(&rows);
            let exact = ExactSolution::new(&rows, &mut unwatched).unwrap();
            let found = ApproximateSolution::new(&rows, &mut unwatched).unwrap();
            prop_assert!(found.enclosure().contains(exact.value()));
            // Some units in the last place of the largest payoff.
            prop_assert!(found.enclosure().width() <= 1e6 * 1e-14);
        }

        /// The bounds of bad strategies are proved, too: the value lies between them.
        #[test]
        fn bad_strategies_prove_no_more_than_they_secure(weights in proptest::collection::vec(0.01_f64..1.0, 5)) {
            // Worth 1/7, by 3/7 and 4/7 against 2/7 and 5/7; the third column is dominated.
            let rows = written(&[vec![(3, 1), (-1, 1), (4, 1)], vec![(-2, 1), (1, 1), (2, 1)]]);
            let rows: Vec<Vec<RBig>> = rows.iter().map(|row| row.iter().map(rational).collect()).collect();
            let entries = Fractions::of(rows.iter().flatten());
            let found = enclosure(&security_levels::in_fractions(&entries, 3, &weights[..2], &weights[2..]));
            prop_assert!(found.contains(&big_rational(&RBig::from_parts(1.into(), 7_u8.into()))));
            prop_assert!(!found.is_exact());
        }
    }

    /// Worth 10^-21/7: a unit of 2^-60 would be a thousand times as large.
    #[test]
    fn small_payoffs_have_narrow_bounds() {
        let small = BigRational::new(1.into(), BigInt::from(10).pow(21));
        let game = [[3, -1], [-2, 1]].map(|row| {
            row.map(|payoff| BigRational::from_integer(payoff.into()) * &small).to_vec()
        });
        let found = ApproximateSolution::new(&game, &mut unwatched).unwrap();
        assert!(found.enclosure().contains(&(&small / BigRational::from_integer(7.into()))));
        assert!(found.enclosure().width() < 1e-35, "{}", found.enclosure().width());
    }

    /// A third is between two units.
    #[test]
    fn security_levels_are_rounded_outward() {
        for numerator in [1, -1] {
            let third = BigRational::new(numerator.into(), 3.into());
            let found = ApproximateSolution::new(&[[third.clone()]], &mut unwatched).unwrap();
            let Bounds { lower, upper } = found.enclosure().integers();
            assert!(found.enclosure().contains(&third) && upper - lower == 1);
        }
    }

    #[test]
    fn payoffs_beyond_the_units_are_refused() {
        let game = [[BigRational::from_integer(BigInt::from(1) << 61)]];
        let fault = ApproximateSolution::new(&game, &mut unwatched).unwrap_err();
        assert_eq!(fault, Error::Matrix(MatrixError::Size { bits: 61 }));
        let largest = [[BigRational::from_integer((BigInt::from(1) << 61) - 1)]];
        assert!(ApproximateSolution::new(&largest, &mut unwatched).unwrap().enclosure().is_exact());
    }
}

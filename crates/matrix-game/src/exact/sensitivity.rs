//! How the value of a matrix game depends on each payoff.
//!
//! Where both players have one optimal strategy, their supports have the same size, and on them the
//! strategies are the solution of a regular system M·z = r (Shapley and Snow 1950; Bohnenblust,
//! Karlin and Shapley 1950). One payoff in it that rises by t changes M by a matrix of rank one, so
//! that the probabilities, the value and what is missing to it elsewhere are linear in t over a
//! common denominator 1 + c·t (Sherman and Morrison 1950). The supports stay as they are while all
//! these numerators and the denominator stay positive: between the first zeros on either side of 0.

use dashu_ratio::RBig;
use num_rational::BigRational;

use super::fraction_matrix::big_rational;
use super::linear_system::Elimination;
use crate::basis::Basis;
use crate::work::{Stop, Watch, WorkError};

/// How the value depends on one payoff, while all others stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffSensitivity {
    /// The derivative of the value: the probability with which the two actions meet (Mills 1956).
    pub derivative: BigRational,
    /// By how much the payoff may fall until the optimal strategies leave some action or take up
    /// another; `None` if by any amount.
    pub may_fall: Option<BigRational>,
    /// By how much it may rise until then.
    pub may_rise: Option<BigRational>,
}

/// The unique optimal strategies of a game, with what is missing to the value against each action.
pub(super) struct UniqueSolution<'g> {
    pub(super) rows: &'g [Vec<RBig>],
    pub(super) value: &'g RBig,
    pub(super) row: &'g [RBig],
    pub(super) column: &'g [RBig],
}

/// The inverse of the bordered system [B −1; 1ᵀ 0] of the supports' payoffs B.
struct Inverse {
    /// By columns: the one of an action of the row player's support has the changes of the column
    /// player's probabilities, and last that of the value.
    columns: Vec<Vec<RBig>>,
}

/// A number that is `constant` + `slope`·t, over the common denominator.
struct Line {
    constant: RBig,
    slope: RBig,
}

/// How far t may go either way.
#[derive(Clone, Default)]
struct Range {
    down: Option<RBig>,
    up: Option<RBig>,
}

impl Range {
    /// Stops where a line that is positive at 0 has its zero.
    fn stop_at_zero(&mut self, Line { constant, slope }: &Line) {
        if slope.is_zero() {
            return;
        }
        let (side, distance) = if *slope > RBig::ZERO {
            (&mut self.down, constant / slope)
        } else {
            (&mut self.up, -constant / slope)
        };
        if side.as_ref().is_none_or(|known| distance < *known) {
            *side = Some(distance);
        }
    }
}

impl UniqueSolution<'_> {
    /// Of every payoff, row by row.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub(super) fn sensitivity(
        &self,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Vec<PayoffSensitivity>>, WorkError> {
        let stop = Stop::new(watch);
        let supports = Basis { rows: support(self.row), columns: support(self.column) };
        let inverse = self.inverse(&supports, &stop).ok_or(WorkError::Cancelled)?;
        let missing = self.missing(&supports, &inverse);
        let mut found = Vec::with_capacity(self.rows.len());
        for row in 0..self.rows.len() {
            if stop.tell(row as f64 / self.rows.len() as f64).is_break() {
                return Err(WorkError::Cancelled);
            }
            let of_row = (0..self.column.len()).map(|column| {
                let range = self.range(row, column, &supports, &inverse, &missing);
                PayoffSensitivity {
                    derivative: big_rational(&(&self.row[row] * &self.column[column])),
                    may_fall: range.down.as_ref().map(big_rational),
                    may_rise: range.up.as_ref().map(big_rational),
                }
            });
            found.push(of_row.collect());
        }
        Ok(found)
    }

    /// `None` if stopped: the system of unique strategies is regular.
    fn inverse(&self, supports: &Basis, stop: &Stop<'_, '_>) -> Option<Inverse> {
        let Basis { rows, columns } = supports;
        let size = supports.size();
        let (one, minus_one, zero) = (RBig::ONE, -RBig::ONE, RBig::ZERO);
        let entry = |i: usize, j: usize| match (rows.get(i), columns.get(j)) {
            (Some(&row), Some(&column)) => &self.rows[row][column],
            (Some(_), None) => &minus_one,
            (None, Some(_)) => &one,
            (None, None) => &zero,
        };
        let eliminated = Elimination::unless(&|| stop.is_asked(), size + 1, entry)?;
        let unit = |index: usize| {
            (0..=size).map(|other| RBig::from(u8::from(other == index))).collect::<Vec<_>>()
        };
        let column = |index: usize| eliminated.solve(&unit(index)).into_fractions();
        Some(Inverse { columns: (0..=size).map(column).collect() })
    }

    /// The gaps between the value and the payoffs of the actions outside the supports, and how they
    /// change.
    fn missing(&self, supports: &Basis, inverse: &Inverse) -> Missing {
        let Basis { rows, columns } = supports;
        let size = supports.size();
        let outside = |support: &[usize], all: usize| {
            (0..all).filter(|action| !support.contains(action)).collect::<Vec<_>>()
        };
        let mut missing = Missing { of_rows: Vec::new(), of_columns: Vec::new() };
        for row in outside(rows, self.rows.len()) {
            let payoff =
                sum(columns.iter().map(|&column| &self.rows[row][column] * &self.column[column]));
            // How the value minus the row's payoff changes with each column of the inverse.
            let changes = inverse.columns[..size].iter().map(|changes| {
                let payoff = sum(columns
                    .iter()
                    .zip(changes)
                    .map(|(&column, change)| &self.rows[row][column] * change));
                &changes[size] - payoff
            });
            missing.of_rows.push(OfAction {
                action: row,
                constant: self.value - payoff,
                changes: changes.collect(),
            });
        }
        for column in outside(columns, self.column.len()) {
            let payoff = sum(rows.iter().map(|&row| &self.rows[row][column] * &self.row[row]));
            // How the column's payoff minus the value changes with each row of the inverse.
            let changes = (0..size).map(|index| {
                let payoff = sum(rows
                    .iter()
                    .zip(&inverse.columns)
                    .map(|(&row, changes)| &self.rows[row][column] * &changes[index]));
                payoff + &inverse.columns[size][index]
            });
            missing.of_columns.push(OfAction {
                action: column,
                constant: payoff - self.value,
                changes: changes.collect(),
            });
        }
        missing
    }

    /// How far the payoff of a row and a column may go either way.
    fn range(
        &self,
        row: usize,
        column: usize,
        supports: &Basis,
        inverse: &Inverse,
        missing: &Missing,
    ) -> Range {
        let Basis { rows, columns } = supports;
        let mut range = Range::default();
        match [
            rows.iter().position(|&played| played == row),
            columns.iter().position(|&played| played == column),
        ] {
            // Nobody plays either of them.
            [None, None] => {}
            // The row would be taken up once it pays the value.
            [None, Some(_)] => {
                for unplayed in missing.of_rows.iter().filter(|other| other.action == row) {
                    range.stop_at_zero(&Line {
                        constant: unplayed.constant.clone(),
                        slope: -&self.column[column],
                    });
                }
            }
            [Some(_), None] => {
                for unplayed in missing.of_columns.iter().filter(|other| other.action == column) {
                    range.stop_at_zero(&Line {
                        constant: unplayed.constant.clone(),
                        slope: self.row[row].clone(),
                    });
                }
            }
            [Some(i), Some(j)] => {
                let factor = &inverse.columns[i][j];
                range.stop_at_zero(&Line { constant: RBig::ONE, slope: factor.clone() });
                let mut stop = |constant: &RBig, change: RBig| {
                    range.stop_at_zero(&Line {
                        constant: constant.clone(),
                        slope: constant * factor - change,
                    });
                };
                for (&played_column, change) in columns.iter().zip(&inverse.columns[i]) {
                    stop(&self.column[played_column], &self.column[column] * change);
                }
                for (&played_row, changes) in rows.iter().zip(&inverse.columns) {
                    stop(&self.row[played_row], &self.row[row] * &changes[j]);
                }
                for OfAction { constant, changes, .. } in &missing.of_rows {
                    stop(constant, &self.column[column] * &changes[i]);
                }
                for OfAction { constant, changes, .. } in &missing.of_columns {
                    stop(constant, &self.row[row] * &changes[j]);
                }
            }
        }
        range
    }
}

/// The gaps between the value and the payoffs of actions that are not played.
struct Missing {
    of_rows: Vec<OfAction>,
    of_columns: Vec<OfAction>,
}

struct OfAction {
    action: usize,
    /// Positive.
    constant: RBig,
    changes: Vec<RBig>,
}

fn support(strategy: &[RBig]) -> Vec<usize> {
    (0..strategy.len()).filter(|&action| !strategy[action].is_zero()).collect()
}

fn sum(numbers: impl Iterator<Item = RBig>) -> RBig {
    numbers.fold(RBig::ZERO, |sum, number| sum + number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::{ExactSolution, Uniqueness};
    use crate::work::unwatched;

    fn fractions(rows: &[Vec<i32>]) -> Vec<Vec<BigRational>> {
        rows.iter()
            .map(|row| row.iter().map(|&payoff| BigRational::from_integer(payoff.into())).collect())
            .collect()
    }

    fn supports(solution: &ExactSolution) -> [Vec<bool>; 2] {
        let zero = BigRational::default();
        [
            solution.row_strategy().map(|share| *share > zero).collect(),
            solution.column_strategy().map(|share| *share > zero).collect(),
        ]
    }

    /// The game with one payoff changed, solved anew.
    fn changed(
        rows: &[Vec<BigRational>],
        row: usize,
        column: usize,
        by: &BigRational,
    ) -> ExactSolution {
        let mut rows = rows.to_vec();
        rows[row][column] += by;
        ExactSolution::new(&rows, &mut unwatched).unwrap()
    }

    fn ratio(numerator: i32, denominator: i32) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    /// By hand: [[a, −1], [−2, 1]] is mixed for a above −1; the value (a − 2)/(a + 4) has the slope
    /// 6/(a + 4)² = 6/49 at a = 3.
    #[test]
    fn a_game_of_two_by_two_is_as_by_hand() {
        let solution =
            ExactSolution::new(&fractions(&[vec![3, -1], vec![-2, 1]]), &mut unwatched).unwrap();
        let found = solution.sensitivity(&mut unwatched).unwrap().unwrap();
        let expected = PayoffSensitivity {
            derivative: ratio(6, 49),
            may_fall: Some(ratio(4, 1)),
            may_rise: None,
        };
        assert_eq!(found[0][0], expected);
    }

    #[test]
    fn several_optimal_strategies_have_no_derivative() {
        let solution =
            ExactSolution::new(&fractions(&[vec![0, 0], vec![0, 0]]), &mut unwatched).unwrap();
        assert_eq!(solution.sensitivity(&mut unwatched).unwrap(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Solved anew, a game has the same supports within the range, and others, or several
        /// optimal strategies, beyond it; a difference quotient of the value is near the
        /// derivative.
        #[test]
        fn solving_again_agrees(rows in (1_usize..5, 1_usize..5).prop_flat_map(|(rows, columns)| {
            proptest::collection::vec(proptest::collection::vec(-5..6, columns), rows)
        })) {
            let rows = fractions(&rows);
            let solution = ExactSolution::new(&rows, &mut unwatched).unwrap();
            let Some(all) = solution.sensitivity(&mut unwatched).unwrap() else {
                prop_assert!(solution.uniqueness(&mut unwatched).unwrap() != [Uniqueness::Unique; 2]);
                return Ok(());
            };
            let same = |other: &ExactSolution| {
                other.uniqueness(&mut unwatched).unwrap() == [Uniqueness::Unique; 2] && supports(other) == supports(&solution)
            };
            let thousandth = ratio(1, 1000);
            for (row, of_row) in all.iter().enumerate() {
                for (column, found) in of_row.iter().enumerate() {
                    let PayoffSensitivity { derivative, may_fall, may_rise } = found;
                    for (sign, limit) in [(ratio(-1, 1), may_fall), (ratio(1, 1), may_rise)] {
                        let within = limit.as_ref().map_or_else(|| ratio(1000, 1), |limit| limit * ratio(999, 1000));
                        prop_assert!(same(&changed(&rows, row, column, &(&sign * within))), "{row}, {column}");
                        if let Some(limit) = limit {
                            let beyond = limit + &thousandth;
                            prop_assert!(!same(&changed(&rows, row, column, &(&sign * beyond))), "{row}, {column}");
                        }
                    }
                    // A quotient by a small step is near the derivative: payoffs are small, and so
                    // is the curvature.
                    let step = ratio(1, 1_000_000);
                    let above = changed(&rows, row, column, &step);
                    let quotient = (above.value() - solution.value()) / &step;
                    let distance = if quotient > *derivative { quotient - derivative } else { derivative - quotient };
                    prop_assert!(distance < ratio(1, 1000), "{row}, {column}: {distance}");
                }
            }
        }
    }
}

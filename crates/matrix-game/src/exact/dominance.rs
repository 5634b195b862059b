//! Dominated actions, each with a mixture of other actions that dominates it.
//!
//! A row is strictly dominated if a mixture of other rows wins more against every column. In the
//! matrix game of the differences, the other rows' payoffs minus the row's own, that is a value
//! above 0, and an optimal strategy is such a mixture.
//!
//! A row is weakly dominated if a mixture wins nowhere less and somewhere more. With every
//! difference raised by ε times the sum of its row, such a mixture is worth more than 0 for every
//! ε > 0. An optimal strategy of that game may lose somewhere while ε is large; then ε is halved
//! from where that strategy is worth 0, which excludes it. There are finitely many such strategies.

use dashu_ratio::RBig;
use num_rational::BigRational;

use super::fraction_matrix::{big_rational, rational};
use super::solve_fractions;
use crate::error::{Error, MatrixError};
use crate::work::{Watch, WorkError};

/// How an action is dominated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dominance {
    /// A mixture of other actions is better against every action of the opponent.
    Strict,
    /// A mixture of other actions is nowhere worse and somewhere better.
    Weak,
}

/// An action of a matrix game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A row, counted from 0.
    Row(usize),
    /// A column, counted from 0.
    Column(usize),
}

/// An action that was eliminated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elimination {
    /// The round, counted from 1.
    pub round: usize,
    /// The action.
    pub action: Action,
    /// A mixture of the same player's actions that dominates it among the actions of this round,
    /// with positive probabilities.
    pub by: Vec<(usize, BigRational)>,
}

/// The actions that survive iterated elimination of dominated actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undominated {
    /// The rows that are left, rising.
    pub rows: Vec<usize>,
    /// The columns that are left, rising.
    pub columns: Vec<usize>,
    /// All others, in the order in which they were eliminated: in each round rows first.
    pub eliminations: Vec<Elimination>,
}

impl Undominated {
    /// Eliminates dominated actions in rounds: every round removes all actions of both players that
    /// are dominated in the game which the round before has left. `rows` are the row player's
    /// payoffs.
    ///
    /// Which actions are left after strict dominance depends on no order; after weak dominance it
    /// may, and this is the order that removes most at once. Every mixture is checked by the
    /// definition of dominance before it is returned. `watch` hears the share of the eliminated
    /// actions.
    ///
    /// *Complexity.* For every action and round an exact solution of a game of the other actions'
    /// size; for weak dominance mostly one, sometimes several.
    ///
    /// # Errors
    /// [`MatrixError::Shape`] when there is no row, no column, or rows of different lengths;
    /// [`WorkError::Cancelled`].
    ///
    /// ```
    /// use matrix_game::{Action, Dominance, Undominated, unwatched};
    ///
    /// // The third row is worse than the others mixed evenly, and then no column matters.
    /// let game = [[4, 0], [0, 4], [1, 1]].map(|row| row.map(|payoff: i32| num_rational::BigRational::from_integer(payoff.into())));
    /// let found = Undominated::of(&game, Dominance::Strict, &mut unwatched)?;
    /// assert_eq!((found.rows, found.columns), (vec![0, 1], vec![0, 1]));
    /// assert_eq!(found.eliminations[0].action, Action::Row(2));
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn of<R: AsRef<[BigRational]>>(
        rows: &[R],
        dominance: Dominance,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if columns == 0 || rows.iter().any(|row| row.as_ref().len() != columns) {
            return Err(MatrixError::Shape.into());
        }
        let payoffs: Vec<Vec<RBig>> =
            rows.iter().map(|row| row.as_ref().iter().map(rational).collect()).collect();
        let mut left = Self {
            rows: (0..rows.len()).collect(),
            columns: (0..columns).collect(),
            eliminations: Vec::new(),
        };
        for round in 1.. {
            let found = left.round(&payoffs, dominance, round, watch)?;
            if found.is_empty() {
                break;
            }
            let is_out =
                |action: Action| found.iter().any(|elimination| elimination.action == action);
            left.rows.retain(|&row| !is_out(Action::Row(row)));
            left.columns.retain(|&column| !is_out(Action::Column(column)));
            left.eliminations.extend(found);
        }
        Ok(left)
    }

    /// The actions of both players that are dominated among those that are left.
    fn round(
        &self,
        payoffs: &[Vec<RBig>],
        dominance: Dominance,
        round: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Elimination>, Error> {
        let mut found = Vec::new();
        for &row in &self.rows {
            let others: Vec<usize> =
                self.rows.iter().copied().filter(|&other| other != row).collect();
            let gain =
                |other: usize, column: usize| &payoffs[other][column] - &payoffs[row][column];
            if let Some(by) = dominating(&others, &self.columns, gain, dominance, watch)? {
                found.push(Elimination { round, action: Action::Row(row), by });
            }
        }
        for &column in &self.columns {
            let others: Vec<usize> =
                self.columns.iter().copied().filter(|&other| other != column).collect();
            // The column player gains what the row player loses.
            let gain = |other: usize, row: usize| &payoffs[row][column] - &payoffs[row][other];
            if let Some(by) = dominating(&others, &self.rows, gain, dominance, watch)? {
                found.push(Elimination { round, action: Action::Column(column), by });
            }
        }
        Ok(found)
    }
}

/// A mixture of other actions that dominates an action; `gain` tells what each of them gains over
/// it, against every reply.
fn dominating(
    others: &[usize],
    replies: &[usize],
    gain: impl Fn(usize, usize) -> RBig,
    dominance: Dominance,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<(usize, BigRational)>>, Error> {
    let gains: Vec<Vec<RBig>> = others
        .iter()
        .map(|&other| replies.iter().map(|&reply| gain(other, reply)).collect())
        .collect();
    let pure = (0..others.len())
        .map(|index| vec![(index, RBig::ONE)])
        .find(|mixture| dominates(&gains, mixture, dominance));
    let mixture = match (pure, dominance) {
        (Some(pure), _) => Some(pure),
        (None, _) if others.len() < 2 => None,
        (None, Dominance::Strict) => strictly_better(&gains, watch)?,
        (None, Dominance::Weak) => weakly_better(&gains, watch)?,
    };
    let Some(mixture) = mixture else { return Ok(None) };
    if !dominates(&gains, &mixture, dominance) {
        return Err(MatrixError::NotProved.into());
    }
    Ok(Some(
        mixture
            .iter()
            .map(|(index, probability)| (others[*index], big_rational(probability)))
            .collect(),
    ))
}

/// Probabilities of rows, by their places.
type Mixture = Vec<(usize, RBig)>;

/// What a mixture of rows gains against a column.
fn mean(gains: &[Vec<RBig>], mixture: &Mixture, column: usize) -> RBig {
    mixture
        .iter()
        .fold(RBig::ZERO, |sum, (row, probability)| sum + probability * &gains[*row][column])
}

/// Whether a mixture dominates, by the definition.
fn dominates(gains: &[Vec<RBig>], mixture: &Mixture, dominance: Dominance) -> bool {
    let columns = gains.first().map_or(0, Vec::len);
    let whole = mixture.iter().fold(RBig::ZERO, |sum, (_, probability)| sum + probability);
    let is_mixture =
        whole == RBig::ONE && mixture.iter().all(|(_, probability)| *probability > RBig::ZERO);
    let means: Vec<RBig> = (0..columns).map(|column| mean(gains, mixture, column)).collect();
    let is_better = |gain: &RBig| *gain > RBig::ZERO;
    is_mixture
        && match dominance {
            Dominance::Strict => means.iter().all(is_better),
            Dominance::Weak => {
                means.iter().all(|gain| *gain >= RBig::ZERO) && means.iter().any(is_better)
            }
        }
}

/// The value of a game, and an optimal strategy of the row player.
fn solved(rows: &[Vec<RBig>], watch: &mut Watch<'_>) -> Result<(RBig, Mixture), WorkError> {
    let found = solve_fractions(rows, watch).ok_or(WorkError::Cancelled)?;
    Ok((found.value.canonicalize(), found.row.probabilities().collect()))
}

fn strictly_better(
    gains: &[Vec<RBig>],
    watch: &mut Watch<'_>,
) -> Result<Option<Mixture>, WorkError> {
    let (value, mixture) = solved(gains, watch)?;
    Ok(Some(mixture).filter(|_| value > RBig::ZERO))
}

fn weakly_better(gains: &[Vec<RBig>], watch: &mut Watch<'_>) -> Result<Option<Mixture>, WorkError> {
    let sums: Vec<RBig> =
        gains.iter().map(|row| row.iter().fold(RBig::ZERO, |sum, gain| sum + gain)).collect();
    let mut share = RBig::ONE;
    loop {
        let raised =
            |(row, sum): (&Vec<RBig>, &RBig)| row.iter().map(|gain| gain + &share * sum).collect();
        let (value, mixture) =
            solved(&gains.iter().zip(&sums).map(raised).collect::<Vec<_>>(), watch)?;
        if value <= RBig::ZERO {
            // The value is a convex function of ε, and not above 0 at ε = 0.
            return Ok(None);
        }
        let least = (0..gains[0].len())
            .map(|column| mean(gains, &mixture, column))
            .min()
            .unwrap_or(RBig::ZERO);
        if least >= RBig::ZERO {
            return Ok(Some(mixture));
        }
        let sum = mixture
            .iter()
            .fold(RBig::ZERO, |sum, (row, probability)| sum + probability * &sums[*row]);
        share = -least / (sum * RBig::from(2));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::work::unwatched;

    fn fractions(rows: &[Vec<i32>]) -> Vec<Vec<BigRational>> {
        rows.iter()
            .map(|row| row.iter().map(|&payoff| BigRational::from_integer(payoff.into())).collect())
            .collect()
    }

    /// Whether a row of a game with two columns is dominated, by another program: two payoffs are a
    /// point of the plane, and a point that a mixture dominates is dominated by a mixture of two
    /// others. Of shares w and 1 − w of two points, those that are at least as good in a column
    /// form an interval, of which one end, or the middle, does for all.
    fn is_dominated(points: &[Vec<i32>], point: usize, dominance: Dominance) -> bool {
        let target = &points[point];
        let others: Vec<&Vec<i32>> = points
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != point)
            .map(|(_, other)| other)
            .collect();
        let mut shares = vec![(0_i64, 1_i64), (1, 1)];
        for one in &others {
            for other in &others {
                for column in 0..2 {
                    // w·one + (1 − w)·other = target in this column.
                    let (top, bottom) = (
                        i64::from(target[column] - other[column]),
                        i64::from(one[column] - other[column]),
                    );
                    if bottom != 0 && top * bottom >= 0 && top.abs() <= bottom.abs() {
                        shares.push((top.abs(), bottom.abs()));
                    }
                }
            }
        }
        let ends = shares.clone();
        for (a, b) in &ends {
            for (c, d) in &ends {
                shares.push((a * d + c * b, 2 * b * d));
            }
        }
        let dominates = |one: &Vec<i32>, other: &Vec<i32>, (top, bottom): (i64, i64)| {
            let gains = [0, 1].map(|column: usize| {
                let mixed =
                    top * i64::from(one[column]) + (bottom - top) * i64::from(other[column]);
                mixed - bottom * i64::from(target[column])
            });
            match dominance {
                Dominance::Strict => gains.iter().all(|&gain| gain > 0),
                Dominance::Weak => {
                    gains.iter().all(|&gain| gain >= 0) && gains.iter().any(|&gain| gain > 0)
                }
            }
        };
        others.iter().any(|one| {
            others.iter().any(|other| shares.iter().any(|&share| dominates(one, other, share)))
        })
    }

    proptest! {
        #[test]
        fn the_first_round_is_that_of_another_program(points in prop::collection::vec(prop::collection::vec(-4..5, 2), 1..6)) {
            for dominance in [Dominance::Strict, Dominance::Weak] {
                let found = Undominated::of(&fractions(&points), dominance, &mut unwatched).unwrap();
                for row in 0..points.len() {
                    let first = |found: &Elimination| found.round == 1 && found.action == Action::Row(row);
                    let is_out = found.eliminations.iter().any(first);
                    prop_assert_eq!(is_out, is_dominated(&points, row, dominance), "row {} by {:?}", row, dominance);
                }
            }
        }

        /// What is left has the value of the whole game, and what is strictly dominated is weakly
        /// dominated, too.
        #[test]
        fn eliminations_keep_the_value(
            rows in (1..5_usize).prop_flat_map(|columns| prop::collection::vec(prop::collection::vec(-2..3, columns), 1..5)),
        ) {
            let rows = fractions(&rows);
            let value = |rows: &[Vec<BigRational>]| super::super::ExactSolution::new(rows, &mut unwatched).unwrap().value().clone();
            let mut left = [rows.len() + rows[0].len(); 2];
            for (left, dominance) in left.iter_mut().zip([Dominance::Strict, Dominance::Weak]) {
                let found = Undominated::of(&rows, dominance, &mut unwatched).unwrap();
                let part: Vec<Vec<BigRational>> =
                    found.rows.iter().map(|&row| found.columns.iter().map(|&column| rows[row][column].clone()).collect()).collect();
                prop_assert_eq!(value(&part), value(&rows));
                *left = found.rows.len() + found.columns.len();
            }
            prop_assert!(left[1] <= left[0]);
        }
    }

    /// Rounds: the second column is dominated at first, then the first row, and one cell is left.
    #[test]
    fn rounds_follow_each_other() {
        let found = Undominated::of(
            &fractions(&[vec![1, 3, 0], vec![0, 4, 2]]),
            Dominance::Strict,
            &mut unwatched,
        )
        .unwrap();
        let eliminated: Vec<_> =
            found.eliminations.iter().map(|found| (found.round, found.action)).collect();
        assert_eq!(eliminated, [(1, Action::Column(1))]);
        let found = Undominated::of(
            &fractions(&[vec![1, 3], vec![0, 4]]),
            Dominance::Strict,
            &mut unwatched,
        )
        .unwrap();
        let eliminated: Vec<_> =
            found.eliminations.iter().map(|found| (found.round, found.action)).collect();
        assert_eq!(eliminated, [(1, Action::Column(1)), (2, Action::Row(1))]);
        assert_eq!((found.rows, found.columns), (vec![0], vec![0]));
    }

    /// A mixture that dominates weakly alone: even shares of the first rows equal the third in two
    /// columns and beat it in one.
    #[test]
    fn mixtures_dominate_weakly() {
        let rows = fractions(&[vec![2, 0, 1], vec![0, 2, 1], vec![1, 1, 0]]);
        assert!(
            Undominated::of(&rows, Dominance::Strict, &mut unwatched)
                .unwrap()
                .eliminations
                .iter()
                .all(|found| found.action != Action::Row(2))
        );
        let weak = Undominated::of(&rows, Dominance::Weak, &mut unwatched).unwrap();
        let half = BigRational::new(1.into(), 2.into());
        let found = weak.eliminations.iter().find(|found| found.action == Action::Row(2)).unwrap();
        assert_eq!(found.by, [(0, half.clone()), (1, half)]);
    }

    /// The check alone tells a mixture that does not dominate from one that does.
    #[test]
    fn a_false_mixture_is_refused() {
        let gains = vec![vec![RBig::from(1), RBig::from(-1)], vec![RBig::from(-1), RBig::from(2)]];
        let third = RBig::from_parts(1.into(), 3_u8.into());
        let mixture = |first: &RBig| vec![(0, first.clone()), (1, RBig::ONE - first)];
        assert!(!dominates(&gains, &mixture(&third), Dominance::Weak), "-1/3 in the first column");
        assert!(dominates(
            &gains,
            &mixture(&(&third + RBig::from_parts(1.into(), 4_u8.into()))),
            Dominance::Strict
        ));
        assert!(
            !dominates(&gains, &vec![(0, RBig::from(2)), (1, RBig::from(2))], Dominance::Strict),
            "no probabilities"
        );
    }
}

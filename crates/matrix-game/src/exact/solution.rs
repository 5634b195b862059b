//! Exact solutions and what can be asked of them.

use dashu_ratio::RBig;
use num_rational::BigRational;

use super::basic_solution::ExactStrategy;
use super::fraction_matrix::{FractionMatrix, big_rational, rational};
use super::maximum_entropy::most_even;
use super::sensitivity::{PayoffSensitivity, UniqueSolution};
use super::solver::solve_fractions;
use super::uniqueness::{self, Uniqueness};
use super::{is_equilibrium, optimal_set, security_levels};
use crate::basis::Basis;
use crate::error::{Error, MatrixError};
use crate::work::{Stop, Watch, WorkError};
use crate::{Equilibrium, Matrix, Payoffs};

/// The exact solution of a matrix game whose payoffs are fractions: the value and optimal
/// strategies, proved.
///
/// Floating point guesses the support; exact comparisons prove it, or exact pivots lead on from it.
///
/// ```
/// use num_rational::BigRational;
/// use matrix_game::{ExactSolution, Uniqueness, unwatched};
///
/// let game = [[3, -1], [-2, 1]].map(|row| row.map(|payoff: i32| BigRational::from_integer(payoff.into())).to_vec());
/// let solution = ExactSolution::new(&game, &mut unwatched)?;
/// assert_eq!(solution.value().to_string(), "1/7");
/// assert_eq!(solution.row_strategy().map(ToString::to_string).collect::<Vec<_>>(), ["3/7", "4/7"]);
/// assert_eq!(solution.uniqueness(&mut unwatched)?, [Uniqueness::Unique; 2]);
/// # Ok::<(), matrix_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExactSolution {
    rows: Vec<Vec<RBig>>,
    basis: Basis,
    value: BigRational,
    row: Vec<BigRational>,
    column: Vec<BigRational>,
}

impl ExactSolution {
    /// Solves the game with these rows. `watch` hears of the guess's progress, and may cancel at
    /// any time.
    ///
    /// # Errors
    /// [`MatrixError::Shape`] when there is no row, no column, or rows of different lengths;
    /// [`WorkError::Cancelled`].
    pub fn new<R: AsRef<[BigRational]>>(rows: &[R], watch: &mut Watch<'_>) -> Result<Self, Error> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if columns == 0 || rows.iter().any(|row| row.as_ref().len() != columns) {
            return Err(MatrixError::Shape.into());
        }
        let rows: Vec<Vec<RBig>> =
            rows.iter().map(|row| row.as_ref().iter().map(rational).collect()).collect();
        let found = solve_fractions(&rows, watch).ok_or(WorkError::Cancelled)?;
        if !is_equilibrium(&rows, &found) {
            return Err(MatrixError::NotProved.into());
        }
        let value = big_rational(&found.value.canonicalize());
        let strategy = |support: &ExactStrategy, length: usize| {
            let mut strategy = vec![BigRational::default(); length];
            for (index, probability) in support.probabilities() {
                strategy[index] = big_rational(&probability);
            }
            strategy
        };
        let (row, column) = (strategy(&found.row, rows.len()), strategy(&found.column, columns));
        Ok(Self { rows, basis: found.basis, value, row, column })
    }

    pub const fn value(&self) -> &BigRational {
        &self.value
    }

    pub fn row_strategy(&self) -> impl ExactSizeIterator<Item = &BigRational> {
        self.row.iter()
    }

    pub fn column_strategy(&self) -> impl ExactSizeIterator<Item = &BigRational> {
        self.column.iter()
    }

    /// All optimal strategies, the row player's and then the column player's: the extreme points of
    /// the optimal sets, in lexicographic order. The optimal strategies are the mixtures of these
    /// and no others.
    ///
    /// A game may have exponentially many of them; where more than `most` arise for a player, also
    /// on the way, the answer is an error.
    ///
    /// *Complexity.* O(`most`² · (rows + columns)) for each action of the opponent, by the double
    /// description method (Motzkin, Raiffa, Thompson and Thrall 1953), and once more that factor
    /// for telling which rays are adjacent.
    ///
    /// # Errors
    /// [`MatrixError::ManyStrategies`].
    ///
    /// ```
    /// use matrix_game::{ExactSolution, unwatched};
    ///
    /// // The second and the third row are the same.
    /// let game = [[2, -1], [-1, 1], [-1, 1]].map(|row| row.map(|payoff: i32| num_rational::BigRational::from_integer(payoff.into())));
    /// let [rows, columns] = ExactSolution::new(&game, &mut unwatched)?.optimal_strategies(100)?;
    /// assert_eq!((rows.len(), columns.len()), (2, 1));
    /// assert_eq!(rows[0].iter().map(ToString::to_string).collect::<Vec<_>>(), ["2/5", "0", "3/5"]);
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn optimal_strategies(
        &self,
        most: usize,
    ) -> Result<[Vec<Vec<BigRational>>; 2], MatrixError> {
        Ok(self.extreme_points(most)?.map(|points| {
            points.iter().map(|point| point.iter().map(big_rational).collect()).collect()
        }))
    }

    /// As [`optimal_strategies`](Self::optimal_strategies).
    fn extreme_points(&self, most: usize) -> Result<[Vec<Vec<RBig>>; 2], MatrixError> {
        let value = rational(&self.value);
        let columns = self.column.len();
        let transposed: Vec<Vec<RBig>> = (0..columns)
            .map(|column| self.rows.iter().map(|row| -&row[column]).collect())
            .collect();
        let many = || MatrixError::ManyStrategies { most };
        let of_rows = optimal_set::extreme_points(&self.rows, &value, most).ok_or_else(many)?;
        let of_columns =
            optimal_set::extreme_points(&transposed, &-&value, most).ok_or_else(many)?;
        Ok([of_rows, of_columns])
    }

    /// Of all optimal strategies the most even one, that of maximum entropy, the row player's and
    /// then the column player's; by the [optimal strategies](Self::optimal_strategies), with the
    /// same limit and errors.
    ///
    /// Each is exactly a mixture of those, and so exactly optimal; the weights are found in
    /// doubles, the entropy is the largest to some 1e-13.
    ///
    /// ```
    /// use matrix_game::{ExactSolution, unwatched};
    ///
    /// // The second and the third row are the same.
    /// let game = [[2, -1], [-1, 1], [-1, 1]].map(|row| row.map(|payoff: i32| num_rational::BigRational::from_integer(payoff.into())));
    /// let [row, _] = ExactSolution::new(&game, &mut unwatched)?.maximum_entropy(100)?;
    /// assert_eq!(row.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2/5", "3/10", "3/10"]);
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn maximum_entropy(&self, most: usize) -> Result<[Vec<BigRational>; 2], MatrixError> {
        Ok(self
            .extreme_points(most)?
            .map(|points| most_even(&points).iter().map(big_rational).collect()))
    }

    /// How the value depends on each payoff, row by row: its derivative, and how far the payoff may
    /// change until the players mix other actions. `None` unless both players have one optimal
    /// strategy: else the value may have a kink.
    ///
    /// *Complexity.* O(k²·(rows + columns)) operations on fractions for supports of k actions.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    ///
    /// ```
    /// use matrix_game::{ExactSolution, unwatched};
    ///
    /// let game = [[3, -1], [-2, 1]].map(|row| row.map(|payoff: i32| num_rational::BigRational::from_integer(payoff.into())));
    /// let solution = ExactSolution::new(&game, &mut unwatched)?;
    /// let changes = solution.sensitivity(&mut |_| std::ops::ControlFlow::Continue(()))?.expect("one optimal strategy each");
    /// assert_eq!(changes[0][0].derivative.to_string(), "6/49");
    /// assert_eq!(changes[0][0].may_fall.as_ref().map(ToString::to_string).as_deref(), Some("4"));
    /// assert_eq!(changes[0][0].may_rise, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sensitivity(
        &self,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<PayoffSensitivity>>>, WorkError> {
        if self.uniqueness(watch)? != [Uniqueness::Unique; 2] {
            return Ok(None);
        }
        let [row, column] = [&self.row, &self.column]
            .map(|strategy| strategy.iter().map(rational).collect::<Vec<RBig>>());
        let value = rational(&self.value);
        UniqueSolution { rows: &self.rows, value: &value, row: &row, column: &column }
            .sensitivity(watch)
            .map(Some)
    }

    /// Whether the row player's and the column player's optimal strategy is the only one:
    /// [`Uniqueness::Unknown`] only after thousands of exact pivots.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub fn uniqueness(&self, watch: &mut Watch<'_>) -> Result<[Uniqueness; 2], WorkError> {
        let stop = Stop::new(watch);
        let game = FractionMatrix { rows: &self.rows, stop: &|| stop.is_asked() };
        let decided = uniqueness::decide(&game, &self.basis).unwrap_or([Uniqueness::Unknown; 2]);
        if stop.is_asked() { Err(WorkError::Cancelled) } else { Ok(decided) }
    }
}

impl Equilibrium {
    /// Bounds of the value of `game`: the security levels of both strategies, without rounding.
    ///
    /// Every double is taken as a fraction, and the probabilities as parts of their sum. For any
    /// strategies the value lies between the two fractions, for
    /// [`Simplex::solve`](super::super::Simplex::solve) some 1e-16 of the largest payoff apart.
    /// `None` where `game` has other numbers of rows and columns than the one that was solved.
    ///
    /// *Complexity.* O(support · (rows + columns)) products of big integers.
    ///
    /// ```
    /// use matrix_game::{Matrix, Simplex};
    ///
    /// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
    /// let equilibrium = Simplex::new().solve(&game);
    /// let [lower, upper] = equilibrium.proved_bounds(&game).expect("its own game");
    /// let seventh = num_rational::BigRational::new(1.into(), 7.into());
    /// assert!(lower <= seventh && seventh <= upper);
    /// assert!(equilibrium.proved_bounds(&Matrix::from_rows(&[[3.0]])?).is_none());
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn proved_bounds(&self, game: &Matrix) -> Option<[BigRational; 2]> {
        let is_solved_size = game.rows() == self.row_strategy().len()
            && game.columns() == self.column_strategy().len();
        is_solved_size
            .then(|| security_levels::in_doubles(game, self.row_strategy(), self.column_strategy()))
    }
}

impl Matrix {
    /// The security levels of two strategies, without rounding: the row strategy secures at least
    /// the first, and the column strategy concedes at most the second, each as parts of the sum of
    /// its probabilities. The value lies between them, wherever the strategies are from. `None`
    /// where one has another length than the matrix, a probability that is negative or not finite,
    /// or none above 0.
    ///
    /// ```
    /// use matrix_game::Matrix;
    ///
    /// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
    /// let [lower, upper] = game.security_levels(&[0.5, 0.5], &[0.25, 0.75]).expect("two strategies");
    /// assert_eq!([lower.to_string(), upper.to_string()], ["0", "1/4"]);
    /// assert!(game.security_levels(&[0.5, -0.5], &[0.25, 0.75]).is_none());
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn security_levels(&self, row: &[f64], column: &[f64]) -> Option<[BigRational; 2]> {
        let is_strategy = |strategy: &[f64], choices: usize| {
            let are_shares = strategy.iter().all(|share| share.is_finite() && *share >= 0.0);
            strategy.len() == choices && are_shares && strategy.iter().any(|&share| share > 0.0)
        };
        let are_strategies = is_strategy(row, self.rows()) && is_strategy(column, self.columns());
        are_strategies.then(|| security_levels::in_doubles(self, row, column))
    }
}

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_rational::BigRational;

use super::fraction::{big_rational, integers};
use crate::matrix_game::{Equilibrium, Matrix, Payoffs};

impl Equilibrium {
    /// Bounds of the value of `game`: the security levels of both strategies, without rounding.
    ///
    /// Every double is taken as a fraction, and the probabilities as parts of their sum. For any strategies the value lies
    /// between the two fractions, for [`Simplex::solve`](super::super::Simplex::solve) some 1e-16 of the largest payoff apart.
    ///
    /// *Complexity.* O(support · (rows + columns)) products of big integers.
    ///
    /// # Panics
    /// When `game` has other numbers of rows and columns than the one that was solved.
    ///
    /// ```
    /// use pencil_tennis::matrix_game::{Matrix, Simplex};
    ///
    /// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
    /// let [lower, upper] = Simplex::new().solve(&game).proved_bounds(&game);
    /// let seventh = num_rational::BigRational::new(1.into(), 7.into());
    /// assert!(lower <= seventh && seventh <= upper);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn proved_bounds(&self, game: &Matrix) -> [BigRational; 2] {
        assert_eq!([game.rows(), game.columns()], [self.row_strategy().len(), self.column_strategy().len()]);
        let rows = game.to_rows();
        // A matrix has finite entries, and strategies are finite.
        let (entries, unit) = integers(rows.iter().flatten()).unwrap_or_default();
        let entry = |row: usize, column: usize| &entries[row * game.columns() + column];
        let level = |strategy: &[f64], replies: usize, payoff: &dyn Fn(usize, usize) -> IBig| {
            let (weights, _) = integers(strategy.iter()).unwrap_or_default();
            let whole: IBig = weights.iter().sum();
            let support: Vec<(usize, &IBig)> = weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()).collect();
            let expectation = |reply| support.iter().map(|&(own, weight)| weight * payoff(own, reply)).sum::<IBig>();
            let least = (0..replies).map(expectation).min().unwrap_or_default();
            (least, UBig::try_from(whole).unwrap_or(UBig::ONE))
        };
        let lower = level(self.row_strategy(), game.columns(), &|row, column| entry(row, column).clone());
        let (least, whole) = level(self.column_strategy(), game.rows(), &|column, row| -entry(row, column));
        [lower, (-least, whole)].map(|(numerator, denominator)| {
            let shift = unit.unsigned_abs() as usize;
            big_rational(&if unit < 0 {
                RBig::from_parts(numerator, denominator << shift)
            } else {
                RBig::from_parts(numerator << shift, denominator)
            })
        })
    }
}

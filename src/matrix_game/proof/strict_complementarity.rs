//! The proof, from bounds alone, that a pair of strategies belongs to a basis which is optimal and nowhere degenerate.

use crate::bounds::Bounds;
use crate::matrix_game::basis::{Basis, EqualiserSystem};
use crate::matrix_game::dense::power_of_two_scale;
use crate::matrix_game::tolerances::SUM_ROUNDING;
use crate::matrix_game::{EnclosedPayoffs, Matrix, Payoffs};

/// A mixed strategy in integer weights: indices, rising, and weights that sum to 2⁶².
pub(crate) type Weighted<'s> = (&'s [usize], &'s [u64]);

/// The lower bound and the upper one.
const SIDES: [bool; 2] = [false, true];

/// The relative error of one operation.
const EPSILON: f64 = f64::EPSILON;

/// Whether it is proved that both players have one optimal strategy alone, with exactly the supports of the given ones.
///
/// Payoffs are within ±2⁶¹.
///
/// The equaliser system of the supports is inverted in floating point. How far the inverse is from one bounds how far the given
/// weights are from the true equalisers, for every matrix within the bounds (Krawczyk 1969; Rump 2010 surveys such proofs). If
/// all probabilities stay positive and every other choice stays worse, the basis is optimal and strictly complementary, and an
/// equaliser of a regular system is unique. O(size³ + rows · columns).
pub(crate) fn proves_strict_complementarity(game: &EnclosedPayoffs<impl Payoffs<i64>>, [row, column]: [Weighted<'_>; 2]) -> bool {
    let size = row.0.len();
    if column.0.len() != size {
        return false;
    }
    // Payoffs as distances from one of them, so that those which nearly agree keep their digits.
    let centre = game.bounds(row.0[0], column.0[0]).lower;
    let largest = |Bounds { lower, upper }: Bounds| (lower - centre).unsigned_abs().max((upper - centre).unsigned_abs());
    let in_columns = (0..game.rows()).flat_map(|i| column.0.iter().map(move |&j| (i, j)));
    let in_rows = row.0.iter().flat_map(|&i| (0..game.columns()).map(move |j| (i, j)));
    let range = in_columns.chain(in_rows).map(|(i, j)| largest(game.bounds(i, j))).max().unwrap_or(0);
    let unit = power_of_two_scale(range as f64);
    let mut doubt = 0.0_f64;
    let mut block = Vec::with_capacity(size);
    for &i in row.0 {
        let mut line = Vec::with_capacity(size);
        for &j in column.0 {
            let bounds = game.bounds(i, j);
            let entry = (bounds.lower - centre) as f64 * unit;
            // Conversion errs by half a unit in the last place; the width is added whole.
            doubt = doubt.max((bounds.upper - bounds.lower) as f64 * unit + entry.abs() * EPSILON);
            line.push(entry);
        }
        block.push(line);
    }
    let Some(inverse) = Inverse::of(&block, doubt) else { return false };
    // Sums of weights and entries in units: at most 2^62 · 2^62.
    let expectation = |strategy: Weighted<'_>, entry: &dyn Fn(usize) -> i64| -> i128 {
        strategy.0.iter().zip(strategy.1).map(|(&own, &weight)| i128::from(weight) * i128::from(entry(own) - centre)).sum()
    };
    let scale = unit * (-62.0_f64).exp2();
    let columns: Vec<[i128; 2]> =
        (0..game.columns()).map(|j| SIDES.map(|upper| expectation(row, &|i| game.bounds(i, j).side(upper)))).collect();
    let rows: Vec<[i128; 2]> =
        (0..game.rows()).map(|i| SIDES.map(|upper| expectation(column, &|j| game.bounds(i, j).side(upper)))).collect();
    // The column player's numbers solve the system itself, the row player's the transposed one. Rows outside must earn less than
    // the value, columns cost more.
    is_strictly_complementary(&inverse, false, column, (row.0, &rows, false), scale)
        && is_strictly_complementary(&inverse, true, row, (column.0, &columns, true), scale)
}

/// Whether a strategy's true equaliser has positive probabilities only, and all replies outside the basis are worse than those
/// inside.
///
/// `tight` are the replies of the basis, `expectations` bounds of what each reply yields, and more is worse for the replying
/// player if `reversed`.
fn is_strictly_complementary(
    inverse: &Inverse,
    transposed: bool,
    strategy: Weighted<'_>,
    (tight, expectations, reversed): (&[usize], &[[i128; 2]], bool),
    scale: f64,
) -> bool {
    let value = expectations[tight[0]][0];
    let residuals: Vec<f64> = tight
        .iter()
        .map(|&reply| expectations[reply].map(|end| (end - value).unsigned_abs()).into_iter().max().unwrap_or(0) as f64 * scale)
        .collect();
    let errors = inverse.errors(transposed, &residuals);
    let positive =
        strategy.1.iter().zip(&errors).all(|(&weight, &error)| weight as f64 * (-62.0_f64).exp2() > error * (1.0 + SUM_ROUNDING));
    // Entries are within ±2 by the choice of the unit.
    let tolerance = (2.0 * errors.iter().take(strategy.1.len()).sum::<f64>() + errors[strategy.1.len()]) * (1.0 + SUM_ROUNDING);
    let worse = |reply: usize, [low, high]: [i128; 2]| {
        let ahead = if reversed { low - value } else { value - high };
        tight.binary_search(&reply).is_ok() || ahead as f64 * scale * (1.0 - SUM_ROUNDING) > tolerance
    };
    positive && expectations.iter().enumerate().all(|(reply, &bounds)| worse(reply, bounds))
}

/// An approximate inverse of `[A −1; 1ᵀ 0]`, and how good it is for all matrices within the doubt.
struct Inverse {
    order: usize,
    /// Absolute values, row by row.
    magnitudes: Vec<f64>,
    /// Bounds of the norms of `I − K·M` (largest row sum) and, for the transposed system, of `I − M·K` (largest column sum).
    defects: [f64; 2],
}

impl Inverse {
    /// `None` when the system is singular or nearly so.
    fn of(block: &[Vec<f64>], doubt: f64) -> Option<Self> {
        let size = block.len();
        let order = size + 1;
        let matrix = Matrix::from_rows(block).ok()?;
        let all: Vec<usize> = (0..size).collect();
        let mut equaliser = EqualiserSystem::default();
        if !equaliser.factorise(&matrix, &Basis { rows: all.clone(), columns: all }) {
            return None;
        }
        let mut inverse = vec![0.0; order * order];
        let (mut unit, mut scratch) = (Vec::new(), Vec::new());
        for column in 0..order {
            unit.clear();
            unit.resize(order, 0.0);
            unit[column] = 1.0;
            equaliser.solve(&mut unit, &mut scratch);
            for (row, &entry) in unit.iter().enumerate() {
                inverse[row * order + column] = entry;
            }
        }
        let bordered = |row: usize, column: usize| match (row == size, column == size) {
            (false, false) => block[row][column],
            (false, true) => -1.0,
            (true, false) => 1.0,
            (true, true) => 0.0,
        };
        let system: Vec<f64> = (0..order * order).map(|place| bordered(place / order, place % order)).collect();
        let defects = [defect(order, &inverse, &system, doubt, false), defect(order, &system, &inverse, doubt, true)];
        let magnitudes: Vec<f64> = inverse.iter().map(|entry| entry.abs()).collect();
        defects.iter().all(|&defect| defect < 0.5).then_some(Self { order, magnitudes, defects })
    }

    /// Bounds of the distance of the true solution from one whose residuals, but for the last, which is 0, have these magnitudes.
    ///
    /// The transposed system with its border's signs, `[Aᵀ −1; 1ᵀ 0]`, has the transposed inverse up to signs.
    fn errors(&self, transposed: bool, residuals: &[f64]) -> Vec<f64> {
        let order = self.order;
        let magnitude =
            |row: usize, column: usize| self.magnitudes[if transposed { column * order + row } else { row * order + column }];
        let direct: Vec<f64> =
            (0..order).map(|row| residuals.iter().enumerate().map(|(k, residual)| magnitude(row, k) * residual).sum()).collect();
        let largest = direct.iter().copied().fold(0.0, f64::max);
        let defect = self.defects[usize::from(transposed)];
        direct.iter().map(|error| (error + defect / (1.0 - defect) * largest) * (1.0 + SUM_ROUNDING)).collect()
    }
}

/// A bound of the norm of `I − left·right`, of row sums or, transposed, of column sums. One of the two is the system, whose block
/// is in doubt.
fn defect(order: usize, left: &[f64], right: &[f64], doubt: f64, transposed: bool) -> f64 {
    let mut sums = vec![0.0; order];
    // Of a sum of n products, each operation errs by a share of the sum of magnitudes.
    let rounding = 2.0 * (order as f64 + 2.0) * EPSILON;
    for row in 0..order {
        for column in 0..order {
            let (mut sum, mut magnitudes, mut inverse) = (0.0, 1.0, 0.0);
            for k in 0..order {
                let (l, r) = (left[row * order + k], right[k * order + column]);
                sum += l * r;
                magnitudes += (l * r).abs();
                inverse += if transposed { r.abs() } else { l.abs() };
            }
            let identity = if row == column { 1.0 } else { 0.0 };
            sums[if transposed { column } else { row }] +=
                f64::abs(identity - sum) + rounding * magnitudes + doubt * inverse * (1.0 + SUM_ROUNDING);
        }
    }
    sums.into_iter().fold(0.0, f64::max) * (1.0 + SUM_ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Payoffs in whole units of 2^50, known to within `doubt`, for one player or, turned, for the other.
    struct Units<'m>(&'m [&'m [i64]], i64, bool);

    impl Payoffs<i64> for Units<'_> {
        fn rows(&self) -> usize {
            if self.2 { self.0[0].len() } else { self.0.len() }
        }
        fn columns(&self) -> usize {
            if self.2 { self.0.len() } else { self.0[0].len() }
        }
        fn entry(&self, row: usize, column: usize) -> i64 {
            if self.2 { -(self.0[column][row] << 50) - self.1 } else { (self.0[row][column] << 50) - self.1 }
        }
    }

    const HALF: u64 = 1 << 61;

    fn proved(matrix: &[&[i64]], doubt: i64, strategies: [Weighted<'_>; 2]) -> bool {
        let [row, column] = [false, true].map(|turned| Units(matrix, doubt, turned));
        proves_strict_complementarity(&EnclosedPayoffs { row, column }, strategies)
    }

    #[test]
    fn only_strict_equilibria_are_proved() {
        let even: Weighted<'_> = (&[0, 1], &[HALF, HALF]);
        let pennies: &[&[i64]] = &[&[1, -1], &[-1, 1]];
        assert!(proved(pennies, 3, [even, even]));
        assert!(!proved(pennies, 1 << 51, [even, even]), "a saddle point is possible");
        assert!(!proved(pennies, 3, [even, (&[0, 1], &[HALF + HALF / 2, HALF / 2])]), "these weights equalise nothing");
        let idle: &[&[i64]] = &[&[1, -1, 2], &[-1, 1, 2]];
        assert!(proved(idle, 3, [even, even]));
        let tied: &[&[i64]] = &[&[1, -1, 1], &[-1, 1, -1]];
        assert!(!proved(tied, 0, [even, even]), "a third column does as well");
        let pure: Weighted<'_> = (&[0], &[2 * HALF]);
        assert!(proved(&[&[0, 1], &[-1, 5]], 3, [pure, pure]));
        assert!(!proved(&[&[0, 0], &[-1, 5]], 0, [pure, pure]), "both columns hold the value");
        assert!(!proved(&[&[3, 1], &[-1, 5]], 0, [pure, pure]), "no saddle point");
        let singular: &[&[i64]] = &[&[1, 1], &[1, 1]];
        assert!(!proved(singular, 0, [even, even]));
    }

    #[test]
    fn small_probabilities_need_small_doubt() {
        // The row player plays the first row with probability 1/1001.
        let matrix: &[&[i64]] = &[&[1000, 0], &[0, 1]];
        let whole = u128::from(2 * HALF);
        let rare = (whole / 1001) as u64;
        let strategy: Weighted<'_> = (&[0, 1], &[rare, 2 * HALF - rare]);
        assert!(proved(matrix, 1, [strategy, strategy]));
        assert!(!proved(matrix, 1 << 50, [strategy, strategy]));
    }
}

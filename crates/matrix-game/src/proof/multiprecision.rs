//! Refinement and proof in big integers.

use dashu_base::{BitTest, Signed};
use dashu_int::IBig;

use super::dyadic_strategy::{complete, weights_of};
use crate::basis::{Basis, BasisFactorisation};
use crate::bounds::Rounding;
use crate::{DyadicStrategy, Payoffs, StrategyPair};

/// A matrix game in big integers, as its row player sees it; the matrix holds indices into a list
/// of numbers.
pub struct MultiprecisionGame<'a, P> {
    pub indices: P,
    pub numbers: &'a LongNumbers,
    /// The value of the state itself, where the first choices of both repeat it: overrides the
    /// list's number.
    pub repeated: Option<IBig>,
}

/// Big integers, with their leading bits as doubles to search with.
pub struct LongNumbers {
    numbers: Vec<IBig>,
    leading: Vec<f64>,
    largest: f64,
    /// The bits that the doubles leave out.
    left_out: usize,
}

impl LongNumbers {
    pub fn new(numbers: Vec<IBig>, left_out: usize) -> Self {
        let leading: Vec<f64> =
            numbers.iter().map(|number| leading_bits(number, left_out)).collect();
        let largest = leading.iter().copied().map(f64::abs).fold(0.0, f64::max);
        Self { numbers, leading, largest, left_out }
    }

    pub fn get(&self, index: usize) -> &IBig {
        &self.numbers[index]
    }

    pub fn set(&mut self, index: usize, number: IBig) {
        self.leading[index] = leading_bits(&number, self.left_out);
        self.largest = self.largest.max(self.leading[index].abs());
        self.numbers[index] = number;
    }
}

fn leading_bits(number: &IBig, left_out: usize) -> f64 {
    (number >> left_out).to_f64().value()
}

/// The precision of a pass in bits: payoffs are multiples of 2^−`payoffs`, probabilities of
/// 2^−`weights`. The factorised payoffs were divided by 2^`scale`.
#[derive(Clone, Copy, Debug)]
pub struct Precision {
    pub payoffs: usize,
    pub weights: usize,
    pub scale: i64,
}

/// A mixed strategy in big integers that sum to 2^`weights`.
pub type MultiprecisionStrategy = Vec<(usize, IBig)>;

/// Refinement ends when a correction removes fewer bits of the residual.
const LEAST_GAIN: usize = 4;

impl<P: Payoffs<u32>> MultiprecisionGame<'_, P> {
    fn entry(&self, row: usize, column: usize) -> &IBig {
        match &self.repeated {
            Some(repeated) if row + column == 0 => repeated,
            _ => self.numbers.get(self.indices.entry(row, column) as usize),
        }
    }

    pub fn secures(&self, strategy: &MultiprecisionStrategy, precision: Precision) -> IBig {
        if let [(row, _)] = strategy[..] {
            return (0..self.indices.columns())
                .map(|column| self.entry(row, column))
                .min()
                .cloned()
                .unwrap_or_default();
        }
        let columns = self.possibly_least(strategy, 0, precision);
        let least = columns.map(|column| self.expectation(strategy, column)).min();
        Rounding::Down.shift(least.unwrap_or_default(), precision.weights)
    }

    /// The security level of a strategy that is repeated until the state is left; an infinite play
    /// pays `endless`.
    ///
    /// Against the first column, chosen for ever, it is the mean payoff of the other rows.
    pub fn secures_until_left(
        &self,
        strategy: &MultiprecisionStrategy,
        endless: &IBig,
        precision: Precision,
    ) -> IBig {
        let leaving = strategy.iter().filter(|(row, _)| *row > 0);
        let (leaves, payoff) =
            leaving.fold((IBig::ZERO, IBig::ZERO), |(leaves, payoff), (row, weight)| {
                (leaves + weight, payoff + weight * self.entry(*row, 0))
            });
        let first = if leaves.is_zero() {
            endless.clone()
        } else {
            Rounding::Down.quotient(payoff, leaves)
        };
        let others = self.possibly_least(strategy, 1, precision);
        let least = others.map(|column| self.expectation(strategy, column)).min();
        least.map_or(first.clone(), |least| {
            first.min(Rounding::Down.shift(least, precision.weights))
        })
    }

    /// The strategy that makes the first choice with all weights but one, and with that one the
    /// choice that wins most against the first column. Repeated until the state is left, it secures
    /// a value that is approached and not attained, but for a unit.
    pub fn leaving_rarely(&self, precision: Precision) -> MultiprecisionStrategy {
        let whole = IBig::ONE << precision.weights;
        match (1..self.indices.rows()).max_by_key(|&row| self.entry(row, 0)) {
            Some(best) => vec![(0, whole - IBig::ONE), (best, IBig::ONE)],
            None => vec![(0, whole)],
        }
    }

    pub fn expectation(&self, strategy: &MultiprecisionStrategy, column: usize) -> IBig {
        strategy.iter().map(|(row, weight)| weight * self.entry(*row, column)).sum()
    }

    /// The columns from `first` on that doubles cannot tell from the least: those of the basis, and
    /// few others.
    fn possibly_least(
        &self,
        strategy: &MultiprecisionStrategy,
        first: usize,
        precision: Precision,
    ) -> impl Iterator<Item = usize> {
        let LongNumbers { leading, largest, .. } = self.numbers;
        let weight_bits = DyadicStrategy::WHOLE_BITS as usize;
        let mut estimates = vec![0.0; self.indices.columns()];
        for (row, weight) in strategy {
            let factor = leading_bits(weight, precision.weights.saturating_sub(weight_bits));
            let mut sums = estimates.iter_mut();
            self.indices.walk_row(*row, |run| {
                for (&index, sum) in run.iter().zip(&mut sums) {
                    *sum += factor * leading[index as usize];
                }
            });
        }
        // A payoff is a unit more at most than its leading bits. These are rounded once, and so are
        // weight and product, and the sum once a row; each weight is cut off, by much less. Each
        // takes 2⁻⁵³ of the whole times the largest payoff at most, and five more cover the squares
        // of these errors and the roundings of this line and the next.
        let whole = (precision.weights.min(weight_bits) as f64).exp2();
        let error = whole
            * ((2 * strategy.len() + 8) as f64 * (f64::EPSILON / 2.0) * (largest + 1.0) + 1.0);
        let limit =
            estimates.iter().skip(first).copied().fold(f64::INFINITY, f64::min) + 2.0 * error;
        estimates
            .into_iter()
            .enumerate()
            .skip(first)
            .filter(move |&(_, estimate)| estimate <= limit)
            .map(|(column, _)| column)
    }

    /// The row player's equaliser on a basis, by iterative refinement: a floating-point
    /// factorisation turns the leading bits of the exact residual into the next bits of the
    /// strategy (Gleixner, Steffy and Wolter 2016).
    fn equalise(
        &self,
        rows: &[usize],
        columns: &[usize],
        start: &[(usize, f64)],
        precision: Precision,
        mut correct: impl FnMut(&mut [f64]),
    ) -> MultiprecisionStrategy {
        let Precision { payoffs: payoff_bits, weights: weight_bits, scale } = precision;
        let mut first = Vec::new();
        weights_of(rows, start, &mut first);
        let more = weight_bits - DyadicStrategy::WHOLE_BITS as usize;
        let mut weights: Vec<IBig> =
            first.iter().map(|&weight| IBig::from(weight) << more).collect();
        // Products of one word with a long number, shifted together: the zeros of a shifted word
        // would be multiplied, too.
        let sum_of_products = |factors: &[i64], column: usize| -> IBig {
            rows.iter().zip(factors).map(|(&row, &factor)| self.entry(row, column) * factor).sum()
        };
        // Σ w_i a_ij − (the same for the first column), in units of 2^−(weight_bits + payoff_bits);
        // an equaliser makes it 0.
        let mut residuals: Vec<IBig> =
            columns.iter().map(|&column| sum_of_products(&first, column) << more).collect();
        make_relative(&mut residuals);
        let mut last_size = usize::MAX;
        loop {
            let size = residuals.iter().map(BitTest::bit_len).max().unwrap_or(0);
            if size + LEAST_GAIN > last_size || size <= payoff_bits {
                break;
            }
            last_size = size;
            // The leading 60 bits decide the next correction.
            let shift = size.saturating_sub(60);
            let leading = |residual: &IBig| i64::try_from(residual >> shift).unwrap_or(0) as f64;
            let mut correction: Vec<f64> = residuals.iter().map(leading).collect();
            correction.push(0.0);
            correct(&mut correction);
            correction.pop();
            let Some((steps, down)) =
                whole_steps(&correction, shift as i64 - payoff_bits as i64 - scale)
            else {
                break;
            };
            for (weight, &step) in weights.iter_mut().zip(&steps) {
                *weight += IBig::from(step) << down;
            }
            for (residual, &column) in residuals.iter_mut().zip(columns) {
                *residual += sum_of_products(&steps, column) << down;
            }
            make_relative(&mut residuals);
        }
        distribution(rows, weights, weight_bits)
    }
}

/// Both players' equalisers on a factorised basis.
pub fn equalise<P: Payoffs<u32>, Q: Payoffs<u32>>(
    basis: &Basis,
    factorisation: &mut BasisFactorisation,
    pair: &StrategyPair,
    row_game: &MultiprecisionGame<'_, P>,
    column_game: &MultiprecisionGame<'_, Q>,
    precision: Precision,
) -> [MultiprecisionStrategy; 2] {
    let row = row_game.equalise(&basis.rows, &basis.columns, &pair.row, precision, |residuals| {
        for residual in residuals.iter_mut() {
            *residual = -*residual;
        }
        factorisation.solve_transposed(residuals);
    });
    // The column player's payoffs are the negative of the matrix that was factorised.
    let column =
        column_game.equalise(&basis.columns, &basis.rows, &pair.column, precision, |residuals| {
            factorisation.solve(residuals);
        });
    [row, column]
}

pub fn from_probabilities(
    strategy: &[(usize, f64)],
    precision: Precision,
) -> MultiprecisionStrategy {
    let mut rounded = DyadicStrategy::default();
    rounded.approximate(strategy);
    let more = precision.weights - DyadicStrategy::WHOLE_BITS as usize;
    rounded
        .support()
        .iter()
        .map(|&(row, weight)| (row as usize, IBig::from(weight) << more))
        .collect()
}

/// Drops weights that are not positive and completes the rest.
fn distribution(rows: &[usize], weights: Vec<IBig>, weight_bits: usize) -> MultiprecisionStrategy {
    let positive = rows.iter().copied().zip(weights).filter(|(_, weight)| weight.is_positive());
    let (rows, mut weights): (Vec<usize>, Vec<IBig>) = positive.unzip();
    complete(&mut weights, IBig::ONE << weight_bits);
    rows.into_iter().zip(weights).collect()
}

fn make_relative(residuals: &mut [IBig]) {
    let reference = residuals[0].clone();
    for residual in residuals {
        *residual -= &reference;
    }
}

/// Corrections times 2^exponent as integers of 53 leading bits that sum to 0, with the power of two
/// to multiply them by; `None` when all are below a unit.
fn whole_steps(correction: &[f64], exponent: i64) -> Option<(Vec<i64>, usize)> {
    let largest = correction.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
    if !(largest.is_finite() && largest > 0.0) {
        return None;
    }
    // Scaled so that the largest has some 52 bits; scaling by powers of two is exact.
    let lift = 52 - largest.log2().floor() as i64;
    let down = exponent - lift;
    let lift = if down < 0 { lift + down } else { lift };
    let mut steps: Vec<i64> =
        correction.iter().map(|step| (step * (lift as f64).exp2()).round() as i64).collect();
    if steps.iter().all(|&step| step == 0) {
        return None;
    }
    let sum: i64 = steps.iter().sum();
    if let Some(largest) = steps.iter_mut().max_by_key(|step| step.abs()) {
        *largest -= sum;
    }
    Some((steps, down.max(0) as usize))
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::ByEntry;
    use crate::sequence::sequence;

    const PRECISION: Precision = Precision { payoffs: 0, weights: 5, scale: 0 };

    /// Against every column the mean payoff of the rows from `first` on, in fractions.
    fn means(numbers: &LongNumbers, weights: [i64; 3], first: usize) -> [RBig; 4] {
        let whole: i64 = weights[first..].iter().sum();
        [0, 1, 2, 3].map(|column| {
            let sum =
                (first..3).map(|row| numbers.get(row * 4 + column) * weights[row]).sum::<IBig>();
            RBig::from(sum) / RBig::from(whole)
        })
    }

    /// Security levels are the largest integers not above the fractions, whether play may repeat
    /// the state or not.
    #[test]
    fn what_a_strategy_secures_is_rounded_down() {
        let mut draw = sequence(9);
        let (mut between_integers, mut first_counts) = (0, 0);
        for round in 0..200 {
            let numbers = LongNumbers::new((0..12).map(|_| IBig::from(draw(41)) - 20).collect(), 0);
            let first = [0, 1, 17, 32][round % 4];
            let second = draw(33 - first) as i64;
            let weights = [first as i64, second, 32 - first as i64 - second];
            let used = weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0);
            let strategy: MultiprecisionStrategy =
                used.map(|(row, weight)| (row, weight.into())).collect();
            let indices = ByEntry([3, 4], |row, column| (row * 4 + column) as u32);
            let mut game = MultiprecisionGame { indices, numbers: &numbers, repeated: None };
            let least = means(&numbers, weights, 0).into_iter().min().expect("four columns");
            assert_eq!(game.secures(&strategy, PRECISION), least.floor(), "game {round}");
            between_integers += u32::from(!least.is_int());
            // Against the first column for ever only the other rows count, for any value of a
            // repetition.
            let endless = IBig::from(-3);
            game.repeated = Some(IBig::from(draw(200_000)) - 100_000);
            let until_left = if first == 32 {
                endless.clone().into()
            } else {
                means(&numbers, weights, 1)[0].clone()
            };
            let others =
                means(&numbers, weights, 0).into_iter().skip(1).min().expect("three columns");
            first_counts += u32::from(until_left < others);
            let secured = game.secures_until_left(&strategy, &endless, PRECISION);
            assert_eq!(secured, until_left.min(others).floor(), "game {round}");
        }
        assert!(
            between_integers > 60 && (20..180).contains(&first_counts),
            "{between_integers} {first_counts}"
        );
    }

    /// Of 255, 256 and 0 the leading bits are 0, 1 and 0: the column that looks dearer by half a
    /// unit of these is worth half as much.
    #[test]
    fn leading_bits_that_mislead_are_looked_at_again() {
        let numbers =
            LongNumbers::new([1_000, 255, 256, 1_000, 255, 0].map(IBig::from).to_vec(), 8);
        let indices = ByEntry([2, 3], |row, column| (row * 3 + column) as u32);
        let game = MultiprecisionGame { indices, numbers: &numbers, repeated: None };
        let even: MultiprecisionStrategy = vec![(0, 16.into()), (1, 16.into())];
        assert_eq!(game.secures(&even, PRECISION), IBig::from(128));
        assert_eq!(game.secures_until_left(&even, &IBig::ZERO, PRECISION), IBig::from(128));
    }
}

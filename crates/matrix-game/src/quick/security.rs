//! Security levels of strategies: sums in doubles with a bound of every rounding (Higham 2002,
//! chapter 3). This file shares no code with the search for strategies, and its bounds hold for
//! any.

use super::Payoffs;

/// The value of a game within proved bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecurityLevels {
    /// The middle of what the two strategies secure, between the bounds.
    pub value: f64,
    /// The row strategy, its probabilities as parts of their sum, secures at least this.
    pub lower: f64,
    /// The column strategy concedes at most this.
    pub upper: f64,
}

/// Half of what separates 1 from the next double: the largest relative error of one operation.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The least positive double. A product below the normal numbers errs by half of it at most.
const LEAST: f64 = 5e-324;

/// Sums are made for so many columns at a time.
const BLOCK: usize = 8;

/// A strategy with what its rounding may cost.
struct Mixed<'s> {
    strategy: &'s [f64],
    /// The number of positive probabilities.
    support: usize,
    sum: f64,
}

impl<'s> Mixed<'s> {
    /// The strategy, if it is one up to a factor between a half and 2.
    fn new(strategy: &'s [f64]) -> Option<Self> {
        let (mut support, mut sum) = (0, 0.0);
        for &probability in strategy {
            if probability.is_nan() || probability < 0.0 {
                return None;
            }
            support += usize::from(probability > 0.0);
            sum += probability;
        }
        (0.5..=2.0).contains(&sum).then_some(Self { strategy, support, sum })
    }

    /// At most how far the least of all sums of products, divided by the sum of the probabilities,
    /// is from what the strategy secures, where payoffs are of this size.
    ///
    /// With k positive probabilities the sum of products is off by `γ_k` · size · (their exact
    /// sum), where `γ_k` = k·UNIT / (1 − k·UNIT); the sum of the probabilities by `γ_(k−1)` of
    /// itself; the division by one unit more. Together that is less than (2k + 2) units of the
    /// size; four more cover the squares of units, up to k = 2^24, and the rounding here. A pure
    /// strategy is multiplied, summed and divided without rounding.
    fn error(&self, size: f64) -> f64 {
        if self.support == 1 && self.sum == 1.0 {
            return 0.0;
        }
        let support = self.support as f64;
        (2.0 * support + 6.0) * UNIT * size + 4.0 * (support + 2.0) * LEAST
    }
}

/// The most positive probabilities for which the bound of the error holds.
const MOST_SUPPORT: usize = 1 << 24;

/// The proved security levels of both strategies; `None` where one is no strategy: a probability is
/// negative or none, or all sum to less than a half or more than 2.
pub(super) fn security_levels(
    payoffs: &Payoffs<'_>,
    row: &[f64],
    column: &[f64],
) -> Option<SecurityLevels> {
    let [of_row, of_column] = [Mixed::new(row)?, Mixed::new(column)?];
    if of_row.support.max(of_column.support) > MOST_SUPPORT {
        return None;
    }
    let secured = least_against_columns(payoffs, &of_row) / of_row.sum;
    let conceded = largest_against_rows(payoffs, &of_column) / of_column.sum;
    let lower = below(secured, of_row.error(payoffs.size()), payoffs.shift);
    let upper = -below(-conceded, of_column.error(payoffs.size()), -payoffs.shift);
    let value = f64::midpoint(secured, conceded) + payoffs.shift;
    Some(SecurityLevels { value: value.max(lower).min(upper), lower, upper })
}

/// A level less its error and shifted back, rounded down.
fn below(level: f64, error: f64, shift: f64) -> f64 {
    let moved = if error > 0.0 { (level - error).next_down() } else { level };
    let shifted = moved + shift;
    // The two differences show the error of a rounded sum (Knuth's two-sum).
    let is_exact = shifted - shift == moved && shifted - moved == shift;
    if is_exact { shifted } else { shifted.next_down() }
}

/// The least sum of products over all columns.
fn least_against_columns(payoffs: &Payoffs<'_>, of_row: &Mixed<'_>) -> f64 {
    let mut least = f64::INFINITY;
    let mut first = 0;
    while first < payoffs.columns {
        let width = BLOCK.min(payoffs.columns - first);
        let mut sums = [0.0; BLOCK];
        for (row, &probability) in of_row.strategy.iter().enumerate() {
            if probability > 0.0 {
                for (sum, entry) in sums.iter_mut().zip(&payoffs.row(row)[first..first + width]) {
                    *sum += probability * (entry - payoffs.shift);
                }
            }
        }
        for &sum in &sums[..width] {
            least = if sum < least { sum } else { least };
        }
        first += width;
    }
    least
}

/// The largest sum of products over all rows, in four sums at a time.
fn largest_against_rows(payoffs: &Payoffs<'_>, of_column: &Mixed<'_>) -> f64 {
    const LANES: usize = 4;
    let mut largest = f64::NEG_INFINITY;
    for row in 0..payoffs.rows {
        let (entries, rest) = payoffs.row(row).as_chunks::<LANES>();
        let (probabilities, last) = of_column.strategy.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for (entries, probabilities) in entries.iter().zip(probabilities) {
            for (sum, (entry, probability)) in
                sums.iter_mut().zip(entries.iter().zip(probabilities))
            {
                *sum += probability * (entry - payoffs.shift);
            }
        }
        let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        for (entry, probability) in rest.iter().zip(last) {
            sum += probability * (entry - payoffs.shift);
        }
        largest = if sum > largest { sum } else { largest };
    }
    largest
}

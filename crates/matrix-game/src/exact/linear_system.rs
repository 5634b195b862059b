//! Linear systems over the rationals.

use dashu_base::{BitTest, Gcd};
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

/// A regular square matrix over the rationals, eliminated in integers: solves systems with it and
/// with its transpose.
///
/// Rows are multiplied by their common denominators and eliminated without fractions (Bareiss
/// 1968): all numbers are minors and divisions exact. Rows with small numbers go first, so that
/// large ones take part only in the last steps. The last column goes last if possible: in a
/// bordered system the transposed one has nothing else on its right-hand side.
pub(super) struct Elimination {
    /// On and above the diagonal the eliminated rows, below it their factors: minors, and those of
    /// the transpose turned.
    minors: Vec<Vec<IBig>>,
    /// Each row's place and multiplier.
    equations: Vec<(usize, UBig)>,
    /// Each column's unknown: columns are exchanged to bring a pivot into place.
    unknowns: Vec<usize>,
}

/// Fractions over one positive denominator, not in lowest terms: reducing takes longer than
/// finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fractions {
    pub(super) numerators: Vec<IBig>,
    pub(super) denominator: UBig,
}

impl Elimination {
    /// Eliminates a matrix; `None` when it is singular or the caller stops.
    pub(super) fn unless<'e>(
        stop: &dyn Fn() -> bool,
        size: usize,
        entry: impl Fn(usize, usize) -> &'e RBig,
    ) -> Option<Self> {
        let row = |row: usize| Fractions::of((0..size).map(|column| entry(row, column)));
        let mut rows: Vec<(usize, Fractions)> = (0..size).map(row).enumerate().collect();
        rows.sort_by_key(|(_, row)| row.numerators.iter().map(BitTest::bit_len).max());
        let (equations, mut minors): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(index, row)| ((index, row.denominator), row.numerators)).unzip();
        let mut unknowns: Vec<usize> = (0..size).collect();
        let mut previous = IBig::ONE;
        for step in 0..size {
            let pivot_row = &minors[step];
            let possible = (step..size).filter(|&column| !pivot_row[column].is_zero());
            let column = possible.min_by_key(|&column| {
                (unknowns[column] == size - 1, pivot_row[column].bit_len())
            })?;
            if column != step {
                unknowns.swap(step, column);
                for row in &mut minors {
                    row.swap(step, column);
                }
            }
            let (above, below) = minors.split_at_mut(step + 1);
            let pivot_row = &above[step];
            let pivot = &pivot_row[step];
            for row in below {
                if stop() {
                    return None;
                }
                let (factors, rest) = row.split_at_mut(step + 1);
                let factor = &factors[step];
                for (entry, above) in rest.iter_mut().zip(&pivot_row[step + 1..]) {
                    let product = pivot * &*entry;
                    let minor = if factor.is_zero() { product } else { product - factor * above };
                    *entry = if step == 0 { minor } else { minor / &previous };
                }
            }
            previous.clone_from(pivot);
        }
        Some(Self { minors, equations, unknowns })
    }

    pub(super) fn solve(&self, right: &[RBig]) -> Fractions {
        let right = Fractions::of(right.iter());
        let scaled =
            self.equations.iter().map(|(index, scale)| &right.numerators[*index] * scale).collect();
        let found = substituted(scaled, |row, column| &self.minors[row][column]);
        let mut numerators = vec![IBig::ZERO; self.unknowns.len()];
        for (&index, numerator) in self.unknowns.iter().zip(found) {
            numerators[index] = numerator;
        }
        self.over_determinant(numerators, right.denominator)
    }

    pub(super) fn solve_transposed(&self, right: &[IBig]) -> Fractions {
        let right = self.unknowns.iter().map(|&index| right[index].clone()).collect();
        let found = substituted(right, |row, column| &self.minors[column][row]);
        let mut numerators = vec![IBig::ZERO; self.unknowns.len()];
        for ((index, scale), numerator) in self.equations.iter().zip(found) {
            numerators[*index] = numerator * scale;
        }
        self.over_determinant(numerators, UBig::ONE)
    }

    fn over_determinant(&self, mut numerators: Vec<IBig>, factor: UBig) -> Fractions {
        let determinant = self.minors.last().map_or(IBig::ONE, |row| row[row.len() - 1].clone());
        let (sign, size) = determinant.into_parts();
        if sign == Sign::Negative {
            for numerator in &mut numerators {
                *numerator = -std::mem::take(numerator);
            }
        }
        Fractions { numerators, denominator: size * factor }
    }
}

/// The solution times the determinant, from the minors of an elimination.
fn substituted<'m>(mut right: Vec<IBig>, minor: impl Fn(usize, usize) -> &'m IBig) -> Vec<IBig> {
    let size = right.len();
    let Some(first) = right.iter().position(|entry| !entry.is_zero()) else { return right };
    let one = &IBig::ONE;
    let mut previous = if first == 0 { one } else { minor(first - 1, first - 1) };
    // Steps before the first entry that is not 0 multiply each by a pivot and divide it by the one
    // before.
    for entry in &mut right[first..] {
        *entry *= previous;
    }
    for step in first..size {
        let (above, below) = right.split_at_mut(step + 1);
        let pivot = minor(step, step);
        for (row, entry) in (step + 1..).zip(below) {
            *entry = (pivot * &*entry - minor(row, step) * &above[step]) / previous;
        }
        previous = pivot;
    }
    // The last pivot is the determinant; determinant · solution is integral (Cramer), so that these
    // divisions are exact, too.
    let determinant = previous;
    for step in (0..size - 1).rev() {
        let (above, below) = right.split_at_mut(step + 1);
        let known: IBig =
            (step + 1..).zip(&*below).map(|(column, scaled)| minor(step, column) * scaled).sum();
        above[step] = (determinant * &above[step] - known) / minor(step, step);
    }
    right
}

impl Fractions {
    /// Brings numbers to their least common denominator.
    pub(super) fn of<'n>(numbers: impl Iterator<Item = &'n RBig> + Clone) -> Self {
        let denominator =
            numbers.clone().fold(UBig::ONE, |common, number| lcm(common, number.denominator()));
        let numerators = numbers
            .map(|number| number.numerator() * (&denominator / number.denominator()))
            .collect();
        Self { numerators, denominator }
    }

    pub(super) fn pop(&mut self) -> IBig {
        self.numerators.pop().unwrap_or_default()
    }

    /// In lowest terms.
    pub(super) fn into_fractions(self) -> Vec<RBig> {
        self.numerators
            .into_iter()
            .map(|numerator| RBig::from_parts(numerator, self.denominator.clone()))
            .collect()
    }
}

/// Solves a square system; `entry(row, column)` with `column == size` is the right-hand side.
/// `None` if it is singular.
#[cfg(test)]
fn solve<'e>(size: usize, entry: impl Fn(usize, usize) -> &'e RBig) -> Option<Vec<RBig>> {
    let right: Vec<RBig> = (0..size).map(|row| entry(row, size).clone()).collect();
    Some(Elimination::unless(&|| false, size, entry)?.solve(&right).into_fractions())
}

/// Solves `[A −1; 1ᵀ 0] z = right`, the equaliser system of a square matrix.
#[cfg(test)]
pub(crate) fn solve_bordered(
    size: usize,
    entry: impl Fn(usize, usize) -> RBig,
    right: impl Fn(usize) -> i64,
) -> Option<Vec<RBig>> {
    let bordered = |i: usize, j: usize| match (i < size, j < size) {
        _ if j > size => right(i).into(),
        (true, true) => entry(i, j),
        (true, false) => -RBig::ONE,
        (false, inside) => RBig::from(i64::from(inside)),
    };
    let system: Vec<Vec<RBig>> =
        (0..=size).map(|i| (0..size + 2).map(|j| bordered(i, j)).collect()).collect();
    solve(size + 1, |i, j| &system[i][j])
}

fn lcm(left: UBig, right: &UBig) -> UBig {
    if right.is_one() || left == *right {
        return left;
    }
    let shared = (&left).gcd(right);
    left * (right / shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i32, denominator: u32) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    #[test]
    fn hilbert_systems_have_their_known_solution() {
        // Σ_k 1/(i + k + 1) · z_k = 1 has integer solutions (−1)^(n−1−k) · (n + k)! / ((k!)² · (n −
        // 1 − k)!); for n = 3: 3, −24, 30.
        let entries: Vec<Vec<RBig>> = (0..3)
            .map(|i| {
                (0..4).map(|k| if k == 3 { RBig::ONE } else { fraction(1, i + k + 1) }).collect()
            })
            .collect();
        let solution = solve(3, |row, column| &entries[row][column]).unwrap();
        assert_eq!(solution, [fraction(3, 1), fraction(-24, 1), fraction(30, 1)]);
    }

    #[test]
    fn a_singular_system_has_no_solution() {
        let entries =
            [[fraction(1, 2), fraction(1, 3), RBig::ONE], [fraction(3, 2), RBig::ONE, RBig::ONE]];
        assert_eq!(solve(2, |row, column| &entries[row][column]), None);
    }

    #[test]
    fn a_transposed_system_is_solved_by_the_same_minors() {
        let entries = [
            [fraction(1, 2), RBig::ZERO, fraction(-5, 3)],
            [RBig::ZERO, fraction(7, 4), fraction(1, 9)],
            [fraction(-3, 1), fraction(1, 1), fraction(2, 7)],
        ];
        let elimination =
            Elimination::unless(&|| false, 3, |row, column| &entries[row][column]).unwrap();
        for right in [[4, -1, 6], [0, 5, 2], [0, 0, -7], [0, 0, 0]] {
            let solution = elimination.solve_transposed(&right.map(IBig::from)).into_fractions();
            for (column, right) in right.into_iter().enumerate() {
                let sum = (0..3)
                    .fold(RBig::ZERO, |sum, row| sum + &entries[row][column] * &solution[row]);
                assert_eq!(sum, RBig::from(right), "equation {column}");
            }
        }
    }

    #[test]
    fn columns_are_exchanged_where_a_pivot_is_missing() {
        let entries = [
            [RBig::ZERO, fraction(2, 1), fraction(1, 1)],
            [fraction(4, 1), RBig::ZERO, fraction(3, 1)],
        ];
        assert_eq!(
            solve(2, |row, column| &entries[row][column]).unwrap(),
            [fraction(3, 4), fraction(1, 2)]
        );
    }
}

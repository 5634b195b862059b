//! Factorizes sparse symmetric matrices as `LDLᵀ`, for systems that differ in their diagonals
//! alone.
//!
//! A quasi-definite matrix has such a factorization in every order of the unknowns: R. J.
//! Vanderbei: Symmetric quasidefinite matrices. SIAM Journal on Optimization 5 (1995). The rows of
//! the factor are found one after the other: T. A. Davis: Algorithm 849: a concise sparse Cholesky
//! factorization package. ACM Transactions on Mathematical Software 31 (2005).

use std::ops::{ControlFlow, Range};

use super::elimination::{CHECK_INTERVAL, Elimination, Pair};

/// An entry off the diagonal, which stands on both sides of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) pair: Pair,
    pub(super) number: f64,
}

/// A sparse symmetric matrix with its factors. Unknowns inside are numbered in the order of their
/// elimination.
#[derive(Debug)]
pub(super) struct Factorization {
    order: Vec<u32>,
    /// The entries above the diagonal.
    upper: Columns,
    /// For each unknown the first later one in its column of the factor; [`ROOT`] if there is none.
    parents: Vec<u32>,
    /// L without its diagonal of ones.
    lower: Columns,
    /// D.
    pivots: Vec<f64>,
    /// Room for a row of the factor.
    row: Vec<f64>,
    /// The multiplications of a factorization.
    pub(super) operations: u64,
}

/// A sparse matrix by columns.
#[derive(Debug, Default)]
struct Columns {
    /// Where each column begins, and where the last one ends.
    starts: Vec<usize>,
    rows: Vec<u32>,
    numbers: Vec<f64>,
}

impl Columns {
    fn range_of(&self, column: usize) -> Range<usize> {
        self.starts[column]..self.starts[column + 1]
    }

    /// Room for columns of these lengths.
    fn with_lengths(lengths: &[u32]) -> Self {
        let mut starts = vec![0];
        let mut sum = 0;
        for &length in lengths {
            sum += length as usize;
            starts.push(sum);
        }
        Self { starts, rows: vec![0; sum], numbers: vec![0.0; sum] }
    }
}

/// No unknown.
const ROOT: u32 = u32::MAX;

impl Factorization {
    /// The matrix with these entries off the diagonal, each given once, and any diagonal. `None` if
    /// its factors take more memory than so many bytes. Breaks if `check_cancel` does.
    pub(super) fn new(
        unknowns: usize,
        entries: &[Entry],
        bytes: u64,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        let pairs: Vec<Pair> = entries.iter().map(|entry| entry.pair).collect();
        let most_entries = bytes / (size_of::<f64>() + size_of::<u32>()) as u64;
        let Some(Elimination { order, operations, .. }) =
            Elimination::minimum_degree(unknowns, &pairs, most_entries, check_cancel)?
        else {
            return ControlFlow::Continue(None);
        };
        let upper = upper_triangle(&order, entries);
        let parents = elimination_tree(&upper);
        let lower = Columns::with_lengths(&column_lengths(&upper, &parents));
        let pivots = vec![0.0; unknowns];
        ControlFlow::Continue(Some(Self {
            order,
            upper,
            parents,
            lower,
            row: pivots.clone(),
            pivots,
            operations,
        }))
    }

    /// The entries of L below its diagonal.
    pub(super) fn entries(&self) -> u64 {
        self.lower.rows.len() as u64
    }

    /// Factorizes the matrix with this diagonal, in which a pivot that rounding has brought to less
    /// than the smallest size, or to the other sign than the diagonal entry's, is replaced. Breaks
    /// if `check_cancel` does.
    pub(super) fn factorize(
        &mut self,
        diagonal: &[f64],
        smallest_pivot: f64,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let unknowns = self.order.len();
        let mut ends: Vec<usize> = self.lower.starts[..unknowns].to_vec();
        let mut visited = vec![ROOT; unknowns];
        let mut pattern = Vec::new();
        let mut operations = 0;
        for column in 0..unknowns {
            self.find_row(column, &mut visited, &mut pattern);
            let entry = diagonal[self.order[column] as usize];
            let mut pivot = entry;
            for &earlier in pattern.iter().rev() {
                let earlier = earlier as usize;
                let number = std::mem::take(&mut self.row[earlier]);
                let indices = self.lower.starts[earlier]..ends[earlier];
                operations += indices.len() as u64;
                for (&row, factor) in
                    self.lower.rows[indices.clone()].iter().zip(&self.lower.numbers[indices])
                {
                    self.row[row as usize] -= factor * number;
                }
                let factor = number / self.pivots[earlier];
                pivot -= factor * number;
                self.lower.rows[ends[earlier]] = column as u32;
                self.lower.numbers[ends[earlier]] = factor;
                ends[earlier] += 1;
            }
            self.pivots[column] = if pivot * entry.signum() < smallest_pivot {
                smallest_pivot * entry.signum()
            } else {
                pivot
            };
            if operations > CHECK_INTERVAL {
                operations = 0;
                check_cancel()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Enters a column of the upper triangle into the row of the factor, and finds the pattern of
    /// the latter: every unknown comes before those below it in the elimination tree.
    fn find_row(&mut self, column: usize, visited: &mut [u32], pattern: &mut Vec<u32>) {
        pattern.clear();
        visited[column] = column as u32;
        let mut path = Vec::new();
        for index in self.upper.range_of(column) {
            let mut unknown = self.upper.rows[index];
            self.row[unknown as usize] += self.upper.numbers[index];
            while visited[unknown as usize] != column as u32 {
                visited[unknown as usize] = column as u32;
                path.push(unknown);
                unknown = self.parents[unknown as usize];
            }
            pattern.extend(path.drain(..).rev());
        }
    }

    /// Solves the factorized system.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> =
            self.order.iter().map(|&unknown| right[unknown as usize]).collect();
        let unknowns = solution.len();
        for column in 0..unknowns {
            let number = solution[column];
            let indices = self.lower.range_of(column);
            for (&row, factor) in
                self.lower.rows[indices.clone()].iter().zip(&self.lower.numbers[indices])
            {
                solution[row as usize] -= factor * number;
            }
        }
        for (number, pivot) in solution.iter_mut().zip(&self.pivots) {
            *number /= pivot;
        }
        for column in (0..unknowns).rev() {
            let mut number = solution[column];
            let indices = self.lower.range_of(column);
            for (&row, factor) in
                self.lower.rows[indices.clone()].iter().zip(&self.lower.numbers[indices])
            {
                number -= factor * solution[row as usize];
            }
            solution[column] = number;
        }
        let mut ordered = vec![0.0; unknowns];
        for (&unknown, &number) in self.order.iter().zip(&solution) {
            ordered[unknown as usize] = number;
        }
        ordered
    }
}

/// The entries above the diagonal, once the unknowns are in this order.
fn upper_triangle(order: &[u32], entries: &[Entry]) -> Columns {
    let mut positions = vec![0_u32; order.len()];
    for (position, &unknown) in (0..).zip(order) {
        positions[unknown as usize] = position;
    }
    let mut lengths = vec![0; order.len()];
    for entry in entries {
        lengths[positions[entry.pair.one as usize].max(positions[entry.pair.other as usize])
            as usize] += 1;
    }
    let mut upper = Columns::with_lengths(&lengths);
    let mut ends = upper.starts.clone();
    for entry in entries {
        let one = positions[entry.pair.one as usize];
        let other = positions[entry.pair.other as usize];
        let end = &mut ends[one.max(other) as usize];
        upper.rows[*end] = one.min(other);
        upper.numbers[*end] = entry.number;
        *end += 1;
    }
    upper
}

fn elimination_tree(upper: &Columns) -> Vec<u32> {
    let unknowns = upper.starts.len() - 1;
    let mut parents = vec![ROOT; unknowns];
    // A later unknown on the way to the root, which shortens the way.
    let mut ancestors = vec![ROOT; unknowns];
    for column in 0..unknowns {
        for index in upper.range_of(column) {
            let mut unknown = upper.rows[index];
            while unknown != ROOT && unknown != column as u32 {
                let next = std::mem::replace(&mut ancestors[unknown as usize], column as u32);
                if next == ROOT {
                    parents[unknown as usize] = column as u32;
                }
                unknown = next;
            }
        }
    }
    parents
}

/// The numbers of entries in the columns of the factor.
fn column_lengths(upper: &Columns, parents: &[u32]) -> Vec<u32> {
    let mut lengths = vec![0; parents.len()];
    let mut visited = vec![ROOT; parents.len()];
    for column in 0..parents.len() {
        visited[column] = column as u32;
        for index in upper.range_of(column) {
            let mut unknown = upper.rows[index];
            while visited[unknown as usize] != column as u32 {
                visited[unknown as usize] = column as u32;
                lengths[unknown as usize] += 1;
                unknown = parents[unknown as usize];
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1.
    struct Numbers(u64);

    impl Numbers {
        fn bits(&mut self) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 33
        }

        fn next(&mut self) -> f64 {
            self.bits() as f64 / f64::from(1_u32 << 30) - 1.0
        }
    }

    fn factorized(unknowns: usize, entries: &[Entry], diagonal: &[f64]) -> Factorization {
        let mut check_cancel = || ControlFlow::Continue(());
        let ControlFlow::Continue(Some(mut factors)) =
            Factorization::new(unknowns, entries, u64::MAX, &mut check_cancel)
        else {
            panic!("it fits");
        };
        assert!(factors.factorize(diagonal, 1e-9, &mut check_cancel).is_continue());
        factors
    }

    /// Quasi-definite systems of any pattern are solved; the factor has the entries and costs the
    /// operations that elimination counted.
    #[test]
    fn systems_are_solved() {
        let mut numbers = Numbers(1);
        for unknowns in 2..60 {
            let mut entries = Vec::new();
            for one in 0..unknowns as u32 {
                for other in one + 1..unknowns as u32 {
                    // Entries within a block are small.
                    let scale = if one % 2 == other % 2 { 0.5 / unknowns as f64 } else { 1.0 };
                    if numbers.bits().is_multiple_of(8) {
                        entries.push(Entry {
                            pair: Pair { one, other },
                            number: scale * numbers.next(),
                        });
                    }
                }
            }
            let diagonal: Vec<f64> =
                (0..unknowns).map(|unknown| if unknown % 2 == 0 { 1.0 } else { -1.0 }).collect();
            let expected: Vec<f64> = (0..unknowns).map(|_| numbers.next()).collect();
            let mut right: Vec<f64> =
                diagonal.iter().zip(&expected).map(|(entry, number)| entry * number).collect();
            for &Entry { pair: Pair { one, other }, number } in &entries {
                right[one as usize] += number * expected[other as usize];
                right[other as usize] += number * expected[one as usize];
            }
            let mut factors = factorized(unknowns, &entries, &diagonal);
            let mut counted = 0;
            for column in 0..unknowns {
                counted += (factors.lower.range_of(column).len() as u64).pow(2);
            }
            assert_eq!(factors.operations, counted);
            for _ in 0..2 {
                for (number, expected) in factors.solve(&right).iter().zip(&expected) {
                    // Blocks that are nearly the identity have condition numbers of a few hundred
                    // at most.
                    assert!((number - expected).abs() < 1e-11, "{unknowns}: {number} {expected}");
                }
                // Nothing of a factorization is left to the next.
                assert!(
                    factors
                        .factorize(&diagonal, 1e-9, &mut || ControlFlow::Continue(()))
                        .is_continue()
                );
            }
        }
    }

    /// A star and a path are eliminated from their ends, which adds no entry.
    #[test]
    fn trees_have_no_more_entries_in_their_factors() {
        let unknowns = 1_000;
        let star = (1..unknowns).map(|other| Pair { one: 0, other });
        let path = (1..unknowns).map(|other| Pair { one: other - 1, other });
        for pairs in [star.collect::<Vec<_>>(), path.collect()] {
            let entries: Vec<Entry> =
                pairs.into_iter().map(|pair| Entry { pair, number: 0.1 }).collect();
            let factors = factorized(unknowns as usize, &entries, &vec![1.0; unknowns as usize]);
            assert_eq!(factors.entries(), u64::from(unknowns) - 1);
        }
    }

    #[test]
    fn large_factors_are_refused() {
        let pairs = (1..100).flat_map(|other| (0..other).map(move |one| Pair { one, other }));
        let entries: Vec<Entry> = pairs.map(|pair| Entry { pair, number: 1.0 }).collect();
        let fits =
            |bytes| Factorization::new(100, &entries, bytes, &mut || ControlFlow::Continue(()));
        // 4,950 entries of 12 bytes.
        assert!(matches!(fits(59_400), ControlFlow::Continue(Some(_))));
        assert!(matches!(fits(59_399), ControlFlow::Continue(None)));
    }
}

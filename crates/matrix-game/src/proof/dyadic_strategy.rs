//! Strategies in multiples of 2⁻⁶², as proofs need them.

use std::iter::Sum;
use std::ops::{AddAssign, Sub};

use crate::Payoffs;
use crate::bounds::{Rounding, product};

/// A mixed strategy whose probabilities are integer multiples of 2⁻⁶²: the weights of the support
/// are positive and sum to [`DyadicStrategy::WHOLE`] exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DyadicStrategy {
    support: Vec<(u32, u64)>,
}

impl DyadicStrategy {
    pub const WHOLE: u64 = 1 << Self::WHOLE_BITS;

    pub const WHOLE_BITS: u32 = 62;

    #[inline]
    pub fn support(&self) -> &[(u32, u64)] {
        &self.support
    }

    /// Becomes the distribution nearest to `probabilities`, (index, probability) with rising
    /// indices. The largest weight takes the rest that rounding leaves.
    #[doc(hidden)]
    pub fn approximate(&mut self, probabilities: &[(usize, f64)]) {
        // Scaling by a power of two is exact; the conversion saturates, so that nothing wraps.
        let weigh = |probability: f64| (probability * Self::WHOLE as f64).round() as i64;
        self.assign(
            probabilities.iter().map(|&(index, probability)| (index as u32, weigh(probability))),
        );
    }

    /// Drops negative weights and adjusts the largest until they sum to the whole.
    #[doc(hidden)]
    pub fn assign(&mut self, weights: impl Iterator<Item = (u32, i64)>) {
        self.support.clear();
        self.support.extend(
            weights.filter(|&(_, weight)| weight > 0).map(|(index, weight)| (index, weight as u64)),
        );
        let sum: i128 = self.support.iter().map(|&(_, weight)| i128::from(weight)).sum();
        let missing = i128::from(Self::WHOLE) - sum;
        if let Some((_, largest)) = self.support.iter_mut().max_by_key(|(_, weight)| *weight) {
            let adjusted = i128::from(*largest) + missing;
            if adjusted > 0 {
                *largest = adjusted as u64;
                return;
            }
        }
        // Weights far from a distribution: any distribution is as good, and a true bound follows
        // from every one.
        let index = self.support.first().map_or(0, |&(index, _)| index);
        self.set_pure(index);
    }

    #[doc(hidden)]
    pub fn set_pure(&mut self, index: u32) {
        self.support.clear();
        self.support.push((index, Self::WHOLE));
    }

    /// The security level: the largest integer not above any column's expectation.
    ///
    /// The entries of `payoffs` are lower bounds in some unit, and so is the result, for any
    /// strategy (Neumaier and Shcherbina 2004 derive safe bounds of linear programmes likewise). A
    /// product has at most 62 + 63 bits and the weights sum to 2⁶²: nothing overflows.
    /// `expectations` become those of every column; a pure strategy leaves them empty.
    #[doc(hidden)]
    pub fn secures(&self, payoffs: &impl Payoffs<i64>, expectations: &mut Vec<i128>) -> i64 {
        if let [(row, _)] = self.support[..] {
            expectations.clear();
            let mut smallest = i64::MAX;
            payoffs.walk_row(row as usize, |run| {
                smallest = run.iter().copied().fold(smallest, i64::min);
            });
            return smallest;
        }
        let rows = self.support.iter().map(|&(row, weight)| (row as usize, weight));
        expected_payoffs(rows, payoffs, expectations);
        let smallest = expectations.iter().copied().min().unwrap_or(0);
        // An average of i64 is an i64.
        Rounding::Down.shift(smallest, Self::WHOLE_BITS as usize) as i64
    }
}

/// Probabilities, rising by index, as weights of `choices` that sum to the whole; choices without
/// one get 0.
pub(super) fn weights_of(
    choices: &[usize],
    probabilities: &[(usize, f64)],
    weights: &mut Vec<i64>,
) {
    let mut probabilities = probabilities.iter().peekable();
    weights.clear();
    weights.extend(choices.iter().map(|&choice| {
        let probability = probabilities
            .next_if(|&&(index, _)| index == choice)
            .map_or(0.0, |&(_, probability)| probability);
        // An integer to within rounding, and the rest is refinement's business.
        (probability * DyadicStrategy::WHOLE as f64).round() as i64
    }));
    complete(weights, DyadicStrategy::WHOLE as i64);
}

/// Adds the missing rest of the whole to the largest weight, where it matters least.
pub fn complete<T>(weights: &mut [T], whole: T)
where
    T: Ord + for<'w> Sum<&'w T> + Sub<Output = T> + AddAssign,
{
    let missing = whole - weights.iter().sum::<T>();
    if let Some(largest) = weights.iter_mut().max() {
        *largest += missing;
    }
}

/// Computes the expectation of every column, in parts of the whole, against a mixed strategy of
/// (row, weight), rows rising.
///
/// Reads two rows at a time, which loads and stores the sums half as often. Nothing overflows: see
/// [`DyadicStrategy::secures`].
pub fn expected_payoffs(
    mut rows: impl Iterator<Item = (usize, u64)>,
    payoffs: &impl Payoffs<i64>,
    expectations: &mut Vec<i128>,
) {
    expectations.clear();
    expectations.resize(payoffs.columns(), 0);
    while let Some((row, weight)) = rows.next() {
        let mut rest = expectations.as_mut_slice();
        let Some((row_below, weight_below)) = rows.next() else {
            payoffs.walk_row(row, |run| {
                let (here, behind) = std::mem::take(&mut rest).split_at_mut(run.len());
                for (sum, &entry) in here.iter_mut().zip(run) {
                    *sum += product(weight as i64, entry);
                }
                rest = behind;
            });
            return;
        };
        payoffs.walk_two_rows([row, row_below], |run, run_below| {
            let (here, behind) = std::mem::take(&mut rest).split_at_mut(run.len());
            for ((sum, &entry), &entry_below) in here.iter_mut().zip(run).zip(run_below) {
                *sum += product(weight as i64, entry) + product(weight_below as i64, entry_below);
            }
            rest = behind;
        });
    }
}

//! Dresher's refinement: the optimal strategy that gains most when the opponent errs.
//!
//! Dresher (1961) plays the optimal strategies in the game against the replies that can yield more
//! than the value, as if the opponent had to err toward one of them, and so on until one strategy
//! is left. In zero-sum games this leads to the strategies of proper equilibria (van Damme 1991,
//! chapter 3).
//!
//! Only the smallest gain is raised at every level: the sorted list of payoffs against the replies
//! is lexicographically maximal. That list is unique, and so is the strategy but for mixtures that
//! no reply can tell apart.

use super::lexicographic_maximin::{Dictionary, Vertex, sign};
use crate::basis::Basis;
use crate::dense::power_of_two_scale;
use crate::payoffs::extremes;
use crate::proof::{DyadicStrategy, Refinement, expected_payoffs};
use crate::tolerances::EQUAL_GAINS;
use crate::{ByEntry, Payoffs};

/// The outcome of refining one player's strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Refined {
    /// The strategy was refined already: it is the only optimal one, or no reply tells it from the
    /// refined one.
    Unchanged,
    /// Replaced by a strategy that is proved to secure as much and gains more from errors.
    Changed,
    /// No refined strategy was found that secures as much; the old one stays.
    Kept,
}

/// Refines the row player's strategy; the caller judges whether the result `is_secure`.
///
/// `secured` are lower bounds of the payoffs within ±2⁶¹, rows the own choices. A strategy that no
/// reply tells from `standard` is not preferred to it. O(rows · columns) for each of some (rows +
/// columns) pivots.
pub fn refine(
    secured: &impl Payoffs<i64>,
    standard: &DyadicStrategy,
    is_secure: impl FnMut(&DyadicStrategy) -> bool,
) -> (Refined, DyadicStrategy) {
    let kept = |refined| (refined, standard.clone());
    let (rows, columns) = (secured.rows(), secured.columns());
    if rows == 1 {
        return kept(Refined::Unchanged);
    }
    let (smallest, largest) = extremes(secured);
    let range = largest - smallest;
    if range == 0 {
        return kept(Refined::Unchanged);
    }
    // Distances from the smallest payoff, as shares of the largest: small ones keep their digits.
    let scale = power_of_two_scale(range as f64);
    let payoff = |row, column| (secured.entry(row, column) - smallest) as f64 * scale;
    let Some(vertex) = Dictionary::new(rows, columns, payoff).solve() else {
        return kept(Refined::Kept);
    };
    let Some(strategy) = in_integers(secured, &vertex, is_secure) else {
        return kept(Refined::Kept);
    };
    match compare(secured, &strategy, standard, (range as f64 * EQUAL_GAINS) as i64) {
        std::cmp::Ordering::Greater => (Refined::Changed, strategy),
        std::cmp::Ordering::Equal => kept(Refined::Unchanged),
        std::cmp::Ordering::Less => kept(Refined::Kept),
    }
}

/// The vertex's strategy in integer weights, corrected against the integer payoffs, if it secures
/// enough.
fn in_integers(
    secured: &impl Payoffs<i64>,
    vertex: &Vertex,
    mut is_secure: impl FnMut(&DyadicStrategy) -> bool,
) -> Option<DyadicStrategy> {
    let mut strategy = DyadicStrategy::default();
    let in_use: Vec<(usize, f64)> = vertex
        .strategy
        .iter()
        .copied()
        .filter(|&(_, probability)| sign(probability).is_gt())
        .collect();
    if let Some(levels) = equalised_columns(&vertex.tight)
        .filter(|levels| in_use.len() > 1 && levels.len() == vertex.strategy.len())
    {
        let rows: Vec<usize> = vertex.strategy.iter().map(|&(row, _)| row).collect();
        let basis = Basis { rows, columns: (0..levels.len()).collect() };
        // Within ±3 · 2⁶¹.
        let equalised = ByEntry([secured.rows(), levels.len()], |row, column: usize| {
            let [first, plus, minus] = levels[column].map(|column| secured.entry(row, column));
            first + plus - minus
        });
        if Refinement::default().equalise(&equalised, &basis, &mut strategy) {
            // A basic choice that is not made comes out as some units or none.
            let is_made = |index: u32| in_use.iter().any(|&(row, _)| row as u32 == index);
            let weights: Vec<(u32, i64)> = strategy
                .support()
                .iter()
                .filter(|&&(row, _)| is_made(row))
                .map(|&(row, weight)| (row, weight as i64))
                .collect();
            strategy.assign(weights.into_iter());
            if is_secure(&strategy) {
                return Some(strategy);
            }
        }
    }
    // A pure strategy needs no correction, and where the system is nearly singular a correction can
    // do harm.
    strategy.approximate(&in_use);
    is_secure(&strategy).then_some(strategy)
}

/// The columns of a game in which the vertex equalises everything, as sums of columns, the last
/// subtracted.
///
/// A column of the first level stands for itself. On a later level, with another value, its
/// difference to the level's first column is added to a column of the first level.
fn equalised_columns(tight: &[(usize, usize)]) -> Option<Vec<[usize; 3]>> {
    let first = tight.iter().find(|&&(_, level)| level == 0)?.0;
    let mut columns = Vec::new();
    for &(column, level) in tight {
        let reference = tight.iter().find(|&&(_, other)| other == level)?.0;
        if level == 0 {
            columns.push([column, column, column]);
        } else if column != reference {
            columns.push([first, column, reference]);
        }
    }
    Some(columns)
}

/// Compares the sorted payoffs of two strategies; the first difference of more than `alike` units
/// decides.
fn compare(
    secured: &impl Payoffs<i64>,
    left: &DyadicStrategy,
    right: &DyadicStrategy,
    alike: i64,
) -> std::cmp::Ordering {
    let sorted = |strategy: &DyadicStrategy| {
        let mut gains = Vec::new();
        let rows = strategy.support().iter().map(|&(row, weight)| (row as usize, weight));
        expected_payoffs(rows, secured, &mut gains);
        gains.sort_unstable();
        gains
    };
    let tolerance = i128::from(alike) << DyadicStrategy::WHOLE_BITS;
    let gains = sorted(left).into_iter().zip(sorted(right));
    gains
        .map(|(left, right)| left - right)
        .find(|difference| difference.abs() > tolerance)
        .map_or(std::cmp::Ordering::Equal, |difference| difference.cmp(&0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payoffs::integers;
    use crate::sequence::sequence;

    fn in_units(rows: &[impl AsRef<[i64]>]) -> Vec<Vec<i64>> {
        rows.iter().map(|row| row.as_ref().iter().map(|entry| entry << 50).collect()).collect()
    }

    fn refined(matrix: &[&[i64]], halves: &[(u32, i64)], value: i64) -> (Refined, Vec<f64>) {
        let mut standard = DyadicStrategy::default();
        standard.assign(halves.iter().map(|&(row, halves)| (row, halves << 61)));
        let rows = in_units(matrix);
        let game = integers(&rows);
        let is_secure =
            |strategy: &DyadicStrategy| strategy.secures(&game, &mut Vec::new()) >= value << 50;
        let (refined, strategy) = refine(&game, &standard, is_secure);
        let mut probabilities = vec![0.0; matrix.len()];
        for &(row, weight) in strategy.support() {
            probabilities[row as usize] = weight as f64 / DyadicStrategy::WHOLE as f64;
        }
        (refined, probabilities)
    }

    #[test]
    fn what_never_differs_is_dropped_and_the_rest_is_a_game() {
        // The first column always gives 1. The others make a game of value 2 that the second row
        // solves alone.
        assert_eq!(
            refined(&[&[1, 1, 3], &[1, 2, 2]], &[(0, 2)], 1),
            (Refined::Changed, vec![0.0, 1.0])
        );
        // The rest is a game of value 3/2 in which both rows are needed.
        assert_eq!(
            refined(&[&[0, 3, 0], &[0, 0, 3]], &[(1, 2)], 0),
            (Refined::Changed, vec![0.5, 0.5])
        );
    }

    #[test]
    fn a_second_error_decides_between_what_the_first_leaves_equal() {
        // After the first column the second: rows 0 and 1 give 2. Then the third: 7 is more than 5;
        // the 9 costs too much at the second.
        assert_eq!(
            refined(&[&[0, 2, 5], &[0, 2, 7], &[0, 1, 9]], &[(0, 2)], 0),
            (Refined::Changed, vec![0.0, 1.0, 0.0])
        );
    }

    #[test]
    fn part_of_a_mixture_is_exchanged() {
        // Half the first row; the other half may be the second or the third, and the third gains
        // from the third column.
        let pennies: &[&[i64]] = &[&[1, -1, 4], &[-1, 1, 0], &[-1, 1, 2]];
        assert_eq!(refined(pennies, &[(0, 1), (1, 1)], 0), (Refined::Changed, vec![0.5, 0.0, 0.5]));
        assert_eq!(
            refined(pennies, &[(0, 1), (2, 1)], 0),
            (Refined::Unchanged, vec![0.5, 0.0, 0.5])
        );
    }

    #[test]
    fn what_no_reply_can_tell_apart_stays_as_it_is() {
        assert_eq!(
            refined(&[&[3, 3], &[3, 3]], &[(0, 1), (1, 1)], 3),
            (Refined::Unchanged, vec![0.5, 0.5])
        );
        assert_eq!(
            refined(&[&[0, 1], &[0, 1], &[0, 0]], &[(1, 2)], 0),
            (Refined::Unchanged, vec![0.0, 1.0, 0.0])
        );
        assert_eq!(refined(&[&[4, 1, 6]], &[(0, 2)], 1), (Refined::Unchanged, vec![1.0]));
    }

    #[test]
    fn more_than_the_game_is_worth_cannot_be_secured() {
        assert_eq!(
            refined(&[&[1, 1, 3], &[1, 2, 2]], &[(0, 2)], 2),
            (Refined::Kept, vec![1.0, 0.0])
        );
    }

    #[test]
    fn no_strategy_of_a_grid_has_a_better_sorted_list() {
        const STEPS: i64 = 24;
        let mut draw = sequence(11);
        for _ in 0..150 {
            let replies = 2 + draw(4) as usize;
            let matrix: Vec<Vec<i64>> =
                (0..3).map(|_| (0..replies).map(|_| draw(5) as i64).collect()).collect();
            let mut standard = DyadicStrategy::default();
            standard.set_pure(0);
            // Anything is secure enough here.
            let (_, strategy) = refine(&integers(&in_units(&matrix)), &standard, |_| true);
            let sorted = |weights: [f64; 3]| {
                let mut gains: Vec<f64> = (0..replies)
                    .map(|reply| {
                        weights
                            .iter()
                            .zip(&matrix)
                            .map(|(weight, row)| weight * row[reply] as f64)
                            .sum()
                    })
                    .collect();
                gains.sort_unstable_by(f64::total_cmp);
                gains
            };
            let mut weights = [0.0; 3];
            strategy.support().iter().for_each(|&(row, weight)| {
                weights[row as usize] = weight as f64 / DyadicStrategy::WHOLE as f64;
            });
            let refined = sorted(weights);
            for first in 0..=STEPS {
                for second in 0..=STEPS - first {
                    let other = sorted(
                        [first, second, STEPS - first - second]
                            .map(|steps| steps as f64 / STEPS as f64),
                    );
                    // Sums of three products of up to 4; strategies of the grid that differ at all
                    // differ by more.
                    let better = other
                        .iter()
                        .zip(&refined)
                        .map(|(other_share, share)| other_share - share)
                        .find(|difference| difference.abs() > 1e-9);
                    assert!(
                        better.is_none_or(|difference| difference < 0.0),
                        "{weights:?} leaves {refined:?}, not {other:?}: {matrix:?}"
                    );
                }
            }
        }
    }
}

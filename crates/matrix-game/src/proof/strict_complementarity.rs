//! A test that proves optimal strategies unique.

use crate::basis::{Basis, BasisFactorisation};
use crate::bounds::{Bounds, Side};
use crate::dense::power_of_two_scale;
use crate::tolerances::SUM_ROUNDING;
use crate::{DyadicStrategy, EnclosedPayoffs, Matrix, Payoffs};

/// The support of a strategy, as [`DyadicStrategy::support`].
type Support<'s> = &'s [(u32, u64)];

const UNIT_OF_WEIGHTS: f64 = 1.0 / DyadicStrategy::WHOLE as f64;

/// Proves that each player has one optimal strategy alone, with the support of the given one.
/// Payoffs are within ±2⁶¹.
///
/// The equaliser system of the supports is inverted in floating point. The defect of the inverse
/// bounds the distance of the weights from the true equalisers of every matrix within the bounds
/// (Krawczyk 1969; Rump 2010 surveys such proofs). If all probabilities stay positive and every
/// other choice stays worse, the basis is optimal and strictly complementary, and the equaliser of
/// a regular system is unique. O(size³ + rows · columns).
pub fn proves_strict_complementarity(
    game: &EnclosedPayoffs<impl Payoffs<i64>>,
    strategies: [Support<'_>; 2],
) -> bool {
    let [row, column] = strategies;
    row.len() == column.len()
        && is_strict(&game.row, &game.column, row, column)
        && is_strict(&game.column, &game.row, column, row)
}

/// Whether the true equaliser of a player's strategy has positive probabilities, and the opponent's
/// replies outside the basis are worse than the `tight` ones inside. Either player's payoffs have
/// the player's choices as rows.
fn is_strict<P: Payoffs<i64>>(
    payoffs: &P,
    opponent_payoffs: &P,
    strategy: Support<'_>,
    tight: Support<'_>,
) -> bool {
    // Payoffs as distances from one of them, so that those which nearly agree keep their digits.
    let centre = payoffs.entry(strategy[0].0 as usize, tight[0].0 as usize);
    let bounds = move |choice: u32, reply: u32| {
        let [choice, reply] = [choice, reply].map(|index| index as usize);
        Bounds::new(
            payoffs.entry(choice, reply) - centre,
            -opponent_payoffs.entry(reply, choice) - centre,
        )
    };
    let against = move |reply: u32| {
        strategy.iter().map(move |&(choice, weight)| (weight, bounds(choice, reply)))
    };
    let [choices, replies] = [payoffs.rows(), payoffs.columns()].map(|count| 0..count as u32);
    let in_tight = tight
        .iter()
        .flat_map(|&(reply, _)| choices.clone().map(move |choice| bounds(choice, reply)));
    let in_rows = replies.clone().flat_map(against).map(|(_, bounds)| bounds);
    let range = in_tight
        .chain(in_rows)
        .map(|Bounds { lower, upper }| lower.unsigned_abs().max(upper.unsigned_abs()));
    let unit = power_of_two_scale(range.max().unwrap_or(0) as f64);
    let system: Vec<Vec<Bounds>> = tight
        .iter()
        .map(|&(reply, _)| against(reply).map(|(_, bounds)| bounds).collect())
        .collect();
    let (block, doubt) = block_and_doubt(&system, unit);
    // Sums of weights and entries in units: at most 2^62 · 2^62.
    let expectation = |reply: u32, side: Side| -> i128 {
        against(reply)
            .map(|(weight, bounds)| i128::from(weight) * i128::from(side.bound(bounds)))
            .sum()
    };
    let scale = unit * UNIT_OF_WEIGHTS;
    let value = expectation(tight[0].0, Side::Lower);
    let residual = |&(reply, _): &(u32, u64)| {
        let [low, high] = Side::BOTH.map(|side| (expectation(reply, side) - value).unsigned_abs());
        low.max(high) as f64 * scale
    };
    let residuals: Vec<f64> = tight.iter().map(residual).collect();
    let Some(errors) = errors(&block, doubt, &residuals) else { return false };
    let is_positive = |(&(_, weight), error): (&(u32, u64), &f64)| {
        weight as f64 * UNIT_OF_WEIGHTS > error * (1.0 + SUM_ROUNDING)
    };
    // Entries are within ±2 by the choice of the unit.
    let tolerance = (2.0 * errors[..strategy.len()].iter().sum::<f64>() + errors[strategy.len()])
        * (1.0 + SUM_ROUNDING);
    let is_worse = |reply: u32| {
        if tight.binary_search_by_key(&reply, |&(tight, _)| tight).is_ok() {
            return true;
        }
        let excess = (expectation(reply, Side::Lower) - value) as f64;
        excess * scale * (1.0 - SUM_ROUNDING) > tolerance
    };
    strategy.iter().zip(&errors).all(is_positive) && replies.clone().all(is_worse)
}

/// Entries in shares of 1/`unit`, and a bound of their errors.
fn block_and_doubt(system: &[Vec<Bounds>], unit: f64) -> (Vec<Vec<f64>>, f64) {
    let mut doubt = 0.0_f64;
    let mut entry = |&Bounds { lower, upper }: &Bounds| {
        let entry = lower as f64 * unit;
        // Conversion errs by half a unit in the last place; the width is added whole.
        doubt = doubt.max((upper - lower) as f64 * unit + entry.abs() * f64::EPSILON);
        entry
    };
    let block = system.iter().map(|line| line.iter().map(&mut entry).collect()).collect();
    (block, doubt)
}

/// Bounds of the distance between the solution of a system `M = [A −1; 1ᵀ 0]` and a vector with
/// residuals of these magnitudes (the last residual is 0), for all matrices within the doubt, by an
/// approximate inverse `K`; `None` when the system is (nearly) singular.
fn errors(block: &[Vec<f64>], doubt: f64, residuals: &[f64]) -> Option<Vec<f64>> {
    let size = block.len();
    let all: Vec<usize> = (0..size).collect();
    let mut equaliser = BasisFactorisation::default();
    if !equaliser
        .factorise(&Matrix::from_rows(block).ok()?, &Basis { rows: all.clone(), columns: all })
    {
        return None;
    }
    let mut system: Vec<Vec<f64>> =
        block.iter().map(|line| [line.as_slice(), &[-1.0]].concat()).collect();
    system.push([vec![1.0; size], vec![0.0]].concat());
    // The norm of I − K·M, and the products of |K| and the residuals.
    let (mut defect, mut errors) = (0.0, Vec::new());
    for index in 0..=size {
        let mut row = vec![0.0; size + 1];
        row[index] = 1.0;
        equaliser.solve_transposed(&mut row);
        let of_row = row_defect(index, &row, &system, doubt);
        // The bounds hold for any defect below 1; from a half on they would be worth little.
        if of_row >= 0.5 || of_row.is_nan() {
            return None;
        }
        defect = of_row.max(defect);
        errors.push(
            row.iter()
                .zip(residuals)
                .map(|(factor, residual)| factor.abs() * residual)
                .sum::<f64>(),
        );
    }
    let more = defect / (1.0 - defect) * errors.iter().copied().fold(0.0, f64::max);
    Some(errors.into_iter().map(|error| (error + more) * (1.0 + SUM_ROUNDING)).collect())
}

/// A bound of a row sum of `I − K·M`, from that row of `K`. The block of `M` is in doubt.
fn row_defect(index: usize, row: &[f64], system: &[Vec<f64>], doubt: f64) -> f64 {
    let order = row.len();
    let (mut sums, mut magnitudes) = (vec![0.0; order], vec![1.0; order]);
    sums[index] = -1.0;
    for (factor, line) in row.iter().zip(system) {
        for ((sum, magnitude), entry) in sums.iter_mut().zip(&mut magnitudes).zip(line) {
            *sum += factor * entry;
            *magnitude += (factor * entry).abs();
        }
    }
    // Of a sum of n products, each operation errs by a share of the sum of magnitudes.
    let rounding = 2.0 * (order as f64 + 2.0) * f64::EPSILON;
    let computed: f64 = sums
        .iter()
        .zip(&magnitudes)
        .map(|(sum, magnitude)| f64::abs(*sum) + rounding * magnitude)
        .sum();
    let doubted = doubt * order as f64 * row.iter().map(|factor| factor.abs()).sum::<f64>();
    (computed + doubted * (1.0 + SUM_ROUNDING)) * (1.0 + SUM_ROUNDING)
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::ByEntry;
    use crate::exact::solve_bordered;
    use crate::sequence::{matrix, sequence};

    /// Bounds of each payoff, for one player and, turned, for the other.
    fn between(bounds: &[Vec<[i64; 2]>]) -> EnclosedPayoffs<impl Payoffs<i64>> {
        let (rows, columns) = (bounds.len(), bounds[0].len());
        let [row, column] =
            [([rows, columns], false), ([columns, rows], true)].map(|(size, turned)| {
                ByEntry(
                    size,
                    move |row: usize, column: usize| {
                        if turned { -bounds[column][row][1] } else { bounds[row][column][0] }
                    },
                )
            });
        EnclosedPayoffs { row, column }
    }

    const HALF: u64 = 1 << 61;
    const ONE: i64 = 1 << 50;
    const PURE: Support<'static> = &[(0, 2 * HALF)];
    const EVEN: Support<'static> = &[(0, HALF), (1, HALF)];

    /// Payoffs in whole units of 2^50, each known to within `doubt`.
    fn within(matrix: &[impl AsRef<[i64]>], doubt: i64) -> Vec<Vec<[i64; 2]>> {
        let bounds = |&payoff: &i64| [payoff * ONE - doubt, payoff * ONE + doubt];
        matrix.iter().map(|row| row.as_ref().iter().map(bounds).collect()).collect()
    }

    fn proved(matrix: &[impl AsRef<[i64]>], doubt: i64, strategies: [Support<'_>; 2]) -> bool {
        proves_strict_complementarity(&between(&within(matrix, doubt)), strategies)
    }

    #[test]
    fn only_strict_equilibria_within_the_doubt_are_proved() {
        type Case<'c> = (&'c [&'c [i64]], [Support<'c>; 2], &'c [i64], &'c [i64]);
        let lopsided: Support<'_> = &[(0, HALF + HALF / 2), (1, HALF / 2)];
        // A probability of 1/1001.
        let rare = 2 * HALF / 1001;
        let rarely: Support<'_> = &[(0, rare), (1, 2 * HALF - rare)];
        // Doubts in which the equilibrium is proved, and in which it is not.
        let cases: [Case<'_>; 13] = [
            // With two fifths the inverse does not show that no matrix is singular; with 2 a saddle
            // point is possible.
            (&[&[1, -1], &[-1, 1]], [EVEN; 2], &[3, ONE / 10], &[ONE / 5 * 2, 2 * ONE]),
            // Weights that equalise nothing.
            (&[&[1, -1], &[-1, 1]], [EVEN, lopsided], &[], &[3]),
            // A third column that is worse, or as good.
            (&[&[1, -1, 2], &[-1, 1, 2]], [EVEN; 2], &[3], &[]),
            (&[&[1, -1, 1], &[-1, 1, -1]], [EVEN; 2], &[], &[0]),
            (&[&[1, 1], &[1, 1]], [EVEN; 2], &[], &[0]),
            (&[&[1000, 0], &[0, 1]], [rarely; 2], &[1], &[ONE]),
            // A saddle point, two of them, none.
            (&[&[0, 1], &[-1, 5]], [PURE; 2], &[3], &[]),
            (&[&[0, 0], &[-1, 5]], [PURE; 2], &[], &[0]),
            (&[&[3, 1], &[-1, 5]], [PURE; 2], &[], &[0]),
            // A reply that costs 1 more may be as good as soon as both are in doubt by a half;
            // nothing else is in doubt.
            (&[&[0, 1, 100]], [PURE; 2], &[ONE / 10 * 4], &[ONE / 2]),
            (&[&[0], &[-1], &[-100]], [PURE; 2], &[ONE / 10 * 4], &[ONE / 2]),
            // Against (1 + ε, 1 − ε)/2 the third reply earns −1 + 101 ε, and entries in doubt by
            // ε/2 each allow ε.
            (&[&[1, -1], &[-1, 1], &[100, -102]], [EVEN; 2], &[ONE / 1000], &[ONE / 100]),
            (&[&[1, -1, -100], &[-1, 1, 102]], [EVEN; 2], &[ONE / 1000], &[ONE / 100]),
        ];
        for (game, strategies, narrow, wide) in cases {
            for (doubts, expected) in [(narrow, true), (wide, false)] {
                for &doubt in doubts {
                    assert_eq!(
                        proved(game, doubt, strategies),
                        expected,
                        "{game:?} within {doubt}"
                    );
                }
            }
        }
    }

    /// The saddle point's payoff is known exactly, that of the other reply is not.
    #[test]
    fn a_reply_is_worse_if_its_better_end_is() {
        for (low, high, expected) in [(-3, -1, true), (-3, 1, false), (1, 3, false)] {
            let (row, column) = ([low * ONE, high * ONE], [-high * ONE, -low * ONE]);
            for bounds in [vec![vec![[0, 0]], vec![row]], vec![vec![[0, 0], column]]] {
                assert_eq!(
                    proves_strict_complementarity(&between(&bounds), [PURE; 2]),
                    expected,
                    "{bounds:?}"
                );
            }
        }
    }

    /// K is [[0, 1], [−1, 0]]: a doubt of 1/5, twice as much by its rounding, may add 2/3 of the
    /// largest error to each.
    #[test]
    fn a_defect_adds_to_all_errors() {
        let errors = errors(&[vec![0.0]], 0.2, &[3.0, 0.0]).expect("a small defect");
        assert!(
            errors
                .iter()
                .zip([2.0, 5.0])
                .all(|(error, least)| (least..least * 1.000_001).contains(error)),
            "{errors:?}"
        );
    }

    /// Inverses of matrices at the ends of the doubt, in fractions, keep within the errors for one
    /// unit of a residual; without the doubt many would not.
    #[test]
    fn errors_hold_for_every_matrix_within_the_doubt() {
        let mut draw = sequence(5);
        let mut beyond = 0;
        for game in 0..40 {
            let size = 2 + game % 3;
            let sixteenths = matrix(&mut draw, [size; 2], 16);
            let doubles = |row: &Vec<i64>| row.iter().map(|&entry| entry as f64 / 16.0).collect();
            let block: Vec<Vec<f64>> = sixteenths.iter().map(doubles).collect();
            // The largest doubt that is allowed.
            let within =
                |bits: i32, residuals: &[f64]| errors(&block, f64::from(-bits).exp2(), residuals);
            let Some(bits) = (2..30).find(|&bits| within(bits, &[]).is_some()) else { continue };
            for _ in 0..8 {
                let signs: Vec<i64> = (0..size * size).map(|_| 2 * draw(2) as i64 - 1).collect();
                let entry = |i: usize, j: usize| {
                    RBig::from_parts(
                        ((sixteenths[i][j] << bits) + 16 * signs[i * size + j]).into(),
                        (16_u64 << bits).into(),
                    )
                };
                for unit in 0..size {
                    let column =
                        solve_bordered(size, entry, |index| i64::from(index == unit)).unwrap();
                    let residuals: Vec<f64> =
                        (0..size).map(|k| f64::from(u8::from(k == unit))).collect();
                    let [bound, without_doubt] =
                        [bits, i32::MAX].map(|bits| within(bits, &residuals).unwrap());
                    for (entry, (bound, without_doubt)) in
                        column.iter().zip(bound.into_iter().zip(without_doubt))
                    {
                        let error = entry.to_f64().value().abs();
                        assert!(error <= bound, "{error} > {bound} in game {game}");
                        beyond += u32::from(error > without_doubt);
                    }
                }
            }
        }
        assert!(beyond > 1_000, "{beyond}");
    }

    /// Both players' equalisers on the first rows and columns, if they are the only optimal
    /// strategies and every other reply is worse.
    fn strict_equilibrium(rows: &[Vec<RBig>], size: usize) -> Option<[Vec<RBig>; 2]> {
        let sum_alone = |index: usize| i64::from(index == size);
        let mut column = solve_bordered(size, |i, j| rows[i][j].clone(), sum_alone)?;
        // The transposed system with its border's signs.
        let mut row = solve_bordered(size, |i, j| rows[j][i].clone(), sum_alone)?;
        let value = column.pop()?;
        row.pop();
        let sum =
            |terms: &mut dyn Iterator<Item = RBig>| terms.fold(RBig::ZERO, |sum, term| sum + term);
        let positive = row.iter().chain(&column).all(|probability| *probability > RBig::ZERO);
        let dear = (size..rows[0].len())
            .all(|j| sum(&mut (0..size).map(|i| &row[i] * &rows[i][j])) > value);
        let poor = rows[size..]
            .iter()
            .all(|line| sum(&mut (0..size).map(|j| &column[j] * &line[j])) < value);
        (positive && dear && poor).then_some([row, column])
    }

    /// Random games with one optimal strategy each. The doubt is widened until exact arithmetic
    /// finds a game within it that has other or several optimal strategies: from there on nothing
    /// is proved.
    #[test]
    fn nothing_is_proved_that_a_matrix_within_the_doubt_refutes() {
        let mut draw = sequence(11);
        let mut refuted_games = [0; 3];
        while refuted_games.iter().any(|&games| games < 12) {
            let size = 1 + draw(3) as usize;
            let (rows, columns) = (size + draw(2) as usize, size + draw(2) as usize);
            if rows * columns == 1 {
                // The doubt is all that its payoffs range over.
                continue;
            }
            let matrix = matrix(&mut draw, [rows, columns], 9);
            // Entries in units of 2^50, as far up or down as the signs say.
            let within = |doubt: i64, sign: &dyn Fn(usize, usize) -> i64| -> Vec<Vec<RBig>> {
                let entry =
                    |i: usize, j: usize| RBig::from((matrix[i][j] << 50) + sign(i, j) * doubt);
                (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
            };
            let Some(strategies) = strict_equilibrium(&within(0, &|_, _| 0), size) else {
                continue;
            };
            let supports = strategies.map(|strategy| {
                let weight = |probability: &RBig| (probability * RBig::from(2 * HALF)).floor();
                let mut weights: Vec<u64> =
                    strategy.iter().map(|share| weight(share).try_into().unwrap()).collect();
                weights[0] += 2 * HALF - weights.iter().sum::<u64>();
                (0..).zip(weights).collect::<Vec<_>>()
            });
            let proved = |doubt| proved(&matrix, doubt, supports.each_ref().map(Vec::as_slice));
            assert!(proved(1), "{matrix:?} has one optimal strategy each");
            let is_refuted = |doubt: i64| {
                let sign = |up: usize, index: usize| 2 * (up >> index & 1) as i64 - 1;
                (0..1 << rows).any(|up| {
                    strict_equilibrium(&within(doubt, &|i, _| sign(up, i)), size).is_none()
                }) || (0..1 << columns).any(|up| {
                    strict_equilibrium(&within(doubt, &|_, j| sign(up, j)), size).is_none()
                })
            };
            let Some(mut most) = (40..52).map(|bits| 1 << bits).find(|&doubt| is_refuted(doubt))
            else {
                continue;
            };
            let mut least = most / 2;
            while most - least > most / 64 {
                let middle = i64::midpoint(least, most);
                *(if is_refuted(middle) { &mut most } else { &mut least }) = middle;
            }
            for doubt in [most, most / 8 * 9, most / 4 * 5, most / 2 * 3, 2 * most, 4 * most] {
                assert!(!proved(doubt), "{matrix:?} with {doubt}");
            }
            refuted_games[size - 1] += 1;
        }
    }

    /// The computed `I − K·M` is rounding alone, mostly smaller than the true one.
    #[test]
    fn the_defect_of_an_inverse_allows_for_its_own_rounding() {
        let mut draw = sequence(3);
        let (mut rows, mut beyond) = (0, 0);
        for size in [2, 3, 5, 8].repeat(8) {
            let entries = matrix(&mut draw, [size; 2], 1_000);
            let block: Vec<Vec<f64>> = entries
                .iter()
                .map(|row| row.iter().map(|&entry| entry as f64 / 1_024.0).collect())
                .collect();
            let all: Vec<usize> = (0..size).collect();
            let basis = Basis { rows: all.clone(), columns: all };
            let mut equaliser = BasisFactorisation::default();
            if !equaliser.factorise(&Matrix::from_rows(&block).unwrap(), &basis) {
                continue;
            }
            let mut system: Vec<Vec<f64>> =
                block.iter().map(|line| [line.as_slice(), &[-1.0]].concat()).collect();
            system.push([vec![1.0; size], vec![0.0]].concat());
            for index in 0..=size {
                let mut row = vec![0.0; size + 1];
                row[index] = 1.0;
                equaliser.solve_transposed(&mut row);
                let exact = |number: f64| RBig::try_from(number).unwrap();
                let missing = |column: usize| {
                    let products = row
                        .iter()
                        .zip(&system)
                        .map(|(&factor, line)| exact(factor) * exact(line[column]));
                    let sum = products.fold(RBig::ZERO, |sum, product| sum + product);
                    let missing = sum - RBig::from(i64::from(index == column));
                    if missing < RBig::ZERO { -missing } else { missing }
                };
                let defect = (0..=size).map(missing).fold(RBig::ZERO, |sum, missing| sum + missing);
                let bound = row_defect(index, &row, &system, 0.0);
                assert!(defect <= exact(bound) && bound < 1e-6, "{bound} of {} rows", size + 1);
                let computed = |column: usize| {
                    let sum = row
                        .iter()
                        .zip(&system)
                        .map(|(factor, line)| factor * line[column])
                        .sum::<f64>();
                    exact((sum - f64::from(u8::from(index == column))).abs())
                };
                rows += 1;
                beyond += u32::from(
                    (0..=size).map(computed).fold(RBig::ZERO, |sum, term| sum + term) < defect,
                );
            }
        }
        assert!(rows > 100 && beyond > rows / 4, "{beyond} of {rows}");
    }

    /// The second row of `I − K·M` has the entries −1 and 2, and each is in doubt by a quarter of
    /// the row sum of `|K|`, 2.
    #[test]
    fn what_an_inverse_misses_is_its_defect() {
        let defect = row_defect(1, &[1.0, -1.0], &[vec![1.0, 0.0], vec![0.0, 1.0]], 0.25);
        assert!((4.0..4.0 + 1e-8).contains(&defect), "{defect}");
    }

    /// Whether bounds are apart, or doubles do not hold them.
    #[test]
    fn the_doubt_is_no_less_than_the_distance_to_either_bound() {
        let (large, odd) = ((1 << 60) + 1, 3_i64.pow(37));
        let exact = |number: i64| [number, number];
        let long = vec![vec![exact(0), exact(large)], vec![exact(-odd), exact(odd - large)]];
        let near = [0, 1, 12_345_678_901, ONE].map(|width| within(&[[3, 1], [7, 2]], width));
        for (bounds, is_long) in
            near.into_iter().map(|bounds| (bounds, false)).chain([(long, true)])
        {
            let unit = if is_long { 1.0 } else { (-53.0_f64).exp2() };
            let system: Vec<Vec<Bounds>> = bounds
                .iter()
                .map(|line| line.iter().map(|&[lower, upper]| Bounds::new(lower, upper)).collect())
                .collect();
            let (block, doubt) = block_and_doubt(&system, unit);
            let mut rounded = 0;
            for (bounds, entry) in bounds.concat().into_iter().zip(block.concat()) {
                for bound in bounds {
                    let exact = RBig::from(bound) * RBig::try_from(unit).unwrap();
                    let distance = (exact - RBig::try_from(entry).unwrap()).to_f64().value().abs();
                    assert!(distance <= doubt, "{bound} within {doubt}");
                    rounded += u32::from(distance > 0.0);
                }
            }
            assert!(!is_long || rounded > 2 && doubt < 1024.0, "{doubt}");
        }
    }
}

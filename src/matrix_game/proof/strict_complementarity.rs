use crate::bounds::Bounds;
use crate::matrix_game::basis::{Basis, EqualiserSystem};
use crate::matrix_game::dense::power_of_two_scale;
use crate::matrix_game::tolerances::SUM_ROUNDING;
use crate::matrix_game::{DyadicStrategy, EnclosedPayoffs, Matrix, Payoffs};

/// The support of a strategy, as [`DyadicStrategy::support`].
type Support<'s> = &'s [(u32, u64)];

const SIDES: [bool; 2] = [false, true];

const UNIT_OF_WEIGHTS: f64 = 1.0 / DyadicStrategy::WHOLE as f64;

/// Proves that each player has one optimal strategy alone, with the support of the given one. Payoffs are within ±2⁶¹.
///
/// The equaliser system of the supports is inverted in floating point. The defect of the inverse bounds the distance of the
/// weights from the true equalisers of every matrix within the bounds (Krawczyk 1969; Rump 2010 surveys such proofs). If all
/// probabilities stay positive and every other choice stays worse, the basis is optimal and strictly complementary, and the
/// equaliser of a regular system is unique. O(size³ + rows · columns).
pub(crate) fn proves_strict_complementarity(game: &EnclosedPayoffs<impl Payoffs<i64>>, [row, column]: [Support<'_>; 2]) -> bool {
    if row.len() != column.len() {
        return false;
    }
    let basis = [row, column].map(|support| support.iter().map(|&(index, _)| index as usize).collect::<Vec<_>>());
    // Payoffs as distances from one of them, so that those which nearly agree keep their digits.
    let centre = game.bounds(basis[0][0], basis[1][0]).lower;
    let largest = |Bounds { lower, upper }: Bounds| (lower - centre).unsigned_abs().max((upper - centre).unsigned_abs());
    let [rows, columns] = game.size();
    let in_columns = (0..rows).flat_map(|i| basis[1].iter().map(move |&j| (i, j)));
    let in_rows = basis[0].iter().flat_map(|&i| (0..columns).map(move |j| (i, j)));
    let range = in_columns.chain(in_rows).map(|(i, j)| largest(game.bounds(i, j))).max().unwrap_or(0);
    let unit = power_of_two_scale(range as f64);
    let (block, doubt) = block_and_doubt(game, basis.each_ref().map(Vec::as_slice), centre, unit);
    let Some(inverse) = Inverse::of(&block, doubt) else { return false };
    // Sums of weights and entries in units: at most 2^62 · 2^62.
    let expectation = |support: Support<'_>, entry: &dyn Fn(usize) -> i64| -> i128 {
        support.iter().map(|&(own, weight)| i128::from(weight) * i128::from(entry(own as usize) - centre)).sum()
    };
    let scale = unit * UNIT_OF_WEIGHTS;
    let columns: Vec<[i128; 2]> =
        (0..columns).map(|j| SIDES.map(|upper| expectation(row, &|i| game.bounds(i, j).side(upper)))).collect();
    let rows: Vec<[i128; 2]> =
        (0..rows).map(|i| SIDES.map(|upper| expectation(column, &|j| game.bounds(i, j).side(upper)))).collect();
    // The column player's numbers solve the system itself, the row player's the transposed one. Rows outside must earn less than
    // the value, columns cost more.
    is_strictly_complementary(&inverse, false, column, (&basis[0], &rows), scale)
        && is_strictly_complementary(&inverse, true, row, (&basis[1], &columns), scale)
}

/// Some entries as distances from `centre` in shares of 1/`unit`, and a bound of their errors.
fn block_and_doubt(
    game: &EnclosedPayoffs<impl Payoffs<i64>>,
    [rows, columns]: [&[usize]; 2],
    centre: i64,
    unit: f64,
) -> (Vec<Vec<f64>>, f64) {
    let mut doubt = 0.0_f64;
    let mut entry = |i: usize, j: usize| {
        let bounds = game.bounds(i, j);
        let entry = (bounds.lower - centre) as f64 * unit;
        // Conversion errs by half a unit in the last place; the width is added whole.
        doubt = doubt.max((bounds.upper - bounds.lower) as f64 * unit + entry.abs() * f64::EPSILON);
        entry
    };
    let block = rows.iter().map(|&i| columns.iter().map(|&j| entry(i, j)).collect()).collect();
    (block, doubt)
}

/// Whether a strategy's true equaliser has positive probabilities and all replies outside the basis are worse than those inside.
///
/// `tight` are the replies of the basis, `expectations` bounds of all replies' payoffs. The row player's strategy solves the
/// transposed system, and more is worse for the replies.
fn is_strictly_complementary(
    inverse: &Inverse,
    transposed: bool,
    support: Support<'_>,
    (tight, expectations): (&[usize], &[[i128; 2]]),
    scale: f64,
) -> bool {
    let value = expectations[tight[0]][0];
    let residuals: Vec<f64> = tight
        .iter()
        .map(|&reply| expectations[reply].map(|end| (end - value).unsigned_abs()).into_iter().max().unwrap_or(0) as f64 * scale)
        .collect();
    let errors = inverse.errors(transposed, &residuals);
    let positive =
        support.iter().zip(&errors).all(|(&(_, weight), &error)| weight as f64 * UNIT_OF_WEIGHTS > error * (1.0 + SUM_ROUNDING));
    // Entries are within ±2 by the choice of the unit.
    let tolerance = (2.0 * errors[..support.len()].iter().sum::<f64>() + errors[support.len()]) * (1.0 + SUM_ROUNDING);
    let worse = |reply: usize, [low, high]: [i128; 2]| {
        let ahead = if transposed { low - value } else { value - high };
        tight.binary_search(&reply).is_ok() || ahead as f64 * scale * (1.0 - SUM_ROUNDING) > tolerance
    };
    positive && expectations.iter().enumerate().all(|(reply, &bounds)| worse(reply, bounds))
}

/// An approximate inverse of `[A −1; 1ᵀ 0]`, with its quality for all matrices within the doubt.
struct Inverse {
    order: usize,
    magnitudes: Vec<f64>,
    /// Bounds of the norms of `I − K·M` (row sums) and, for the transposed system, of `I − M·K` (column sums).
    defects: [f64; 2],
}

impl Inverse {
    /// `None` when the system is (nearly) singular.
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
        // The bounds hold for any defect below 1; from a half on they would be worth little.
        defects.iter().all(|&defect| defect < 0.5).then_some(Self { order, magnitudes, defects })
    }

    /// Bounds of the distance between the true solution and one with residuals of these magnitudes (the last residual is 0).
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

/// A bound of the norm of `I − left·right`: row sums, or column sums if `transposed`. The block of one factor is in doubt.
fn defect(order: usize, left: &[f64], right: &[f64], doubt: f64, transposed: bool) -> f64 {
    let mut sums = vec![0.0; order];
    // Of a sum of n products, each operation errs by a share of the sum of magnitudes.
    let rounding = 2.0 * (order as f64 + 2.0) * f64::EPSILON;
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
    use dashu_ratio::RBig;

    use super::*;
    use crate::matrix_game::ByEntry;
    use crate::matrix_game::exact::solve_bordered;
    use crate::matrix_game::sequence::{matrix, sequence};

    /// Bounds of each payoff, for one player and, turned, for the other.
    fn between(bounds: &[Vec<[i64; 2]>]) -> EnclosedPayoffs<impl Payoffs<i64>> {
        let (rows, columns) = (bounds.len(), bounds[0].len());
        let [row, column] = [([rows, columns], false), ([columns, rows], true)].map(|(size, turned)| {
            ByEntry(size, move |row: usize, column: usize| if turned { -bounds[column][row][1] } else { bounds[row][column][0] })
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
            // With two fifths the inverse does not show that no matrix is singular; with 2 a saddle point is possible.
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
            // A reply that costs 1 more may be as good as soon as both are in doubt by a half; nothing else is in doubt. The value is
            // taken at its lower bound, which doubles the doubt of the row player's replies.
            (&[&[0, 1, 100]], [PURE; 2], &[ONE / 10 * 4], &[ONE / 2]),
            (&[&[0], &[-1], &[-100]], [PURE; 2], &[ONE / 10 * 2], &[ONE / 2]),
            // Against (1 + ε, 1 − ε)/2 the third reply earns −1 + 101 ε, and entries in doubt by ε/2 each allow ε.
            (&[&[1, -1], &[-1, 1], &[100, -102]], [EVEN; 2], &[ONE / 1000], &[ONE / 100]),
            (&[&[1, -1, -100], &[-1, 1, 102]], [EVEN; 2], &[ONE / 1000], &[ONE / 100]),
        ];
        for (game, strategies, narrow, wide) in cases {
            for (doubts, expected) in [(narrow, true), (wide, false)] {
                for &doubt in doubts {
                    assert_eq!(proved(game, doubt, strategies), expected, "{game:?} within {doubt}");
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
                assert_eq!(proves_strict_complementarity(&between(&bounds), [PURE; 2]), expected, "{bounds:?}");
            }
        }
    }

    /// The inverse of `[A −1; 1ᵀ 0]`, column by column; `None` where there is none.
    fn inverse(size: usize, entry: impl Fn(usize, usize) -> RBig) -> Option<Vec<Vec<RBig>>> {
        (0..=size).map(|unit| solve_bordered(size, &entry, |place| i64::from(place == unit))).collect()
    }

    /// A matrix in sixteenths, and as doubles.
    fn block(draw: impl FnMut(u64) -> u64, size: usize) -> (Vec<Vec<i64>>, Vec<Vec<f64>>) {
        let sixteenths = matrix(draw, [size; 2], 16);
        let doubles = sixteenths.iter().map(|row| row.iter().map(|&entry| entry as f64 / 16.0).collect()).collect();
        (sixteenths, doubles)
    }

    /// Inverses of matrices at the ends of the doubt, in fractions, keep within the errors for one unit of a residual; without the
    /// doubt many would not.
    #[test]
    fn errors_hold_for_every_matrix_within_the_doubt() {
        let mut draw = sequence(5);
        let mut beyond = [0; 2];
        for game in 0..40 {
            let size = 2 + game % 3;
            let (sixteenths, block) = block(&mut draw, size);
            // The largest doubt that is allowed.
            let allowed = (2..30).find_map(|bits: i32| Some((bits, Inverse::of(&block, f64::from(-bits).exp2())?)));
            let Some((bits, doubtful)) = allowed else { continue };
            let sure = Inverse::of(&block, 0.0).unwrap();
            for _ in 0..8 {
                let signs: Vec<i64> = (0..size * size).map(|_| 2 * draw(2) as i64 - 1).collect();
                let entry = |i: usize, j: usize| {
                    RBig::from_parts(((sixteenths[i][j] << bits) + 16 * signs[i * size + j]).into(), (16_u64 << bits).into())
                };
                let columns = inverse(size, entry).unwrap();
                for (unit, column) in columns.iter().enumerate().take(size) {
                    let residuals: Vec<f64> = (0..size).map(|k| f64::from(u8::from(k == unit))).collect();
                    for (transposed, beyond) in [false, true].into_iter().zip(&mut beyond) {
                        let [told, without_doubt] = [&doubtful, &sure].map(|inverse| inverse.errors(transposed, &residuals));
                        for place in 0..=size {
                            let entry = if transposed { &columns[place][unit] } else { &column[place] };
                            let error = entry.to_f64().value().abs();
                            assert!(error <= told[place], "{error} > {} in game {game}", told[place]);
                            *beyond += u32::from(error > without_doubt[place]);
                        }
                    }
                }
            }
        }
        assert!(beyond.iter().all(|&beyond| beyond > 1_000), "{beyond:?}");
    }

    /// Both players' equalisers on the first rows and columns, if they are the only optimal strategies and every other reply is
    /// worse.
    fn strict_equilibrium(rows: &[Vec<RBig>], size: usize) -> Option<[Vec<RBig>; 2]> {
        let sum_alone = |place: usize| i64::from(place == size);
        let mut column = solve_bordered(size, |i, j| rows[i][j].clone(), sum_alone)?;
        // The transposed system with its border's signs.
        let mut row = solve_bordered(size, |i, j| rows[j][i].clone(), sum_alone)?;
        let value = column.pop()?;
        row.pop();
        let sum = |terms: &mut dyn Iterator<Item = RBig>| terms.fold(RBig::ZERO, |sum, term| sum + term);
        let positive = row.iter().chain(&column).all(|probability| *probability > RBig::ZERO);
        let dear = (size..rows[0].len()).all(|j| sum(&mut (0..size).map(|i| &row[i] * &rows[i][j])) > value);
        let poor = rows[size..].iter().all(|line| sum(&mut (0..size).map(|j| &column[j] * &line[j])) < value);
        (positive && dear && poor).then_some([row, column])
    }

    /// Random games with one optimal strategy each. The doubt is widened until exact arithmetic finds a game within it that has
    /// other or several optimal strategies: from there on nothing is proved.
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
                let entry = |i: usize, j: usize| RBig::from((matrix[i][j] << 50) + sign(i, j) * doubt);
                (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
            };
            let Some(strategies) = strict_equilibrium(&within(0, &|_, _| 0), size) else { continue };
            let supports = strategies.map(|strategy| {
                let weight = |probability: &RBig| (probability * RBig::from(2 * HALF)).floor();
                let mut weights: Vec<u64> = strategy.iter().map(|share| weight(share).try_into().unwrap()).collect();
                weights[0] += 2 * HALF - weights.iter().sum::<u64>();
                (0..).zip(weights).collect::<Vec<_>>()
            });
            let proved = |doubt| proved(&matrix, doubt, supports.each_ref().map(Vec::as_slice));
            assert!(proved(1), "{matrix:?} has one optimal strategy each");
            let is_refuted = |doubt: i64| {
                let sign = |up: usize, place: usize| 2 * (up >> place & 1) as i64 - 1;
                (0..1 << rows).any(|up| strict_equilibrium(&within(doubt, &|i, _| sign(up, i)), size).is_none())
                    || (0..1 << columns).any(|up| strict_equilibrium(&within(doubt, &|_, j| sign(up, j)), size).is_none())
            };
            let Some(mut most) = (40..52).map(|bits| 1 << bits).find(|&doubt| is_refuted(doubt)) else { continue };
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

    #[test]
    fn each_system_has_its_own_defect() {
        let inverse = Inverse { order: 2, magnitudes: vec![0.0, 1.0, 1.0, 2.0], defects: [0.0, 0.4] };
        let [direct, transposed] = [false, true].map(|transposed| inverse.errors(transposed, &[3.0]));
        for (error, exact) in direct.iter().chain(&transposed).zip([0.0, 3.0, 2.0, 5.0]) {
            // 0.4 / 0.6 of the largest, 3, is 2 more.
            assert!(*error >= exact && *error <= exact * 1.000_001, "{error} is not {exact}");
        }
    }

    /// Rows of `I − left · right` have sums of 1, its second column has 2.
    #[test]
    fn a_defect_is_the_largest_sum_of_a_row_or_of_a_column() {
        let [left, right] = [[1.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]];
        for (transposed, sum) in [(false, 1.0), (true, 2.0)] {
            let defect = defect(2, &left, &right, 0.0, transposed);
            assert!((sum..sum + 1e-8).contains(&defect), "{defect}");
        }
    }

    /// Whether bounds are apart, or doubles do not hold them.
    #[test]
    fn the_doubt_is_no_less_than_the_distance_to_either_bound() {
        let (large, odd) = ((1 << 60) + 1, 3_i64.pow(37));
        let exact = |number: i64| [number, number];
        let long = vec![vec![exact(0), exact(large)], vec![exact(-odd), exact(odd - large)]];
        let near = [0, 1, 12_345_678_901, ONE].map(|width| within(&[[3, 1], [7, 2]], width));
        for (bounds, is_long) in near.into_iter().map(|bounds| (bounds, false)).chain([(long, true)]) {
            let game = between(&bounds);
            let centre = game.bounds(0, 0).lower;
            let unit = if is_long { 1.0 } else { (-53.0_f64).exp2() };
            let (block, doubt) = block_and_doubt(&game, [&[0, 1], &[0, 1]], centre, unit);
            let mut rounded = 0;
            for (bounds, entry) in bounds.concat().into_iter().zip(block.concat()) {
                for bound in bounds {
                    let exact = RBig::from(bound - centre) * RBig::try_from(unit).unwrap();
                    let distance = (exact - RBig::try_from(entry).unwrap()).to_f64().value().abs();
                    assert!(distance <= doubt, "{bound} within {doubt}");
                    rounded += u32::from(distance > 0.0);
                }
            }
            assert!(!is_long || rounded > 2 && doubt < 1024.0, "{doubt}");
        }
    }

    /// A doubt in every entry of `M` changes `I − K·M` by up to the doubt times the order times the largest row sum of `|K|`, and
    /// `I − M·K` by as much with column sums. `K` is in fractions.
    #[test]
    fn defects_are_those_of_rows_and_of_columns() {
        let mut draw = sequence(17);
        let mut unlike = [0; 2];
        for _ in 0..40 {
            let size = 2 + draw(2) as usize;
            let (sixteenths, block) = block(&mut draw, size);
            let doubt = 1.0 / 1024.0;
            let Some(found) = Inverse::of(&block, doubt) else { continue };
            let entry = |i: usize, j: usize| RBig::from_parts(sixteenths[i][j].into(), 16_u8.into());
            let size_of = |entry: &RBig| entry.to_f64().value().abs();
            let columns = inverse(size, entry).unwrap();
            let columns: Vec<Vec<f64>> = columns.iter().map(|column| column.iter().map(size_of).collect()).collect();
            let rows = (0..=size).map(|row| columns.iter().map(|column| column[row]).sum::<f64>());
            let sums = [rows.fold(0.0, f64::max), columns.iter().map(|column| column.iter().sum()).fold(0.0, f64::max)];
            for (defect, sum) in found.defects.into_iter().zip(sums) {
                let change = doubt * (size + 1) as f64 * sum;
                assert!((change..change * 1.001).contains(&defect), "{defect} and {change}: {block:?}");
            }
            unlike[0] += u32::from(sums[0] > 1.1 * sums[1]);
            unlike[1] += u32::from(sums[1] > 1.1 * sums[0]);
        }
        assert!(unlike[0] + unlike[1] > 3, "{unlike:?}");
    }
}

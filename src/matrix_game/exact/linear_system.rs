//! Linear systems over the rationals, solved in integers.

use dashu_base::{BitTest, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Solves a square system exactly; `entry(row, column)` with `column == size` is the right-hand side.
///
/// Every row is multiplied by its common denominator and eliminated without fractions (Bareiss 1968): all
/// intermediate numbers are minors, divisions are exact, and nothing is reduced before the end. Rows with small numbers go first,
/// so that the large ones, which in our games dominate everything, take part only in the last steps.
///
/// Returns `None` for a singular system.
#[cfg(test)]
pub(crate) fn solve<'e>(size: usize, entry: impl Fn(usize, usize) -> &'e RBig) -> Option<Vec<RBig>> {
    solve_unless(&|| false, size, entry)
}

/// The same unless it is stopped; `None` then, too.
pub(crate) fn solve_unless<'e>(
    stop: &dyn Fn() -> bool,
    size: usize,
    entry: impl Fn(usize, usize) -> &'e RBig,
) -> Option<Vec<RBig>> {
    let mut rows: Vec<Vec<IBig>> = (0..size).map(|row| cleared(size, |column| entry(row, column))).collect();
    rows.sort_by_key(|row| row.iter().map(BitTest::bit_len).max());
    // Which unknown each column belongs to: columns are exchanged to bring a pivot into place.
    let mut unknowns: Vec<usize> = (0..size).collect();
    let mut previous = IBig::ONE;
    for step in 0..size {
        let column =
            (step..size).filter(|&column| !rows[step][column].is_zero()).min_by_key(|&column| rows[step][column].bit_len())?;
        if column != step {
            unknowns.swap(step, column);
            for row in &mut rows {
                row.swap(step, column);
            }
        }
        let (above, below) = rows.split_at_mut(step + 1);
        let pivot_row = &above[step];
        let pivot = &pivot_row[step];
        for row in below {
            if stop() {
                return None;
            }
            let factor = std::mem::take(&mut row[step]);
            for column in step + 1..=size {
                let product = pivot * &row[column];
                let minor = if factor.is_zero() { product } else { product - &factor * &pivot_row[column] };
                row[column] = if step == 0 { minor } else { minor / &previous };
            }
        }
        previous.clone_from(&rows[step][step]);
    }
    // `previous` is the determinant now; determinant · solution is integral (Cramer), so that these divisions are exact, too.
    let determinant = previous;
    let mut scaled = vec![IBig::ZERO; size];
    for step in (0..size).rev() {
        let row = &rows[step];
        let known: IBig = (step + 1..size).map(|column| &row[column] * &scaled[column]).sum();
        scaled[step] = (&determinant * &row[size] - known) / &row[step];
    }
    let mut solution = vec![RBig::ZERO; size];
    for (place, numerator) in unknowns.into_iter().zip(scaled) {
        solution[place] = RBig::from_parts_signed(numerator, determinant.clone());
    }
    Some(solution)
}

/// A row and its right-hand side, multiplied by the least common denominator.
fn cleared<'e>(size: usize, entry: impl Fn(usize) -> &'e RBig) -> Vec<IBig> {
    let common = (0..=size).fold(UBig::ONE, |common, column| lcm(common, entry(column).denominator()));
    let scale = |number: &RBig| number.numerator() * (&common / number.denominator());
    (0..=size).map(|column| scale(entry(column))).collect()
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
        // Σ_k 1/(i + k + 1) · z_k = 1 has integer solutions (−1)^(n−1−k) · (n + k)! / ((k!)² · (n − 1 − k)!); for n = 3: 3, −24,
        // 30.
        let entries: Vec<Vec<RBig>> =
            (0..3).map(|i| (0..4).map(|k| if k == 3 { RBig::ONE } else { fraction(1, i + k + 1) }).collect()).collect();
        let solution = solve(3, |row, column| &entries[row][column]).unwrap();
        assert_eq!(solution, [fraction(3, 1), fraction(-24, 1), fraction(30, 1)]);
    }

    #[test]
    fn a_singular_system_has_no_solution() {
        let entries = [[fraction(1, 2), fraction(1, 3), RBig::ONE], [fraction(3, 2), RBig::ONE, RBig::ONE]];
        assert_eq!(solve(2, |row, column| &entries[row][column]), None);
    }

    #[test]
    fn columns_are_exchanged_where_a_pivot_is_missing() {
        let entries = [[RBig::ZERO, fraction(2, 1), fraction(1, 1)], [fraction(4, 1), RBig::ZERO, fraction(3, 1)]];
        assert_eq!(solve(2, |row, column| &entries[row][column]).unwrap(), [fraction(3, 4), fraction(1, 2)]);
    }
}

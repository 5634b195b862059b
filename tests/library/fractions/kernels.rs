//! Kernels of matrix games in exact fractions, by enumeration: written apart from the library, to
//! compare it with.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

pub(crate) type Fraction = BigRational;

/// The value of a matrix game with every pair of optimal strategies that are equalisers of a square
/// submatrix, the smallest submatrices first.
///
/// There is such a pair in every game, and every extreme pair is one (Shapley and Snow 1950).
pub(crate) fn kernels(
    matrix: &[Vec<Fraction>],
) -> impl Iterator<Item = (Fraction, [Vec<Fraction>; 2])> {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    (1..=rows.min(columns)).flat_map(move |size| subsets(rows, size)).flat_map(move |rows| {
        subsets(columns, rows.len())
            .into_iter()
            .filter_map(move |columns| kernel(matrix, &rows, &columns))
    })
}

/// The value and the equalisers of a submatrix as strategies of the whole game, if they are optimal
/// there.
fn kernel(
    matrix: &[Vec<Fraction>],
    picked_rows: &[usize],
    picked_columns: &[usize],
) -> Option<(Fraction, [Vec<Fraction>; 2])> {
    let (size, rows, columns) = (picked_rows.len(), matrix.len(), matrix[0].len());
    let (x, value) = equaliser(size, |i, j| &matrix[picked_rows[j]][picked_columns[i]])?;
    let (y, _) = equaliser(size, |i, j| &matrix[picked_rows[i]][picked_columns[j]])?;
    if x.iter().chain(&y).any(Signed::is_negative) {
        return None;
    }
    let whole = |length: usize, picked: &[usize], part: &[Fraction]| {
        let mut whole = vec![Fraction::zero(); length];
        picked.iter().zip(part).for_each(|(&place, p)| whole[place] = p.clone());
        whole
    };
    let [x, y] = [whole(rows, picked_rows, &x), whole(columns, picked_columns, &y)];
    let secures =
        (0..columns).all(|j| (0..rows).map(|i| &x[i] * &matrix[i][j]).sum::<Fraction>() >= value);
    let holds = matrix
        .iter()
        .all(|row| row.iter().zip(&y).map(|(entry, y)| entry * y).sum::<Fraction>() <= value);
    (secures && holds).then_some((value, [x, y]))
}

fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    (0_u32..1 << of)
        .filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| (0..of).filter(|i| mask >> i & 1 == 1).collect())
        .collect()
}

/// The `z` that sums to 1 and makes all rows of `m` worth the same, and that worth.
fn equaliser<'m>(
    size: usize,
    m: impl Fn(usize, usize) -> &'m Fraction,
) -> Option<(Vec<Fraction>, Fraction)> {
    let mut system: Vec<Vec<Fraction>> = (0..size)
        .map(|i| {
            (0..size).map(|j| m(i, j).clone()).chain([-Fraction::one(), Fraction::zero()]).collect()
        })
        .collect();
    system.push(
        (0..size).map(|_| Fraction::one()).chain([Fraction::zero(), Fraction::one()]).collect(),
    );
    for step in 0..=size {
        let pivot = (step..=size).find(|&row| !system[row][step].is_zero())?;
        system.swap(step, pivot);
        let head = system[step].clone();
        for row in (0..=size)
            .filter(|&row| row != step && !system[row][step].is_zero())
            .collect::<Vec<_>>()
        {
            let factor = &system[row][step] / &head[step];
            for (entry, head) in system[row].iter_mut().zip(&head) {
                *entry -= &factor * head;
            }
        }
    }
    let mut solution: Vec<Fraction> =
        (0..=size).map(|i| &system[i][size + 1] / &system[i][i]).collect();
    let value = solution.pop()?;
    Some((solution, value))
}

//! All optimal strategies of a matrix game: the extreme points of both players' optimal sets.
//!
//! The row player's optimal strategies are the probabilities x that win at least the value v
//! against every column: for column j, Σ xᵢ·(aᵢⱼ − v) ≥ 0. Scaled by any positive number they form
//! a cone, whose extreme rays the double description method finds (Motzkin, Raiffa, Thompson and
//! Thrall 1953): it adds one column at a time and keeps the rays on its good side. Between a ray on
//! the good side and one on the bad side a new ray arises if the two are adjacent, that is, if no
//! third ray meets every constraint with equality that both meet so (Fukuda and Prodon 1996).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use dashu_base::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::linear_system::Fractions;

/// A ray in lowest integers, with the constraints that it meets with equality: first the signs of
/// its entries, then the columns.
#[derive(Clone, Debug)]
struct Ray {
    entries: Vec<IBig>,
    tight: BTreeSet<usize>,
}

impl Ray {
    /// Only one entry is positive.
    fn axis(index: usize, length: usize) -> Self {
        let mut entries = vec![IBig::ZERO; length];
        entries[index] = IBig::ONE;
        Self { entries, tight: (0..length).filter(|&other| other != index).collect() }
    }

    fn product(&self, constraint: &[IBig]) -> IBig {
        self.entries.iter().zip(constraint).map(|(entry, factor)| entry * factor).sum()
    }

    /// The ray between one that exceeds a constraint and one that misses it, which meets it with
    /// equality.
    fn between(good: (&Self, &IBig), bad: (&Self, &IBig), constraint: usize) -> Self {
        let ((good, excess), (bad, missing)) = (good, bad);
        let entries = good
            .entries
            .iter()
            .zip(&bad.entries)
            .map(|(one, other)| other * excess - one * missing);
        let mut tight: BTreeSet<usize> = good.tight.intersection(&bad.tight).copied().collect();
        tight.insert(constraint);
        Self { entries: in_lowest_terms(entries.collect()), tight }
    }

    fn strategy(&self) -> Vec<RBig> {
        let whole: IBig = self.entries.iter().sum();
        self.entries
            .iter()
            .map(|entry| RBig::from_parts_signed(entry.clone(), whole.clone()))
            .collect()
    }
}

fn in_lowest_terms(mut entries: Vec<IBig>) -> Vec<IBig> {
    let divisor = entries.iter().filter(|entry| !entry.is_zero()).fold(UBig::ZERO, UBig::gcd);
    if divisor > UBig::ONE {
        let divisor = IBig::from(divisor);
        for entry in &mut entries {
            *entry /= &divisor;
        }
    }
    entries
}

/// The extreme points of the row player's optimal set in a game of this value, in lexicographic
/// order; `None` if more than `most` rays arise on the way.
pub(super) fn extreme_points(
    rows: &[Vec<RBig>],
    value: &RBig,
    most: usize,
) -> Option<Vec<Vec<RBig>>> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rays: Vec<Ray> = (0..rows.len()).map(|row| Ray::axis(row, rows.len())).collect();
    for column in 0..columns {
        let gains: Vec<RBig> = rows.iter().map(|row| &row[column] - value).collect();
        rays = cut(rays, &Fractions::of(gains.iter()).numerators, rows.len() + column, most)?;
    }
    let mut points: Vec<Vec<RBig>> = rays.iter().map(Ray::strategy).collect();
    points.sort();
    Some(points)
}

/// The extreme rays of a cone where a linear constraint is not below 0; `None` if there are more
/// than `most`.
fn cut(rays: Vec<Ray>, constraint: &[IBig], number: usize, most: usize) -> Option<Vec<Ray>> {
    let products: Vec<IBig> = rays.iter().map(|ray| ray.product(constraint)).collect();
    let (mut good_side, mut bad_side) = (Vec::new(), Vec::new());
    for (index, product) in products.iter().enumerate() {
        match product.cmp(&IBig::ZERO) {
            Ordering::Greater => good_side.push(index),
            Ordering::Less => bad_side.push(index),
            Ordering::Equal => {}
        }
    }
    let mut found = Vec::new();
    for &good in &good_side {
        for &bad in &bad_side {
            if are_adjacent(&rays, good, bad) {
                found.push(Ray::between(
                    (&rays[good], &products[good]),
                    (&rays[bad], &products[bad]),
                    number,
                ));
            }
            if found.len() > most {
                return None;
            }
        }
    }
    for (mut ray, product) in rays.into_iter().zip(products) {
        if product.is_zero() {
            ray.tight.insert(number);
        }
        if product >= IBig::ZERO {
            found.push(ray);
        }
    }
    Some(found).filter(|found| found.len() <= most)
}

/// Whether two extreme rays span a face of two dimensions.
fn are_adjacent(rays: &[Ray], one: usize, other: usize) -> bool {
    let common: Vec<usize> = rays[one].tight.intersection(&rays[other].tight).copied().collect();
    let is_third = |index: usize| index != one && index != other;
    let is_on_face = |ray: &Ray| common.iter().all(|constraint| ray.tight.contains(constraint));
    !rays.iter().enumerate().any(|(index, ray)| is_third(index) && is_on_face(ray))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::solve_fractions;
    use crate::work::unwatched;

    fn fractions(rows: &[Vec<i32>]) -> Vec<Vec<RBig>> {
        rows.iter().map(|row| row.iter().map(|&payoff| RBig::from(payoff)).collect()).collect()
    }

    fn value(rows: &[Vec<RBig>]) -> RBig {
        solve_fractions(rows, &mut unwatched).unwrap().value.canonicalize()
    }

    /// The vertices of {x ≥ 0, Σx = 1, gains ≥ 0} with three rows, by brute force: where two of the
    /// constraints are equalities, x is along the cross product of their normals.
    fn by_brute_force(rows: &[Vec<RBig>], value: &RBig) -> BTreeSet<Vec<RBig>> {
        let unit = |index: usize| [0, 1, 2].map(|other| RBig::from(u8::from(other == index)));
        let gain = |column: usize| [0, 1, 2].map(|row: usize| &rows[row][column] - value);
        let normals: Vec<[RBig; 3]> =
            (0..3).map(unit).chain((0..rows[0].len()).map(gain)).collect();
        let dot = |one: &[RBig], other: &[RBig]| {
            one.iter().zip(other).fold(RBig::ZERO, |sum, (a, b)| sum + a * b)
        };
        let mut found = BTreeSet::new();
        for one in &normals {
            for other in &normals {
                let cross = [(1, 2), (2, 0), (0, 1)]
                    .map(|(i, j)| &one[i] * &other[j] - &one[j] * &other[i]);
                let whole = cross.iter().fold(RBig::ZERO, |sum, entry| sum + entry);
                if whole.is_zero() {
                    continue;
                }
                let point: Vec<RBig> = cross.iter().map(|entry| entry / &whole).collect();
                if normals.iter().all(|normal| dot(normal, &point) >= RBig::ZERO) {
                    found.insert(point);
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn extreme_points_are_those_of_brute_force(
            rows in (1..5_usize).prop_flat_map(|columns| prop::collection::vec(prop::collection::vec(-2..3, columns), 3)),
        ) {
            let rows = fractions(&rows);
            let value = value(&rows);
            let found = extreme_points(&rows, &value, 1000).unwrap();
            let count = found.len();
            let found: BTreeSet<Vec<RBig>> = found.into_iter().collect();
            prop_assert_eq!(count, found.len(), "no point twice");
            prop_assert_eq!(found, by_brute_force(&rows, &value));
        }
    }

    /// All payoffs are equal: every action is optimal.
    #[test]
    fn where_nothing_matters_all_actions_are_extreme() {
        let rows = fractions(&[vec![1, 1], vec![1, 1], vec![1, 1]]);
        let points = extreme_points(&rows, &RBig::ONE, 3).unwrap();
        assert_eq!(points.len(), 3);
        assert!(extreme_points(&rows, &RBig::ONE, 2).is_none(), "more than the limit");
    }

    /// Rock, paper, scissors twice, side by side: a mixture of the six rows is optimal if it has a
    /// third of each.
    #[test]
    fn duplicates_multiply_the_extreme_points() {
        let rps = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]];
        let rows: Vec<Vec<i32>> = rps.iter().chain(&rps).map(|row| row.to_vec()).collect();
        assert_eq!(extreme_points(&fractions(&rows), &RBig::ZERO, 100).unwrap().len(), 8);
    }
}

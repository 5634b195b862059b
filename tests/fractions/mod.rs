//! Matrix games and whole small games in exact fractions, by enumeration: written apart from the library, to compare it with.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use pencil_tennis::{Ball, Motion, Rules, Scoring, State};

pub(crate) type Fraction = BigRational;

/// The value of a matrix game and all extreme optimal strategies of both players.
///
/// Every extreme pair is the pair of equalisers of a square submatrix, and optimal strategies are the mixtures of the extreme ones (Shapley and Snow 1950).
pub(crate) fn extreme_strategies(matrix: &[Vec<Fraction>]) -> (Fraction, [BTreeSet<Vec<Fraction>>; 2]) {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    let mut value = None;
    for size in 1..=rows.min(columns) {
        for picked_rows in subsets(rows, size) {
            for picked_columns in subsets(columns, size) {
                let Some((x, v)) = equaliser(size, |i, j| &matrix[picked_rows[j]][picked_columns[i]]) else { continue };
                let Some((y, _)) = equaliser(size, |i, j| &matrix[picked_rows[i]][picked_columns[j]]) else { continue };
                if x.iter().chain(&y).any(Signed::is_negative) {
                    continue;
                }
                let whole = |length: usize, picked: &[usize], part: &[Fraction]| {
                    let mut whole = vec![Fraction::zero(); length];
                    picked.iter().zip(part).for_each(|(&place, p)| whole[place] = p.clone());
                    whole
                };
                let [x, y] = [whole(rows, &picked_rows, &x), whole(columns, &picked_columns, &y)];
                let secures = (0..columns).all(|j| (0..rows).map(|i| &x[i] * &matrix[i][j]).sum::<Fraction>() >= v);
                let holds = matrix.iter().all(|row| row.iter().zip(&y).map(|(entry, y)| entry * y).sum::<Fraction>() <= v);
                if secures && holds {
                    found[0].insert(x);
                    found[1].insert(y);
                    value = Some(v);
                }
            }
        }
    }
    (value.expect("every matrix game has a kernel"), found)
}

fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    (0_u32..1 << of)
        .filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| (0..of).filter(|i| mask >> i & 1 == 1).collect())
        .collect()
}

/// The `z` that sums to 1 and makes all rows of `m` worth the same, and that worth.
fn equaliser<'m>(size: usize, m: impl Fn(usize, usize) -> &'m Fraction) -> Option<(Vec<Fraction>, Fraction)> {
    let mut system: Vec<Vec<Fraction>> =
        (0..size).map(|i| (0..size).map(|j| m(i, j).clone()).chain([-Fraction::one(), Fraction::zero()]).collect()).collect();
    system.push((0..size).map(|_| Fraction::one()).chain([Fraction::zero(), Fraction::one()]).collect());
    for step in 0..=size {
        let pivot = (step..=size).find(|&row| !system[row][step].is_zero())?;
        system.swap(step, pivot);
        let head = system[step].clone();
        for row in (0..=size).filter(|&row| row != step && !system[row][step].is_zero()).collect::<Vec<_>>() {
            let factor = &system[row][step] / &head[step];
            for (entry, head) in system[row].iter_mut().zip(&head) {
                *entry -= &factor * head;
            }
        }
    }
    let mut solution: Vec<Fraction> = (0..=size).map(|i| &system[i][size + 1] / &system[i][i]).collect();
    let value = solution.pop()?;
    Some((solution, value))
}

/// A state, its matrix game, its value and all extreme optimal strategies of both players.
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) matrix: Vec<Vec<Fraction>>,
    pub(crate) value: Fraction,
    pub(crate) strategies: [BTreeSet<Vec<Fraction>>; 2],
}

/// A game by its rules alone: field, whether hits go over the net, and the ends in the library's order.
pub(crate) struct Game {
    pub(crate) field: i32,
    pub(crate) over_the_net: bool,
    pub(crate) ends: [i64; 5],
}

impl Game {
    pub(crate) fn rules(&self) -> Rules {
        let scoring: Scoring = self.ends.map(|end| end.to_string()).join(",").parse().unwrap();
        Rules::new(self.field as u32, if self.over_the_net { Motion::Net } else { Motion::Step }, scoring).unwrap()
    }

    /// All states up to so many points that are not ended.
    pub(crate) fn solve(&self, points: u32) -> Vec<SolvedState> {
        let mut values: BTreeMap<(u32, u32, i32), Fraction> = BTreeMap::new();
        let mut solved = Vec::new();
        for total in 0..=2 * points {
            for (a, b) in (0..=points).map(|a| (a, total.wrapping_sub(a))).filter(|&(_, b)| b <= points) {
                for ball in -self.field..=self.field {
                    if total == 0 {
                        values.insert((a, b, ball), Fraction::from(BigInt::from(self.ends[(2 - ball.signum()) as usize])));
                        continue;
                    }
                    let bids = |account: u32| account.min(1)..=account;
                    let entry = |i: u32, j: u32| {
                        let next = match i.cmp(&j) {
                            std::cmp::Ordering::Equal => ball,
                            std::cmp::Ordering::Greater => {
                                if self.over_the_net && ball < 0 {
                                    1
                                } else {
                                    ball + 1
                                }
                            }
                            std::cmp::Ordering::Less => {
                                if self.over_the_net && ball > 0 {
                                    -1
                                } else {
                                    ball - 1
                                }
                            }
                        };
                        match next {
                            next if next > self.field => Fraction::from(BigInt::from(self.ends[0])),
                            next if next < -self.field => Fraction::from(BigInt::from(self.ends[4])),
                            next => values[&(a - i, b - j, next)].clone(),
                        }
                    };
                    let matrix: Vec<Vec<Fraction>> = bids(a).map(|i| bids(b).map(|j| entry(i, j)).collect()).collect();
                    let (value, strategies) = extreme_strategies(&matrix);
                    values.insert((a, b, ball), value.clone());
                    let state = State::new(a, b, Ball::new(ball).expect("on the field"));
                    solved.push(SolvedState { state, matrix, value, strategies });
                }
            }
        }
        solved
    }
}

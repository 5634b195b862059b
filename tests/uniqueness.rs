//! Which optimal strategies are the only ones, against an enumeration of all of them in exact fractions.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use pencil_tennis::{Ball, Error, Method, Motion, Rules, Scoring, Solution, Solver, State, Uniqueness};

type Fraction = BigRational;

/// The value of a matrix game and all extreme optimal strategies of both players.
///
/// Every extreme pair is the pair of equalisers of a square submatrix, and optimal strategies are the mixtures of the extreme ones (Shapley and Snow 1950).
fn extreme_strategies(matrix: &[Vec<Fraction>]) -> (Fraction, [BTreeSet<Vec<Fraction>>; 2]) {
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

/// A game by its rules alone: field, whether hits go over the net, and the ends in the library's order.
struct Game {
    field: i32,
    over_the_net: bool,
    ends: [i64; 5],
}

impl Game {
    fn rules(&self) -> Rules {
        let scoring: Scoring = self.ends.map(|end| end.to_string()).join(",").parse().unwrap();
        Rules::new(self.field as u32, if self.over_the_net { Motion::Net } else { Motion::Step }, scoring).unwrap()
    }

    /// For every state up to so many points: how many extreme optimal strategies each player has.
    fn extremes(&self, points: u32) -> BTreeMap<(u32, u32, i32), [usize; 2]> {
        let mut values: BTreeMap<(u32, u32, i32), Fraction> = BTreeMap::new();
        let mut extremes = BTreeMap::new();
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
                    values.insert((a, b, ball), value);
                    extremes.insert((a, b, ball), strategies.map(|strategies| strategies.len()));
                }
            }
        }
        extremes
    }
}

#[test]
fn enumeration_of_all_optimal_strategies_agrees() {
    let games = [
        (Game { field: 2, over_the_net: true, ends: [2, 1, 0, -1, -2] }, 6),
        (Game { field: 2, over_the_net: true, ends: [1, 1, 0, -1, -1] }, 5),
        (Game { field: 1, over_the_net: false, ends: [1, 0, 0, 0, -1] }, 5),
        (Game { field: 1, over_the_net: true, ends: [5, 1, 2, 0, -3] }, 5),
    ];
    for (game, points) in games {
        let extremes = game.extremes(points);
        let exact = Solver::new(game.rules()).points(points, points).exact(Solver::EXACT_BITS).solve().unwrap();
        let plain = Solver::new(game.rules()).points(points, points).solve().unwrap();
        let mut kinds = BTreeSet::new();
        for (&(a, b, ball), counts) in &extremes {
            let state = State::new(a, b, Ball::new(ball).unwrap());
            let expected = counts.map(|count| if count == 1 { Uniqueness::Unique } else { Uniqueness::Several });
            assert_eq!(exact.uniqueness(state).unwrap(), expected, "{state} of {:?}: {counts:?}", game.ends);
            for (found, expected) in plain.uniqueness(state).unwrap().into_iter().zip(expected) {
                assert!(found == expected || found == Uniqueness::Unknown, "{state} of {:?} without exact numbers", game.ends);
            }
            kinds.insert(format!("{expected:?}"));
        }
        assert_eq!(kinds.len(), 4, "all four cases occur: {kinds:?}");
    }
}

/// Two ways of solving may find different optimal strategies only where there are several.
#[test]
fn unique_strategies_are_found_by_every_method() {
    let solve = |method| Solver::new(Rules::tennis()).points(24, 24).method(method).solve().unwrap();
    let [simplex, tableau, lp]: [Solution; 3] = [Method::Simplex, Method::Tableau, Method::Lp].map(solve);
    let mut unique = 0;
    for state in simplex.states() {
        let own = simplex.equilibrium(state).unwrap();
        for other in [&tableau, &lp] {
            let other = other.equilibrium(state).unwrap();
            for (uniqueness, own, other) in [(0, &own.a, &other.a), (1, &own.b, &other.b)]
                .map(|(player, own, other)| (simplex.uniqueness(state).unwrap()[player], own, other))
            {
                if uniqueness == Uniqueness::Unique {
                    unique += 1;
                    for (bid, probability) in own.probabilities() {
                        assert!((probability - other.probability(bid)).abs() < 1e-6, "{state}: bid {bid}");
                    }
                }
            }
        }
    }
    assert!(unique > 2_000, "{unique}");
}

#[test]
fn at_fifty_points_most_states_are_decided() {
    let solution = pencil_tennis::solve(50).unwrap();
    assert_eq!(solution.uniqueness("50:50@0".parse().unwrap()).unwrap(), [Uniqueness::Unique; 2]);
    let mut counts = BTreeMap::new();
    for state in solution.states() {
        let randomised = solution.equilibrium(state).unwrap().is_randomised();
        for uniqueness in solution.uniqueness(state).unwrap() {
            *counts.entry((randomised, format!("{uniqueness:?}"))).or_insert(0) += 1;
        }
    }
    assert!(!counts.contains_key(&(false, "Unknown".to_owned())), "where nobody randomises all is decided: {counts:?}");
    assert!(counts[&(true, "Unique".to_owned())] > 4_400, "{counts:?}");
}

#[test]
fn mirror_images_and_ends() {
    let solution = Solver::new(Rules::tennis()).points(9, 9).exact(Solver::EXACT_BITS).solve().unwrap();
    for state in solution.states() {
        let [a, b] = solution.uniqueness(state).unwrap();
        assert_eq!(solution.uniqueness(state.mirrored()).unwrap(), [b, a], "{state}");
    }
    assert_eq!(solution.uniqueness("0:0@1".parse().unwrap()).unwrap(), [Uniqueness::Unique; 2], "there is nothing to choose");
    assert!(matches!(solution.uniqueness("10:9@0".parse().unwrap()), Err(Error::OutsideSolution { .. })));
}

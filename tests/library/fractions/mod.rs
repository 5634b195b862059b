//! Matrix games and whole small games in exact fractions, by enumeration: written apart from the
//! library, to compare it with.

mod kernels;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use pencil_tennis::{Ball, Motion, Rules, Scoring, State};

pub(crate) use kernels::{Fraction, kernels};

/// The value of a matrix game and all extreme optimal strategies of both players; optimal
/// strategies are the mixtures of the extreme ones.
pub(crate) fn extreme_strategies(
    matrix: &[Vec<Fraction>],
) -> (Fraction, [BTreeSet<Vec<Fraction>>; 2]) {
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    let mut value = None;
    for (v, [x, y]) in kernels(matrix) {
        found[0].insert(x);
        found[1].insert(y);
        value = Some(v);
    }
    (value.expect("every matrix game has a kernel"), found)
}

/// A state, its matrix game, its value and all extreme optimal strategies of both players.
pub(crate) struct SolvedState {
    pub(crate) state: State,
    pub(crate) matrix: Vec<Vec<Fraction>>,
    pub(crate) value: Fraction,
    pub(crate) strategies: [BTreeSet<Vec<Fraction>>; 2],
}

/// A game by its rules alone: field, whether hits go over the net, and the ends in the library's
/// order.
pub(crate) struct Game {
    pub(crate) field: i32,
    pub(crate) over_the_net: bool,
    pub(crate) ends: [i64; 5],
}

impl Game {
    pub(crate) fn rules(&self) -> Rules {
        let scoring: Scoring = self.ends.map(|end| end.to_string()).join(",").parse().unwrap();
        Rules::new(self.field, if self.over_the_net { Motion::Net } else { Motion::Step }, scoring)
            .unwrap()
    }

    /// All states up to so many points that are not ended.
    pub(crate) fn solve(&self, points: u32) -> Vec<SolvedState> {
        let mut values: BTreeMap<(u32, u32, i32), Fraction> = BTreeMap::new();
        let mut solved = Vec::new();
        for total in 0..=2 * points {
            for (a, b) in
                (0..=points).map(|a| (a, total.wrapping_sub(a))).filter(|&(_, b)| b <= points)
            {
                for ball in -self.field..=self.field {
                    if total == 0 {
                        values.insert(
                            (a, b, ball),
                            Fraction::from(BigInt::from(self.ends[(2 - ball.signum()) as usize])),
                        );
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
                            next if next < -self.field => {
                                Fraction::from(BigInt::from(self.ends[4]))
                            }
                            next => values[&(a - i, b - j, next)].clone(),
                        }
                    };
                    let matrix: Vec<Vec<Fraction>> =
                        bids(a).map(|i| bids(b).map(|j| entry(i, j)).collect()).collect();
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

//! Matches of several games, against a brute force in exact fractions that knows nothing of the
//! library.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use pencil_tennis::analysis::{Score, Series, SeriesError, SolvedScore};
use pencil_tennis::{
    Enclosure, Error, GameError, Motion, Player, Policy, Rules, Scoring, Solver, WorkError,
    unwatched,
};

use crate::fractions::{Fraction, kernels};

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// A match, described without a word from the library.
#[derive(Clone, Copy, Debug)]
struct Match {
    field: i32,
    over_the_net: bool,
    /// Winning points of A (or, negative, of B): A hits out, the ball lies with B, draw, the ball
    /// lies with A, B hits out.
    ends: [i64; 5],
    points: [u32; 2],
    to: i64,
}

impl Match {
    const fn tennis(points: [u32; 2], to: i64) -> Self {
        Self { field: 2, over_the_net: true, ends: [2, 1, 0, -1, -2], points, to }
    }

    fn solved(&self) -> Series {
        let motion = if self.over_the_net { Motion::Net } else { Motion::Step };
        let scoring: Scoring = self.ends.map(|end| end.to_string()).join(",").parse().unwrap();
        let [a, b] = self.points;
        let rules = Rules::new(self.field, motion, scoring).unwrap();
        Solver::new(&rules).points([a, b]).series(self.to as u32).unwrap()
    }

    /// The value of the game from here in exact fractions when the five ends have the payoffs
    /// `ends` and a matrix has the value that `value_of` says.
    fn game(
        &self,
        (a, b, ball): (u32, u32, i32),
        ends: &[Fraction; 5],
        known: &mut BTreeMap<(u32, u32, i32), Fraction>,
        value_of: &dyn Fn(&[Vec<Fraction>]) -> Fraction,
    ) -> Fraction {
        if ball > self.field {
            return ends[0].clone();
        }
        if ball < -self.field {
            return ends[4].clone();
        }
        if a + b == 0 {
            return ends[(2 - ball.signum()) as usize].clone();
        }
        if let Some(value) = known.get(&(a, b, ball)) {
            return value.clone();
        }
        let bids = |account: u32| account.min(1)..=account;
        let matrix: Vec<Vec<Fraction>> = bids(a)
            .map(|i| {
                bids(b)
                    .map(|j| {
                        let over = self.over_the_net;
                        let next = match i.cmp(&j) {
                            std::cmp::Ordering::Equal => ball,
                            std::cmp::Ordering::Greater => {
                                if over && ball < 0 {
                                    1
                                } else {
                                    ball + 1
                                }
                            }
                            std::cmp::Ordering::Less => {
                                if over && ball > 0 {
                                    -1
                                } else {
                                    ball - 1
                                }
                            }
                        };
                        self.game((a - i, b - j, next), ends, known, value_of)
                    })
                    .collect()
            })
            .collect();
        let value = value_of(&matrix);
        known.insert((a, b, ball), value.clone());
        value
    }

    /// The chances at all scores, for the accounts as given and exchanged, each to 2^-40 and what
    /// it inherits.
    fn chances(&self) -> BTreeMap<(i64, i64, bool), Fraction> {
        self.played(|_, matrix| kernels(matrix).next().expect("every matrix game has a kernel").0)
    }

    /// The same if the matrices of a score have the value that `value_of` says.
    fn played(
        &self,
        value_of: impl Fn((i64, i64, bool), &[Vec<Fraction>]) -> Fraction,
    ) -> BTreeMap<(i64, i64, bool), Fraction> {
        let mut chances: BTreeMap<(i64, i64, bool), Fraction> = BTreeMap::new();
        let mut scores: Vec<(i64, i64)> =
            (0..self.to).flat_map(|p| (0..self.to).map(move |q| (p, q))).collect();
        scores.sort_by_key(|&(p, q)| -(p + q));
        for (p, q) in scores {
            // What the next game is worth when a repetition is worth `t`.
            let next_game = |exchanged: bool, t: &Fraction| {
                let ends = self.ends.map(|won| {
                    let (p, q) = (p + won.max(0), q - won.min(0));
                    if won == 0 {
                        t.clone()
                    } else if p >= self.to {
                        Fraction::one()
                    } else if q >= self.to {
                        Fraction::zero()
                    } else {
                        chances[&(p, q, !exchanged)].clone()
                    }
                });
                let [a, b] = self.points;
                let start = if exchanged { (b, a, 0) } else { (a, b, 0) };
                self.game(start, &ends, &mut BTreeMap::new(), &|matrix| {
                    value_of((p, q, exchanged), matrix)
                })
            };
            let twice = |t: &Fraction| next_game(false, &next_game(true, t));
            let first = fixed_point(twice);
            let second = next_game(true, &first);
            chances.insert((p, q, false), first);
            chances.insert((p, q, true), second);
        }
        chances
    }
}

/// The fixed point nearest to one half of a function that rises no faster than its argument.
fn fixed_point(f: impl Fn(&Fraction) -> Fraction) -> Fraction {
    let half = fraction(1, 2);
    let at_half = f(&half);
    if at_half == half {
        return half;
    }
    // Where no score is repeated, the function is constant. There is no fixed point between, since
    // it does not fall.
    if f(&at_half) == at_half {
        return at_half;
    }
    let above = at_half > half;
    let (mut near, mut far) = (half, if above { Fraction::one() } else { Fraction::zero() });
    for _ in 0..40 {
        let middle = (&near + &far) / BigInt::from(2);
        let value = f(&middle);
        if if above { value > middle } else { value < middle } {
            near = middle;
        } else {
            far = middle;
        }
    }
    // The fixed points met here are short fractions or irrational: the nearest end is good enough.
    far
}

fn scores(series: &Series) -> Vec<(Score, f64)> {
    series.scores().map(|solved| (solved.score, solved.chance.middle())).collect()
}

/// Brute force and library agree at every score; what is exact is exact.
fn assert_matches(game: Match) -> Vec<f64> {
    let series = game.solved();
    let chances = game.chances();
    let mut found = Vec::new();
    for (score, chance) in scores(&series) {
        let expected =
            chances[&(i64::from(score.a), i64::from(score.b), score.exchanged)].to_f64().unwrap();
        assert!(
            (chance - expected).abs() < 1e-10,
            "{game:?} at {score} {}: {chance} and {expected}",
            score.exchanged
        );
        assert!(series.solved(score).unwrap().chance.width() < 1e-15, "{game:?} at {score}");
        found.push(chance);
    }
    found
}

#[test]
fn brute_force_in_fractions_agrees_for_tiny_matches() {
    for points in 1..=4 {
        for to in 1..=3 {
            let chances = assert_matches(Match::tennis([points; 2], to));
            // With so few points either player can force the draw, and the match goes on for ever:
            // half a win.
            assert!(
                chances.iter().all(|&chance| chance == 0.5),
                "{points} points to {to}: {chances:?}"
            );
        }
    }
    let mut different = std::collections::BTreeSet::new();
    for game in [
        Match { field: 1, ..Match::tennis([4; 2], 3) },
        Match { field: 1, over_the_net: false, ends: [1, 0, 0, 0, -1], ..Match::tennis([4; 2], 3) },
        Match { field: 1, ends: [3, 1, 0, -1, -3], ..Match::tennis([5; 2], 4) },
        Match { field: 1, ends: [1, 1, 0, -1, -1], ..Match::tennis([4, 3], 2) },
        Match {
            field: 1,
            over_the_net: false,
            ends: [2, 1, 0, -1, -2],
            ..Match::tennis([5, 4], 2)
        },
        Match { field: 1, over_the_net: false, ends: [1, 0, 0, 0, -1], ..Match::tennis([4, 3], 2) },
        Match { over_the_net: false, ..Match::tennis([5, 3], 2) },
        Match { over_the_net: false, ends: [1, 0, 0, 0, -1], ..Match::tennis([6, 5], 2) },
        Match::tennis([5, 4], 3),
    ] {
        different.extend(assert_matches(game).into_iter().map(f64::to_bits));
    }
    assert!(different.len() > 12, "these matches are not trivial: {}", different.len());
}

/// With 12 points players have to mix, and the chance is what a game is worth whose ends are worth
/// the chances that follow.
#[test]
fn every_chance_is_the_value_of_the_game_that_follows() {
    for points in [[12, 12], [11, 9]] {
        let series = Solver::new(&Rules::tennis()).points(points).series(4).unwrap();
        let chance = |a: u32, b: u32, exchanged: bool| match (a, b) {
            (4.., _) => 1.0,
            (_, 4..) => 0.0,
            (a, b) => series.solved(Score { a, b, exchanged }).unwrap().chance.middle(),
        };
        for (Score { a, b, exchanged }, expected) in scores(&series) {
            let then = |a, b| chance(a, b, !exchanged);
            let ends = [then(a + 2, b), then(a + 1, b), then(a, b), then(a, b + 1), then(a, b + 2)];
            let rules = Rules::tennis()
                .with_scoring(Scoring::from_f64(|outcome| ends[outcome.index()]).unwrap());
            let [first, second] = if exchanged { [points[1], points[0]] } else { points };
            let game = Solver::new(&rules).points([first, second]).solve().unwrap();
            let value = game.value(game.start()).unwrap();
            assert!(
                (value - expected).abs() < 1e-12,
                "{a}-{b} {exchanged}: {value} and {expected}"
            );
            let opening = series.solved(Score { a, b, exchanged }).unwrap().opening;
            assert!((opening.value + 0.5 - expected).abs() < 1e-12);
            // The first bids secure the chance, in the game's own matrix.
            let matrix = game.stage_game(game.start()).unwrap().to_rows();
            for (j, column) in
                (0..matrix[0].len()).map(|j| (j, matrix.iter().map(move |row| row[j])))
            {
                let secured: f64 = column
                    .enumerate()
                    .map(|(i, entry)| opening.a.probability(i as u32 + 1) * entry)
                    .sum();
                assert!(secured > expected - 1e-12, "{a}-{b}: A against {}", j + 1);
            }
            for (i, row) in matrix.iter().enumerate() {
                let held: f64 = row
                    .iter()
                    .enumerate()
                    .map(|(j, entry)| opening.b.probability(j as u32 + 1) * entry)
                    .sum();
                assert!(held < expected + 1e-12, "{a}-{b}: B against {}", i + 1);
            }
        }
    }
}

/// To one point only winning counts; at 1-0 of a match to two, A needs any win and B an end that
/// gives two, or two wins.
#[test]
fn short_matches_are_known_games() {
    let one = Solver::new(&Rules::tennis()).points([15, 13]).series(1).unwrap();
    let [first, second] = [Score::new(0, 0), Score::new(0, 0).exchanged()]
        .map(|score| one.solved(score).unwrap().chance.middle());
    assert!(
        (first + second - 1.0).abs() < 1e-15 && first > 0.5,
        "the accounts are exchanged, and more points are better"
    );
    let two = Solver::new(&Rules::tennis()).points([15, 15]).series(2).unwrap();
    let lead = two.solved(Score::new(1, 0)).unwrap().chance.middle();
    let ends = [1.0, 1.0, lead, 0.5, 0.0];
    let scoring = Scoring::from_f64(|outcome| ends[outcome.index()]).unwrap();
    let game =
        Solver::new(&Rules::tennis().with_scoring(scoring)).points([15, 15]).solve().unwrap();
    assert!((game.value(game.start()).unwrap() - lead).abs() < 1e-13);
}

#[test]
fn chances_are_fair_and_rise_with_the_score() {
    let series = Solver::new(&Rules::tennis()).points([16, 16]).series(5).unwrap();
    for (score, chance) in scores(&series) {
        let other = Score::new(score.b, score.a);
        let (enclosure, mirror) =
            (series.solved(score).unwrap().chance, series.solved(other).unwrap().chance);
        assert!(
            enclosure.lower() + mirror.upper() <= 1.0 + 1e-15
                && enclosure.upper() + mirror.lower() >= 1.0 - 1e-15,
            "{score}"
        );
        if score.a == score.b {
            assert_eq!(chance, 0.5);
        }
        if score.a + 1 < 5 {
            assert!(
                series.solved(Score::new(score.a + 1, score.b)).unwrap().chance.middle() > chance,
                "a point more at {score}"
            );
        }
        let [opening, image] = [score, other].map(|score| series.solved(score).unwrap().opening);
        assert_eq!((&opening.a, &opening.b), (&image.b, &image.a));
    }
}

/// A score of the brute force: with the winning points of A and of B, and whether the accounts are
/// exchanged.
type PlainScore = (i64, i64, bool);

/// At some scores a player bids all that is left, at others uniformly.
fn bold((p, q, exchanged): PlainScore) -> bool {
    (p + 2 * q + i64::from(exchanged)) % 3 == 0
}

fn mean(numbers: &[&Fraction]) -> Fraction {
    numbers.iter().copied().sum::<Fraction>() / BigInt::from(numbers.len())
}

/// What such a player makes of the outcomes of all bids, the lowest first.
fn bids(plain_score: PlainScore, outcomes: &[&Fraction]) -> Fraction {
    if bold(plain_score) { outcomes[outcomes.len() - 1].clone() } else { mean(outcomes) }
}

/// What every bid of B wins for A against such an A, and the same with the roles exchanged.
fn against(player: Player, plain_score: PlainScore, matrix: &[Vec<Fraction>]) -> Vec<Fraction> {
    match player {
        Player::A => (0..matrix[0].len())
            .map(|j| bids(plain_score, &matrix.iter().map(|row| &row[j]).collect::<Vec<_>>()))
            .collect(),
        Player::B => {
            matrix.iter().map(|row| bids(plain_score, &row.iter().collect::<Vec<_>>())).collect()
        }
    }
}

/// Best responses to policies that differ from score to score, in fractions.
#[test]
fn policies_of_a_match_are_judged_as_by_brute_force() {
    let mut different = std::collections::BTreeSet::new();
    for game in [
        Match::tennis([4; 2], 3),
        Match { field: 1, ..Match::tennis([4, 3], 2) },
        Match {
            field: 1,
            over_the_net: false,
            ends: [3, 1, 0, -1, -3],
            ..Match::tennis([4; 2], 4)
        },
        Match { over_the_net: false, ..Match::tennis([5, 3], 2) },
        Match::tennis([4, 3], 3),
    ] {
        // A ball that once flew over the net is never back on it, and who has more hits it at last:
        // no score is repeated, so that the brute force is exact.
        let is_exact = game.over_the_net && game.points[0] != game.points[1];
        let series = game.solved();
        let plain_score = |score: Score| (i64::from(score.a), i64::from(score.b), score.exchanged);
        let policy = |score: Score| {
            let [a, b] = series.points();
            let points = if score.exchanged { [b, a] } else { [a, b] };
            let weights = |_, _, weights: &mut [f64]| {
                let certain = if bold(plain_score(score)) { weights.len() - 1 } else { 0 };
                weights[certain..].fill(1.0);
            };
            Policy::from_weights(series.rules(), points, &Player::BOTH, &mut unwatched, weights)
                .unwrap()
        };
        // Between even accounts the exchanged ones are not met, and the brute force bids there as
        // with the others.
        let even = !series.alternates();
        let faced = |(p, q, exchanged): PlainScore| (p, q, exchanged && !even);
        let policies: HashMap<Score, Policy> =
            series.scores().map(|solved| (solved.score, policy(solved.score))).collect();
        let mut assert_same =
            |found: HashMap<Score, Enclosure>, expected: BTreeMap<PlainScore, Fraction>| {
                for score in series.scores().map(|solved| solved.score) {
                    let chance = found[&score];
                    let expected = &expected[&plain_score(score)];
                    assert!(
                        !is_exact || chance.contains(expected),
                        "{game:?} at {score}: {expected} is not in {chance:?}"
                    );
                    let expected = expected.to_f64().unwrap();
                    assert!(
                        (chance.middle() - expected).abs() < 1e-10,
                        "{game:?} at {score}: {chance:?} and {expected}"
                    );
                    assert!(chance.width() < 1e-14, "{game:?} at {score}: {chance:?}");
                    different.insert(chance.middle().to_bits());
                }
            };
        let to_a = series
            .best_response(Player::A, |score| &policies[&score], &mut |_| ControlFlow::Continue(()))
            .unwrap();
        assert_same(
            to_a,
            game.played(|score, matrix| {
                against(Player::B, faced(score), matrix).into_iter().max().unwrap()
            }),
        );
        let to_b = series
            .best_response(Player::B, |score| &policies[&score], &mut |_| ControlFlow::Continue(()))
            .unwrap();
        assert_same(
            to_b,
            game.played(|score, matrix| {
                against(Player::A, faced(score), matrix).into_iter().min().unwrap()
            }),
        );
    }
    assert!(different.len() > 15, "these matches are not trivial: {}", different.len());
}

/// Nothing is gained against the policies of a solved match, and something against the optimum of a
/// single game, which does not know that a point more is not always worth more.
#[test]
fn optimal_policies_of_a_match_cannot_be_exploited() {
    for points in [[10, 10], [9, 8]] {
        let series = Solver::new(&Rules::tennis()).points(points).series(3).unwrap();
        let optimal: HashMap<Score, Policy> = series
            .scores()
            .map(|solved| (solved.score, series.policy(solved.score).unwrap()))
            .collect();
        let mut never_cancel = |_| ControlFlow::Continue(());
        for responder in Player::BOTH {
            let response = series
                .best_response(responder, |score| &optimal[&score], &mut never_cancel)
                .unwrap();
            for score in series.scores().map(|solved| solved.score) {
                let [gained, value] = [response[&score], series.solved(score).unwrap().chance];
                // Policies of a match are optimal up to 2^-40 a game that is repeated.
                assert!(
                    (gained.middle() - value.middle()).abs() < 1e-10,
                    "{responder} at {score}: {gained:?}, {value:?}"
                );
            }
        }
        let [a, b] = points;
        let single = [[a, b], [b, a]].map(|points| {
            Policy::optimal(
                &Solver::new(series.rules()).points(points).solve().unwrap(),
                &mut unwatched,
            )
            .expect("nobody cancels")
        });
        let exploited = series
            .exploitability(|score| &single[usize::from(score.exchanged)], &mut never_cancel)
            .unwrap();
        assert!(exploited.mean().lower() > 1e-3, "{:?}", exploited.mean());
    }
    let series = Solver::new(&Rules::tennis()).points([3, 3]).series(2).unwrap();
    let other = Policy::uniform(&Rules::tennis(), [2, 3]).unwrap();
    let refused = series.best_response(Player::A, |_| &other, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(Error::Game(GameError::Outside { .. }))), "{refused:?}");
    let stopped = series.best_response(Player::A, |_| &other, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(Error::Work(WorkError::Cancelled))), "{stopped:?}");
}

#[test]
fn threads_do_not_change_a_match() {
    let solve = |threads| {
        let solver = Solver::new(&Rules::tennis()).points([14, 13]).threads(threads);
        let series = solver.series(3).unwrap();
        let all = |solved: SolvedScore<'_>| (solved.score, solved.chance, solved.opening.clone());
        series.scores().map(all).collect::<Vec<_>>()
    };
    assert_eq!(solve(1), solve(3));
}

#[test]
fn progress_is_told_and_can_stop_the_work() {
    let mut last = 0.0;
    let solver = Solver::new(&Rules::tennis()).points([6, 6]).on_progress(|share| {
        // Nine scores are solved, and a score counts when it is known.
        assert!(share >= last && share < 1.0 && (9.0 * share).fract() == 0.0);
        last = share;
        ControlFlow::Continue(())
    });
    solver.series(3).unwrap();
    assert!(last > 0.0);
    let stopped = Solver::new(&Rules::tennis())
        .points([6, 6])
        .on_progress(|_| ControlFlow::Break(()))
        .series(3);
    assert_eq!(stopped.unwrap_err(), Error::Work(WorkError::Cancelled));
}

#[test]
fn impossible_matches_are_refused() {
    let tennis = Rules::tennis();
    assert_eq!(
        Solver::new(&tennis).series(0).unwrap_err(),
        Error::Series(SeriesError::Length { to: 0, longest: 200 })
    );
    assert!(matches!(
        Solver::new(&tennis).series(201),
        Err(Error::Series(SeriesError::Length { .. }))
    ));
    for scoring in ["1,0.5,0,-0.5,-1", "2,1,0,-1,-1", "2,1,1,-1,-2"] {
        let rules = tennis.with_scoring(scoring.parse().unwrap());
        assert!(
            matches!(
                Solver::new(&rules).series(2),
                Err(Error::Series(SeriesError::Scoring { .. }))
            ),
            "{scoring}"
        );
    }
    assert!(matches!(
        Solver::new(&tennis).points([5, 0]).series(2),
        Err(Error::Game(GameError::NoPoints { .. }))
    ));
    assert!(matches!(
        Solver::new(&tennis).memory_limit(10).series(2),
        Err(Error::Work(WorkError::Memory { .. }))
    ));
    let series = Solver::new(&tennis).points([3, 3]).series(2).unwrap();
    for score in [Score::new(2, 0), Score::new(0, 2), Score::new(9, 9)] {
        assert_eq!(
            series.solved(score),
            Err(Error::Series(SeriesError::Outside { score: score.to_string(), to: 2 }))
        );
    }
    assert_eq!("3-1".parse(), Ok(Score::new(3, 1)));
    for text in ["3:1", "3", "-1-2", "a-b", ""] {
        assert!(text.parse::<Score>().is_err(), "{text:?}");
    }
}

/// A huge number of winning points at once is as good as what the match needs.
#[test]
fn winning_points_may_be_many() {
    let rules =
        Rules::tennis().with_scoring("1000000000000,1,0,-1,-1000000000000".parse().unwrap());
    let series = Solver::new(&rules).points([10, 10]).series(2).unwrap();
    let plain = Solver::new(&Rules::tennis()).points([10, 10]).series(2).unwrap();
    assert_eq!(scores(&series), scores(&plain));
}

/// The statements of `docs/findings.md` about matches to 10: only the points still needed count, so
/// that a match to 4 has the same last scores.
#[test]
fn matches_of_fifty_points_are_as_the_findings_say() {
    let series = Solver::new(&Rules::tennis()).series(4).unwrap();
    let chance = |a: u32, b: u32| {
        (series.solved(Score::new(a - 6, b - 6)).unwrap().chance.middle() * 1e5).round() / 1e3
    };
    assert_eq!([chance(8, 6), chance(9, 8), chance(9, 9)], [75.003, 52.726, 50.0]);
    assert!(series.widest_enclosure() < 1e-16);
    let mean = |a: u32, b: u32| series.solved(Score::new(a - 6, b - 6)).unwrap().opening.a.mean();
    let bids = |a: u32, b: u32, bid: u32| {
        (series.solved(Score::new(a - 6, b - 6)).unwrap().opening.a.probability(bid) * 100.0)
            .round()
    };
    for (a, b) in [(6, 6), (7, 7), (8, 8), (9, 9), (8, 6), (6, 8)] {
        assert!((5.13..5.14).contains(&mean(a, b)), "{a}-{b}: {}", mean(a, b));
    }
    for (a, b) in [(7, 6), (7, 8), (9, 6), (9, 8)] {
        assert!((5.24..5.27).contains(&mean(a, b)), "{a}-{b}: {}", mean(a, b));
    }
    assert_eq!(
        [bids(9, 8, 1), bids(9, 8, 9), bids(8, 8, 1), bids(8, 8, 9)],
        [14.0, 22.0, 18.0, 20.0]
    );
    assert!(bids(8, 9, 10) > 0.0 && bids(8, 8, 10) == 0.0);
}

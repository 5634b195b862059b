//! The statements of `docs/findings.md` about the solved game, found again from values and
//! strategies by the rules alone.

use std::collections::BTreeMap;

use pencil_tennis::{Ball, Rules, Solution, Solver, State, Uniqueness, solve};

fn state(a: u32, b: u32, ball: i32) -> State {
    State::new(a, b, Ball::new(ball).expect("a position"))
}

fn value(solution: &Solution, a: u32, b: u32, ball: i32) -> f64 {
    solution.value(state(a, b, ball)).expect("a state of the solution")
}

/// A's strategy in a state.
fn bids(solution: &Solution, a: u32, b: u32, ball: i32) -> BTreeMap<u32, f64> {
    solution
        .equilibrium(state(a, b, ball))
        .expect("a state of the solution")
        .a
        .probabilities()
        .collect()
}

/// The next position of the ball; 3 and −3 are out.
fn hit(ball: i32, a: u32, b: u32) -> i32 {
    match a.cmp(&b) {
        std::cmp::Ordering::Greater => (ball + 1).max(1),
        std::cmp::Ordering::Equal => ball,
        std::cmp::Ordering::Less => (ball - 1).min(-1),
    }
}

fn odd_share(strategy: &BTreeMap<u32, f64>) -> f64 {
    strategy.iter().filter(|(bid, _)| *bid % 2 == 1).map(|(_, probability)| probability).sum()
}

/// The payoff of every bid of A at the start against B's optimal strategy.
fn opening_gains(solution: &Solution, points: u32) -> Vec<f64> {
    let replies = solution.equilibrium(state(points, points, 0)).expect("the start").b;
    let payoff = |a: u32, b: u32| value(solution, points - a, points - b, hit(0, a, b));
    (1..=points)
        .map(|a| replies.probabilities().map(|(b, probability)| probability * payoff(a, b)).sum())
        .collect()
}

#[test]
fn the_opening_has_nine_bids_and_a_tenth_costs_little() {
    let solution = solve(50).unwrap();
    let strategy = bids(&solution, 50, 50, 0);
    assert!(strategy.keys().copied().eq(1..=9));
    assert!((odd_share(&strategy) - 0.955).abs() < 5e-4);
    assert_eq!(solution.uniqueness(state(50, 50, 0)).unwrap(), [Uniqueness::Unique; 2]);
    let gains = opening_gains(&solution, 50);
    assert!(gains[..9].iter().all(|gain| gain.abs() < 1e-12), "{gains:?}");
    for (bid, loss) in [(10, 0.0181), (11, 0.1901), (15, 0.8810), (20, 1.6497), (25, 1.9947)] {
        assert!((gains[bid - 1] + loss).abs() < 5e-5, "{bid}: {}", gains[bid - 1]);
    }
    assert!(gains[25..].iter().all(|gain| (gain + 2.0).abs() < 1e-12));
}

#[test]
fn the_parity_of_the_opening_swings_as_points_grow() {
    let solution = solve(60).unwrap();
    let opening = |points| bids(&solution, points, points, 0);
    for points in 1..=13 {
        assert_eq!(opening(points), BTreeMap::from([(1, 1.0)]), "{points}");
    }
    let mut cycles = Vec::new();
    for points in 14..=60 {
        let [before, now] = [points - 1, points].map(|points| odd_share(&opening(points)));
        if now < before {
            cycles.push(points);
        }
    }
    // In between the odd bids gain with every point.
    assert_eq!(cycles, [14, 22, 32, 42, 51]);
    for (points, highest, odd) in
        [(23, 5, 0.085), (30, 5, 0.903), (43, 9, 0.167), (52, 11, 0.086), (60, 11, 0.997)]
    {
        let strategy = opening(points);
        assert_eq!(strategy.keys().next_back(), Some(&highest), "{points}");
        assert!((odd_share(&strategy) - odd).abs() < 1e-3, "{points}: {}", odd_share(&strategy));
    }
    for points in [13, 21, 41, 50] {
        let moved: Vec<(u32, f64)> =
            opening(points).into_iter().map(|(bid, probability)| (bid + 1, probability)).collect();
        for ((bid, probability), (expected_bid, expected)) in
            opening(points + 1).into_iter().zip(moved)
        {
            assert!(
                bid == expected_bid && (probability - expected).abs() < 1e-9,
                "{points}: {bid} {probability} {expected}"
            );
        }
    }
}

/// If a ball over the net were worth `v` and every point `s`, the page's formula would be the
/// opening.
#[test]
fn two_neighbouring_bids_of_the_simple_opening_are_a_point_in_balls() {
    for (v, s) in [(49, 10), (41, 10), (45, 10), (35, 10), (21, 10), (125, 10)] {
        let [v, s] = [f64::from(v), f64::from(s)];
        // The odd number of bids whose half is nearest to v/s.
        let bids = 2 * (v / s - 0.5).round() as usize + 1;
        let half = ((bids - 1) / 2) as f64;
        assert!(half <= v / s && v / s <= half + 1.0);
        let odd = 1.0 - half * s / v;
        let probabilities: Vec<f64> =
            (1..=bids).map(|bid| if bid % 2 == 1 { odd } else { s / v - odd }).collect();
        assert!(probabilities.iter().all(|probability| *probability >= 0.0));
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for bid in 1..=bids + 20 {
            let gain = |other: usize| match bid as f64 - other as f64 {
                0.0 => 0.0,
                more => v * more.signum() - s * more,
            };
            let mean: f64 = probabilities
                .iter()
                .enumerate()
                .map(|(index, probability)| probability * gain(index + 1))
                .sum();
            assert!(
                if bid <= bids { mean.abs() < 1e-9 } else { mean < 1e-9 },
                "{v} {s}: bid {bid} gains {mean}"
            );
        }
    }
    let strategy = bids(&solve(50).unwrap(), 50, 50, 0);
    let pairs: Vec<f64> = (1..9).map(|bid| strategy[&bid] + strategy[&(bid + 1)]).collect();
    assert!(pairs.iter().all(|pair| (0.185..0.217).contains(pair)), "{pairs:?}");
    assert!(pairs.is_sorted());
}

#[test]
fn a_point_and_a_ball_have_a_price() {
    let solution = Solver::new(&Rules::tennis()).points([81, 51]).solve().unwrap();
    let more = |ball| value(&solution, 51, 50, ball) - value(&solution, 50, 50, ball);
    for (ball, price) in [(-2, 0.1079), (-1, 0.1367), (0, 0.1571), (1, 0.1338), (2, 0.1339)] {
        assert!((more(ball) - price).abs() < 5e-5, "{ball}: {}", more(ball));
    }
    // So many points against 50 make good for the ball.
    for (ball, needed) in [(-1, 56), (-2, 81)] {
        assert!(
            value(&solution, needed - 1, 50, ball) < 0.0
                && value(&solution, needed, 50, ball) >= 0.0,
            "{ball}"
        );
    }
    for points in 2..=50 {
        assert_eq!(value(&solution, points, points - 1, 2), 2.0);
        assert_eq!(value(&solution, points - 1, points, -2), -2.0);
    }
}

/// A's remainders 0, 3, 12, 39, …, one of them at random: B matches at most one.
#[test]
fn a_ball_on_the_last_field_is_worth_what_the_proof_says_and_more() {
    let solution = solve(60).unwrap();
    for points in 1..=60 {
        let remainders: Vec<u32> = std::iter::successors(Some(0), |rest| Some(3 * rest + 3))
            .take_while(|rest| *rest < points)
            .collect();
        let proved = 2.0 - 4.0 / remainders.len() as f64;
        assert!(value(&solution, points, points, 2) >= proved, "{points}");
    }
    for rest in 1..20 {
        assert_eq!(value(&solution, 3 * (rest + 1), rest, -1), 2.0, "three hits in a row");
    }
    let rarity = |points| 1.0 / (2.0 - value(&solution, points, points, 2));
    assert!((rarity(25) - 6.156).abs() < 1e-3 && (rarity(50) - 7.470).abs() < 1e-3);
}

#[test]
fn a_ball_on_the_first_field_is_worth_less_as_points_grow() {
    let solution = solve(60).unwrap();
    let at = |points| value(&solution, points, points, 1);
    assert!((1..=9).all(|points| at(points) == 1.0));
    // Not with every point: these are the only steps up.
    let rises: Vec<u32> = (9..60).filter(|points| at(points + 1) > at(*points)).collect();
    assert_eq!(rises, [12, 15, 22, 27, 32, 44, 56]);
    // The distance to the page's limit is nearly a multiple of 1/n: doubling n halves it.
    for points in [25, 28, 30] {
        assert!((2.0 * at(2 * points) - at(points) - 0.7117).abs() < 0.003, "{points}");
    }
}

#[test]
fn a_rally_is_given_up_on_the_other_side_only_by_the_poorer() {
    let solution = solve(50).unwrap();
    let mut mixed = BTreeMap::new();
    let mut likely: BTreeMap<i32, Vec<(u32, u32)>> = BTreeMap::new();
    for equilibrium in
        solution.equilibria().filter(|equilibrium| equilibrium.a.probabilities().len() > 1)
    {
        let State { a, b, ball } = equilibrium.state;
        let one = equilibrium
            .a
            .probabilities()
            .find(|(bid, _)| *bid == 1)
            .map_or(0.0, |(_, probability)| probability);
        let counts = mixed.entry(ball.position()).or_insert([0, 0]);
        counts[0] += 1;
        counts[1] += usize::from(one > 0.0);
        if one >= 0.5 {
            likely.entry(ball.position()).or_default().push((a, b));
        }
    }
    assert_eq!(
        mixed,
        BTreeMap::from([
            (-2, [706, 0]),
            (-1, [763, 380]),
            (0, [724, 626]),
            (1, [763, 618]),
            (2, [706, 705])
        ])
    );
    let counts: Vec<(i32, usize)> =
        likely.iter().map(|(ball, states)| (*ball, states.len())).collect();
    assert_eq!(counts, [(-1, 3), (0, 36), (1, 39), (2, 208)]);
    for (ball, most) in [(0, 0.78), (1, 0.68), (2, 0.62)] {
        let large = likely[&ball].iter().filter(|(_, b)| *b >= 30);
        assert!(
            large.map(|(a, b)| f64::from(*a) / f64::from(*b)).all(|ratio| ratio < most),
            "{ball}"
        );
    }
}

/// Follows both strategies from the start, one turn at a time.
#[test]
fn most_games_of_perfect_players_end_out() {
    for (points, out, turns) in [(20, 0.541, 9.22), (50, 0.894, 9.34)] {
        let solution = solve(points).unwrap();
        let mut reached = BTreeMap::from([((points, points, 0), 1.0)]);
        let (mut ended_out, mut mean) = (0.0, 0.0);
        for turn in 1.. {
            let mut next = BTreeMap::new();
            for ((a, b, ball), probability) in reached {
                let equilibrium = solution.equilibrium(state(a, b, ball)).unwrap();
                for (bid_a, share_a) in equilibrium.a.probabilities() {
                    for (bid_b, share_b) in equilibrium.b.probabilities() {
                        let share = probability * share_a * share_b;
                        let there = (a - bid_a, b - bid_b, hit(ball, bid_a, bid_b));
                        let is_out = there.2.abs() == 3;
                        if is_out || (there.0, there.1) == (0, 0) {
                            ended_out += if is_out { share } else { 0.0 };
                            mean += share * f64::from(turn);
                        } else {
                            *next.entry(there).or_insert(0.0) += share;
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            reached = next;
        }
        assert!((ended_out - out).abs() < 5e-4, "{points}: {ended_out}");
        assert!((mean - turns).abs() < 5e-3, "{points}: {mean}");
    }
}

/// The article's Tab. 1, and what it takes.
#[test]
fn the_articles_table_is_right_and_one_is_never_needed() {
    let solution = solve(4).unwrap();
    let table = [[1.0, -2.0, -2.0], [1.0, 1.0, -2.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0]];
    for (a, row) in (1..).zip(table) {
        for (b, entry) in (1..).zip(row) {
            let ball = hit(-2, a, b);
            let found = if ball == -3 { -2.0 } else { value(&solution, 4 - a, 3 - b, ball) };
            assert_eq!(found, entry, "{a} {b}");
        }
    }
    assert!(
        (0..3)
            .all(|column| table[1][column] >= table[0][column]
                && table[2][column] >= table[3][column])
    );
    // 2 with 2/5 and 3 with 3/5 secure −1/5, and B's 1 with 3/5 and 3 with 2/5 allow no more.
    let secured = (0..3)
        .map(|column| 2.0 * table[1][column] + 3.0 * table[2][column])
        .fold(f64::INFINITY, f64::min);
    let allowed =
        table.iter().map(|row| 3.0 * row[0] + 2.0 * row[2]).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((secured, allowed), (-1.0, -1.0));
    assert_eq!(value(&solution, 4, 3, -2), -0.2);
}

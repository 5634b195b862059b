//! Other ways to pay on Tennis' field, by the example's rules, against thresholds that are known
//! and play of few turns in fractions.

use std::collections::HashMap;

use pencil_tennis::stochastic_game::{StochasticSolution, StochasticSolver};
use pencil_tennis::{Player, Rules, Solver, State};

use crate::kernels::{Fraction, kernels};
use crate::random_games::fraction;
use crate::ways_to_pay::{Bidding, Payment};

fn solved(
    payment: Payment,
    ties: Option<Player>,
    smallest: i32,
    points: i32,
) -> StochasticSolution<Bidding> {
    StochasticSolver::new(Bidding { payment, ties, smallest, points })
        .threads(1)
        .solve()
        .expect("a solution")
}

/// The fields after a hit by A and by B; 3 and -3 are beyond the ends.
const HITS: [(i32, i32); 5] = [(1, -3), (1, -2), (1, -1), (2, -1), (3, -1)];

/// A wins a discrete Richman game from so many of k points whose half, rounded down, is that of
/// both successors (Develin and Payne 2010), and B from the half rounded up, since equal bids are
/// A's. For continuous bids the thresholds are the solution of these equations without rounding
/// (Lazarus and others 1999): 5/7, 4/7, 1/2, 3/7, 2/7 of all points.
#[test]
fn richman_games_are_won_from_the_known_numbers_of_points() {
    let points = 24;
    let threshold = |of_a: bool| {
        let mut needed = [points + 1; 5];
        for _ in 0..1_000 {
            needed = std::array::from_fn(|field| {
                let of = |ball: i32| match ball {
                    3 => {
                        if of_a {
                            0
                        } else {
                            points + 1
                        }
                    }
                    -3 => {
                        if of_a {
                            points + 1
                        } else {
                            0
                        }
                    }
                    inside => needed[(inside + 2) as usize],
                };
                (of(HITS[field].0) + of(HITS[field].1) + i32::from(!of_a)) / 2
            });
        }
        needed
    };
    let (of_a, of_b) = (threshold(true), threshold(false));
    let solution = solved(Payment::Richman, Some(Player::A), 0, points);
    for (field, ball) in (-2..=2).enumerate() {
        for a in 0..=points {
            let expected = if a >= of_a[field] {
                2
            } else if points - a >= of_b[field] {
                -2
            } else {
                0
            };
            let bounds = solution.enclosure(&(a, points - a, ball)).expect("a start");
            assert!(
                bounds.contains(&fraction(expected, 1)) && bounds.width() < 1e-9,
                "{a} of {points} @{ball}: {expected}"
            );
        }
        // With a coin in place of bids play ends after at most 7 turns on average, and each of them
        // rounds by at most 1/2.
        let continuous =
            f64::from(points + 1) * [5.0 / 7.0, 4.0 / 7.0, 0.5, 3.0 / 7.0, 2.0 / 7.0][field];
        assert!(
            (continuous - 3.5..=continuous).contains(&f64::from(of_a[field])),
            "{ball}: {} {continuous}",
            of_a[field]
        );
    }
}

#[test]
fn where_both_pay_the_bank_the_game_is_tennis() {
    let solution = solved(Payment::AllPay, None, 1, 8);
    let tennis = Solver::new(&Rules::tennis()).points([8, 8]).solve().expect("a solution");
    for (a, ball) in (0..=8).flat_map(|a| (-2..=2).map(move |ball| (a, ball))) {
        let expected = tennis
            .enclosure(format!("{a}:{}@{ball}", 8 - a).parse::<State>().expect("a state"))
            .expect("a state");
        let found = solution.enclosure(&(a, 8 - a, ball)).expect("a start");
        assert!(
            found.lower() <= expected.upper()
                && expected.lower() <= found.upper()
                && found.width() < 1e-12,
            "{a} {ball}"
        );
    }
}

/// The value of so many turns, after which this is paid.
fn few(
    (payment, ties): (Payment, Option<Player>),
    (a, b, ball): (i64, i64, i32),
    turns: u32,
    then: i64,
    known: &mut HashMap<(i64, i64, i32, u32), Fraction>,
) -> Fraction {
    if ball.abs() == 3 {
        return fraction(i64::from(2 * ball.signum()), 1);
    }
    if a + b == 0 {
        return fraction(ball.signum().into(), 1);
    }
    if turns == 0 {
        return fraction(then, 1);
    }
    if let Some(value) = known.get(&(a, b, ball, turns)) {
        return value.clone();
    }
    let mut matrix = Vec::new();
    for x in 0..=a {
        let mut row = Vec::new();
        for y in 0..=b {
            let (to_a, to_b) = HITS[(ball + 2) as usize];
            let a_hits = x > y || x == y && ties == Some(Player::A);
            let b_hits = y > x || x == y && ties == Some(Player::B);
            let place = if a_hits {
                to_a
            } else if b_hits {
                to_b
            } else {
                ball
            };
            let (left_a, left_b) = match payment {
                Payment::AllPay => (a - x, b - y),
                Payment::AllPayRichman => (a - x + y, b - y + x),
                Payment::Richman if a_hits => (a - x, b + x),
                Payment::Richman if b_hits => (a + y, b - y),
                Payment::Poorman if a_hits => (a - x, b),
                Payment::Poorman if b_hits => (a, b - y),
                _ => (a, b),
            };
            row.push(few((payment, ties), (left_a, left_b, place), turns - 1, then, known));
        }
        matrix.push(row);
    }
    let value = kernels(&matrix).next().expect("every game has a value").0;
    known.insert((a, b, ball, turns), value.clone());
    value
}

#[test]
fn every_way_to_pay_lies_between_few_turns_that_end_badly_and_well() {
    for payment in [Payment::AllPay, Payment::Richman, Payment::Poorman, Payment::AllPayRichman] {
        for ties in [None, Some(Player::A), Some(Player::B)] {
            let solution = solved(payment, ties, 0, 4);
            let mut known = [HashMap::new(), HashMap::new()];
            let mut closed = 0;
            for (a, ball) in (0..=4).flat_map(|a| (-2..=2).map(move |ball| (a, ball))) {
                let bounds = solution.enclosure(&(a, 4 - a, ball)).expect("a start");
                let mut turns = |then: usize| {
                    few(
                        (payment, ties),
                        (a.into(), (4 - a).into(), ball),
                        5,
                        [-2, 2][then],
                        &mut known[then],
                    )
                };
                let (low, high) = (turns(0), turns(1));
                let [lower, upper] = [bounds.lower(), bounds.upper()]
                    .map(|bound| Fraction::from_float(bound).expect("a number"));
                assert!(
                    lower <= high && low <= upper,
                    "{payment:?} {ties:?} {a} {ball}: {low} {lower} {upper} {high}"
                );
                closed += usize::from(low == high);
            }
            assert!(closed > 0, "{payment:?} {ties:?}: nothing is decided in five turns");
        }
    }
}

//! The games of the examples, against their definitions in fractions and against what others have
//! found.

use std::collections::HashMap;

use num_traits::Zero;
use pencil_tennis::stochastic_game::{GameRules, StochasticSolution, StochasticSolver};

use crate::blotto::{self, Blotto};
use crate::goofspiel::{self, Goofspiel};
use crate::inspections::{Inspections, Standing};
use crate::kernels::Fraction;
use crate::markov_soccer::{Ball, Soccer};
use crate::pursuit::{self, Pursuit};
use crate::random_games::{fraction, value};
use crate::robot_coordination::Robots;
use crate::tron::Tron;

/// The solution, whose symmetries were looked at.
fn solved<R: GameRules>(rules: R) -> StochasticSolution<R> {
    let solution = StochasticSolver::new(rules).threads(1).solve().unwrap();
    assert_eq!(solution.check_symmetry(5_000).err(), None);
    solution
}

fn is_worth<R: GameRules>(solution: &StochasticSolution<R>, state: &R::State, expected: &Fraction) {
    let enclosure = solution.enclosure(state).unwrap();
    assert!(
        enclosure.contains(expected),
        "{state:?}: {expected} is not in {:?}",
        enclosure.decimal()
    );
}

/// Blotto by its definition: no symmetry, and no end before the last hill.
fn hills(
    a: i64,
    b: i64,
    left: i64,
    lead: i64,
    known: &mut HashMap<[i64; 4], Fraction>,
) -> Fraction {
    if left == 0 {
        return fraction(lead.signum(), 1);
    }
    if let Some(value) = known.get(&[a, b, left, lead]) {
        return value.clone();
    }
    let mut cell = |sent: i64, other: i64| {
        hills(a - sent, b - other, left - 1, lead + (sent - other).signum(), known)
    };
    let matrix: Vec<Vec<Fraction>> =
        (0..=a).map(|sent| (0..=b).map(|other| cell(sent, other)).collect()).collect();
    let value = value(&matrix);
    known.insert([a, b, left, lead], value.clone());
    value
}

#[test]
fn blotto_is_worth_what_its_definition_says() {
    let solution = solved(Blotto { soldiers: 4, hills: 3 });
    let mut known = HashMap::new();
    for (a, b) in (0..=4).flat_map(|a| (0..=4).map(move |b| (a, b))) {
        let start = blotto::Position { soldiers: [a, b], hills: 3, lead: 0 };
        is_worth(&solution, &start, &hills(a.into(), b.into(), 3, 0, &mut known));
    }
    assert!(known.values().any(|value| !value.is_integer()));
}

/// The chance to catch a king on a board of 3 × 3 numbered squares.
fn caught(a: i64, b: i64, turns: u8, known: &mut HashMap<(i64, i64, u8), Fraction>) -> Fraction {
    if turns == 0 {
        return Fraction::zero();
    }
    if let Some(value) = known.get(&(a, b, turns)) {
        return value.clone();
    }
    let around = |field: i64| {
        (0..9).filter(move |other| {
            (field / 3 - other / 3).abs() < 2 && (field % 3 - other % 3).abs() < 2
        })
    };
    let mut cell = |to_a: i64, to_b: i64| {
        if to_a == to_b || (to_a == b && to_b == a) {
            fraction(1, 1)
        } else {
            caught(to_a, to_b, turns - 1, known)
        }
    };
    let matrix: Vec<Vec<Fraction>> =
        around(a).map(|to_a| around(b).map(|to_b| cell(to_a, to_b)).collect()).collect();
    let value = value_of_small_support(&matrix);
    known.insert((a, b, turns), value.clone());
    value
}

/// The value of a matrix game whose rows and columns repeat each other: of those that differ.
fn value_of_small_support(matrix: &[Vec<Fraction>]) -> Fraction {
    let unlike = |mut rows: Vec<Vec<Fraction>>| {
        rows.sort();
        rows.dedup();
        rows
    };
    let turned = |rows: &[Vec<Fraction>]| {
        (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect()
    };
    let columns: Vec<Vec<Fraction>> = unlike(turned(&unlike(matrix.to_vec())));
    value(&turned(&columns) as &Vec<Vec<Fraction>>)
}

#[test]
fn pursuit_is_worth_what_its_definition_says() {
    let solution = solved(Pursuit { side: 3, turns: 3 });
    let mut known = HashMap::new();
    let square = |number: i64| ((number % 3) as i8, (number / 3) as i8);
    let mut count = 0;
    for (a, b, turns) in
        (0..9).flat_map(|a| (0..9).flat_map(move |b| (0..=3).map(move |turns| (a, b, turns))))
    {
        let position = pursuit::Position { squares: Some([square(a), square(b)]), turns };
        if a != b && solution.enclosure(&position).is_ok() {
            is_worth(&solution, &position, &caught(a, b, turns, &mut known));
            count += 1;
        }
    }
    assert!(count > 72, "{count}");
}

/// Tron on 3 × 3 squares of a string, no symmetry: `x` is a wall.
fn ride(board: &str, a: usize, b: usize) -> Fraction {
    let free = |field: usize| -> Vec<Option<usize>> {
        let is_adjacent =
            |other: &usize| (field / 3).abs_diff(other / 3) + (field % 3).abs_diff(other % 3) == 1;
        let squares: Vec<_> = (0..9)
            .filter(|to| is_adjacent(to) && board.as_bytes()[*to] == b'.')
            .map(Some)
            .collect();
        if squares.is_empty() { vec![None] } else { squares }
    };
    let cell = |pair: (Option<usize>, Option<usize>)| match pair {
        (Some(a), Some(b)) if a == b => Fraction::zero(),
        (Some(a), Some(b)) => {
            let mut board = board.to_owned();
            board.replace_range(a..=a, "x");
            board.replace_range(b..=b, "x");
            ride(&board, a, b)
        }
        (None, None) => Fraction::zero(),
        (Some(_), None) => fraction(1, 1),
        (None, Some(_)) => fraction(-1, 1),
    };
    let matrix: Vec<Vec<Fraction>> =
        free(a).into_iter().map(|a| free(b).into_iter().map(|b| cell((a, b))).collect()).collect();
    value(&matrix)
}

#[test]
fn tron_is_worth_what_its_definition_says() {
    let solution = solved(Tron::new(3));
    for (a, b) in (0..9).flat_map(|a| (0..9).filter(move |b| a != *b).map(move |b| (a, b))) {
        let board: String =
            (0..9).map(|square| if square == a || square == b { 'x' } else { '.' }).collect();
        is_worth(&solution, &Tron::start([a as u8, b as u8]), &ride(&board, a, b));
    }
}

/// Values that `GOPSsolver` publishes (github.com/matttang27/GOPSsolver, `reports/`; linear
/// programmes by GLPK in doubles): some of those that lie farthest from ours, of 8 cards and
/// points, and of 7 cards and who wins.
#[test]
fn goofspiel_is_worth_what_others_publish() {
    let position = |hands, pile, prize, lead| goofspiel::Position { hands, pile, prize, lead };
    for (cards, win, published) in [
        (
            8,
            false,
            vec![
                (position([252, 123], 143, 5, 0), 9.753_889_541_955_054),
                (position([186, 79], 29, 7, 0), 9.884_012_833_321_691),
                (position([236, 59], 15, 8, 0), 12.108_503_802_812_534),
            ],
        ),
        (
            7,
            true,
            vec![
                (position([79, 115], 43, 7, 8), 0.568_007_824_074_453_3),
                (position([91, 103], 53, 4, 5), 0.718_378_594_881_516_9),
            ],
        ),
    ] {
        let solution = solved(Goofspiel::new(cards, win));
        for (position, value) in published {
            let found = solution.enclosure(&position).unwrap().middle();
            // GLPK's tolerances are 1e-7 and smaller.
            assert!((found - value).abs() < 1e-9, "{position:?}: {found}, not {value}");
        }
    }
}

/// Of n days and m inspections the value is −C(n − 1, m) divided by the sum of C(n, i) for i from 0
/// to m (Dresher 1962; von Stengel, Recursive inspection games, 2016).
#[test]
fn inspections_are_worth_what_their_formula_says() {
    fn choose(n: i64, k: i64) -> i64 {
        if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
    }
    let solution = solved(Inspections { days: 20 });
    for (days, inspections) in
        (1..=20_u8).flat_map(|days| (0..=days).map(move |inspections| (days, inspections)))
    {
        let (n, m) = (i64::from(days), i64::from(inspections));
        let expected = fraction(-choose(n - 1, m), (0..=m).map(|i| choose(n, i)).sum());
        is_worth(&solution, &Standing::Waiting { days, inspections }, &expected);
    }
    assert!(solution.widest_enclosure() < 1e-15);
}

/// As many states as PRISM-games counts, and the value it prints to ten digits, 0.9577763176, lacks
/// a little: it iterates from below.
#[test]
fn robots_cross_as_the_model_checker_says() {
    let solution = solved(Robots { side: 5 });
    assert_eq!(solution.len(), 577);
    let enclosure = solution.enclosure(&[[0, 0], [0, 0]]).unwrap();
    assert!(enclosure.lower() > 0.957_776_318_422_1 && enclosure.upper() < 0.957_776_318_423_2);
}

/// `OpenSpiel`'s own game, written down state by state, has as many states; its start is worth this
/// where the ball lies before A, by this library's solver of files, and by linear programmes of
/// `SciPy`, of which these values are a fixed point within 1e-14.
#[test]
fn soccer_is_worth_what_its_rules_elsewhere_say() {
    let solution = solved(Soccer { turns: 10 });
    let goals = 2;
    assert_eq!(solution.len(), 1_444 + goals);
    for (ball, sign) in [
        (Ball::On((2, 2)), 1.0),
        (Ball::With(0), 1.0),
        (Ball::On((1, 2)), -1.0),
        (Ball::With(1), -1.0),
    ] {
        let enclosure = solution.enclosure(&Soccer::start(ball)).unwrap();
        assert!((enclosure.middle() * sign - 0.196_635_996_397_577).abs() < 1e-14, "{ball:?}");
    }
}

/// With discounts near 1 bounds creep, unless strategies are worked out against the best replies to
/// them.
#[test]
fn soccer_of_many_turns_is_proved_too() {
    for turns in [100, 1_000] {
        let solution = solved(Soccer { turns });
        assert!(
            solution.widest_enclosure() < 1e-13,
            "{turns} turns: {}",
            solution.widest_enclosure()
        );
        let values = [Ball::On((2, 2)), Ball::On((1, 2))]
            .map(|ball| solution.enclosure(&Soccer::start(ball)).unwrap().middle());
        assert!((values[0] + values[1]).abs() < 1e-12, "{turns} turns: {values:?}");
    }
}

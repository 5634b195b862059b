//! Games in which play can return: answers from mathematics, and checks in fractions of what bounds have to satisfy.

use num_traits::{One, Zero};
use pencil_tennis::stochastic_game::StochasticSolution;

use crate::kernels::Fraction;
use crate::random_games::{Follows, Stage, fraction, matrix, numbers, solve, text, value};

/// The bounds of a state by its name.
fn bounds(solution: &StochasticSolution, state: &str) -> [Fraction; 2] {
    solution.enclosure(state).unwrap().fractions()
}

const HEAD: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}"#;

#[test]
fn the_snowball_game_is_worth_1_but_no_strategy_secures_that() {
    let solution = solve(&format!(
        r#"{HEAD}
{{"id":"win","value":"1"}}
{{"id":"hit","value":"0"}}
{{"id":"s","a":["hide","run"],"b":["wait","throw"],"cells":[[{{"to":[["1","s"]]}},{{"to":[["1","win"]]}}],[{{"to":[["1","win"]]}},{{"to":[["7/8","hit"],["1/8","s"]]}}]]}}"#
    ));
    let [lower, upper] = bounds(&solution, "s");
    assert_eq!(upper, Fraction::one());
    // A stationary strategy that runs with probability p secures 1 − 7p/8 + O(p²), which is told from 1 while p² > 2^-61 or so.
    assert!(lower < upper && lower > fraction(9_999_999, 10_000_000), "{lower}");
}

#[test]
fn oshi_zumo_with_bids_of_0_is_worth_an_irrational_number() {
    // 5:4@0 on a field of 1: who pushes the wrestler over the edge wins; two zero bids repeat the state, and endless play is
    // decided by where the wrestler stands. The value is the root of 3/5 (docs/theory.md has it from OpenSpiel's own game).
    let mut lines = vec![HEAD.replace("\"s\"", "\"5:4@0\"")];
    for (a, b, place) in (0..=5_i32).flat_map(|a| (0..=4).flat_map(move |b| (-2..=2_i32).map(move |place| (a, b, place)))) {
        let id = format!("{a}:{b}@{place}");
        if place.abs() == 2 || a + b == 0 {
            lines.push(format!(r#"{{"id":"{id}","value":"{}"}}"#, place.signum()));
            continue;
        }
        let names = |most: i32| (0..=most).map(|bid| format!("\"{bid}\"")).collect::<Vec<_>>().join(",");
        let cell = |i: i32, j: i32| format!(r#"{{"to":[["1","{}:{}@{}"]]}}"#, a - i, b - j, place + (i - j).signum());
        let rows: Vec<String> =
            (0..=a).map(|i| format!("[{}]", (0..=b).map(|j| cell(i, j)).collect::<Vec<_>>().join(","))).collect();
        lines.push(format!(
            r#"{{"id":"{id}","a":[{}],"b":[{}],"endless":"{}","cells":[{}]}}"#,
            names(a),
            names(b),
            place.signum(),
            rows.join(",")
        ));
    }
    let solution = solve(&lines.join("\n"));
    let [lower, upper] = bounds(&solution, "5:4@0");
    assert!(&lower * &lower <= fraction(3, 5) && fraction(3, 5) <= &upper * &upper);
    assert!(solution.widest_enclosure() < 1e-15, "{}", solution.widest_enclosure());
}

/// A game of one table that repeats itself, and ends.
fn repeating(seed: u64) -> Vec<Stage> {
    let mut draw = numbers(seed);
    let mut stages: Vec<Stage> = (0..3).map(|_| Stage::End(fraction(draw(19) as i64 - 9, 1 + draw(7) as i64))).collect();
    let (rows, columns) = (1 + draw(3), 1 + draw(3));
    let mut cell = || {
        let shares: [(i64, usize); 3] =
            [(draw(3) as i64 + 1, draw(4) as usize), (draw(3) as i64, draw(3) as usize), (if draw(2) == 0 { 4 } else { 0 }, 3)];
        let sum = shares.iter().map(|share| share.0).sum();
        Follows { reward: Fraction::zero(), to: shares.iter().map(|&(share, next)| (fraction(share, sum), next)).collect() }
    };
    let table = (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect();
    stages.push(Stage::Table(table));
    stages
}

/// With f(t) the value when a repetition is worth t, and e for endless repetition: f(t) > t, or f(t) = t ≤ e, says that the game
/// is worth t at least; checked in fractions a hair below the bound.
#[test]
fn a_state_that_repeats_itself_is_worth_endless_play_clamped_to_its_fixed_points() {
    let hair = Fraction::one() / Fraction::from_integer(num_bigint::BigInt::one() << 80);
    for seed in 0..300 {
        let stages = repeating(seed);
        let Stage::Table(rows) = &stages[3] else { unreachable!() };
        for endless in [fraction(0, 1), fraction(-7, 3), fraction(5, 2)] {
            let text = text("\"kind\":\"recursive\"", &format!(",\"endless\":\"{endless}\""), &stages);
            let solution = solve(&text);
            let repeated = |t: &Fraction| {
                let mut values: Vec<Fraction> = stages[..3]
                    .iter()
                    .map(|stage| if let Stage::End(value) = stage { value.clone() } else { unreachable!() })
                    .collect();
                values.push(t.clone());
                value(&matrix(rows, &values, &Fraction::one()))
            };
            let [lower, upper] = bounds(&solution, "3");
            assert!(lower <= upper);
            let (low, high) = (lower - &hair, upper + &hair);
            let (below, above) = (repeated(&low), repeated(&high));
            assert!(below > low || (below == low && low <= endless), "game {seed}: {low} is no lower bound");
            assert!(above < high || (above == high && high >= endless), "game {seed}: {high} is no upper bound");
        }
    }
}

/// A random game whose states lead anywhere; play ends in every turn with this chance at least.
fn tangled(seed: u64, ends: i64, rewards: bool) -> Vec<Stage> {
    let mut draw = numbers(seed);
    let mut stages: Vec<Stage> = (0..2).map(|_| Stage::End(fraction(draw(19) as i64 - 9, 1 + draw(7) as i64))).collect();
    for _ in 2..7 {
        let (rows, columns) = (1 + draw(3), 1 + draw(3));
        let mut cell = || {
            let shares: [(i64, usize); 3] =
                [(ends, draw(2) as usize), (1 + draw(5) as i64, draw(7) as usize), (draw(4) as i64, draw(7) as usize)];
            let sum = shares.iter().map(|share| share.0).sum();
            let reward = if rewards { fraction(draw(9) as i64 - 4, 1 + draw(5) as i64) } else { Fraction::zero() };
            let to = shares.iter().filter(|share| share.0 > 0).map(|&(share, next)| (fraction(share, sum), next)).collect();
            Follows { reward, to }
        };
        stages.push(Stage::Table((0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect()));
    }
    stages
}

/// L ≤ T L − c proves L ≤ v − c/(1 − λ) in a discounted game, and as much in one that stops with a chance of 1 − λ every turn;
/// checked in fractions, for all states.
#[test]
fn bounds_of_discounted_and_stopping_games_are_solutions_of_the_inequalities() {
    for seed in 0..60 {
        for (kind, discount, ends) in [
            ("\"kind\":\"discounted\",\"discount\":\"9/10\"", fraction(9, 10), 0),
            ("\"kind\":\"discounted\",\"discount\":\"0.99\"", fraction(99, 100), 0),
            ("\"kind\":\"stopping\"", Fraction::one(), 1),
        ] {
            let stages = tangled(seed, ends, true);
            let solution = solve(&text(kind, "", &stages));
            let [lower, upper] = [0, 1].map(|side| -> Vec<Fraction> {
                (0..stages.len()).map(|state| solution.enclosure_at(state).fractions()[side].clone()).collect()
            });
            // Some tens of units of 2^-50, enlarged by the turns that are played.
            assert!(solution.widest_enclosure() < 1e-11, "game {seed}, {kind}: {}", solution.widest_enclosure());
            let reserve = fraction(1, 1 << 50);
            for (state, stage) in stages.iter().enumerate() {
                let Stage::Table(rows) = stage else { continue };
                let [low, high] = [&lower, &upper].map(|values| value(&matrix(rows, values, &discount)));
                assert!(low >= &lower[state] - &reserve, "game {seed}, {kind}, state {state}");
                assert!(high <= &upper[state] + &reserve, "game {seed}, {kind}, state {state}");
            }
        }
    }
}

#[test]
fn a_gamblers_chance_is_known() {
    // At n of 10 coins, one more with 2/5, one less with 3/5: the chance of reaching 10 is ((3/2)^n − 1)/((3/2)^10 − 1).
    let mut lines = vec![HEAD.replace("\"s\"", "\"5\""), r#"{"id":"0","value":"0"}"#.into(), r#"{"id":"10","value":"1"}"#.into()];
    for coins in 1..10 {
        lines.push(format!(
            r#"{{"id":"{coins}","a":["bet"],"b":["watch"],"cells":[[{{"to":[["2/5","{}"],["0.6","{}"]]}}]]}}"#,
            coins + 1,
            coins - 1
        ));
    }
    let solution = solve(&lines.join("\n"));
    let power = |n: u32| fraction(3_i64.pow(n), 2_i64.pow(n)) - Fraction::one();
    for coins in 1..10 {
        let enclosure = solution.enclosure(&coins.to_string()).unwrap();
        assert!(enclosure.contains(&(power(coins) / power(10))), "{coins}");
        assert!(enclosure.width() < 1e-15, "{coins}: {}", enclosure.width());
    }
}

#[test]
fn endless_play_is_worth_what_it_pays_where_nobody_leaves_for_more() {
    // A may leave for 1/4, B may leave for 3/4.
    for (endless, worth) in [("0", [1, 4]), ("1/2", [1, 2]), ("1", [3, 4])] {
        let solution = solve(&format!(
            r#"{HEAD}
{{"id":"low","value":"1/4"}}
{{"id":"high","value":"3/4"}}
{{"id":"s","a":["stay","leave"],"b":["-"],"endless":"{endless}","cells":[[{{"to":[["1","t"]]}}],[{{"to":[["1","low"]]}}]]}}
{{"id":"t","a":["-"],"b":["stay","leave"],"endless":"{endless}","cells":[[{{"to":[["1","s"]]}},{{"to":[["1","high"]]}}]]}}"#
        ));
        for state in ["s", "t"] {
            assert_eq!(bounds(&solution, state), [fraction(worth[0], worth[1]), fraction(worth[0], worth[1])], "{endless}");
        }
    }
}

/// Purgatory (Hansen, Ibsen-Jensen, Miltersen 2011): A climbs when it guesses B's bit, falls to the bottom when both say 1 wrongly
/// and loses in the other case; of n floors each guess is rare, and the value is 1.
#[test]
fn purgatory_is_worth_1() {
    let solution = solve(&format!(
        r#"{HEAD}
{{"id":"won","value":"1"}}
{{"id":"lost","value":"0"}}
{{"id":"s","a":["0","1"],"b":["0","1"],"cells":[[{{"to":[["1","t"]]}},{{"to":[["1","s"]]}}],[{{"to":[["1","lost"]]}},{{"to":[["1","t"]]}}]]}}
{{"id":"t","a":["0","1"],"b":["0","1"],"cells":[[{{"to":[["1","won"]]}},{{"to":[["1","s"]]}}],[{{"to":[["1","lost"]]}},{{"to":[["1","won"]]}}]]}}"#
    ));
    for state in ["s", "t"] {
        let [lower, upper] = bounds(&solution, state);
        assert_eq!(upper, Fraction::one());
        assert!(lower < upper && lower > fraction(9_999, 10_000), "{lower}");
    }
}

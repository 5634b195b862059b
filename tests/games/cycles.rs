//! Games in which play can return: answers from mathematics, and checks in fractions of what bounds
//! have to satisfy.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    StationaryPolicy, StochasticCheckpoint, StochasticGame, StochasticProof, StochasticSolution,
    StochasticSolver,
};

use crate::judged::collected;
use crate::kernels::Fraction;
use crate::random_games::{
    Follows, Stage, fraction, matrix, named, numbers, purgatory, solve, text, two_ways_around,
    value,
};

/// The bounds that strategies secure of a state, by its name.
fn bounds(solution: &StochasticSolution, state: &str) -> [Fraction; 2] {
    solution.secured(&solution.game().place(state).unwrap()).unwrap().fractions()
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
    // A stationary strategy that runs with probability p secures (1 − p) / (1 − p/8): 1 less a unit
    // with the smallest weights.
    assert_eq!(lower, Fraction::one() - Fraction::new(1.into(), (1_u64 << 60).into()));
    assert_eq!(certified(&solution), "1");
}

/// Two balls: A runs past the first, and then past the second. A strategy that runs with
/// probabilities p and q secures 1 − p / 2q − q / 2 or so: with p = 2^−62 and the best q it loses
/// some 6e-10. The nearly optimal strategies of longer numbers run more rarely past both, and
/// rounded to 62 bits these are alike and lose a third.
#[test]
fn the_strategies_shown_of_two_snowballs_secure_nearly_all() {
    let solution = solve(&format!(
        r#"{HEAD}
{{"id":"win","value":"1"}}
{{"id":"hit","value":"0"}}
{{"id":"s","a":["hide","run"],"b":["wait","throw"],"cells":[[{{"to":[["1","s"]]}},{{"to":[["1","t"]]}}],[{{"to":[["1","t"]]}},{{"to":[["1/2","hit"],["1/2","s"]]}}]]}}
{{"id":"t","a":["hide","run"],"b":["wait","throw"],"cells":[[{{"to":[["1","s"]]}},{{"to":[["1","win"]]}}],[{{"to":[["1","win"]]}},{{"to":[["1/2","hit"],["1/2","t"]]}}]]}}"#
    ));
    let [lower, _] = bounds(&solution, "s");
    assert!(Fraction::one() - lower < Fraction::new(1.into(), (1_u64 << 54).into()));
    let shown = StationaryPolicy::optimal(&solution, Player::A).unwrap();
    let judged = solution.judge(&shown, &mut |_| ControlFlow::Continue(())).unwrap();
    let start = solution.game().place("s").unwrap();
    assert!(judged.state(start).unwrap().loss.upper() < 1e-8);
}

/// The version of a solution's certificate, which proves the same bounds.
fn certified(solution: &StochasticSolution) -> String {
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    let proof = StochasticProof::verify(certificate.as_slice()).unwrap();
    for (state, _) in solution.states() {
        let secured = solution.secured(&state).unwrap();
        assert_eq!(proof.secured(&state).unwrap().fractions(), secured.fractions());
    }
    let header = String::from_utf8(certificate).unwrap();
    header.split_once(r#""version":"#).unwrap().1[..1].to_owned()
}

#[test]
fn oshi_zumo_with_bids_of_0_is_worth_an_irrational_number() {
    // 5:4@0 on a field of 1: who pushes the wrestler over the edge wins; two zero bids repeat the
    // state, and endless play is decided by where the wrestler stands. The value is the root of 3/5
    // (docs/theory-tennis.md).
    let mut lines = vec![HEAD.replace("\"s\"", "\"5:4@0\"")];
    for (a, b, place) in (0..=5_i32)
        .flat_map(|a| (0..=4).flat_map(move |b| (-2..=2_i32).map(move |place| (a, b, place))))
    {
        let id = format!("{a}:{b}@{place}");
        if place.abs() == 2 || a + b == 0 {
            lines.push(format!(r#"{{"id":"{id}","value":"{}"}}"#, place.signum()));
            continue;
        }
        let names =
            |most: i32| (0..=most).map(|bid| format!("\"{bid}\"")).collect::<Vec<_>>().join(",");
        let cell = |i: i32, j: i32| {
            format!(r#"{{"to":[["1","{}:{}@{}"]]}}"#, a - i, b - j, place + (i - j).signum())
        };
        let rows: Vec<String> = (0..=a)
            .map(|i| format!("[{}]", (0..=b).map(|j| cell(i, j)).collect::<Vec<_>>().join(",")))
            .collect();
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
    let mut stages: Vec<Stage> =
        (0..3).map(|_| Stage::End(fraction(draw(19) as i64 - 9, 1 + draw(7) as i64))).collect();
    let (rows, columns) = (1 + draw(3), 1 + draw(3));
    let mut cell = || {
        let shares: [(i64, usize); 3] = [
            (draw(3) as i64 + 1, draw(4) as usize),
            (draw(3) as i64, draw(3) as usize),
            (if draw(2) == 0 { 4 } else { 0 }, 3),
        ];
        let sum = shares.iter().map(|share| share.0).sum();
        Follows {
            reward: Fraction::zero(),
            to: shares.iter().map(|&(share, next)| (fraction(share, sum), next)).collect(),
        }
    };
    let table = (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect();
    stages.push(Stage::Table(table));
    stages
}

/// With f(t) the value when a repetition is worth t, and e for endless repetition: f(t) > t, or
/// f(t) = t ≤ e, says that the game is worth t at least; checked in fractions a hair below the
/// bound.
#[test]
fn a_state_that_repeats_itself_is_worth_endless_play_clamped_to_its_fixed_points() {
    let hair = Fraction::one() / Fraction::from_integer(num_bigint::BigInt::one() << 80);
    for seed in 0..300 {
        let stages = repeating(seed);
        let Stage::Table(rows) = &stages[3] else { unreachable!() };
        for endless in [fraction(0, 1), fraction(-7, 3), fraction(5, 2)] {
            let text =
                text("\"kind\":\"recursive\"", &format!(",\"endless\":\"{endless}\""), &stages);
            let solution = solve(&text);
            let repeated = |t: &Fraction| {
                let mut values: Vec<Fraction> =
                    stages[..3]
                        .iter()
                        .map(|stage| {
                            if let Stage::End(value) = stage {
                                value.clone()
                            } else {
                                unreachable!()
                            }
                        })
                        .collect();
                values.push(t.clone());
                value(&matrix(rows, &values, &Fraction::one()))
            };
            let [lower, upper] = bounds(&solution, "3");
            assert!(lower <= upper);
            let (low, high) = (lower - &hair, upper + &hair);
            let (below, above) = (repeated(&low), repeated(&high));
            assert!(
                below > low || (below == low && low <= endless),
                "game {seed}: {low} is no lower bound"
            );
            assert!(
                above < high || (above == high && high >= endless),
                "game {seed}: {high} is no upper bound"
            );
        }
    }
}

/// A random game whose states lead anywhere; play ends in every turn with this chance at least.
fn tangled(seed: u64, ends: i64, rewards: bool) -> Vec<Stage> {
    let mut draw = numbers(seed);
    let mut stages: Vec<Stage> =
        (0..2).map(|_| Stage::End(fraction(draw(19) as i64 - 9, 1 + draw(7) as i64))).collect();
    for _ in 2..7 {
        let (rows, columns) = (1 + draw(3), 1 + draw(3));
        let mut cell = || {
            let shares: [(i64, usize); 3] = [
                (ends, draw(2) as usize),
                (1 + draw(5) as i64, draw(7) as usize),
                (draw(4) as i64, draw(7) as usize),
            ];
            let sum = shares.iter().map(|share| share.0).sum();
            let reward = if rewards {
                fraction(draw(9) as i64 - 4, 1 + draw(5) as i64)
            } else {
                Fraction::zero()
            };
            let to = shares
                .iter()
                .filter(|share| share.0 > 0)
                .map(|&(share, next)| (fraction(share, sum), next))
                .collect();
            Follows { reward, to }
        };
        stages.push(Stage::Table(
            (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect(),
        ));
    }
    stages
}

/// L ≤ T L − c proves L ≤ v − c/(1 − λ) in a discounted game, and as much in one that stops with a
/// chance of 1 − λ every turn; checked in fractions, for all states.
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
                (0..stages.len())
                    .map(|state| solution.enclosure(&state).unwrap().fractions()[side].clone())
                    .collect()
            });
            // Some tens of units of 2^-50, enlarged by the turns that are played.
            assert!(
                solution.widest_enclosure() < 1e-11,
                "game {seed}, {kind}: {}",
                solution.widest_enclosure()
            );
            let reserve = fraction(1, 1 << 50);
            for (state, stage) in stages.iter().enumerate() {
                let Stage::Table(rows) = stage else { continue };
                let [low, high] =
                    [&lower, &upper].map(|values| value(&matrix(rows, values, &discount)));
                assert!(low >= &lower[state] - &reserve, "game {seed}, {kind}, state {state}");
                assert!(high <= &upper[state] + &reserve, "game {seed}, {kind}, state {state}");
            }
        }
    }
}

/// Of numbers near 2^61 units doubles know every 256th only, and a width that looks like 0 halves
/// for ever.
#[test]
fn play_that_ends_one_way_only_is_worth_that_end_however_large() {
    let value = "999999999999999999993/1000000000000000";
    let solution = solve(&format!(
        r#"{{"format":"stochastic-game","version":1,"kind":"stopping","start":["s0"]}}
{{"id":"s0","a":["0","1"],"b":["0","1"],"cells":[[{{"to":[["1","s2"]]}},{{"to":[["5/7","s0"],["2/7","e"]]}}],[{{"to":[["5/6","s3"],["1/6","e"]]}},{{"to":[["3/7","s0"],["4/7","e"]]}}]]}}
{{"id":"s1","a":["0"],"b":["0"],"cells":[[{{"to":[["1/1000001","s1"],["1000000/1000001","s2"]]}}]]}}
{{"id":"s2","a":["0"],"b":["0"],"cells":[[{{"to":[["5/6","s2"],["1/6","s3"]]}}]]}}
{{"id":"s3","a":["0","1"],"b":["0"],"cells":[[{{"to":[["4/5","e"],["1/5","s1"]]}}],[{{"to":[["1/3","s3"],["2/3","e"]]}}]]}}
{{"id":"e","value":"{value}"}}"#
    ));
    let value: Fraction = value.parse().unwrap();
    for state in ["s0", "s1", "s2", "s3"] {
        let enclosure = named(&solution, state);
        assert!(enclosure.contains(&value), "{state}");
        assert!(enclosure.width() < 1e-9, "{state}: {}", enclosure.width());
    }
}

/// Infinite play pays 10¹², which no value comes near. B has to go at `s` with a small probability,
/// so that A cannot wait for ever, and `t` is worth 1/4 and a quarter of `s`: both are worth 1/3.
/// B's weights of 62 bits lose more than the unit that counts 10¹².
#[test]
fn a_large_payoff_of_infinite_play_leaves_small_values_narrow() {
    for sign in ["", "-"] {
        let endless = format!(r#""endless":"{sign}1000000000000""#);
        let waits = r#"{"to":[["1","s"]]}"#;
        let turns = r#"{"to":[["1","t"]]}"#;
        let goes = r#"{"to":[["1/2","more"],["1/2","less"]]}"#;
        let leaves = r#"{"to":[["1/4","more"],["1/2","less"],["1/4","s"]]}"#;
        let (more, less) = if sign.is_empty() { ("3", "-1") } else { ("-3", "1") };
        let solution = solve(&format!(
            r#"{HEAD}
{{"id":"more","value":"{more}"}}
{{"id":"less","value":"{less}"}}
{{"id":"s","a":["wait","go"],"b":["wait","go"],{endless},"cells":[[{waits},{turns}],[{turns},{goes}]]}}
{{"id":"t","a":["x"],"b":["y"],{endless},"cells":[[{leaves}]]}}"#
        ));
        let third = fraction(if sign.is_empty() { 1 } else { -1 }, 3);
        for state in ["s", "t"] {
            let enclosure = named(&solution, state);
            assert!(enclosure.contains(&third), "{sign} {state}");
            assert!(enclosure.width() < 1e-12, "{sign} {state}: {}", enclosure.width());
        }
    }
}

#[test]
fn a_gamblers_chance_is_known() {
    // At n of 10 coins, one more with 2/5, one less with 3/5: the chance of reaching 10 is ((3/2)^n
    // − 1)/((3/2)^10 − 1).
    let mut lines = vec![
        HEAD.replace("\"s\"", "\"5\""),
        r#"{"id":"0","value":"0"}"#.into(),
        r#"{"id":"10","value":"1"}"#.into(),
    ];
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
        let enclosure = named(&solution, &coins.to_string());
        assert!(enclosure.contains(&(power(coins) / power(10))), "{coins}");
        assert!(enclosure.width() < 1e-15, "{coins}: {}", enclosure.width());
    }
}

#[test]
fn endless_play_is_worth_what_it_pays_where_nobody_leaves_for_more() {
    // A may leave for 1/4, B may leave for 3/4.
    for (endless, value) in [("0", [1, 4]), ("1/2", [1, 2]), ("1", [3, 4])] {
        let solution = solve(&format!(
            r#"{HEAD}
{{"id":"low","value":"1/4"}}
{{"id":"high","value":"3/4"}}
{{"id":"s","a":["stay","leave"],"b":["-"],"endless":"{endless}","cells":[[{{"to":[["1","t"]]}}],[{{"to":[["1","low"]]}}]]}}
{{"id":"t","a":["-"],"b":["stay","leave"],"endless":"{endless}","cells":[[{{"to":[["1","s"]]}},{{"to":[["1","high"]]}}]]}}"#
        ));
        for state in ["s", "t"] {
            assert_eq!(
                bounds(&solution, state),
                [fraction(value[0], value[1]), fraction(value[0], value[1])],
                "{endless}"
            );
        }
    }
}

/// Purgatory (Hansen, Ibsen-Jensen, Miltersen 2011): A climbs when it guesses B's bit, falls to the
/// bottom when both say 1 wrongly and loses in the other case. The value is 1; of n floors, a
/// strategy that secures 1 − ε guesses 1 at the bottom with probability ε^(2^(n − 1)), about, so
/// that long weights prove what short ones cannot.
#[test]
fn purgatory_is_worth_1() {
    for floors in 2..=4 {
        let solution = solve(&purgatory(floors));
        for floor in 1..=floors {
            let [lower, upper] = bounds(&solution, &floor.to_string());
            assert_eq!(upper, Fraction::one());
            assert!(
                lower < upper && lower > Fraction::one() - fraction(1, 10_000_000_000_000_000),
                "{floors}, {floor}: {lower}"
            );
        }
        assert_eq!(certified(&solution), "2");
        let bottom = solution.game().place("1").unwrap();
        let rare = solution.strategies(&bottom).unwrap()[0][1].1;
        // In 62 bits, strategies secure less than the bounds.
        assert!(rare > 0.0 && rare < 1e-3, "{rare}");
    }
}

/// A walk on a line of so many states, where A steps back, or forward with 9/10 and else back; from
/// the first state one steps back to `below`, and at the end A wins with 1/2, else play is at
/// `otherwise`.
fn walk(states: usize, below: &str, otherwise: &str) -> String {
    let mut text = HEAD.replace(r#"["s"]"#, r#"["0"]"#)
        + "\n{\"id\":\"win\",\"value\":\"1\"}\n{\"id\":\"lose\",\"value\":\"0\"}";
    for state in 0..states {
        let back = if state == 0 { below.to_owned() } else { (state - 1).to_string() };
        let step = if state + 1 == states {
            format!(r#"["1/2","win"],["1/2","{otherwise}"]"#)
        } else {
            format!(r#"["9/10","{}"],["1/10","{back}"]"#, state + 1)
        };
        let cells = format!(r#"[{{"to":[["1","{back}"]]}}],[{{"to":[{step}]}}]"#);
        write!(text, "\n{{\"id\":\"{state}\",\"a\":[\"back\",\"forward\"],\"b\":[\"-\"],\"cells\":[{cells}]}}").unwrap();
    }
    text
}

/// Far from the end of a long line a step changes the value by less than a unit, and values do not
/// tell the way.
#[test]
fn a_long_way_out_is_found() {
    const STATES: usize = 400;
    // On a cliff: the chance to come from a state to the next one before falling, and from the end
    // to win.
    let chance = |win: Fraction, before: &Fraction| {
        &win / (Fraction::one() - (Fraction::one() - &win) * before)
    };
    let mut up = fraction(9, 10);
    let mut value = up.clone();
    for _ in 1..STATES - 1 {
        up = chance(fraction(9, 10), &up);
        value *= &up;
    }
    value *= chance(fraction(1, 2), &up);
    let solution = solve(&walk(STATES, "lose", &(STATES - 2).to_string()));
    let [lower, upper] = bounds(&solution, "0");
    assert!(lower <= value && value <= upper);
    assert!(upper - lower < fraction(1, 1_000_000_000_000_000));
    // Where nobody falls, the only end is far away; it is found in whatever order the states are
    // listed.
    let text = walk(STATES, "0", "lose");
    let (header, states) = text.split_once('\n').unwrap();
    let reversed: Vec<&str> = std::iter::once(header).chain(states.lines().rev()).collect();
    for text in [&text, &reversed.join("\n")] {
        let [lower, upper] = bounds(&solve(text), "0");
        assert!(lower <= fraction(1, 2) && fraction(1, 2) <= upper);
        assert!(upper - lower < fraction(1, 1_000_000_000_000_000));
    }
}

/// A solve that ends early has bounds that are true and proved, and its last checkpoint leads to
/// the same bounds as if it had not.
#[test]
fn a_solve_that_ends_early_says_nothing_false() {
    let solver =
        || StochasticSolver::new(StochasticGame::read(purgatory(3).as_bytes()).unwrap()).threads(1);
    let written = |solution: &StochasticSolution| {
        let mut bytes = Vec::new();
        solution.write_certificate(&mut bytes).unwrap();
        bytes
    };
    let whole = written(&solver().solve().unwrap());
    for most in [0, 1, 20, 60, 200] {
        // The flag is raised when so many checkpoints were written.
        let (flag, mut count, mut last) = (AtomicBool::new(most == 0), 0, Vec::new());
        let early = solver().ends_early(&flag).on_checkpoint(Duration::ZERO, |checkpoint| {
            last.clear();
            checkpoint.write(&mut last).unwrap();
            count += 1;
            flag.fetch_or(count >= most, Ordering::Relaxed);
        });
        let early = early.solve().unwrap();
        // Ends and the first step are kept before the flag is asked for.
        assert!(count <= most + 5, "it went on after {most}, to {count}");
        assert_ne!(written(&early), whole);
        certified(&early);
        for floor in 1..=3 {
            let [lower, upper] = bounds(&early, &floor.to_string());
            assert!(
                Fraction::zero() <= lower && lower <= Fraction::one() && upper == Fraction::one()
            );
        }
        let resumed =
            solver().resume(StochasticCheckpoint::read(last.as_slice()).unwrap()).solve().unwrap();
        assert!(written(&resumed) == whole, "from checkpoint {count}");
    }
}

/// A discounted game begins with value iteration: an early end there, and then one at once, lose
/// none of it.
#[test]
fn an_early_end_goes_on_where_it_was() {
    let text = two_ways_around(20, "99999/100000");
    let solver =
        || StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).threads(1);
    let written = |solution: &StochasticSolution| {
        let mut bytes = Vec::new();
        solution.write_certificate(&mut bytes).unwrap();
        bytes
    };
    let whole = written(&solver().solve().unwrap());
    // The last checkpoint of a solve whose flag is raised when so many were written.
    let ended = |solver: StochasticSolver<'_>, most: usize| {
        let (flag, mut kept) = (AtomicBool::new(most == 0), Vec::new());
        let write = |checkpoint: &StochasticCheckpoint<'_>| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).unwrap();
            kept.push(bytes);
            flag.fetch_or(kept.len() >= most, Ordering::Relaxed);
        };
        solver.ends_early(&flag).on_checkpoint(Duration::ZERO, write).solve().unwrap();
        kept.pop().unwrap()
    };
    let read = |bytes: &[u8]| StochasticCheckpoint::read(bytes).unwrap();
    for most in [1, 10, 40] {
        let part = ended(solver(), most);
        let again = ended(solver().resume(read(&part)), 0);
        assert!(again == part, "after {most}");
        assert!(written(&solver().resume(read(&part)).solve().unwrap()) == whole, "after {most}");
    }
}

/// The widths that are told on the way fall, and are those of true bounds: no narrower than what is
/// proved at the end.
#[test]
fn widths_that_are_told_on_the_way_fall() {
    let mut widths = Vec::new();
    let solver =
        StochasticSolver::new(StochasticGame::read(purgatory(4).as_bytes()).unwrap()).threads(1);
    let solution = solver.on_widest(|width| widths.push(width)).solve().unwrap();
    let last =
        (1..=4).map(|floor| named(&solution, &floor.to_string()).width()).fold(0.0, f64::max);
    assert!(widths.len() > 1 && widths.is_sorted_by(|before, after| before >= after), "{widths:?}");
    assert!(widths[0] <= 1.0 && *widths.last().unwrap() >= last, "{widths:?}, {last}");
}

/// With a width, solving ends sooner, and says nothing false.
#[test]
fn a_width_that_is_asked_for_is_enough() {
    for width in [1e-2, 1e-5, 1e-9] {
        let game = StochasticGame::read(purgatory(3).as_bytes()).unwrap();
        let solution = StochasticSolver::new(game).threads(1).width(width).solve().unwrap();
        assert_eq!(certified(&solution), if width > 1e-3 { "1" } else { "2" });
        let secured_width = |floor: i32| {
            solution.secured(&solution.game().place(&floor.to_string()).unwrap()).unwrap().width()
        };
        let widths: Vec<f64> = (1..=3).map(secured_width).collect();
        assert!(
            widths.iter().all(|&secured| secured <= width)
                && widths.iter().any(|&secured| secured > width * 1e-6),
            "{width}: {widths:?}"
        );
        for floor in 1..=3 {
            let [lower, upper] = bounds(&solution, &floor.to_string());
            assert!(lower <= Fraction::one() && upper == Fraction::one());
        }
    }
    for width in [-1e-9, f64::NAN, f64::INFINITY] {
        let game = StochasticGame::read(purgatory(2).as_bytes()).unwrap();
        let error = StochasticSolver::new(game).width(width).solve().unwrap_err().to_string();
        assert_eq!(
            error,
            format!("a width of {width} is not possible; expected a number that is not below 0")
        );
    }
}

/// The bounds of a state before a cycle in long numbers follow from bounds of the cycle that are
/// rounded outward, or the certificate would be refused.
#[test]
fn bounds_of_long_numbers_are_rounded_outward() {
    let front = purgatory(2).replace(r#""start":["1"]"#, r#""start":["0"]"#)
        + "\n{\"id\":\"0\",\"a\":[\"a\"],\"b\":[\"b\"],\"cells\":[[{\"to\":[[\"1\",\"1\"]]}]]}";
    let solution = solve(&front);
    let ([lower, upper], [within, _]) = (bounds(&solution, "0"), bounds(&solution, "1"));
    assert_eq!(lower, within, "the same unit below");
    assert_eq!(upper, Fraction::one());
    assert_eq!(certified(&solution), "2");
}

/// A random game in turns of some states that lead anywhere, and two ends.
fn in_turns(seed: u64) -> Vec<Stage> {
    let mut draw = numbers(seed);
    let mut stages: Vec<Stage> = (0..2)
        .map(|_| Stage::End(fraction(draw(7) as i64 - 3, 1 + 2 * (seed % 4) as i64)))
        .collect();
    for _ in 2..6 {
        let mut cell = || {
            // Half of the cells do not end.
            let begin = if draw(2) == 0 { 2 } else { 0 };
            let weights: Vec<i64> = (0..=draw(3)).map(|_| 1 + draw(3) as i64).collect();
            let sum: i64 = weights.iter().sum();
            let to = weights
                .iter()
                .map(|&weight| (fraction(weight, sum), (begin + draw(6 - begin)) as usize))
                .collect();
            Follows { reward: Fraction::zero(), to }
        };
        let actions: Vec<Follows> = vec![cell(), cell(), cell()];
        let choices = 1 + draw(3) as usize;
        let actions = actions.into_iter().take(choices);
        stages.push(Stage::Table(if draw(2) == 0 {
            vec![actions.collect()]
        } else {
            actions.map(|cell| vec![cell]).collect()
        }));
    }
    stages
}

/// Every choice of an action at each state of a game in turns.
fn choices(actions: &[usize]) -> Vec<Vec<usize>> {
    actions.iter().fold(vec![Vec::new()], |choices, &count| {
        choices
            .iter()
            .flat_map(|choice| {
                (0..count).map(move |action| [choice.as_slice(), &[action]].concat())
            })
            .collect()
    })
}

/// What a choice at every state is worth, from linear equations: play that cannot reach an end
/// lasts for ever.
fn payoffs(stages: &[Stage], choice: &[usize], endless: &Fraction) -> Vec<Fraction> {
    let follows = |state: usize| match &stages[state] {
        Stage::End(_) => None,
        Stage::Table(rows) => Some(&rows.iter().flatten().nth(choice[state]).unwrap().to),
    };
    let mut ends: Vec<bool> = stages.iter().map(|stage| matches!(stage, Stage::End(_))).collect();
    for _ in 0..stages.len() {
        for state in 0..stages.len() {
            ends[state] |= follows(state).is_some_and(|to| to.iter().any(|&(_, next)| ends[next]));
        }
    }
    let mut pays = vec![Fraction::zero(); stages.len()];
    let mut step = vec![vec![Fraction::zero(); stages.len()]; stages.len()];
    for (state, stage) in stages.iter().enumerate() {
        match (stage, follows(state)) {
            (Stage::End(value), _) => pays[state] = value.clone(),
            (_, Some(to)) if ends[state] => {
                for (share, next) in to {
                    step[state][*next] += share;
                }
            }
            _ => pays[state] = endless.clone(),
        }
    }
    collected(&pays, &step)
}

/// Optimal strategies of games in turns are pure and stationary (Condon 1992, with endless play as
/// one more end): all are tried.
#[test]
fn games_in_turns_are_worth_what_pure_strategies_say() {
    for seed in 0..150 {
        let stages = in_turns(seed);
        let shape = |stage: &Stage| match stage {
            Stage::End(_) => [1, 1],
            Stage::Table(rows) => [rows.len(), rows[0].len()],
        };
        let of = |player: usize| {
            choices(&stages.iter().map(|stage| shape(stage)[player]).collect::<Vec<_>>())
        };
        let [of_a, of_b] = [of(0), of(1)];
        for endless in [fraction(0, 1), fraction(-3, 1), fraction(1, 3)] {
            let best = |one: Vec<Fraction>, other: Vec<Fraction>, most: bool| -> Vec<Fraction> {
                one.into_iter()
                    .zip(other)
                    .map(|(one, other)| if most { one.max(other) } else { one.min(other) })
                    .collect()
            };
            let against = |a: &Vec<usize>| {
                let both = |b: &Vec<usize>| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
                let replies = of_b.iter().map(|b| payoffs(&stages, &both(b), &endless));
                replies.reduce(|one, other| best(one, other, false)).unwrap()
            };
            let values =
                of_a.iter().map(against).reduce(|one, other| best(one, other, true)).unwrap();
            let solution = solve(&text(
                "\"kind\":\"recursive\"",
                &format!(",\"endless\":\"{endless}\""),
                &stages,
            ));
            for (state, value) in values.iter().enumerate() {
                let enclosure = solution.enclosure(&state).unwrap();
                assert!(
                    enclosure.contains(value),
                    "game {seed}, endless {endless}, state {state}: {value}"
                );
                assert!(
                    enclosure.width() < 1e-12,
                    "game {seed}, endless {endless}, state {state}: {}",
                    enclosure.width()
                );
            }
        }
    }
}

/// A stays for ever with a0, for 2, unless B leaves: that is worth the end, 1/3 say, which is no
/// whole number of units. States that play goes round are worth the same only if they are to the
/// unit, in whatever order they are found.
#[test]
fn states_that_play_goes_round_are_worth_the_same_to_the_unit() {
    let places: Vec<usize> = (0..4).collect();
    for end in ["1/3", "1/7", "-2/3", "1/2"] {
        let state = |id: &str, a: &str, b: &str, cells: &str| {
            format!(r#"{{"id":"{id}","a":[{a}],"b":[{b}],"endless":"2","cells":{cells}}}"#)
        };
        let lines = [
            state("s", r#""on""#, r#""on""#, r#"[[{"to":[["1","t"]]}]]"#),
            state("t", r#""on""#, r#""on""#, r#"[[{"to":[["1","u"]]}]]"#),
            state(
                "u",
                r#""on","out""#,
                r#""on""#,
                r#"[[{"to":[["1/2","s"],["1/2","v"]]}],[{"to":[["1","lost"]]}]]"#,
            ),
            state(
                "v",
                r#""on""#,
                r#""on","out""#,
                r#"[[{"to":[["1","s"]]},{"to":[["3/7","u"],["4/7","end"]]}]]"#,
            ),
        ];
        let distinct = |order: &Vec<usize>| places.iter().all(|place| order.contains(place));
        for order in choices(&[4; 4]).into_iter().filter(distinct) {
            let states: Vec<&str> = order.iter().map(|&place| lines[place].as_str()).collect();
            let ends = format!(r#"{{"id":"end","value":"{end}"}}"#);
            let solution = solve(&format!(
                "{HEAD}\n{ends}\n{{\"id\":\"lost\",\"value\":\"-2\"}}\n{}",
                states.join("\n")
            ));
            let value = end.parse::<Fraction>().unwrap();
            for state in ["s", "t", "u", "v"] {
                let enclosure = named(&solution, state);
                assert!(
                    enclosure.contains(&value) && enclosure.width() < 1e-15,
                    "{end}, {order:?}: {:?}",
                    enclosure.fractions()
                );
            }
        }
    }
}

/// A's a1 secures 312215/723742 at s0, and B's b1 holds it: both are pure, and `s0` comes back by
/// most other actions.
#[test]
fn a_state_that_comes_back_does_not_hold_its_own_bound_up() {
    let solution = solve(&format!(
        r#"{}
{{"id":"s0","a":["a0","a1","a2"],"b":["b0","b1","b2"],"cells":[[{{"to":[["1","s2"]]}},{{"to":[["1","s0"]]}},{{"to":[["1","s1"]]}}],[{{"to":[["1/4","e1"],["3/4","s0"]]}},{{"to":[["411527/723742","e0"],["312215/723742","e1"]]}},{{"to":[["1","s1"]]}}],[{{"to":[["1/4","s0"],["5/12","s1"],["1/3","s2"]]}},{{"to":[["1","e0"]]}},{{"to":[["1","s0"]]}}]]}}
{{"id":"s1","a":["a0"],"b":["b0"],"cells":[[{{"to":[["1/1000002","s0"],["1/1000002","e1"],["500000/500001","s1"]]}}]]}}
{{"id":"s2","a":["a0"],"b":["b0"],"cells":[[{{"to":[["1/2","e1"],["1/8","s2"],["3/8","s0"]]}}]]}}
{{"id":"e0","value":"0"}}
{{"id":"e1","value":"1"}}"#,
        HEAD.replace("\"s\"", "\"s0\"")
    ));
    let enclosure = named(&solution, "s0");
    assert!(enclosure.contains(&fraction(312_215, 723_742)), "{:?}", enclosure.fractions());
    assert!(enclosure.width() < 1e-15, "{}", enclosure.width());
}

/// Stays that are found too short would make bounds too narrow: where they are not found, that is
/// said. A reward is paid at every other turn, until play stops with a small chance: 1/chance in
/// all. Or for every toss until a coin has shown so many heads in a row: 2^(heads + 1) − 2 tosses.
#[test]
fn play_that_hardly_stops_is_counted() {
    let solved = |states: &str| {
        let head = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["0"]}"#;
        let game = StochasticGame::read(
            format!("{head}\n{{\"id\":\"end\",\"value\":\"0\"}}{states}").as_bytes(),
        )
        .unwrap();
        let solution = StochasticSolver::new(game).threads(1).solve()?;
        let mut certificate = Vec::new();
        solution.write_certificate(&mut certificate).unwrap();
        StochasticProof::verify(&certificate[..]).unwrap();
        Ok::<_, pencil_tennis::Error>(named(&solution, "0"))
    };
    let state = |name: usize, cell: &str| {
        format!("\n{{\"id\":\"{name}\",\"a\":[\"on\"],\"b\":[\"on\"],\"cells\":[[{{{cell}}}]]}}")
    };
    // Every turn may lose two units, of which there are between 2^60 and 2^61 in the largest value.
    let assert_value = |states: &str, value: i64| {
        let (found, turns) = (solved(states).unwrap(), value as f64);
        let most = turns * 1e-12_f64.max(turns * 2.0 * (-60.0_f64).exp2());
        assert!(
            found.contains(&fraction(value, 1)) && found.width() <= most,
            "{value}: {}",
            found.decimal()
        );
    };
    for turns in [1_000_i64, 1_000_000, 1_000_000_000, 1_000_000_000_000] {
        let first = state(0, r#""reward":"1","to":[["1","1"]]"#);
        assert_value(
            &(first
                + &state(
                    1,
                    &format!("\"to\":[[\"1/{turns}\",\"end\"],[\"{}/{turns}\",\"0\"]]", turns - 1),
                )),
            turns,
        );
    }
    let heads = |count: usize, chance: &str, other: &str| -> String {
        let next =
            |toss: usize| if toss + 1 == count { "end".to_owned() } else { (toss + 1).to_string() };
        let cell = |toss: usize| {
            format!(r#""reward":"1","to":[["{chance}","{}"],["{other}","0"]]"#, next(toss))
        };
        (0..count).map(|toss| state(toss, &cell(toss))).collect()
    };
    for count in [16, 30, 50] {
        assert_value(&heads(count, "1/2", "1/2"), (1 << (count + 1)) - 2);
    }
    let refusal = solved(&heads(40, "1/1000000000000", "999999999999/1000000000000"))
        .unwrap_err()
        .to_string();
    assert!(refusal.contains("play can take too many turns until it stops"), "{refusal}");
}

/// Five states with discounts near 1, one of which pays 1 and ends: if play came back to it, values
/// could be as large as the number of turns that count. They are not, and the unit is as fine as
/// values allow.
#[test]
fn a_discount_near_1_costs_no_digits() {
    for (turns, seed) in
        [10_000_i64, 1_000_000].into_iter().flat_map(|turns| (0..4).map(move |seed| (turns, seed)))
    {
        let (discount, mut draw) = (fraction(turns - 1, turns), numbers(seed));
        let mut stages = vec![Stage::End(Fraction::one()), Stage::End(-Fraction::one())];
        for _ in 0..5 {
            let to = (0..3).map(|_| (fraction(1, 3), draw(7) as usize)).collect();
            stages.push(Stage::Table(vec![vec![Follows { reward: Fraction::zero(), to }]]));
        }
        stages[2] = Stage::Table(vec![vec![Follows {
            reward: Fraction::one(),
            to: vec![(Fraction::one(), 0)],
        }]]);
        let solution = solve(&text(
            &format!("\"kind\":\"discounted\",\"discount\":\"{discount}\""),
            "",
            &stages,
        ));
        let (mut pays, mut step) = (Vec::new(), Vec::new());
        for stage in &stages {
            let mut row = vec![Fraction::zero(); stages.len()];
            pays.push(match stage {
                Stage::End(value) => value.clone(),
                Stage::Table(rows) => {
                    rows[0][0].to.iter().for_each(|(share, next)| row[*next] += share * &discount);
                    rows[0][0].reward.clone()
                }
            });
            step.push(row);
        }
        for (state, value) in collected(&pays, &step).iter().enumerate() {
            let found = named(&solution, &state.to_string());
            assert!(
                found.contains(value) && found.width() < 1e-11,
                "{turns}, {seed}, {state}: {}",
                found.decimal()
            );
        }
    }
}

/// A reward is a unit, since an end elsewhere is worth as much as can be counted: what every turn
/// loses by rounding is as large as what it pays, so that the stay alone proves nothing, and the
/// certificate shows it.
#[test]
fn bounds_prove_themselves_where_a_reward_is_a_unit() {
    for seed in 0..200 {
        let mut draw = numbers(seed);
        let count = 2 + draw(3) as usize;
        let mut text = format!(
            "{}\n{{\"id\":\"end\",\"value\":\"0\"}}\n{{\"id\":\"far\",\"value\":\"{}\"}}",
            r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["0","far"]}"#,
            (1_u64 << 61) - (1 << 20)
        );
        let (mut pays, mut step) =
            (vec![Fraction::zero(); count], vec![vec![Fraction::zero(); count]; count]);
        for state in 0..count {
            let reward = [-1, 1][draw(2) as usize];
            let weights: Vec<i64> = (0..count)
                .map(|next| draw(8) as i64 + i64::from(next == (state + 1) % count))
                .collect();
            let sum = weights.iter().sum::<i64>() + 1 + draw(2) as i64;
            pays[state] = fraction(reward, 1);
            let mut left = Fraction::one();
            let mut to = Vec::new();
            for (next, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                step[state][next] = fraction(weight, sum);
                left -= &step[state][next];
                to.push(format!(r#"["{weight}/{sum}","{next}"]"#));
            }
            to.push(format!(r#"["{left}","end"]"#));
            let cell = format!(r#"{{"reward":"{reward}","to":[{}]}}"#, to.join(","));
            let _ = write!(
                text,
                "\n{{\"id\":\"{state}\",\"a\":[\"on\"],\"b\":[\"on\"],\"cells\":[[{cell}]]}}"
            );
        }
        let solution = solve(&text);
        for (state, value) in collected(&pays, &step).iter().enumerate() {
            let enclosure = named(&solution, &state.to_string());
            assert!(
                enclosure.contains(value),
                "game {seed}, state {state}: {value} is not in {:?}",
                enclosure.fractions()
            );
        }
    }
}

/// A chases B on a grid of 6 × 6 squares: more states than a block of value iteration has. The
/// bounds and strategies are the same for any number of threads, and satisfy the inequalities L ≤ T
/// L and T U ≤ U in fractions up to the rounding of a unit.
#[test]
fn a_pursuit_in_several_blocks_is_proved_by_any_number_of_threads() {
    const SIDE: usize = 6;
    let squares = SIDE * SIDE;
    let steps = |square: usize| -> Vec<usize> {
        let (column, row) = (square % SIDE, square / SIDE);
        let near =
            |other: &usize| (other % SIDE).abs_diff(column) + (other / SIDE).abs_diff(row) <= 1;
        (0..squares).filter(near).collect()
    };
    let place = |a: usize, b: usize| if a == b { 0 } else { 1 + a * squares + b };
    let mut stages = vec![Stage::End(Fraction::one()); 1 + squares * squares];
    for (a, b) in
        (0..squares).flat_map(|a| (0..squares).map(move |b| (a, b))).filter(|(a, b)| a != b)
    {
        // B slips with one tenth.
        let cell = |&next_a: &usize, &next_b: &usize| {
            let slips = if next_a == b && next_b == a { 0 } else { place(next_a, b) };
            let to = vec![
                (fraction(9, 10), if slips == 0 { 0 } else { place(next_a, next_b) }),
                (fraction(1, 10), slips),
            ];
            Follows { reward: Fraction::zero(), to }
        };
        let rows = steps(a)
            .iter()
            .map(|next_a| steps(b).iter().map(|next_b| cell(next_a, next_b)).collect())
            .collect();
        stages[place(a, b)] = Stage::Table(rows);
    }
    let game = text("\"kind\":\"discounted\",\"discount\":\"9/10\"", "", &stages);
    let solutions = [1, 2, 3].map(|threads| {
        StochasticSolver::new(StochasticGame::read(game.as_bytes()).unwrap())
            .threads(threads)
            .solve()
            .unwrap()
    });
    let [one, others @ ..] = &solutions;
    let mut certificate = Vec::new();
    one.write_certificate(&mut certificate).unwrap();
    StochasticProof::verify(&certificate[..]).unwrap();
    assert!(one.widest_enclosure() < 1e-15, "{}", one.widest_enclosure());
    let [lower, upper] = [0, 1].map(|side| -> Vec<Fraction> {
        (0..stages.len())
            .map(|state| one.enclosure(&state).unwrap().fractions()[side].clone())
            .collect()
    });
    let unit = Fraction::new(1.into(), num_bigint::BigInt::one() << 55);
    for (state, stage) in stages.iter().enumerate() {
        for other in others {
            assert_eq!(one.enclosure(&state), other.enclosure(&state));
            assert_eq!(one.strategies(&state).unwrap(), other.strategies(&state).unwrap());
        }
        let Stage::Table(rows) = stage else { continue };
        // Every twentieth matrix game in fractions is enough to tell.
        if state % 20 == 1 {
            let [low, high] =
                [&lower, &upper].map(|values| value(&matrix(rows, values, &fraction(9, 10))));
            assert!(low >= &lower[state] - &unit && high <= &upper[state] + &unit, "state {state}");
        }
    }
}

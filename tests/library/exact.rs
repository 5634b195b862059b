//! Exact solutions: the saddle inequalities hold exactly, denominators have their known sizes, and
//! the limit is honest.

use std::ops::ControlFlow;
use std::time::Duration;

use num_rational::BigRational;
use num_traits::{One, Zero};
use pencil_tennis::{
    ByPlayer, Exact, Method, Rules, Scoring, Solution, Solver, State, TableFile, unwatched,
};

fn exact(rules: Rules, points: u32, limit_bits: usize) -> Solution {
    Solver::new(&rules).points([points, points]).exact(limit_bits).solve().unwrap()
}

/// The exact value of what follows a pair of bids, by the rules.
fn value_after(solution: &Solution, state: State, bid_a: u32, bid_b: u32) -> BigRational {
    let rules = solution.rules();
    let next = rules.play(state, bid_a, bid_b).unwrap();
    match rules.payoff(next) {
        Some(payoff) => BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into()),
        None => solution.exact_value(next).unwrap().expect("every state is exact without a limit"),
    }
}

fn expectation<'s>(
    strategy: &'s [(u32, BigRational)],
    payoff: impl Fn(u32) -> BigRational + 's,
) -> BigRational {
    strategy.iter().map(|(bid, probability)| probability * payoff(*bid)).sum()
}

fn assert_distribution(strategy: &[(u32, BigRational)], points: u32, state: State) {
    assert!(
        strategy.iter().all(|(bid, probability)| Rules::tennis().legal_bids(points).contains(bid)
            && *probability > BigRational::zero())
    );
    assert!(strategy.is_sorted_by_key(|(bid, _)| *bid));
    let sum: BigRational = strategy.iter().map(|(_, probability)| probability.clone()).sum();
    assert!(sum.is_one(), "the probabilities at {state} sum to {sum}");
}

/// Both strategies secure the value against every single bid: with the induction over totals, that
/// is a proof of optimality.
#[test]
fn saddle_inequalities_hold_exactly_to_12_points() {
    let skewed: Scoring = "1,1/2,1/3,0,-2".parse().unwrap();
    let games = [
        Rules::tennis(),
        Rules::tennis().with_scoring(Scoring::win_loss()),
        Rules::footsteps(),
        Rules::oshi_zumo(3).unwrap().with_scoring(skewed),
    ];
    for rules in games {
        let solution = exact(rules, 12, usize::MAX);
        assert_eq!(solution.exact_states(), solution.states().len());
        for state in solution.states().filter(|state| state.a + state.b > 0) {
            let Exact { value, strategies: ByPlayer { a, b }, .. } =
                solution.exact(state).unwrap().expect("every state is exact without a limit");
            assert_distribution(&a, state.a, state);
            assert_distribution(&b, state.b, state);
            for bid_b in Rules::tennis().legal_bids(state.b) {
                assert!(
                    expectation(&a, |bid_a| value_after(&solution, state, bid_a, bid_b)) >= value,
                    "{state}, B bids {bid_b}"
                );
            }
            for bid_a in Rules::tennis().legal_bids(state.a) {
                assert!(
                    expectation(&b, |bid_b| value_after(&solution, state, bid_a, bid_b)) <= value,
                    "{state}, A bids {bid_a}"
                );
            }
            assert!(solution.enclosure(state).unwrap().contains(&value), "{state}");
        }
    }
}

/// Measured independently with a plain exact simplex: largest denominators in bits over all states
/// of n points.
#[test]
fn denominators_grow_as_measured() {
    let bits = |rules: Rules, points: u32| {
        let solution = exact(rules, points, usize::MAX);
        let denominators = solution
            .states()
            .map(|state| solution.exact_value(state).unwrap().unwrap().denom().bits());
        denominators.max().unwrap()
    };
    for (points, expected) in
        [(8, 14), (9, 23), (10, 64), (11, 232), (12, 717), (13, 2_287), (14, 7_069)]
    {
        assert_eq!(bits(Rules::tennis(), points), expected, "two-one, {points} points");
    }
    for (points, expected) in [(8, 4), (10, 12), (12, 110), (14, 882)] {
        assert_eq!(
            bits(Rules::tennis().with_scoring(Scoring::win_loss()), points),
            expected,
            "win-loss, {points} points"
        );
    }
}

/// A limit only leaves states out; the ones that remain are the same numbers.
#[test]
fn a_limit_leaves_out_large_numbers_and_nothing_else() {
    let all = exact(Rules::tennis(), 13, usize::MAX);
    let some = exact(Rules::tennis(), 13, 100);
    assert!(some.exact_states() < all.exact_states());
    for state in some.states() {
        let full = all.exact_value(state).unwrap().unwrap();
        match some.exact_value(state).unwrap() {
            Some(value) => assert_eq!(value, full, "{state}"),
            None => assert!(some.enclosure(state).unwrap().contains(&full), "{state}"),
        }
    }
}

/// The linear programme leaves no basis; the exact tier finds one and comes to the same fractions.
#[test]
fn exact_values_do_not_depend_on_the_method() {
    let simplex = exact(Rules::tennis(), 9, usize::MAX);
    let lp = Solver::new(&Rules::tennis())
        .points([9, 9])
        .method(Method::Lp)
        .exact(usize::MAX)
        .solve()
        .unwrap();
    for state in simplex.states() {
        assert_eq!(simplex.exact_value(state).unwrap(), lp.exact_value(state).unwrap(), "{state}");
    }
}

/// Every thread solves single states, and values are reduced by whoever reads them first.
#[test]
fn any_number_of_threads_finds_the_same_fractions() {
    let solve = |threads| {
        Solver::new(&Rules::tennis())
            .points([12, 13])
            .exact(usize::MAX)
            .threads(threads)
            .solve()
            .unwrap()
    };
    let alone = solve(1);
    for threads in [2, 5] {
        let together = solve(threads);
        for state in alone.states() {
            let exact = alone.exact(state).unwrap();
            assert_eq!(together.exact(state).unwrap(), exact, "{threads} threads, {state}");
            let value = exact.expect("every state is exact without a limit").value;
            assert_eq!(alone.exact_value(state).unwrap(), Some(value.reduced()), "{state}");
        }
    }
}

/// At 50 points the exact tier is partial, and says so state by state.
#[test]
fn fifty_points_are_exact_in_part() {
    let solution = exact(Rules::tennis(), 50, Solver::EXACT_BITS);
    let known = solution.states().filter(|&state| solution.exact(state).unwrap().is_some()).count();
    assert_eq!(known, solution.exact_states());
    assert!(known > 9_000, "every state decided by pure play, and the small ones: {known}");
    assert!(solution.exact("50:50@-1".parse().unwrap()).unwrap().is_none());
    let start = "50:50@0".parse().unwrap();
    assert!(solution.exact(start).unwrap().is_none(), "its strategies are not known");
    assert_eq!(
        solution.exact_value(start).unwrap(),
        Some(BigRational::from_integer(0.into())),
        "but its value is, by symmetry"
    );
    for state in solution.states() {
        if let Some(value) = solution.exact_value(state).unwrap() {
            assert!(value.denom().bits() <= Solver::EXACT_BITS as u64);
            assert!(solution.enclosure(state).unwrap().contains(&value), "{state}");
        }
    }
}

/// Decimal bounds against the fractions themselves.
#[test]
fn digits_enclose_the_exact_value_and_are_as_many_as_asked_for() {
    let solution = Solver::new(&Rules::tennis()).points([11, 11]).solve().unwrap();
    let truth = exact(Rules::tennis(), 11, usize::MAX);
    let decimal = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap();
        let scale = num_bigint::BigInt::from(10).pow(fraction.len() as u32);
        BigRational::new(format!("{whole}{fraction}").parse().unwrap(), scale)
    };
    for state in ["11:11@-2", "11:10@1", "10:11@-1", "7:8@1", "9:11@2"]
        .map(|state| state.parse::<State>().unwrap())
    {
        let digits = solution.digits(state, 200, &mut unwatched).unwrap();
        let value = truth.exact_value(state).unwrap().unwrap();
        assert!(decimal(&digits.lower) <= value && value <= decimal(&digits.upper), "{state}");
        for text in [&digits.lower, &digits.upper, digits.value.as_ref().unwrap()] {
            assert_eq!(text.split_once('.').unwrap().1.len(), 200, "{state}");
        }
        let unit = BigRational::new(1.into(), num_bigint::BigInt::from(10).pow(200));
        assert!(decimal(&digits.upper) - decimal(&digits.lower) <= unit, "{state}");
        assert!(
            (decimal(digits.value.as_ref().unwrap()) - &value)
                * BigRational::from_integer(2.into())
                <= unit,
            "{state}"
        );
        let exact = truth.digits(state, 200, &mut unwatched).unwrap();
        assert!(decimal(&exact.lower) <= value && value <= decimal(&exact.upper), "{state}");
        assert!(
            exact.width_exponent.is_none_or(|exponent| exponent <= -199),
            "one unit of the last decimal"
        );
    }
}

#[test]
fn a_resumed_solve_keeps_what_is_asked_of_it() {
    let folder =
        std::env::temp_dir().join(format!("pencil-tennis-resume-exact-{}", std::process::id()));
    let stopped =
        Solver::new(&Rules::tennis())
            .points([20, 18])
            .on_progress(|share| {
                if share < 0.95 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .on_checkpoint(Duration::ZERO, |checkpoint| {
                let mut file = std::fs::File::create(&folder).unwrap();
                checkpoint.write(&mut file).unwrap();
            })
            .solve();
    assert!(stopped.is_err());
    let resumed = Solver::new(&Rules::tennis())
        .resume(TableFile::open(&folder).unwrap())
        .exact(4_096)
        .solve()
        .unwrap();
    std::fs::remove_file(&folder).unwrap();
    let whole = Solver::new(&Rules::tennis()).points([20, 18]).exact(4_096).solve().unwrap();
    assert!(whole.exact_states() > 0);
    assert_eq!(resumed.exact_states(), whole.exact_states());
    for state in whole.states() {
        assert_eq!(
            resumed.exact_value(state).unwrap(),
            whole.exact_value(state).unwrap(),
            "{state}"
        );
    }
}

//! The smallest bid 0, against plain iteration that shares no code with the library, and against
//! known values.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use pencil_tennis::agents::{Evaluation, LearnerKind, LearnerOptions, Lookahead, Training};
use pencil_tennis::analysis::{Exploitability, ForcedPlay, Matchup, PolicyEvaluation, Score};
use pencil_tennis::blind::BlindSolver;
use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::{
    Bounds, Method, Motion, Payoff, Player, Policy, Refined, Rules, Scoring, Solution, Solver,
    State, TableFile, Uniqueness, certificate, unwatched,
};

use crate::dresher::{dresher, gains};
use crate::fractions::extreme_strategies;

fn zero(rules: Rules) -> Rules {
    rules.with_min_bid(0).expect("0 is possible")
}

fn solved(rules: Rules, points: [u32; 2]) -> Solution {
    Solver::new(&zero(rules)).points(points).solve().expect("a small game")
}

fn games() -> Vec<(Rules, [u32; 2])> {
    let skewed: Scoring = "1,1/2,1/3,0,-2".parse().expect("five payoffs");
    vec![
        (Rules::tennis(), [7, 7]),
        (Rules::footsteps(), [6, 6]),
        (Rules::oshi_zumo(1).expect("a field"), [7, 6]),
        (Rules::oshi_zumo(3).expect("a field"), [6, 6]),
        (Rules::new(2, Motion::Net, skewed).expect("a field"), [5, 6]),
    ]
}

/// The value of a matrix game by the simplex method in the condensed tableau with the smallest
/// index first.
fn matrix_value(matrix: &[Vec<f64>]) -> f64 {
    let shift = matrix.iter().flatten().fold(f64::INFINITY, |least, &entry| least.min(entry)) - 1.0;
    let (rows, columns) = (matrix.len(), matrix[0].len());
    // Maximise the sum of y with M y ≤ 1: its optimum is one over the value.
    let mut tableau: Vec<Vec<f64>> = matrix
        .iter()
        .map(|row| row.iter().map(|entry| entry - shift).chain([1.0]).collect())
        .collect();
    tableau.push(vec![-1.0; columns].into_iter().chain([0.0]).collect());
    let mut names: (Vec<usize>, Vec<usize>) =
        ((columns..columns + rows).collect(), (0..columns).collect());
    loop {
        let entering = (0..columns)
            .filter(|&column| tableau[rows][column] < -1e-13)
            .min_by_key(|&column| names.1[column]);
        let Some(column) = entering else { return 1.0 / tableau[rows][columns] + shift };
        let ratio = |row: usize| tableau[row][columns] / tableau[row][column];
        let least = (0..rows)
            .filter(|&row| tableau[row][column] > 1e-13)
            .map(ratio)
            .fold(f64::INFINITY, f64::min);
        let leaving =
            (0..rows).filter(|&row| tableau[row][column] > 1e-13 && ratio(row) <= least + 1e-13);
        let row = leaving.min_by_key(|&row| names.0[row]).expect("a bounded programme");
        let pivot = tableau[row][column];
        let (old_row, old_column): (Vec<f64>, Vec<f64>) =
            (tableau[row].clone(), tableau.iter().map(|line| line[column]).collect());
        for (i, line) in tableau.iter_mut().enumerate() {
            for (j, entry) in line.iter_mut().enumerate() {
                *entry = match (i == row, j == column) {
                    (true, true) => 1.0 / pivot,
                    (true, false) => old_row[j] / pivot,
                    (false, true) => -old_column[i] / pivot,
                    (false, false) => *entry - old_column[i] * old_row[j] / pivot,
                };
            }
        }
        std::mem::swap(&mut names.0[row], &mut names.1[column]);
    }
}

/// The values of all states: where two zero bids repeat the state, the stage game is solved again
/// and again, from what endless play is worth on.
fn by_iteration(rules: &Rules, [most_a, most_b]: [u32; 2]) -> BTreeMap<State, f64> {
    let number = |payoff: Payoff| *payoff.numer() as f64 / *payoff.denom() as f64;
    let field = rules.field();
    let mut values = BTreeMap::new();
    let state =
        |a: u32, b: u32, ball: i32| format!("{a}:{b}@{ball}").parse::<State>().expect("a state");
    for total in 0..=most_a + most_b {
        for a in total.saturating_sub(most_b)..=total.min(most_a) {
            let b = total - a;
            for ball in -field..=field {
                let lying = number(rules.payoff(state(0, 0, ball)).expect("an end"));
                let mut value = lying;
                for _ in 0..100_000 {
                    if total == 0 {
                        break;
                    }
                    let entry = |bid_a: u32, bid_b: u32| {
                        let hit = |position: i32, way: i32| match rules.motion() {
                            Motion::Net if position * way <= 0 => way,
                            _ => position + way,
                        };
                        let next = match bid_a.cmp(&bid_b) {
                            std::cmp::Ordering::Greater => hit(ball, 1),
                            std::cmp::Ordering::Less => hit(ball, -1),
                            std::cmp::Ordering::Equal => ball,
                        };
                        if next.abs() > field {
                            number(rules.scoring().payoffs()[if next > 0 { 0 } else { 4 }])
                        } else if bid_a + bid_b == 0 {
                            value
                        } else {
                            values[&state(a - bid_a, b - bid_b, next)]
                        }
                    };
                    let matrix: Vec<Vec<f64>> =
                        (0..=a).map(|i| (0..=b).map(|j| entry(i, j)).collect()).collect();
                    let again = matrix_value(&matrix);
                    let settled = (again - value).abs() < 1e-15;
                    value = again;
                    if settled {
                        break;
                    }
                }
                values.insert(state(a, b, ball), value);
            }
        }
    }
    values
}

#[test]
fn plain_iteration_leads_to_the_values() {
    for (rules, points) in games() {
        let solution = solved(rules, points);
        let plain = by_iteration(solution.rules(), points);
        assert_eq!(plain.len(), solution.states().len());
        for (state, value) in plain {
            // Iteration that gains less than 1e-15 a step may be far from its end; none of these is
            // farther than this.
            let found = solution.value(state).expect("a state");
            assert!(
                (found - value).abs() < 1e-9,
                "{} at {state}: {found}, by iteration {value}",
                solution.rules()
            );
        }
        assert!(
            solution.widest_enclosure() < 1e-14,
            "{}: {}",
            solution.rules(),
            solution.widest_enclosure()
        );
    }
}

/// The square of the bounds is around 3/5, which no fraction's square is.
#[test]
fn a_value_may_be_irrational() {
    let solution = solved(Rules::oshi_zumo(1).expect("a field"), [5, 4]);
    let enclosure = solution.enclosure("5:4@0".parse().expect("a state")).expect("a state of it");
    let Bounds { lower, upper } = enclosure.integers();
    let square = |bound: i64| {
        let fraction =
            BigRational::new(BigInt::from(bound), BigInt::from(1) << enclosure.unit_exponent());
        &fraction * &fraction
    };
    let three_fifths = BigRational::new(3.into(), 5.into());
    assert!(square(lower) <= three_fifths && three_fifths <= square(upper), "{lower} {upper}");
    assert!(lower > 0 && upper - lower < 100, "{lower} {upper}");
}

/// Who gets more, or less, than where the ball lies must not wait for ever, and a game of nothing
/// but waiting is worth that.
#[test]
fn who_is_not_content_with_the_standstill_leaves_it() {
    let (mut waits, mut leaves) = (0, 0);
    for (rules, points) in games() {
        let solution = solved(rules, points);
        for state in solution.states().filter(|state| state.a + state.b > 0) {
            let lying = State { a: 0, b: 0, ..state };
            let endless = solution.value(lying).expect("an end");
            let found = solution.equilibrium(state).expect("a state");
            for (player, strategy, gain) in [
                (Player::A, &found.a, found.value - endless),
                (Player::B, &found.b, endless - found.value),
            ] {
                let stands = strategy.probability(0) == 1.0;
                assert!(!stands || gain < 1e-12, "{player} at {state} of {}", solution.rules());
                (waits, leaves) = (waits + u32::from(stands), leaves + u32::from(!stands));
            }
        }
    }
    assert!(waits > 100 && leaves > 100, "{waits} {leaves}");
}

#[test]
fn certificates_and_tables_prove_the_bounds_of_the_solution() {
    let path = std::env::temp_dir().join(format!("pencil-tennis-zero-bids-{}", std::process::id()));
    for (rules, points) in games() {
        let solution = solved(rules, points);
        let mut certificate = solution.certificate(&mut unwatched).expect("nobody cancels");
        let proof = certificate::verify(&certificate).expect("a sound certificate");
        let file = std::fs::File::create(&path).expect("a place for temporary files");
        solution.write_table(file).expect("room for a small file");
        let mut read =
            TableFile::open(&path).and_then(TableFile::into_solution).expect("what was written");
        let proved =
            read.prove(&mut |_| std::ops::ControlFlow::Continue(())).expect("a sound table");
        for state in solution.states() {
            let bounds = solution.enclosure(state).expect("a state").integers();
            assert_eq!(proof.enclosure(state).map(|value| value.integers()), Ok(bounds), "{state}");
            assert_eq!(
                proved.enclosure(state).map(|value| value.integers()),
                Ok(bounds),
                "{state}"
            );
            assert_eq!(read.equilibrium(state), solution.equilibrium(state), "{state}");
        }
        // As if the smallest bid were 1.
        let end = certificate.len() - 4;
        certificate[8] = 1;
        let sum = crc32fast::hash(&certificate[..end]);
        certificate[end..].copy_from_slice(&sum.to_le_bytes());
        let refusal = certificate::verify(&certificate).expect_err("another version").to_string();
        assert!(refusal.contains("version 1, and its rules need version 2"), "{refusal}");
    }
    std::fs::remove_file(path).expect("it is there");
}

/// A search of some turns is as many steps backwards over the values of a search of one turn less,
/// in which the value of a repeated state is the fixed point nearest to the payoff of infinite
/// plays.
#[test]
fn looking_ahead_counts_turns_that_change_the_state() {
    for (rules, _) in games() {
        let (rules, points) = (zero(rules), [4, 3]);
        let nothing = Evaluation::nothing(&rules, points).expect("a small game");
        let number = |payoff: Payoff| *payoff.numer() as f64 / *payoff.denom() as f64;
        // Without points every play has ended where the ball lies.
        let lying =
            |state: State| number(rules.payoff(State { a: 0, b: 0, ..state }).expect("an end"));
        let states: Vec<State> = solved(rules, points).states().collect();
        let mut earlier: BTreeMap<State, f64> =
            states.iter().map(|&state| (state, lying(state))).collect();
        for depth in 1..5 {
            let search = Lookahead::new(&nothing, depth).expect("a depth");
            for &state in states.iter().filter(|state| state.a + state.b > 0) {
                let entry = |bid_a: u32, bid_b: u32| {
                    let next = rules.play(state, bid_a, bid_b).expect("legal bids");
                    earlier.get(&next).copied().unwrap_or_else(|| lying(next))
                };
                let mut matrix: Vec<Vec<f64>> =
                    (0..=state.a).map(|a| (0..=state.b).map(|b| entry(a, b)).collect()).collect();
                let mut gained = |t: f64| {
                    matrix[0][0] = t;
                    matrix_value(&matrix) - t
                };
                let (found, endless) = (search.values.value(state).expect("a state"), lying(state));
                // The search leaves some 1e-12 of payoffs of at most 2, and `matrix_value` a little
                // less.
                let gain = gained(found);
                assert!(gain.abs() < 1e-11, "{rules}: {state} after {depth}: {found} gains {gain}");
                if (found - endless).abs() > 1e-9 {
                    // On the way from the payoff of infinite plays, a repetition is worth less than
                    // the stage game.
                    let gain = gained(f64::midpoint(found, endless)) * (found - endless).signum();
                    assert!(
                        gain > 1e-4,
                        "{rules}: {state} after {depth}: {found} is not the nearest: {gain}"
                    );
                }
            }
            earlier = states
                .iter()
                .map(|&state| (state, search.values.value(state).expect("a state")))
                .collect();
        }
    }
}

/// Winning later is no winning: a search that reaches every end leaves no repeated state, finds the
/// solver's values and cannot be exploited, also where a value is approached and not attained.
#[test]
fn a_search_to_the_end_puts_nothing_off() {
    let approached =
        Rules::new(1, Motion::Net, "1,0,0,0,-1".parse().expect("five payoffs")).expect("a field");
    // There the stage game's value meets a repetition's without crossing it: half of the digits of
    // doubles are lost.
    let tolerance =
        |rules: &Rules| if rules.scoring() == approached.scoring() { 1e-7 } else { 1e-10 };
    for (rules, points) in games().into_iter().chain([(approached, [4, 3])]) {
        let rules = zero(rules);
        let solution = solved(rules, points);
        for leaves in [
            Evaluation::nothing(&rules, points),
            Evaluation::expected(&rules, &Policy::uniform(&rules, points).expect("a small game")),
        ] {
            // Every turn that changes the state costs a point.
            let search = Lookahead::new(&leaves.expect("a small game"), points[0] + points[1])
                .expect("a depth");
            for state in solution.states() {
                let found = search.values.value(state).expect("a state");
                let value = solution.value(state).expect("a state");
                // A turn loses 1e-12 of the largest payoff, and a game has 14 turns at most.
                assert!(
                    (found - value).abs() < tolerance(&rules),
                    "{rules}: {state} is worth {value}, found {found}"
                );
            }
            let exploitability = Exploitability::new(&rules, &search.policy, &mut unwatched)
                .expect("both players")
                .mean()
                .upper();
            assert!(exploitability < tolerance(&rules), "{rules}: {exploitability}");
        }
    }
}

/// One turn from winning, by hand: A's bid of 1 pushes the ball out over B's bid of 0, and after
/// two bids of 0 A could do so as well. B has nothing left to bid.
#[test]
fn a_search_wins_now() {
    let rules = zero(Rules::oshi_zumo(3).expect("a field"));
    let nothing = Evaluation::nothing(&rules, [6, 6]).expect("a small game");
    let state: State = "6:0@-3".parse().expect("a state");
    for depth in 1..8 {
        let search = Lookahead::new(&nothing, depth).expect("a depth");
        // A bid a turn moves the ball a field: the fourth one is beyond the middle, where play that
        // stands still is won.
        let value = search.values.value(state).expect("a state");
        assert_eq!(value, [-1.0, -1.0, 0.0, 1.0][depth.min(4) as usize - 1], "{depth} turns");
        if value > -1.0 {
            assert_eq!(search.policy.probability(state, Player::A, 0), Ok(0.0), "{depth} turns");
        }
    }
}

/// Expectations in doubles are those in integers, and sampled games come near them.
#[test]
fn evaluations_are_the_values_of_games() {
    for (rules, points) in games() {
        let rules = zero(rules);
        let optimal =
            Policy::optimal(&solved(rules, points), &mut unwatched).expect("nobody cancels");
        for policy in [Policy::uniform(&rules, points).expect("a small game"), optimal] {
            let expected = Evaluation::expected(&rules, &policy).expect("both players");
            let sampled = Evaluation::sampled(&rules, &policy, 400, 1).expect("both players");
            for state in policy.states() {
                let value = Matchup::new(&rules, state, &policy, &policy, &mut unwatched)
                    .expect("both players")
                    .value()
                    .middle();
                let [exact, drawn] = [&expected, &sampled]
                    .map(|evaluation| evaluation.value(state).expect("a state"));
                assert!((exact - value).abs() < 1e-13, "{rules} at {state}: {exact}, not {value}");
                // 400 games of a spread of 4 at most: a tenth is the standard error, and five of
                // these are rare; the seed is fixed.
                assert!(
                    (drawn - value).abs() < 0.5,
                    "{rules} at {state}: {drawn} in games, not {value}"
                );
            }
        }
    }
}

/// The chances of a match by plain iteration: of every score, from half a win on, the game whose
/// ends are worth what follows. Uneven accounts are exchanged after every game, also after a draw.
#[test]
fn a_match_is_a_game_of_games() {
    let court = |motion| Rules::new(1, motion, Scoring::two_one()).expect("a field");
    for (rules, points, to) in [
        (court(Motion::Step), [4, 4], 2),
        (court(Motion::Net), [3, 3], 3),
        (court(Motion::Step), [4, 3], 2),
    ] {
        let series = Solver::new(&zero(rules)).points(points).series(to).expect("a match");
        let uneven = points[0] != points[1];
        let mut chances: BTreeMap<(u32, u32, bool), f64> = BTreeMap::new();
        let ends: Vec<i64> = rules.scoring().payoffs().iter().map(Payoff::to_integer).collect();
        for total in (0..2 * to - 1).rev() {
            for a in total.saturating_sub(to - 1)..=total.min(to - 1) {
                let b = total - a;
                let mut both = [0.5; 2];
                for _ in 0..200 {
                    let before = both;
                    for exchanged in [true, false] {
                        let after = ends.iter().map(|&won| {
                            match (a + won.max(0) as u32, b + (-won).max(0) as u32) {
                                _ if won == 0 => both[usize::from(exchanged != uneven)],
                                (next, _) if next >= to => 1.0,
                                (_, next) if next >= to => 0.0,
                                (next_a, next_b) => chances[&(next_a, next_b, exchanged != uneven)],
                            }
                        });
                        // Payoffs have 60 bits at most; what is rounded away is far below the
                        // tolerance.
                        let texts: Vec<String> =
                            after.map(|chance| format!("{chance:.12}")).collect();
                        let scoring: Scoring = texts.join(",").parse().expect("five numbers");
                        let [first, second] =
                            if exchanged { [points[1], points[0]] } else { points };
                        let start: State = format!("{first}:{second}@0").parse().expect("a state");
                        both[usize::from(exchanged)] =
                            by_iteration(&zero(rules.with_scoring(scoring)), [first, second])
                                [&start];
                    }
                    if both.iter().zip(before).all(|(now, before)| (now - before).abs() < 1e-11) {
                        break;
                    }
                }
                for exchanged in [false, true] {
                    let chance = both[usize::from(exchanged)];
                    chances.insert((a, b, exchanged), chance);
                    if exchanged && !uneven {
                        continue;
                    }
                    let score =
                        if exchanged { Score::new(a, b).exchanged() } else { Score::new(a, b) };
                    let found = series.solved(score).expect("a score").chance.middle();
                    assert!(
                        (found - chance).abs() < 1e-8,
                        "{score} to {to}: {found}, by iteration {chance}"
                    );
                }
            }
        }
        assert!(chances.values().any(|chance| (chance - 0.5).abs() > 0.01));
    }
}

/// What pure play forces is never more than the value, and where both force the same it is the
/// value.
#[test]
fn forced_play_stays_within_the_values() {
    let mut decided = 0;
    for (rules, points) in games() {
        let solution = solved(rules, points);
        let forced = ForcedPlay::new(solution.rules(), points).expect("a small game");
        for state in solution.states() {
            let [lower, upper] = forced
                .bounds(state)
                .expect("a state")
                .map(|payoff| payoff.to_f64().expect("a number"));
            let value = solution.value(state).expect("a state");
            assert!(
                lower <= value + 1e-12 && value <= upper + 1e-12,
                "{rules} at {state}: {lower} to {upper}, not {value}"
            );
            decided += usize::from(lower == upper);
        }
    }
    assert!(decided > 200, "{decided}");
}

/// Every fraction is a number whose worth two strategies prove against every reply, in fractions
/// and without the library's help. What a reply leads to that is known within bounds only counts as
/// the bound that is worse.
#[test]
fn exact_values_are_secured_by_both_players() {
    let (mut known, mut all) = (0, 0);
    // In these a repetition counts, and the equation has a fraction as its root: it is linear, and
    // quadratic.
    let linear = (Rules::new(1, Motion::Net, Scoring::win_loss()).expect("a field"), [7, 6]);
    let square = (
        Rules::new(2, Motion::Step, "3,2,0,-2,-3".parse().expect("five payoffs")).expect("a field"),
        [6, 4],
    );
    for (rules, points) in games().into_iter().chain([linear, square]) {
        let rules = zero(rules);
        let solution =
            Solver::new(&rules).points(points).exact(4096).solve().expect("a small game");
        for ((of, _), state, root) in [(linear, "7:6@0", (1453, 2375)), (square, "6:4@-1", (4, 3))]
        {
            if zero(of) == rules {
                let exact = solution.exact_value(state.parse().expect("a state"));
                assert_eq!(exact, Ok(Some(BigRational::new(root.0.into(), root.1.into()))));
            }
        }
        let value = |state: State, upper: bool| match rules.payoff(state) {
            Some(payoff) => BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into()),
            None => solution.exact_value(state).expect("a state").unwrap_or_else(|| {
                let enclosure = solution.enclosure(state).expect("a state");
                let Bounds { lower, upper: above } = enclosure.integers();
                BigRational::new(
                    if upper { above } else { lower }.into(),
                    BigInt::from(1) << enclosure.unit_exponent(),
                )
            }),
        };
        for state in solution.states().filter(|&state| rules.outcome(state).is_none()) {
            all += 1;
            let Some(exact) = solution.exact(state).expect("a state") else { continue };
            known += 1;
            assert!(
                solution.enclosure(state).expect("a state").contains(&exact.value),
                "{rules} at {state}: {}",
                exact.value
            );
            let endless = value(State { a: 0, b: 0, ..state }, false);
            for (strategy, is_a) in [(&exact.strategies.a, true), (&exact.strategies.b, false)] {
                assert_eq!(
                    strategy.iter().map(|(_, share)| share).sum::<BigRational>(),
                    BigRational::from_integer(1.into())
                );
                for reply in rules.legal_bids(if is_a { state.b } else { state.a }) {
                    let (mut rest, mut repeated) = (BigRational::default(), BigRational::default());
                    for (bid, share) in strategy {
                        let (bid_a, bid_b) = if is_a { (*bid, reply) } else { (reply, *bid) };
                        match rules.play(state, bid_a, bid_b).expect("legal bids") {
                            next if next == state => repeated += share,
                            next => rest += share * value(next, !is_a),
                        }
                    }
                    let leaves = BigRational::from_integer(1.into()) - repeated;
                    let payoff = if leaves == BigRational::default() {
                        endless.clone()
                    } else {
                        rest / leaves
                    };
                    let keeps = if is_a { payoff >= exact.value } else { payoff <= exact.value };
                    assert!(
                        keeps,
                        "{rules} at {state}: {payoff} against {reply}, not {}",
                        exact.value
                    );
                }
            }
        }
    }
    assert!(known > all / 2 && known < all, "{known} of {all}");
}

/// The value of 4:3@0 on field 1 is approached, by hand. Bids of 2 and more lose more to either
/// player; the rest is
///
/// ```text
///          0      1
///   0      v    3/5
///   1    3/5    1/2
/// ```
///
/// A, who bids 0 but for a share ε, gets 3/5 against a bid of 0 until it bids 1, and 3/5 − ε/10
/// against a bid of 1. Without the share it waits for ever, for 0. No more than 3/5 is to be had
/// against B's bids of 1.
#[test]
fn approached_values_have_all_their_digits() {
    let rules = zero(
        Rules::new(1, Motion::Net, "1,0,0,0,-1".parse().expect("five payoffs")).expect("a field"),
    );
    let plain = Solver::new(&rules).points([4, 3]).solve().expect("a small game");
    let exact = Solver::new(&rules).points([4, 3]).exact(4096).solve().expect("a small game");
    let state: State = "4:3@0".parse().expect("a state");
    let value = BigRational::new(3.into(), 5.into());
    let enclosure = plain.enclosure(state).expect("a state");
    assert!(enclosure.contains(&value), "{enclosure:?}");
    // Some roundings to 2^-61 in each of two turns.
    assert!(enclosure.width() < 1e-17, "{enclosure:?}");
    assert_eq!(exact.exact_value(state), Ok(Some(value.clone())));
    // No strategy of A attains it.
    assert_eq!(exact.exact(state), Ok(None));
    assert_eq!(exact.uniqueness(state).expect("a state")[0], Uniqueness::Unknown);
    let mirrored = Solver::new(&rules).points([3, 4]).exact(4096).solve().expect("a small game");
    let image: State = "3:4@0".parse().expect("a state");
    assert_eq!(mirrored.exact_value(image), Ok(Some(-value.clone())));
    assert!(mirrored.enclosure(image).expect("a state").width() < 1e-17);
    for digits in [1, 30, 300] {
        for solution in [&plain, &exact] {
            let found = solution.digits(state, digits, &mut unwatched).expect("digits");
            let all = format!("0.6{}", "0".repeat(digits - 1));
            assert_eq!(found.value.as_deref(), Some(&*all), "{digits} digits");
            assert!(
                fraction(&found.lower) <= value && value <= fraction(&found.upper),
                "{digits} digits"
            );
        }
    }
}

/// A decimal number as a fraction.
fn fraction(decimal: &str) -> BigRational {
    let (whole, decimals) = decimal.split_once('.').expect("a point");
    let digits: BigInt = format!("{whole}{decimals}").parse().expect("digits");
    BigRational::new(digits, BigInt::from(10).pow(decimals.len() as u32))
}

/// The fraction with the smallest denominator between two positive numbers, by their continued
/// fractions.
fn simplest(lower: &BigRational, upper: &BigRational) -> BigRational {
    let floor = lower.floor();
    if floor == *lower {
        return floor;
    }
    if floor < upper.floor() {
        return floor + BigRational::from_integer(1.into());
    }
    &floor + simplest(&(upper - &floor).recip(), &(lower - &floor).recip()).recip()
}

/// A thousand decimals of √(3/5), by the square root of an integer.
#[test]
fn digits_of_a_root_are_those_of_an_integer_root() {
    let rules = zero(Rules::oshi_zumo(1).expect("a field"));
    let state = "5:4@0".parse().expect("a state");
    let root = (BigInt::from(3) * BigInt::from(10).pow(2000) / BigInt::from(5)).sqrt().to_string();
    for exact in [false, true] {
        let solver = Solver::new(&rules).points([5, 4]);
        let solution =
            if exact { solver.exact(4096) } else { solver }.solve().expect("a small game");
        let digits = solution.digits(state, 1000, &mut unwatched).expect("a thousand of them");
        assert_eq!(digits.lower, format!("0.{root}"));
        assert_eq!(digits.width_exponent, Some(-999));
        assert_eq!(solution.is_irrational(state), Ok(exact));
        assert_eq!(solution.exact_value(state), Ok(None));
        let easy = "5:3@0".parse().expect("a state");
        assert_eq!(
            (solution.exact_value(easy).expect("a state").is_some(), solution.is_irrational(easy)),
            (exact, Ok(false))
        );
    }
}

/// Sixty decimals of every state are around its bounds and its fraction, the simplest fraction
/// between them, where one is known; where there is none, none with less than fifteen digits is
/// between them.
#[test]
fn digits_lead_to_fractions_or_to_none() {
    let (mut fractions, mut irrational, mut unknown) = (0, 0, 0);
    for (rules, points) in games() {
        let rules = zero(rules);
        let points = points.map(|points| points.min(4));
        let solution =
            Solver::new(&rules).points(points).exact(4096).solve().expect("a small game");
        let plain = solved(rules, points);
        for state in solution.states() {
            let digits = plain.digits(state, 60, &mut unwatched).expect("a state");
            let [lower, upper] = [&digits.lower, &digits.upper].map(|bound| fraction(bound));
            let step = BigRational::new(1.into(), BigInt::from(10).pow(60));
            // The value may be a decimal number of this length, and the bounds on either side of
            // it.
            assert!(
                lower <= upper && &upper - &lower <= &step + &step,
                "{rules} at {state}: {} to {}",
                digits.lower,
                digits.upper
            );
            let enclosure = plain.enclosure(state).expect("a state");
            let unit = BigRational::new(1.into(), BigInt::from(1) << enclosure.unit_exponent());
            let bounds = enclosure.integers();
            let [below, above] = [bounds.lower, bounds.upper]
                .map(|bound| BigRational::from_integer(bound.into()) * &unit);
            assert!(
                below <= upper && lower <= above,
                "{rules} at {state}: {} to {}",
                digits.lower,
                digits.upper
            );
            match solution.exact_value(state).expect("a state") {
                Some(exact) => {
                    assert!(lower <= exact && exact <= upper, "{rules} at {state}: {exact}");
                    fractions += 1;
                }
                None if solution.is_irrational(state).expect("a state") => {
                    irrational += 1;
                    let shift = BigRational::from_integer(8.into());
                    let simplest = simplest(&(lower + &shift), &(upper + &shift));
                    assert!(
                        simplest.denom() > &BigInt::from(10).pow(15),
                        "{rules} at {state}: {simplest} − 8"
                    );
                }
                None => unknown += 1,
            }
        }
    }
    assert!(
        fractions > 500 && irrational > 1,
        "{fractions} fractions, {irrational} irrational, {unknown} unknown"
    );
}

/// The stage game of a state in fractions as a player sees it, with the value of the state for two
/// bids of 0; `None` where some value is not known as a fraction.
fn stage_in_fractions(
    solution: &Solution,
    state: State,
    player: Player,
) -> Option<Vec<Vec<BigRational>>> {
    let rules = solution.rules();
    let entry = |a: u32, b: u32| {
        let next = rules.play(state, a, b).expect("legal bids");
        let value = match rules.payoff(next) {
            Some(payoff) => BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into()),
            None => solution.exact_value(next).expect("a state")?,
        };
        Some(if player == Player::A { value } else { -value })
    };
    let [points, opponent_points] =
        if player == Player::A { [state.a, state.b] } else { [state.b, state.a] };
    let row = |bid: u32| {
        (0..=opponent_points)
            .map(|reply| if player == Player::A { entry(bid, reply) } else { entry(reply, bid) })
            .collect()
    };
    (0..=points).map(row).collect()
}

/// All optimal strategies of the stage game in fractions, by enumeration, and Dresher's choice
/// among them; but who is not content with endless play does not wait for ever.
#[test]
fn several_optimal_strategies_are_told_from_one_and_refined() {
    let (mut unique, mut changed, mut kept) = ([0; 2], 0, 0);
    for (rules, points) in games() {
        let rules = zero(rules);
        let points = points.map(|points| points.min(4));
        let exact = Solver::new(&rules).points(points).exact(4096).solve().expect("a small game");
        let plain = solved(rules, points);
        for state in exact.states().filter(|&state| rules.outcome(state).is_none()) {
            let refined = plain.refined(state).expect("a state");
            for (player, kind, strategy) in [
                (Player::A, refined.refined.a, &refined.a),
                (Player::B, refined.refined.b, &refined.b),
            ] {
                let Some(matrix) = stage_in_fractions(&exact, state, player) else { continue };
                let value = matrix[0][0].clone();
                let (found, [optimal, _]) = extreme_strategies(&matrix);
                assert_eq!(found, value, "{rules} at {state}: a fixed point");
                let lying = plain.value(State { a: 0, b: 0, ..state }).expect("an end")
                    * f64::from(player.direction());
                let content = lying >= value.to_f64().expect("a number") - 1e-12;
                let waiting: Vec<BigRational> = (0..matrix.len())
                    .map(|bid| BigRational::from_integer(u8::from(bid == 0).into()))
                    .collect();
                let expected =
                    if optimal.len() == 1 { Uniqueness::Unique } else { Uniqueness::Several };
                assert!(
                    optimal.len() > 1 || content || !optimal.contains(&waiting),
                    "{rules} at {state}: nothing is optimal"
                );
                assert_eq!(
                    exact.uniqueness(state).expect("a state")[player as usize],
                    expected,
                    "{rules} at {state}: {player}"
                );
                let without = plain.uniqueness(state).expect("a state")[player as usize];
                assert!(
                    without == expected || without == Uniqueness::Unknown,
                    "{rules} at {state}: {player} {without:?}"
                );
                unique[usize::from(expected == Uniqueness::Unique)] += 1;
                // What the strategy leaves to every reply, one turn of it, and what it secures in
                // the end.
                let whole = BigRational::from_integer(DyadicStrategy::WHOLE.into());
                let mut shares = vec![BigRational::default(); matrix.len()];
                strategy.weights().for_each(|(bid, weight)| {
                    shares[bid as usize] = BigRational::from_integer(weight.into()) / &whole;
                });
                let gained = gains(&shares, &matrix);
                let rounding = BigRational::new(1.into(), (1_i64 << 50).into());
                assert!(
                    gained.iter().all(|gain| gain > &(&value - &rounding)),
                    "{rules} at {state}: {player} is not secure"
                );
                assert!(
                    content || shares[0] < BigRational::from_integer(1.into()),
                    "{rules} at {state}: {player} waits"
                );
                let best = dresher(&matrix);
                if kind == Refined::Kept {
                    assert_eq!(
                        (best, content),
                        (gains(&waiting, &matrix), false),
                        "{rules} at {state}: {player}"
                    );
                    kept += 1;
                } else {
                    let close = |gain: &BigRational, best: &BigRational| {
                        (gain - best).to_f64().is_some_and(|off| off.abs() < 1e-14)
                    };
                    assert!(
                        gained.iter().zip(&best).all(|(gain, best)| close(gain, best)),
                        "{rules} at {state}: {player}"
                    );
                }
                changed += u32::from(kind == Refined::Changed);
            }
        }
        let policy = Policy::refined(
            &plain,
            &plain.refined_equilibria(&mut unwatched).expect("a small game"),
        )
        .expect("strategies");
        let lost = PolicyEvaluation::new(&plain, &policy, &mut unwatched)
            .expect("its policy")
            .exploitability()
            .expect("both players")
            .mean()
            .upper();
        assert!(lost < 1e-14, "{rules}: {lost}");
    }
    assert!(unique[0] > 100 && unique[1] > 100 && changed > 50, "{unique:?} {changed} {kept}");
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let rules = zero(Rules::oshi_zumo(2).expect("a field"));
    let solve = |threads| {
        Solver::new(&rules)
            .points([9, 8])
            .threads(threads)
            .solve()
            .expect("a small game")
            .certificate(&mut unwatched)
            .expect("nobody cancels")
    };
    assert_eq!(solve(1), solve(2));
}

/// Linear programmes and the tableau lead to the same values, and prove them, though wider.
#[test]
fn every_method_finds_the_values() {
    for (rules, points) in games() {
        let points = points.map(|points| points.min(5));
        let solution = solved(rules, points);
        for method in [Method::Tableau, Method::Lp] {
            let other = Solver::new(&zero(rules))
                .points(points)
                .method(method)
                .solve()
                .expect("a small game");
            assert_eq!(other.method(), method);
            for state in solution.states() {
                let [solved, found] = [&solution, &other]
                    .map(|solution| solution.enclosure(state).expect("a state").integers());
                assert!(
                    solved.lower <= found.upper && found.lower <= solved.upper,
                    "{rules} at {state} by {method}"
                );
            }
            // The programmes stop where they are within 1e-9 or so.
            assert!(
                other.widest_enclosure() < 1e-7,
                "{rules} by {method}: {}",
                other.widest_enclosure()
            );
            certificate::verify(&other.certificate(&mut unwatched).expect("nobody cancels"))
                .expect("a sound certificate");
        }
    }
}

#[test]
fn what_cannot_be_had_says_so() {
    let rules = zero(Rules::tennis());
    let start = "4:4@0".parse().expect("a state");
    let solution = solved(Rules::tennis(), [4, 4]);
    let policy = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
    let refused = |wanted: &str, error: String| {
        assert_eq!(
            error,
            format!(
                "{wanted} cannot be had where the smallest bid is 0 and a game may go on for ever"
            )
        );
    };
    let learner = Training::new(LearnerKind::Simple, &rules, 4, LearnerOptions::default(), 1);
    refused("a learner", learner.expect_err("no learner").to_string());
    refused(
        "blind Tennis",
        BlindSolver::new(&rules).start(start).solve().expect_err("no blind game").to_string(),
    );
    let usual = Policy::uniform(&Rules::tennis(), [4, 4]).expect("a small game");
    assert_eq!(
        Policy::joined(&policy, &usual).expect_err("other bids").to_string(),
        "the policy is for a smallest bid of 1; the smallest bid of the game is 0"
    );
}

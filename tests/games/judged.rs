//! What policies are worth where play is long, against linear equations in fractions.

use std::fmt::Write;
use std::ops::ControlFlow;

use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{PolicyJudgement, StationaryPolicy, StochasticSolution};

use crate::kernels::Fraction;
use crate::random_games::{fraction, numbers, solve};

fn judge(
    solution: &StochasticSolution,
    player: Player,
    probabilities: &[Vec<(usize, Fraction)>],
) -> PolicyJudgement {
    let policy = StationaryPolicy::new(solution.game(), player, probabilities).unwrap();
    solution.judge(&policy, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// The strategies found secure the proved bounds to the last unit, which probabilities in doubles
/// would not.
#[test]
fn optimal_policies_secure_the_proved_bounds() {
    for seed in 0..20 {
        let mut draw = numbers(seed);
        let mut text =
            r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["0"]}"#.to_owned();
        (0..9).for_each(|end| {
            write!(text, "\n{{\"id\":\"{end}e\",\"value\":\"{}\"}}", draw(100)).unwrap();
        });
        let cells = [0, 1, 2].map(|row| {
            [0, 1, 2].map(|column| format!(r#"{{"to":[["1","{}e"]]}}"#, 3 * row + column)).join(",")
        });
        write!(
            text,
            r#"{}{{"id":"0","a":["x","y","z"],"b":["x","y","z"],"cells":[[{}]]}}"#,
            '\n',
            cells.join("],[")
        )
        .unwrap();
        let solution = solve(&text);
        let [lower, upper] = solution.enclosure(&9).unwrap().fractions();
        for player in [Player::A, Player::B] {
            let optimal = StationaryPolicy::optimal(&solution, player).unwrap();
            let [least, most] = solution
                .judge(&optimal, &mut |_| ControlFlow::Continue(()))
                .unwrap()
                .state(9)
                .unwrap()
                .secured
                .fractions();
            assert!(
                if player == Player::A { least >= lower } else { most <= upper },
                "game {seed}: {player}"
            );
        }
    }
}

/// Endless play would pay 10^12, which no play of this policy comes to: it is worth a third, though
/// the unit has to count the payoff.
#[test]
fn a_payoff_that_a_policy_never_meets_does_not_widen_its_worth() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
        {"id":"won","value":"1"}
        {"id":"lost","value":"0"}
        {"id":"s","a":["go","wait"],"b":["x"],"endless":"1000000000000","cells":[[{"to":[["1/4","s"],["1/4","won"],["1/2","lost"]]}],[{"to":[["1","s"]]}]]}"#;
    let solution = solve(text);
    let start = solution.game().place("s").unwrap();
    let policy: Vec<Vec<(usize, Fraction)>> = vec![vec![], vec![], vec![(0, fraction(1, 1))]];
    let payoff = judge(&solution, Player::A, &policy).state(start).unwrap().secured;
    assert!(payoff.contains(&fraction(1, 3)) && payoff.width() < 1e-17, "{:?}", payoff.decimal());
}

/// A reward, and the states that follow with a third, and with two.
type Follows = (i64, [usize; 2]);

/// The solution of v = pays + step v, by elimination.
pub(crate) fn collected(pays: &[Fraction], step: &[Vec<Fraction>]) -> Vec<Fraction> {
    let count = pays.len();
    let mut rows: Vec<Vec<Fraction>> = (0..count)
        .map(|row| {
            let mut entries: Vec<Fraction> = step[row].iter().map(|share| -share).collect();
            entries[row] += Fraction::one();
            entries.push(pays[row].clone());
            entries
        })
        .collect();
    for pivot in 0..count {
        let found = (pivot..count).find(|&row| !rows[row][pivot].is_zero()).unwrap();
        rows.swap(pivot, found);
        let pivot_row: Vec<Fraction> =
            rows[pivot].iter().map(|entry| entry / &rows[pivot][pivot]).collect();
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = rows[row][pivot].clone();
            rows[row]
                .iter_mut()
                .zip(&pivot_row)
                .for_each(|(entry, pivot_entry)| *entry -= &factor * pivot_entry);
        }
        rows[pivot] = pivot_row;
    }
    rows.into_iter().map(|row| row[count].clone()).collect()
}

/// Four states of 2 × 2 actions, of which only 9,999 parts in 10,000 of every later turn count;
/// either player mixes evenly, and the other one answers by the best of the 2⁴ pure stationary
/// replies, one of which is best everywhere (Blackwell 1962).
#[test]
fn policies_of_discounted_games_are_worth_what_equations_say() {
    const STATES: usize = 4;
    let (discount, half) = (fraction(9_999, 10_000), fraction(1, 2));
    for seed in 0..6 {
        let mut draw = numbers(seed);
        // By state, A's and B's action.
        let cells: Vec<[[Follows; 2]; 2]> = (0..STATES)
            .map(|_| {
                [(); 2].map(|()| {
                    [(); 2].map(|()| {
                        (draw(11) as i64 - 5, [(); 2].map(|()| draw(STATES as u64) as usize))
                    })
                })
            })
            .collect();
        let mut text =
            r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"9999/10000","start":["0"]}"#.to_owned();
        for (state, cells) in cells.iter().enumerate() {
            let cell = |(reward, [one, other]): (i64, [usize; 2])| {
                format!(r#"{{"reward":"{reward}","to":[["1/3","{one}"],["2/3","{other}"]]}}"#)
            };
            let rows = cells.map(|row| format!("[{}]", row.map(cell).join(",")));
            let _ = write!(
                text,
                "\n{{\"id\":\"{state}\",\"a\":[\"x\",\"y\"],\"b\":[\"x\",\"y\"],\"cells\":[{}]}}",
                rows.join(",")
            );
        }
        let solution = solve(&text);
        let even = vec![vec![(0, half.clone()), (1, half.clone())]; STATES];
        for player in [Player::A, Player::B] {
            let judged = judge(&solution, player, &even);
            let values = (0..1 << STATES).map(|replies: usize| {
                let (mut pays, mut step) =
                    (vec![Fraction::zero(); STATES], vec![vec![Fraction::zero(); STATES]; STATES]);
                for state in 0..STATES {
                    for action in [0, 1] {
                        let reply = replies >> state & 1;
                        let [a, b] =
                            if player == Player::A { [action, reply] } else { [reply, action] };
                        let (reward, [one, other]) = cells[state][a][b];
                        pays[state] += &half * fraction(reward, 1);
                        step[state][one] += &half * &discount * fraction(1, 3);
                        step[state][other] += &half * &discount * fraction(2, 3);
                    }
                }
                collected(&pays, &step)
            });
            let best = values.reduce(|one, other| {
                let better = |(one, other): (Fraction, Fraction)| {
                    if player == Player::A { one.min(other) } else { one.max(other) }
                };
                one.into_iter().zip(other).map(better).collect()
            });
            for (state, expected) in best.unwrap().into_iter().enumerate() {
                let bounds = judged.state(state).unwrap().secured;
                assert!(
                    bounds.contains(&expected),
                    "game {seed}, {player:?}, state {state}: {expected}"
                );
                // Values are up to 50,000: 2^-45 is the unit, and roundings add up over 10,000
                // turns.
                assert!(
                    bounds.width() < 1e-7,
                    "game {seed}, {player:?}, state {state}: {}",
                    bounds.width()
                );
            }
        }
    }
}

/// Where play can be kept for ever, every policy has an exact worth all the same: the best of the
/// 2⁴ pure stationary replies, of which those that never come to an end are paid for endless play.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn opponents_who_may_wait_for_ever_are_worth_what_equations_say() {
    const STATES: usize = 4;
    let ends = [-2, 1, 3].map(|value| fraction(value, 2));
    let half = fraction(1, 2);
    let mut endless_replies = 0;
    for seed in 0..60 {
        let mut draw = numbers(seed);
        let endless = fraction(draw(5) as i64 - 2, 2);
        // Certain steps as often as chance; ends are rare.
        let mut next = || {
            let mut state = || {
                if draw(4) == 0 { STATES + draw(3) as usize } else { draw(STATES as u64) as usize }
            };
            let one = state();
            if draw(2) == 0 { [one; 2] } else { [one, draw(STATES as u64) as usize] }
        };
        let cells: Vec<[[[usize; 2]; 2]; 2]> =
            (0..STATES).map(|_| [(); 2].map(|()| [(); 2].map(|()| next()))).collect();
        let mut text =
            r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["0"]}"#
                .to_owned();
        for (end, value) in ends.iter().enumerate() {
            let _ = write!(text, "\n{{\"id\":\"{}\",\"value\":\"{value}\"}}", STATES + end);
        }
        for (state, cells) in cells.iter().enumerate() {
            let cell = |[one, other]: [usize; 2]| {
                let to = if one == other {
                    format!(r#"["1","{one}"]"#)
                } else {
                    format!(r#"["1/3","{one}"],["2/3","{other}"]"#)
                };
                format!(r#"{{"to":[{to}]}}"#)
            };
            let rows = cells.map(|row| format!("[{}]", row.map(cell).join(",")));
            let _ = write!(
                text,
                "\n{{\"id\":\"{state}\",\"a\":[\"x\",\"y\"],\"b\":[\"x\",\"y\"],\"endless\":\"{endless}\",\"cells\":[{}]}}",
                rows.join(",")
            );
        }
        let solution = solve(&text);
        for player in [Player::A, Player::B] {
            // The first action, the second, or either.
            let mixes: Vec<Vec<usize>> = (0..STATES)
                .map(|_| [vec![0], vec![1], vec![0, 1]][draw(3) as usize].clone())
                .collect();
            let policy: Vec<Vec<(usize, Fraction)>> = mixes
                .iter()
                .map(|mix| {
                    mix.iter()
                        .map(|&action| {
                            (action, if mix.len() == 1 { Fraction::one() } else { half.clone() })
                        })
                        .collect()
                })
                .collect();
            // Ends first, as they stand in the file.
            let all: Vec<_> =
                vec![Vec::new(); ends.len()].into_iter().chain(policy.clone()).collect();
            let judged = judge(&solution, player, &all);
            let mut best: Vec<Option<Fraction>> = vec![None; STATES];
            for replies in 0..1_usize << STATES {
                let mut step = vec![vec![Fraction::zero(); STATES + ends.len()]; STATES];
                for state in 0..STATES {
                    for (action, share) in &policy[state] {
                        let reply = replies >> state & 1;
                        let [one, other] = if player == Player::A {
                            cells[state][*action][reply]
                        } else {
                            cells[state][reply][*action]
                        };
                        step[state][one] += share * fraction(1, 3);
                        step[state][other] += share * fraction(2, 3);
                    }
                }
                // The states from which play comes to an end with some chance.
                let mut leaves = [false; STATES];
                for _ in 0..STATES {
                    for state in 0..STATES {
                        let out = |next: usize| {
                            !step[state][next].is_zero() && (next >= STATES || leaves[next])
                        };
                        leaves[state] = (0..STATES + ends.len()).any(out);
                    }
                }
                endless_replies += leaves.iter().filter(|&&leaves| !leaves).count();
                let pays: Vec<Fraction> = (0..STATES)
                    .map(|state| {
                        let paid = step[state][STATES..]
                            .iter()
                            .zip(&ends)
                            .map(|(share, value)| share * value)
                            .sum();
                        if leaves[state] { paid } else { endless.clone() }
                    })
                    .collect();
                let inner: Vec<Vec<Fraction>> = (0..STATES)
                    .map(|state| {
                        if leaves[state] {
                            step[state][..STATES].to_vec()
                        } else {
                            vec![Fraction::zero(); STATES]
                        }
                    })
                    .collect();
                for (best, payoff) in best.iter_mut().zip(collected(&pays, &inner)) {
                    let better = |before: Fraction| {
                        if player == Player::A {
                            before.min(payoff.clone())
                        } else {
                            before.max(payoff.clone())
                        }
                    };
                    *best = Some(best.take().map_or(payoff.clone(), better));
                }
            }
            for (state, expected) in best.into_iter().flatten().enumerate() {
                let bounds = judged.state(ends.len() + state).unwrap().secured;
                assert!(
                    bounds.contains(&expected),
                    "game {seed}, {player:?}, state {state}: {expected}"
                );
                // Cycles that are left with a sixth at least lose some units by roundings.
                assert!(
                    bounds.width() < 1e-15,
                    "game {seed}, {player:?}, state {state}: {}",
                    bounds.width()
                );
            }
        }
    }
    assert!(endless_replies > 1_000, "{endless_replies}");
}

/// What a choice gives away is not told too small, by no part of a unit: values and what the choice
/// is worth are thirds.
#[test]
fn regrets_are_not_below_what_is_given_away() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["high","low"]}
{"id":"none","value":"0"}
{"id":"third","value":"1/3"}
{"id":"one","value":"1"}
{"id":"high","a":["best","none","third"],"b":["-"],"cells":[[{"to":[["1","third"]]}],[{"to":[["1","none"]]}],[{"to":[["1","third"]]}]]}
{"id":"low","a":["-"],"b":["best","one","third"],"cells":[[{"to":[["1","third"]]},{"to":[["1","one"]]},{"to":[["1","third"]]}]]}
{"id":"all","a":["one","third"],"b":["-"],"cells":[[{"to":[["1","one"]]}],[{"to":[["1","third"]]}]]}
{"id":"few","a":["-"],"b":["none","third"],"cells":[[{"to":[["1","none"]]},{"to":[["1","third"]]}]]}"#;
    let solution = solve(text);
    let [none, one] = [Fraction::zero(), Fraction::one()];
    let third = fraction(1, 3);
    // The action at each state that is no end, with what it gives away.
    let judged = |player: Player, actions: [usize; 4], given: [&Fraction; 4]| {
        let ends = vec![Vec::new(); 3];
        let policy: Vec<_> =
            ends.into_iter().chain(actions.map(|action| vec![(action, Fraction::one())])).collect();
        let judgement = judge(&solution, player, &policy);
        for (state, given) in given.into_iter().enumerate() {
            let [_, most] = judgement.state(3 + state).unwrap().regret.fractions();
            assert!(
                *given <= most && most < given + fraction(1, 1 << 50),
                "{player:?}, state {state}: {given}, told {most}"
            );
        }
    };
    judged(Player::A, [1, 0, 0, 0], [&third, &none, &none, &none]);
    judged(Player::A, [2, 0, 1, 0], [&none, &none, &(&one - &third), &none]);
    judged(Player::B, [0, 1, 0, 0], [&none, &(&one - &third), &none, &none]);
    judged(Player::B, [0, 2, 0, 1], [&none, &none, &none, &third]);
}

/// The judgements of both players' policies, each of which chooses actions with certainty at the
/// states of the game, ends first.
fn judged_choices(
    solution: &StochasticSolution,
    ends: usize,
    choices: [&[usize]; 2],
) -> [PolicyJudgement; 2] {
    let policy = |choices: &[usize]| -> Vec<Vec<(usize, Fraction)>> {
        let chosen = choices.iter().map(|&action| vec![(action, Fraction::one())]);
        vec![Vec::new(); ends].into_iter().chain(chosen).collect()
    };
    [
        judge(solution, Player::A, &policy(choices[0])),
        judge(solution, Player::B, &policy(choices[1])),
    ]
}

/// B pays 1 a million times: so this policy is judged in units of 2^-41, in which a value of 1/3
/// has to be rounded outward once more, and A's in a unit as fine as its worth allows. What is lost
/// is a third all the same.
#[test]
fn losses_hold_in_coarser_units_than_the_values() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["high","low","far"]}
{"id":"none","value":"0"}
{"id":"third","value":"1/3"}
{"id":"debt","value":"-1/3"}
{"id":"high","a":["take","leave"],"b":["-"],"cells":[[{"to":[["1","third"]]}],[{"to":[["1","none"]]}]]}
{"id":"low","a":["-"],"b":["take","leave"],"cells":[[{"to":[["1","debt"]]},{"to":[["1","none"]]}]]}
{"id":"far","a":["-"],"b":["pay","go"],"cells":[[{"reward":"1","to":[["1/1000000","none"],["999999/1000000","far"]]},{"to":[["1","none"]]}]]}"#;
    let solution = solve(text);
    let [high, low, far] = [3, 4, 5];
    let [third, sixth, nothing] = [fraction(1, 3), fraction(1, 6), Fraction::zero()];
    let [million, half] = [1_000_000, 500_000].map(|whole| fraction(whole, 1));
    let judged = judged_choices(&solution, 3, [&[1, 0, 0], &[0, 1, 0]]);
    let unit = fraction(1, 1 << 41);
    assert!(solution.enclosure(&high).unwrap().width() < 1e-17, "values are known in a finer unit");
    let widths = [&judged[0], &judged[1]].map(|judged| {
        let state = if judged.player() == Player::A { high } else { low };
        let [least, most] = judged.state(state).unwrap().loss.fractions();
        most - least
    });
    assert!(widths[0] < fraction(1, 1 << 50), "A's policy is worth little");
    assert_eq!(widths[1], unit, "a third is no number of units");
    for (judgement, losses) in
        judged.iter().zip([[&third, &nothing, &nothing], [&nothing, &third, &million]])
    {
        for (state, loss) in [high, low, far].into_iter().zip(losses) {
            let [least, most] = judgement.state(state).unwrap().loss.fractions();
            assert!(
                least <= *loss && *loss <= most,
                "{:?}, state {state}: {loss} in {least} .. {most}",
                judgement.player()
            );
            // In a million turns rounding may take 2^20 units before longer numbers are tried.
            let units = if state == far && judgement.player() == Player::B { 1 << 20 } else { 4 };
            assert!(
                most - least <= &unit * fraction(units, 1),
                "{:?}, state {state}",
                judgement.player()
            );
        }
    }
    // Half of what both players lose together.
    for (state, expected) in [(high, &sixth), (low, &sixth), (far, &half)] {
        let [least, most] =
            PolicyJudgement::exploitability(&judged, state).unwrap().unwrap().fractions();
        assert!(
            least <= *expected && *expected <= most,
            "state {state}: {expected} in {least} .. {most}"
        );
    }
    assert!(PolicyJudgement::exploitability(&judged[..1], high).unwrap().is_none());
    assert_eq!(judged.each_ref().map(|judgement| judgement.worst_states()[0]), [high, far]);
}

/// All payoffs are whole, and so is what a policy is worth: nothing is lost by rounding where the
/// opponent goes round and leaves for the best end, though endless play and the other end pay
/// something else.
#[test]
fn whole_payoffs_are_judged_exactly() {
    let text = |value: i64, a: &str, b: &str, [s, t]: [&str; 2]| {
        format!(
            "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"recursive\",\"start\":[\"s\"]}}\n\
             {{\"id\":\"good\",\"value\":\"{value}\"}}\n{{\"id\":\"bad\",\"value\":\"{}\"}}\n\
             {{\"id\":\"s\",\"a\":[{a}],\"b\":[{b}],\"cells\":[{s}]}}\n{{\"id\":\"t\",\"a\":[{a}],\"b\":[{b}],\"cells\":[{t}]}}\n",
            -value
        )
    };
    let to = |next: &str| format!("{{\"to\":[[\"1\",\"{next}\"]]}}");
    for (player, value) in [(Player::A, -1), (Player::B, 1)] {
        let between = if player == Player::A { "," } else { "],[" };
        let cells =
            [["t", "bad"], ["s", "good"]].map(|nexts| format!("[{}]", nexts.map(to).join(between)));
        let (one, two) = ("\"-\"", "\"round\",\"out\"");
        let [a, b] = if player == Player::A { [one, two] } else { [two, one] };
        let solution = solve(&text(value, a, b, [&cells[0], &cells[1]]));
        let judged = judge(&solution, player, &vec![Vec::new(); 4]);
        for state in [2, 3] {
            let value = fraction(value, 1);
            assert_eq!(
                judged.state(state).unwrap().secured.fractions(),
                [value.clone(), value],
                "{player:?}, state {state}"
            );
        }
    }
}

/// Where play may last, leaving almost never is worth another number than leaving never: no
/// probability is rounded to 0.
#[test]
fn probabilities_below_the_smallest_weight_are_refused_where_play_may_last() {
    for (kind, may_last) in [
        ("recursive", true),
        ("total", true),
        ("target", true),
        ("acyclic", false),
        ("stopping", false),
        ("discounted", false),
    ] {
        let discount = if kind == "discounted" { ",\"discount\":\"1/2\"" } else { "" };
        let text = format!(
            "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"{kind}\"{discount},\"start\":[\"s\"]}}\n\
             {{\"id\":\"one\",\"value\":\"1\"}}\n{{\"id\":\"two\",\"value\":\"2\"}}\n\
             {{\"id\":\"s\",\"a\":[\"x\",\"y\"],\"b\":[\"-\"],\"cells\":[[{{\"to\":[[\"1\",\"one\"]]}}],[{{\"to\":[[\"1\",\"two\"]]}}]]}}\n"
        );
        let solution = solve(&text);
        let rare = Fraction::one() / Fraction::from_integer((1_u128 << 70).into());
        let given = [vec![], vec![], vec![(0, Fraction::one() - &rare), (1, rare)]];
        match StationaryPolicy::new(solution.game(), Player::A, &given) {
            Ok(policy) => assert!(!may_last && policy.is_rounded(), "{kind}"),
            Err(refused) => {
                assert!(
                    may_last
                        && refused
                            .to_string()
                            .contains("the probability of `y` is too small to be told from 0"),
                    "{kind}: {refused}"
                );
            }
        }
    }
}

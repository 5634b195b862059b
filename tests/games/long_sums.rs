//! Sums of rewards in plays of up to 10¹⁵ turns, against values by hand: those of few transitions
//! are fractions.

use std::ops::ControlFlow;

use num_traits::{One, Signed, Zero};
use pencil_tennis::stochastic_game::{
    PolicyJudgement, StationaryPolicy, StochasticGame, StochasticSolver,
};
use pencil_tennis::{Enclosure, Player};

use crate::kernels::Fraction;
use crate::random_games::{fraction, named, solve};

/// Bounds may be this far apart, relative to the largest value, or to 1: the width that is promised
/// of every family of games.
const PROMISED: i64 = 1_000_000_000_000;

fn assert_narrow_around(found: &Enclosure, value: &Fraction, what: &str) {
    let [lower, upper] = found.fractions();
    assert!(
        lower <= *value && *value <= upper,
        "{what}: {value} is not within {lower} and {upper}"
    );
    let width = (upper - lower) / value.abs().max(Fraction::one());
    assert!(width * fraction(PROMISED, 1) <= Fraction::one(), "{what}: {:?}", found.decimal());
}

fn header(kind: &str) -> String {
    format!(r#"{{"format":"stochastic-game","version":1,{kind},"start":["s"]}}"#)
}

/// Both kinds of total rewards, and both signs.
const TOTALS: [(&str, &str); 4] = [("total", ""), ("total", "-"), ("target", ""), ("target", "-")];

/// A machine fails with probability 1/n a turn, so that it runs for n turns.
#[test]
fn a_mean_time_to_failure_is_proved_however_rare_failures_are() {
    for (kind, sign) in TOTALS {
        for power in 1..=15 {
            let turns = 10_i64.pow(power);
            let cell = format!(
                r#"{{"reward":"{sign}1","to":[["{}/{turns}","s"],["1/{turns}","failed"]]}}"#,
                turns - 1
            );
            let text = header(&format!(r#""kind":"{kind}""#))
                + &format!(
                    "\n{{\"id\":\"failed\",\"value\":\"0\"}}\n{{\"id\":\"s\",\"a\":[\"x\"],\"b\":[\"x\"],\"cells\":[[{cell}]]}}"
                );
            let value = fraction(if sign.is_empty() { turns } else { -turns }, 1);
            assert_narrow_around(
                &named(&solve(&text), "s"),
                &value,
                &format!("{kind} {sign}{turns}"),
            );
        }
    }
}

/// A part fails with probability p a turn, and is repaired but for a share q, of which the machine
/// is lost: d = 1 + (1 − q) u and u = 1/p + d turns after and before a failure.
#[test]
fn a_machine_that_is_repaired_runs_for_as_long_as_two_equations_say() {
    let (often, lost) = (1_000_000, 1_000);
    let down =
        fraction(lost, 1) * (Fraction::one() + fraction(lost - 1, lost) * fraction(often, 1));
    let up = fraction(often, 1) + &down;
    for kind in ["total", "target"] {
        let cells = [
            format!(
                r#"{{"reward":"1","to":[["{}/{often}","s"],["1/{often}","down"]]}}"#,
                often - 1
            ),
            format!(r#"{{"reward":"1","to":[["{}/{lost}","s"],["1/{lost}","end"]]}}"#, lost - 1),
        ];
        let state = |id: &str, cell: &str| {
            format!("\n{{\"id\":\"{id}\",\"a\":[\"x\"],\"b\":[\"x\"],\"cells\":[[{cell}]]}}")
        };
        let text = header(&format!(r#""kind":"{kind}""#))
            + "\n{\"id\":\"end\",\"value\":\"0\"}"
            + &state("s", &cells[0])
            + &state("down", &cells[1]);
        let solution = solve(&text);
        assert_narrow_around(&named(&solution, "s"), &up, kind);
        assert_narrow_around(&named(&solution, "down"), &down, kind);
    }
}

/// The payoff of a policy of a player that takes an action with probability 2^−`bits`, else the
/// first one; or the refusal.
fn judged_payoff(text: &str, player: Player, bits: u32) -> Result<Enclosure, String> {
    let solution = StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap())
        .threads(1)
        .solve()
        .unwrap();
    let place = solution.game().place("s").unwrap();
    let rare = fraction(1, 1 << bits);
    let mut policy = vec![Vec::new(); solution.game().len()];
    policy[place] = vec![(0, Fraction::one() - &rare), (1, rare)];
    let policy = StationaryPolicy::new(solution.game(), player, &policy).unwrap();
    solution
        .judge(&policy, &mut |_| ControlFlow::Continue(()))
        .map(|judged| judged.state(place).unwrap().secured)
        .map_err(|error| error.to_string())
}

/// B waits, for a reward of A, or goes with probability 2^−n: there are 2^n − 1 rewards.
#[test]
fn a_policy_that_hardly_goes_is_judged_as_long_as_its_worth_can_be_counted() {
    for kind in ["total", "target"] {
        let game = |reward: i64| {
            let cells =
                format!(r#"[{{"reward":"{reward}","to":[["1","s"]]}},{{"to":[["1","end"]]}}]"#);
            header(&format!(r#""kind":"{kind}""#))
                + &format!(
                    "\n{{\"id\":\"end\",\"value\":\"0\"}}\n{{\"id\":\"s\",\"a\":[\"x\"],\"b\":[\"wait\",\"go\"],\"cells\":[{cells}]}}"
                )
        };
        for bits in [1, 10, 40, 50, 60] {
            let expected = fraction((1 << bits) - 1, 1);
            assert_narrow_around(
                &judged_payoff(&game(1), Player::B, bits).unwrap(),
                &expected,
                &format!("{kind}, 2^-{bits}"),
            );
        }
        let refused = judged_payoff(&game(8), Player::B, 61).unwrap_err();
        assert!(refused.contains("worth more here than can be counted"), "{refused}");
    }
}

/// A policy that is worth 2⁴⁰ is judged in a coarser unit than its opponent's, which is worth
/// nothing: half their distance is what both can be exploited for.
#[test]
fn policies_that_are_judged_in_different_units_are_compared() {
    let text = header(r#""kind":"target""#)
        + "\n{\"id\":\"end\",\"value\":\"0\"}\n"
        + r#"{"id":"s","a":["x"],"b":["wait","go"],"cells":[[{"reward":"1","to":[["1","s"]]},{"to":[["1","end"]]}]]}"#;
    let solution = StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap())
        .threads(1)
        .solve()
        .unwrap();
    let place = solution.game().place("s").unwrap();
    let rare = fraction(1, 1 << 40);
    let judged = [
        (Player::A, vec![(0, Fraction::one())]),
        (Player::B, vec![(0, Fraction::one() - &rare), (1, rare)]),
    ];
    let judged = judged.map(|(player, strategy)| {
        let mut policy = vec![Vec::new(); solution.game().len()];
        policy[place] = strategy;
        let policy = StationaryPolicy::new(solution.game(), player, &policy).unwrap();
        solution.judge(&policy, &mut |_| ControlFlow::Continue(())).unwrap()
    });
    let [of_a, of_b] = judged.each_ref().map(|judged| judged.state(place).unwrap());
    assert!(of_a.secured.unit_exponent() > of_b.secured.unit_exponent());
    let found = PolicyJudgement::exploitability(&judged, place).unwrap().unwrap();
    assert_narrow_around(&found, &fraction((1 << 40) - 1, 2), "both");
    assert_narrow_around(&of_b.loss, &fraction((1 << 40) - 1, 1), "of B");
    assert_narrow_around(&of_a.loss, &Fraction::zero(), "of A");
}

/// A could end play for nothing, and pays ten times 1 and 1: far more than the value, and than the
/// unit that is as fine as this allows.
#[test]
fn a_policy_that_pays_more_than_the_largest_number_of_units_is_judged_in_a_coarser_one() {
    let text = header(r#""kind":"target""#)
        + "\n{\"id\":\"paid\",\"value\":\"-1\"}\n{\"id\":\"free\",\"value\":\"0\"}\n"
        + r#"{"id":"s","a":["pay","end"],"b":["x"],"cells":[[{"reward":"-1","to":[["9/10","s"],["1/10","paid"]]}],"#
        + r#"[{"to":[["1","free"]]}]]}"#;
    // Paying costs 1 and a tenth of 1, and play goes on with 9/10; else it is over.
    let pays = Fraction::one() - fraction(1, 1 << 20);
    let expected = -(&pays * fraction(11, 10) / (Fraction::one() - &pays * fraction(9, 10)));
    assert_narrow_around(&judged_payoff(&text, Player::A, 20).unwrap(), &expected, "ten times");
}

/// B pays 1 a turn for waiting, for ever, or for going, which ends play where A lets go: with
/// probability 2^−n, so that B pays 2^n. B could also quit for 2^50, so that A's best is finite.
#[test]
fn a_policy_is_judged_where_the_first_reply_never_ends_play() {
    for kind in ["total", "target"] {
        let pays =
            |reward: i64, to: &str| format!(r#"{{"reward":"{reward}","to":[["1","{to}"]]}}"#);
        let (stay, end, quit) = (pays(1, "s"), pays(1, "end"), pays(1 << 50, "end"));
        let text = header(&format!(r#""kind":"{kind}""#))
            + "\n{\"id\":\"end\",\"value\":\"0\"}\n"
            + r#"{"id":"s","a":["hold","let go"],"b":["wait","go","quit"],"cells":"#
            + &format!("[[{stay},{stay},{quit}],[{stay},{end},{quit}]]}}");
        for bits in [1, 20, 45] {
            assert_narrow_around(
                &judged_payoff(&text, Player::A, bits).unwrap(),
                &fraction(1 << bits, 1),
                &format!("{kind}, 2^-{bits}"),
            );
        }
    }
}

/// Rewards that cancel in plays of 10¹² turns: what could be paid in all is beyond every unit,
/// while values are small.
#[test]
fn values_are_proved_though_what_could_be_paid_has_no_unit() {
    let (large, long) = (1_000_000_000, 1_000_000_000_000);
    let state = |id: &str, cell: &str| {
        format!("\n{{\"id\":\"{id}\",\"a\":[\"x\"],\"b\":[\"x\"],\"cells\":[[{cell}]]}}")
    };
    // s pays, t takes it back and goes on but for a share of 1/n: s = large + t and t = −large + (1
    // − 1/n) s.
    let text = header(r#""kind":"stopping""#)
        + "\n{\"id\":\"end\",\"value\":\"0\"}"
        + &state("s", &format!(r#"{{"reward":"{large}","to":[["1","t"]]}}"#))
        + &state(
            "t",
            &format!(
                r#"{{"reward":"-{large}","to":[["{}/{long}","s"],["1/{long}","end"]]}}"#,
                long - 1
            ),
        );
    let solution = solve(&text);
    assert_narrow_around(&named(&solution, "s"), &Fraction::zero(), "stopping");
    assert_narrow_around(&named(&solution, "t"), &fraction(-large, 1), "stopping");
    // s = large + d t and t = −large + d s with d = 1 − 1/n: s = large / (1 + d) = −t.
    let text = header(&format!(r#""kind":"discounted","discount":"{}/{long}""#, long - 1))
        + &state("s", &format!(r#"{{"reward":"{large}","to":[["1","t"]]}}"#))
        + &state("t", &format!(r#"{{"reward":"-{large}","to":[["1","s"]]}}"#));
    let solution = solve(&text);
    let value = fraction(large, 1) * fraction(long, 2 * long - 1);
    assert_narrow_around(&named(&solution, "s"), &value, "discounted");
    assert_narrow_around(&named(&solution, "t"), &-value, "discounted");
}

/// An action that nobody takes pays 10⁹, in whose unit a value of 1/3 has nine digits: it goes on
/// in longer numbers.
#[test]
fn a_large_reward_that_is_never_paid_leaves_small_values_narrow() {
    for (kind, sign) in TOTALS {
        let go = r#"{"to":[["1/2","s"],["1/6","one"],["1/3","none"]]}"#;
        let pay = format!(r#"{{"reward":"{sign}1000000000","to":[["1","none"]]}}"#);
        let (a, b, cells) = match sign {
            "" => (r#"["x"]"#, r#"["go","pay"]"#, format!("[[{go},{pay}]]")),
            _ => (r#"["go","pay"]"#, r#"["x"]"#, format!("[[{go}],[{pay}]]")),
        };
        let text = header(&format!(r#""kind":"{kind}""#))
            + &format!(
                "\n{{\"id\":\"one\",\"value\":\"{sign}1\"}}\n{{\"id\":\"none\",\"value\":\"0\"}}\n"
            )
            + &format!(r#"{{"id":"s","a":{a},"b":{b},"cells":{cells}}}"#);
        let value = fraction(if sign.is_empty() { 1 } else { -1 }, 3);
        assert_narrow_around(&named(&solve(&text), "s"), &value, &format!("{kind} {sign}"));
    }
}

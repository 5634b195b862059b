//! Values that are small beside a payoff that the unit of bounds has to count: 10⁹ leaves a unit of
//! 2^−31, and 10¹² one of 2^−21.

use std::time::Duration;

use num_traits::One;
use pencil_tennis::stochastic_game::{
    StochasticCheckpoint, StochasticGame, StochasticSolution, StochasticSolver,
};

use crate::kernels::Fraction;
use crate::random_games::{fraction, named, solve, value};

/// At `s` A may take an action that pays 10⁹ unless B answers by another one, so that both mix with
/// probabilities of some 10^−9; `t` follows `s` and, if it may, itself. No value exceeds 1, and
/// none of them is a multiple of a unit.
fn large_reward(kind: &str, discount: &str) -> String {
    let again = if kind == "acyclic" { r#"["1/2","s"]"# } else { r#"["1/4","s"],["1/4","t"]"# };
    format!(
        r#"{{"format":"stochastic-game","version":1,"kind":"{kind}"{discount},"start":["t"]}}
{{"id":"none","value":"0"}}
{{"id":"lost","value":"-1"}}
{{"id":"third","value":"1/3"}}
{{"id":"seventh","value":"1/7"}}
{{"id":"s","a":["take","leave"],"b":["pay","refuse"],"cells":[[{{"reward":"1000000000","to":[["1","none"]]}},{{"to":[["1","lost"]]}}],[{{"to":[["1","none"]]}},{{"to":[["1","third"]]}}]]}}
{{"id":"t","a":["go"],"b":["watch"],"cells":[[{{"to":[{again},["1/2","seventh"]]}}]]}}"#
    )
}

/// The values of `s` and `t`: the first by the kernels of its matrix in fractions, the second by
/// its linear equation.
fn values_beside_a_large_reward(kind: &str, discount: &Fraction) -> [Fraction; 2] {
    let none = fraction(0, 1);
    let of_s = value(&[
        vec![fraction(1_000_000_000, 1), -discount],
        vec![none, discount * fraction(1, 3)],
    ]);
    let left = fraction(1, 2) * fraction(1, 7) * discount;
    let of_t = match kind {
        "acyclic" => &of_s * fraction(1, 2) + left,
        _ => {
            (&of_s * fraction(1, 4) * discount + left)
                / (Fraction::one() - discount * fraction(1, 4))
        }
    };
    [of_s, of_t]
}

fn assert_narrow_around(solution: &StochasticSolution, state: &str, value: &Fraction) {
    let enclosure = named(solution, state);
    assert!(enclosure.contains(value), "{state}: {:?}", enclosure.decimal());
    assert!(enclosure.width() < 1e-15, "{state}: {}", enclosure.width());
}

const KINDS: [(&str, &str); 4] =
    [("acyclic", ""), ("stopping", ""), ("total", ""), ("discounted", r#","discount":"9/10""#)];

#[test]
fn a_large_reward_leaves_all_values_narrow() {
    for (kind, discount) in KINDS {
        let solution = solve(&large_reward(kind, discount));
        let [of_s, of_t] = values_beside_a_large_reward(
            kind,
            &if discount.is_empty() { Fraction::one() } else { fraction(9, 10) },
        );
        assert_narrow_around(&solution, "s", &of_s);
        assert_narrow_around(&solution, "t", &of_t);
        assert_narrow_around(&solution, "third", &fraction(1, 3));
        assert!(solution.widest_enclosure() < 1e-15, "{kind}");
    }
}

/// B has to go with a small probability, since infinite play pays 10¹², and the end that follows is
/// worth 1/3.
#[test]
fn an_end_between_two_units_is_known_finely_where_play_goes_on() {
    let solution = solve(
        r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"third","value":"1/3"}
{"id":"more","value":"3"}
{"id":"less","value":"-1"}
{"id":"s","a":["wait","go"],"b":["wait","go"],"endless":"1000000000000","cells":[[{"to":[["1","s"]]},{"to":[["1","third"]]}],[{"to":[["1","third"]]},{"to":[["1/2","more"],["1/2","less"]]}]]}"#,
    );
    let enclosure = named(&solution, "s");
    assert!(enclosure.contains(&fraction(1, 3)));
    assert!(enclosure.width() < 1e-12, "{}", enclosure.width());
}

/// Every checkpoint leads to the certificate of the whole solve, and that of the solution at once.
#[test]
fn states_that_are_narrowed_again_are_resumed() {
    for (kind, discount) in KINDS {
        let text = large_reward(kind, discount);
        let solver =
            || StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).threads(1);
        let certificate = |solution: &StochasticSolution| {
            let mut bytes = Vec::new();
            solution.write_certificate(&mut bytes).unwrap();
            bytes
        };
        let mut checkpoints = Vec::new();
        let keep = |checkpoint: &StochasticCheckpoint<'_>| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).unwrap();
            checkpoints.push(bytes);
        };
        let solution = solver().on_checkpoint(Duration::ZERO, keep).solve().unwrap();
        let mut last = Vec::new();
        solution.checkpoint().unwrap().write(&mut last).unwrap();
        checkpoints.push(last);
        for bytes in &checkpoints {
            let resumed = solver()
                .resume(StochasticCheckpoint::read(bytes.as_slice()).unwrap())
                .solve()
                .unwrap();
            assert!(certificate(&resumed) == certificate(&solution), "{kind}");
        }
    }
}

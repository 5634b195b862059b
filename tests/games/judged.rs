//! What policies are worth where play is long, against linear equations in fractions.

use std::fmt::Write;
use std::ops::ControlFlow;

use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{PolicyJudgement, StationaryPolicy, StochasticSolution};

use crate::kernels::Fraction;
use crate::random_games::{fraction, numbers, solve};

fn judge(solution: &StochasticSolution, player: Player, probabilities: &[Vec<(usize, Fraction)>]) -> PolicyJudgement {
    let policy = StationaryPolicy::new(solution.game(), player, probabilities).unwrap();
    PolicyJudgement::new(solution, &policy, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// A reward, and the states that follow with a third, and with two.
type Follows = (i64, [usize; 2]);

/// The solution of v = pays + step v, by elimination.
fn collected(pays: &[Fraction], step: &[Vec<Fraction>]) -> Vec<Fraction> {
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
        let own: Vec<Fraction> = rows[pivot].iter().map(|entry| entry / &rows[pivot][pivot]).collect();
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = rows[row][pivot].clone();
            rows[row].iter_mut().zip(&own).for_each(|(entry, own)| *entry -= &factor * own);
        }
        rows[pivot] = own;
    }
    rows.into_iter().map(|row| row[count].clone()).collect()
}

/// Four states of 2 × 2 actions, of which only 9,999 parts in 10,000 of every later turn count; either player mixes evenly, and the
/// other one answers by the best of the 2⁴ pure stationary replies, one of which is best everywhere (Blackwell 1962).
#[test]
fn policies_of_discounted_games_are_worth_what_equations_say() {
    const STATES: usize = 4;
    let (discount, half) = (fraction(9_999, 10_000), fraction(1, 2));
    for seed in 0..6 {
        let mut draw = numbers(seed);
        // By state, A's and B's action.
        let cells: Vec<[[Follows; 2]; 2]> = (0..STATES)
            .map(|_| [(); 2].map(|()| [(); 2].map(|()| (draw(11) as i64 - 5, [(); 2].map(|()| draw(STATES as u64) as usize)))))
            .collect();
        let mut text =
            r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"9999/10000","start":["0"]}"#.to_owned();
        for (state, cells) in cells.iter().enumerate() {
            let cell = |(reward, [one, other]): (i64, [usize; 2])| {
                format!(r#"{{"reward":"{reward}","to":[["1/3","{one}"],["2/3","{other}"]]}}"#)
            };
            let rows = cells.map(|row| format!("[{}]", row.map(cell).join(",")));
            let _ =
                write!(text, "\n{{\"id\":\"{state}\",\"a\":[\"x\",\"y\"],\"b\":[\"x\",\"y\"],\"cells\":[{}]}}", rows.join(","));
        }
        let solution = solve(&text);
        let even = vec![vec![(0, half.clone()), (1, half.clone())]; STATES];
        for player in [Player::A, Player::B] {
            let judged = judge(&solution, player, &even);
            let values = (0..1 << STATES).map(|replies: usize| {
                let (mut pays, mut step) = (vec![Fraction::zero(); STATES], vec![vec![Fraction::zero(); STATES]; STATES]);
                for state in 0..STATES {
                    for own in [0, 1] {
                        let reply = replies >> state & 1;
                        let [a, b] = if player == Player::A { [own, reply] } else { [reply, own] };
                        let (reward, [one, other]) = cells[state][a][b];
                        pays[state] += &half * fraction(reward, 1);
                        step[state][one] += &half * &discount * fraction(1, 3);
                        step[state][other] += &half * &discount * fraction(2, 3);
                    }
                }
                collected(&pays, &step)
            });
            let best = values.reduce(|one, other| {
                let better =
                    |(one, other): (Fraction, Fraction)| if player == Player::A { one.min(other) } else { one.max(other) };
                one.into_iter().zip(other).map(better).collect()
            });
            for (state, expected) in best.unwrap().into_iter().enumerate() {
                let worth = judged.worth(state);
                assert!(worth.contains(&expected), "game {seed}, {player:?}, state {state}: {expected}");
                // Values are up to 50,000: 2^-45 is the unit, and roundings add up over 10,000 turns.
                assert!(worth.width() < 1e-7, "game {seed}, {player:?}, state {state}: {}", worth.width());
            }
        }
    }
}

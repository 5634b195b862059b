//! Where a player wins with probability 1, the bounds are exactly 1, and nowhere else; compared with all choices of supports.

use std::fmt::Write;

use num_traits::One;

use crate::kernels::Fraction;
use crate::random_games::{named, numbers, solve};

/// The states between which play goes on; the successor after them wins for A, and the last one loses.
const STATES: usize = 3;
const WIN: usize = STATES;
const LOSE: usize = STATES + 1;

/// By state and both players' actions, the successors, each with the same probability.
type Game = [[[Vec<usize>; 2]; 2]; STATES];

fn game(seed: u64) -> Game {
    let mut draw = numbers(seed);
    // To lose is rare, or nobody wins with certainty.
    let mut next = move || match draw(9) {
        0 | 1 => WIN,
        2 => LOSE,
        other => other as usize % STATES,
    };
    let mut cell = move || if next() % 2 == 0 { vec![next()] } else { vec![next(), next()] };
    std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| cell())))
}

fn text(game: &Game) -> String {
    let mut text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["0"]}"#.to_owned();
    writeln!(text, "\n{{\"id\":\"{WIN}\",\"value\":\"1\"}}\n{{\"id\":\"{LOSE}\",\"value\":\"0\"}}").unwrap();
    for (state, rows) in game.iter().enumerate() {
        let cell = |successors: &Vec<usize>| {
            let to = |next: &usize| format!(r#"["1/{}","{next}"]"#, successors.len());
            format!(r#"{{"to":[{}]}}"#, successors.iter().map(to).collect::<Vec<_>>().join(","))
        };
        let row = |cells: &[Vec<usize>; 2]| format!("[{}]", cells.each_ref().map(cell).join(","));
        let rows = rows.each_ref().map(row).join(",");
        writeln!(text, r#"{{"id":"{state}","a":["0","1"],"b":["0","1"],"cells":[{rows}]}}"#).unwrap();
    }
    text
}

/// The sets of actions of one state, as bits.
const SUPPORTS: [u8; 3] = [1, 2, 3];

/// Whether A, who mixes these actions evenly, wins with probability 1 from a state against these replies: play comes to no loss, and
/// from wherever it comes it may come to a win.
fn wins(game: &Game, supports: [u8; STATES], replies: [usize; STATES], start: usize) -> bool {
    let successors = |state: usize| -> Vec<usize> {
        if state >= STATES {
            return Vec::new();
        }
        let own = (0..2).filter(|own| supports[state] >> own & 1 == 1);
        own.flat_map(|own| game[state][own][replies[state]].clone()).collect()
    };
    let from = |start: usize| {
        let mut met = vec![start];
        let mut place = 0;
        while place < met.len() {
            for next in successors(met[place]) {
                if !met.contains(&next) {
                    met.push(next);
                }
            }
            place += 1;
        }
        met
    };
    let met = from(start);
    !met.contains(&LOSE) && met.iter().all(|&state| from(state).contains(&WIN))
}

/// All choices of one of some options at each state.
fn all<T: Copy>(options: &[T]) -> Vec<[T; STATES]> {
    let mut found = Vec::new();
    for &first in options {
        for &second in options {
            found.extend(options.iter().map(|&third| [first, second, third]));
        }
    }
    found
}

#[test]
fn bounds_are_exactly_1_where_a_player_wins_almost_surely_and_nowhere_else() {
    let (supports, replies) = (all(&SUPPORTS), all(&[0, 1]));
    let (mut sure, mut others) = (0, 0);
    for seed in 0..300 {
        let game = game(seed);
        let solution = solve(&text(&game));
        for start in 0..STATES {
            let is_sure = supports.iter().any(|&own| replies.iter().all(|&reply| wins(&game, own, reply, start)));
            let [lower, upper] = named(&solution, &start.to_string()).fractions();
            assert_eq!(lower == Fraction::one(), is_sure, "game {seed}, state {start}");
            assert!(upper >= lower);
            *(if is_sure { &mut sure } else { &mut others }) += 1;
        }
    }
    assert!(sure > 100 && others > 100, "{sure}, {others}");
}

//! Where a player wins with probability 1, or with probabilities as close to 1 as one likes,
//! compared with all choices of supports and with what strategies secure.

use std::fmt::Write;

use num_rational::BigRational;
use num_traits::One;
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{Certainty, StochasticSolution};

use crate::kernels::Fraction;
use crate::random_games::{named, numbers, purgatory, solve};

/// The states between which play goes on; the successor after them wins for A, and the last one
/// loses.
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
    let mut text =
        r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["0"]}"#.to_owned();
    writeln!(text, "\n{{\"id\":\"{WIN}\",\"value\":\"1\"}}\n{{\"id\":\"{LOSE}\",\"value\":\"0\"}}")
        .unwrap();
    for (state, rows) in game.iter().enumerate() {
        let cell = |successors: &Vec<usize>| {
            let to = |next: &usize| format!(r#"["1/{}","{next}"]"#, successors.len());
            format!(r#"{{"to":[{}]}}"#, successors.iter().map(to).collect::<Vec<_>>().join(","))
        };
        let row = |cells: &[Vec<usize>; 2]| format!("[{}]", cells.each_ref().map(cell).join(","));
        let rows = rows.each_ref().map(row).join(",");
        writeln!(text, r#"{{"id":"{state}","a":["0","1"],"b":["0","1"],"cells":[{rows}]}}"#)
            .unwrap();
    }
    text
}

/// The sets of actions of one state, as bits.
const SUPPORTS: [u8; 3] = [1, 2, 3];

/// Whether A, who mixes these actions evenly, wins with probability 1 from a state against these
/// replies: play comes to no loss, and from wherever it comes it may come to a win.
fn wins(game: &Game, supports: [u8; STATES], replies: [usize; STATES], start: usize) -> bool {
    let successors = |state: usize| -> Vec<usize> {
        if state >= STATES {
            return Vec::new();
        }
        let actions = (0..2).filter(|action| supports[state] >> action & 1 == 1);
        actions.flat_map(|action| game[state][action][replies[state]].clone()).collect()
    };
    let from = |start: usize| {
        let mut visited = vec![start];
        let mut place = 0;
        while place < visited.len() {
            for next in successors(visited[place]) {
                if !visited.contains(&next) {
                    visited.push(next);
                }
            }
            place += 1;
        }
        visited
    };
    let visited = from(start);
    !visited.contains(&LOSE) && visited.iter().all(|&state| from(state).contains(&WIN))
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

/// A number of 2^−`bits`.
fn small(bits: u32) -> Fraction {
    Fraction::new(1.into(), num_bigint::BigInt::one() << bits)
}

/// What the graph says of 1,000 games is what strategies prove, whose check knows nothing of it:
/// with probability 1 where one choice of supports brings that against all replies; limit-surely
/// where A's strategies secure almost 1, and 1 is the value; else B's hold A to less.
#[test]
fn what_the_graph_says_of_the_best_payoff_is_what_strategies_secure() {
    let (supports, replies) = (all(&SUPPORTS), all(&[0, 1]));
    let (mut sure, mut approached, mut others) = (0, 0, 0);
    for seed in 0..1_000 {
        let game = game(seed);
        let solution = solve(&text(&game));
        for start in 0..STATES {
            let is_sure = supports
                .iter()
                .any(|&support| replies.iter().all(|&reply| wins(&game, support, reply, start)));
            let place = solution.game().place(&start.to_string()).unwrap();
            let best = solution.best_payoff(&place).unwrap().filter(|best| best.payoff.is_one());
            let [lower, upper] = solution.secured(&place).unwrap().fractions();
            let value = solution.enclosure(&place).unwrap().fractions();
            let named = format!("game {seed}, state {start}: {lower} to {upper}");
            assert_eq!(lower == Fraction::one(), is_sure, "{named}");
            match best.map(|best| best.certainty) {
                Some(Certainty::AlmostSure) => {
                    assert!(is_sure, "{named}");
                    sure += 1;
                }
                Some(Certainty::LimitSure) => {
                    assert!(!is_sure && lower >= Fraction::one() - small(30), "{named}");
                    assert_eq!(value, [Fraction::one(), Fraction::one()], "{named}");
                    approached += 1;
                }
                None => {
                    assert!(!is_sure && upper <= Fraction::one() - small(20), "{named}");
                    assert_eq!(value, [lower, upper], "{named}");
                    others += 1;
                }
            }
        }
    }
    assert!(sure > 300 && approached > 30 && others > 300, "{sure}, {approached}, {others}");
}

/// The game with the players exchanged: what A gets is what B gets there.
#[test]
fn the_players_are_told_apart() {
    let exchanged = |game: &Game| -> String {
        let other = std::array::from_fn(|state| {
            std::array::from_fn(|a| {
                std::array::from_fn(|b| {
                    let swap = |&next: &usize| {
                        if next == WIN {
                            LOSE
                        } else if next == LOSE {
                            WIN
                        } else {
                            next
                        }
                    };
                    game[state][b][a].iter().map(swap).collect()
                })
            })
        });
        // Infinite play pays A nothing, and B everything; the other way round it pays A 1.
        text(&other).replace(r#""a":"#, r#""endless":"1","a":"#)
    };
    for seed in 0..300 {
        let game = game(seed);
        let (one, other) = (solve(&text(&game)), solve(&exchanged(&game)));
        for start in 0..STATES {
            let best = |solution: &StochasticSolution| {
                let best = solution
                    .best_payoff(&solution.game().place(&start.to_string()).unwrap())
                    .unwrap();
                best.map(|best| (best.payoff, best.certainty))
            };
            let mirrored =
                best(&other).map(|(payoff, certainty)| (BigRational::one() - payoff, certainty));
            assert_eq!(best(&one), mirrored, "game {seed}, state {start}");
        }
    }
}

/// The values of purgatory are 1, on every floor, whatever its strategies secure; a win of 5 is
/// approached as well, and so is one that comes after a state to which play does not return.
#[test]
fn purgatory_is_left_almost_certainly() {
    for floors in 1..=4 {
        let paid = purgatory(floors).replace(r#""value":"1""#, r#""value":"5""#);
        let before = r#"{"id":"before","a":["-"],"b":["-"],"cells":[[{"to":[["1","1"]]}]]}"#;
        let solution = solve(&format!("{}\n{before}", paid.trim_end()));
        for name in (1..=floors).map(|floor| floor.to_string()).chain(["before".to_owned()]) {
            let place = solution.game().place(&name).unwrap();
            let best = solution.best_payoff(&place).unwrap().unwrap();
            assert_eq!(
                (best.player, best.payoff.to_string(), best.certainty),
                (Player::A, "5".to_owned(), Certainty::LimitSure)
            );
            assert_eq!(
                named(&solution, &name).fractions(),
                [5, 5].map(|five| Fraction::from_integer(five.into()))
            );
            assert!(solution.secured(&place).unwrap().lower() < 5.0, "{name}");
        }
        assert_eq!(solution.widest_enclosure(), 0.0);
        assert_eq!(solution.approached_states(), floors + 1);
    }
}

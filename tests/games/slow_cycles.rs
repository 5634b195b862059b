//! Cycles that play hardly leaves: what strategies are worth there is guessed, and proved. A guess
//! that is wrong by a unit shows in a certificate that is refused, or beside what linear equations
//! say in fractions.

use std::fmt::Write;
use std::ops::ControlFlow;

use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{StationaryPolicy, StochasticSolution};

use crate::judged::collected;
use crate::kernels::Fraction;
use crate::random_games::{fraction, named, numbers, solve};

type Cell = Vec<(Fraction, usize)>;

/// A recursive game: ends, which come first, and tables of cells.
struct Game {
    ends: Vec<Fraction>,
    endless: Fraction,
    cells: Vec<Vec<Vec<Cell>>>,
}

/// A player's probabilities of actions at every state that is no end.
type Policy = Vec<Vec<(usize, Fraction)>>;

impl Game {
    fn text(&self) -> String {
        let mut text =
            r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["0"]}"#
                .to_owned();
        for (end, value) in self.ends.iter().enumerate() {
            let _ = write!(text, "\n{{\"id\":\"{end}\",\"value\":\"{value}\"}}");
        }
        let names = |count: usize| {
            (0..count).map(|action| format!("\"{action}\"")).collect::<Vec<_>>().join(",")
        };
        let cell = |cell: &Cell| {
            let to: Vec<String> =
                cell.iter().map(|(share, next)| format!("[\"{share}\",\"{next}\"]")).collect();
            format!("{{\"to\":[{}]}}", to.join(","))
        };
        for (state, rows) in self.cells.iter().enumerate() {
            let written: Vec<String> = rows
                .iter()
                .map(|row| format!("[{}]", row.iter().map(cell).collect::<Vec<_>>().join(",")))
                .collect();
            let [a, b] = [rows.len(), rows[0].len()].map(names);
            let (state, endless) = (state + self.ends.len(), &self.endless);
            let _ = write!(
                text,
                "\n{{\"id\":\"{state}\",\"a\":[{a}],\"b\":[{b}],\"endless\":\"{endless}\",\"cells\":[{}]}}",
                written.join(",")
            );
        }
        text
    }

    /// The same with the players exchanged.
    fn exchanged(&self) -> Self {
        let transposed = |rows: &Vec<Vec<Cell>>| {
            (0..rows[0].len())
                .map(|column| rows.iter().map(|row| row[column].clone()).collect())
                .collect()
        };
        let ends = self.ends.iter().map(|value| -value).collect();
        Self { ends, endless: -&self.endless, cells: self.cells.iter().map(transposed).collect() }
    }

    fn actions(&self, player: Player) -> Vec<usize> {
        self.cells
            .iter()
            .map(|rows| if player == Player::A { rows.len() } else { rows[0].len() })
            .collect()
    }

    /// What a policy is worth against the best of all pure stationary replies, of which those that
    /// never come to an end are paid for endless play.
    fn payoffs_of(&self, player: Player, policy: &Policy) -> Vec<Fraction> {
        let (count, ends) = (self.cells.len(), self.ends.len());
        let replies = self.actions(if player == Player::A { Player::B } else { Player::A });
        let against = |number: usize| {
            let mut rest = number;
            let mut step = vec![vec![Fraction::zero(); ends + count]; count];
            for state in 0..count {
                let reply = rest % replies[state];
                rest /= replies[state];
                for (action, share) in &policy[state] {
                    let [a, b] =
                        if player == Player::A { [*action, reply] } else { [reply, *action] };
                    for (part, next) in &self.cells[state][a][b] {
                        step[state][*next] += share * part;
                    }
                }
            }
            // The states from which play comes to an end with some chance.
            let mut leaves = vec![false; count];
            for state in (0..count).cycle().take(count * count) {
                let out = |next: usize| {
                    !step[state][next].is_zero() && (next < ends || leaves[next - ends])
                };
                leaves[state] = (0..ends + count).any(out);
            }
            let pays = |state: usize| {
                let paid =
                    step[state].iter().zip(&self.ends).map(|(share, value)| share * value).sum();
                if leaves[state] { paid } else { self.endless.clone() }
            };
            let inner = |state: usize| {
                if leaves[state] {
                    step[state][ends..].to_vec()
                } else {
                    vec![Fraction::zero(); count]
                }
            };
            collected(
                &(0..count).map(pays).collect::<Vec<_>>(),
                &(0..count).map(inner).collect::<Vec<_>>(),
            )
        };
        let better = |(one, other): (Fraction, Fraction)| {
            if player == Player::A { one.min(other) } else { one.max(other) }
        };
        let all = (0..replies.iter().product()).map(against);
        all.reduce(|one, other| one.into_iter().zip(other).map(better).collect()).unwrap()
    }

    /// Compares what a policy is judged to be worth with the equations.
    fn judge(&self, solution: &StochasticSolution, player: Player, policy: &Policy, name: &str) {
        let all: Vec<_> =
            vec![Vec::new(); self.ends.len()].into_iter().chain(policy.clone()).collect();
        let judged_policy = StationaryPolicy::new(solution.game(), player, &all).unwrap();
        let judged = solution.judge(&judged_policy, &mut |_| ControlFlow::Continue(())).unwrap();
        for (state, expected) in self.payoffs_of(player, policy).into_iter().enumerate() {
            let found = judged.state(self.ends.len() + state).unwrap().secured;
            assert!(
                found.contains(&expected),
                "{name}, {player:?}, state {state}: {expected} is not in {:?}",
                found.fractions()
            );
        }
    }
}

/// A random game of two to four states, with ends that may be near to each other and to what
/// endless play pays.
fn random(seed: u64) -> Game {
    let mut draw = numbers(seed);
    let near = [1, 3, 64, 1 << 20, 1 << 30, 1 << 40][draw(6) as usize];
    let about =
        [fraction(0, 1), fraction(1, 3), fraction(-2, 7), fraction(1, 1)][draw(4) as usize].clone();
    let mut value = || {
        let some = draw(7) as i64 - 3;
        if draw(2) == 0 {
            &about + fraction(some, near)
        } else {
            fraction(some, 1 + draw(4) as i64)
        }
    };
    let (ends, endless) = (vec![value(), value(), value()], value());
    let states = 2 + draw(3);
    let long = [1, 10, 1_000, 1_000_000, 1_000_000_000, 1 << 40][draw(6) as usize];
    let mut cell = || -> Cell {
        let mut any = || if draw(5) == 0 { draw(3) as usize } else { 3 + draw(states) as usize };
        let (one, other, third) = (any(), any(), any());
        match draw(4) {
            0 => vec![(Fraction::one(), 3 + draw(states) as usize)],
            1 => vec![(fraction(1, 2), one), (fraction(1, 2), other)],
            2 => vec![(fraction(1, long + 1), one), (fraction(long, long + 1), other)],
            _ => vec![(fraction(1, 3), one), (fraction(1, 3), other), (fraction(1, 3), third)],
        }
    };
    let mut size = numbers(seed + 1_000_000);
    let mut table = |_| {
        let (rows, columns) = (1 + size(3), 1 + size(3));
        (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect()
    };
    Game { ends, endless, cells: (0..states).map(&mut table).collect() }
}

#[test]
fn bounds_hold_to_the_unit_where_play_hardly_leaves() {
    for seed in 0..60 {
        let game = random(seed);
        let solution = solve(&game.text());
        let mut draw = numbers(seed);
        for player in [Player::A, Player::B] {
            let mut choose = |count: usize| {
                let [one, other] = [(); 2].map(|()| draw(count as u64) as usize);
                if one == other {
                    vec![(one, Fraction::one())]
                } else {
                    vec![(one, fraction(1, 2)), (other, fraction(1, 2))]
                }
            };
            let policy = game.actions(player).into_iter().map(&mut choose).collect();
            game.judge(&solution, player, &policy, &format!("game {seed}"));
        }
    }
}

/// B waits at the first state, which pays less than leaving. A knows that late: what leaving is
/// worth to A depends on a better end and a worse one. What waiting pays is no number of units, and
/// its distance from what is known until then no double.
#[test]
fn waiting_is_worth_what_it_pays_to_the_unit() {
    for distance in 20..140 {
        let endless = fraction(1, 3) + fraction(1, distance * distance + 1);
        let ends =
            vec![&endless + fraction(1, 7), &endless - fraction(1, distance), fraction(1, 1)];
        let all = |next: usize| vec![(Fraction::one(), next)];
        let mostly = |next: usize| vec![(fraction(98, 99), next), (fraction(1, 99), 3)];
        let cells = vec![
            vec![vec![all(3), all(4)]],
            vec![vec![vec![(fraction(1, 2), 5), (fraction(1, 2), 6)]]],
            vec![vec![mostly(0)]],
            vec![vec![mostly(1)]],
        ];
        let game = Game { ends, endless, cells };
        for game in [game.exchanged(), game] {
            let solution = solve(&game.text());
            assert!(named(&solution, "3").contains(&game.endless), "{distance}");
        }
    }
}

/// B may leave at the first state, but waits, since that pays less; what leaving is worth is not
/// known for long.
#[test]
fn who_answers_a_policy_waits_where_leaving_is_worse() {
    let long = 100_000;
    for waits_first in [false, true] {
        let all = |next: usize| vec![(Fraction::one(), next)];
        let lingering =
            vec![(fraction(1, long), 0), (fraction(1, long), 3), (fraction(long - 2, long), 4)];
        let [one, other] = if waits_first { [3, 4] } else { [4, 3] };
        let cells = vec![vec![vec![all(one), all(other)]], vec![vec![lingering], vec![all(1)]]];
        let game = Game {
            ends: vec![fraction(2, 1), fraction(-1, 1), fraction(0, 1)],
            endless: fraction(1, 2),
            cells,
        };
        let certain = vec![vec![(0, Fraction::one())]; 2];
        game.judge(&solve(&game.text()), Player::A, &certain, "leaving");
        let game = game.exchanged();
        game.judge(&solve(&game.text()), Player::B, &certain, "leaving, exchanged");
    }
}

/// B may keep play at the first state by 399 parts that sum to 1, though not as doubles, or leave
/// for what is less, known late. At the second state, which is alike but for its only part, waiting
/// is seen through, so that a guess from above is given up.
#[test]
fn waiting_is_seen_through_where_doubles_do_not_sum_to_1() {
    for out in 1..5 {
        // Ends: the way out; what A does not choose; endless play pays 1.
        let ends = vec![fraction(out, 7), fraction(-100, 1), fraction(100, 1)];
        let all = |next: usize| vec![(Fraction::one(), next)];
        let parts = vec![(fraction(1, 399), 3); 399];
        let part = fraction(1, 128);
        let lingering =
            vec![(part.clone(), 0), (part.clone(), 3), (part, 4), (fraction(125, 128), 5)];
        let cells = vec![
            vec![vec![parts, all(5)]],
            vec![vec![all(5), all(4)]],
            vec![vec![lingering], vec![all(1)], vec![all(2)]],
        ];
        let game = Game { ends, endless: Fraction::one(), cells };
        let certain = vec![vec![(0, Fraction::one())]; 3];
        game.judge(&solve(&game.text()), Player::A, &certain, "parts");
        let game = game.exchanged();
        game.judge(&solve(&game.text()), Player::B, &certain, "parts, exchanged");
    }
}

/// Hide or run with a chance of 2^-60 to run: play stays for so long that whole units would prove
/// nothing.
#[test]
fn a_policy_that_hardly_leaves_is_judged_in_finer_units() {
    let all = |next: usize| vec![(Fraction::one(), next)];
    let thrown = vec![(fraction(7, 8), 1), (fraction(1, 8), 2)];
    let cells = vec![vec![vec![all(2), all(0)], vec![all(0), thrown]]];
    let game =
        Game { ends: vec![Fraction::one(), Fraction::zero()], endless: Fraction::zero(), cells };
    let rare = fraction(1, 1 << 60);
    let policy = vec![vec![(0, Fraction::one() - &rare), (1, rare)]];
    for (game, player) in [(game.exchanged(), Player::B), (game, Player::A)] {
        let solution = solve(&game.text());
        game.judge(&solution, player, &policy, "rare");
        let all: Vec<_> =
            vec![Vec::new(); game.ends.len()].into_iter().chain(policy.clone()).collect();
        let judged_policy = StationaryPolicy::new(solution.game(), player, &all).unwrap();
        let judged = solution.judge(&judged_policy, &mut |_| ControlFlow::Continue(())).unwrap();
        let [lower, upper] = judged.state(2).unwrap().secured.fractions();
        let expected = &game.payoffs_of(player, &policy)[0];
        assert!(lower <= *expected && *expected <= upper, "{player:?}");
        assert!(
            &upper - &lower < fraction(1, 1_000_000_000_000_000),
            "{player:?}: {lower}..{upper}"
        );
    }
}

/// A game found by chance, which takes longer numbers.
pub(crate) fn in_longer_numbers() -> String {
    let text = r#"
        {"format":"stochastic-game","version":1,"kind":"discounted","start":["0"],"discount":"999999/1000000"}
        {"id":"e1","value":"1"}
        {"id":"e2","value":"-1"}
        {"id":"0","a":["x","y","z"],"b":["x","y"],"cells":[
            [{"to":[["1/2","2"],["1/2","3"]],"reward":"-3"},{"to":[["1","3"]],"reward":"2"}],
            [{"to":[["399/637","0"],["238/637","e1"]],"reward":"-1"},{"to":[["1/2","3"],["1/2","3"]],"reward":"0"}],
            [{"to":[["247/637","2"],["390/637","3"]],"reward":"-2"},{"to":[["1/1","2"]],"reward":"-1"}]]}
        {"id":"1","a":["x"],"b":["x","y","z"],"cells":[
            [{"to":[["1","3"]],"reward":"3"},{"to":[["1/1","3"]],"reward":"0"},{"to":[["1/1","e1"]],"reward":"2"}]]}
        {"id":"2","a":["x","y"],"b":["x","y"],"cells":[
            [{"to":[["1/1","1"]],"reward":"-2"},{"to":[["1/1","e1"]],"reward":"-1"}],
            [{"to":[["1","2"]],"reward":"0"},{"to":[["1","0"]],"reward":"-1"}]]}
        {"id":"3","a":["x","y"],"b":["x","y"],"cells":[
            [{"to":[["1/1","2"]],"reward":"-1"},{"to":[["1/1","2"]],"reward":"0"}],
            [{"to":[["1/1","2"]],"reward":"-1"},{"to":[["1","3"]],"reward":"2"}]]}"#;
    // A state is one line.
    text.trim_start().replace("\n            ", "")
}

/// The first unit takes longer numbers, which are narrower than the bounds in short numbers of a
/// finer unit.
#[test]
fn longer_numbers_are_kept_where_a_finer_unit_is_wider() {
    let text = r#"
        {"format":"stochastic-game","version":1,"kind":"discounted","start":["s"],"discount":"999999/1000000"}
        {"id":"end","value":"0"}
        {"id":"s","a":["x","y","z"],"b":["x","y"],"cells":[
            [{"to":[["1","s"]],"reward":"2"},{"to":[["3/546","end"],["543/546","t"]],"reward":"1"}],
            [{"to":[["830/832","end"],["1/832","s"],["1/832","t"]],"reward":"1/8"},{"to":[["1","s"]],"reward":"1/8"}],
            [{"to":[["297/300","end"],["3/300","s"]],"reward":"1/3"},{"to":[["2/5","end"],["3/5","t"]],"reward":"2"}]]}
        {"id":"t","a":["x","y"],"b":["x","y"],"cells":[
            [{"to":[["1","s"]],"reward":"2"},{"to":[["3/5","end"],["2/5","s"]],"reward":"0"}],
            [{"to":[["1","s"]],"reward":"1/3"},{"to":[["1","t"]],"reward":"1/8"}]]}"#;
    assert!(solve(&text.trim_start().replace("\n            ", "")).widest_enclosure() < 1e-30);
}

/// In a finer unit, nothing is known of the longer numbers of the first one.
#[test]
fn a_cycle_in_longer_numbers_is_not_solved_again_from_nothing() {
    let solution = solve(&in_longer_numbers());
    for state in 0..solution.game().len() {
        let [lower, upper] = solution.enclosure(&state).unwrap().fractions();
        assert!(upper - lower < fraction(1, 1_000_000_000_000), "{state}");
    }
}

/// Two games of mixed strategies with stays of up to 10^15 turns, in which Newton steps do not
/// converge, and strategy iteration takes thousands of steps. `random_games.py` compares their
/// bounds with best replies in fractions; here their certificates are checked.
#[test]
fn long_plays_of_mixed_strategies_are_narrow() {
    for text in [
        include_str!("kept_games/mixed_long_stays.jsonl"),
        include_str!("kept_games/mixed_long_losses.jsonl"),
    ] {
        let solution = solve(text);
        let sizes =
            solution.states().flat_map(|(_, bounds)| [bounds.lower().abs(), bounds.upper().abs()]);
        let largest = sizes.fold(1.0, f64::max);
        assert!(solution.widest_enclosure() < 1e-12 * largest, "{}", solution.widest_enclosure());
        assert_eq!(solution.width_reason(), None);
    }
}

//! Games of total reward against exact fractions: stochastic shortest paths by all pure stationary
//! plans of either player, which are enough where players move in turns, and each pair of plans by
//! linear equations.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    StationaryPolicy, StochasticGame, StochasticGameFault, StochasticProof, StochasticSolver,
};

use crate::kernels::Fraction;
use crate::random_games::fraction;

/// A reward, and successors with their probabilities.
pub(crate) type Move = (Fraction, Vec<(Fraction, usize)>);

/// A small generator of numbers (Steele and others 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ (word >> 31)) % limit
    }
}

/// States in turns, A's first; state `len` is the end. Each has two moves.
fn game(random: &mut Random) -> Vec<[Move; 2]> {
    let count = 2 + random.below(3) as usize;
    let state = |random: &mut Random| random.below(count as u64 + 1) as usize;
    let turn = |random: &mut Random| {
        let share = 1 + random.below(4) as i64;
        let to = [(share, state(random)), (4 - share, state(random))];
        let to = to
            .into_iter()
            .filter(|&(share, _)| share > 0)
            .map(|(share, next)| (fraction(share, 4), next));
        (fraction(random.below(3) as i64, 1), to.collect())
    };
    let mut game: Vec<[Move; 2]> = (0..count).map(|_| [turn(random), turn(random)]).collect();
    // Some reward tells who collects.
    game[0][0].0 = Fraction::one();
    game
}

fn is_of_a(state: usize) -> bool {
    state.is_multiple_of(2)
}

/// What is paid in all from every state by these moves, if it is finite: `None` is infinite.
pub(crate) fn paid(moves: &[&Move], misses_are_infinite: bool) -> Vec<Option<Fraction>> {
    let count = moves.len();
    let reach = |from: usize| {
        let mut seen = vec![false; count + 1];
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut seen[state], true) && state < count {
                open.extend(moves[state].1.iter().map(|(_, next)| next));
            }
        }
        seen
    };
    let reached: Vec<Vec<bool>> = (0..count).map(reach).collect();
    // A state that can come back for ever: all that it reaches reach it.
    let recurrent = |state: usize| {
        !reached[state][count]
            && (0..count).all(|next| !reached[state][next] || reached[next][state])
    };
    let collects = |state: usize| {
        recurrent(state)
            && (misses_are_infinite
                || (0..count).any(|next| reached[state][next] && !moves[next].0.is_zero()))
    };
    let infinite: Vec<bool> = (0..count)
        .map(|state| (0..count).any(|next| reached[state][next] && collects(next)))
        .collect();
    // v = r + P v on the states that do not come back for ever, by elimination.
    let open: Vec<usize> =
        (0..count).filter(|&state| !infinite[state] && !recurrent(state)).collect();
    let mut rows: Vec<Vec<Fraction>> = open
        .iter()
        .map(|&state| {
            let mut row = vec![Fraction::zero(); open.len() + 1];
            row[open.len()] = moves[state].0.clone();
            for (share, next) in &moves[state].1 {
                if let Some(place) = open.iter().position(|other| other == next) {
                    row[place] -= share;
                }
            }
            let column = open.iter().position(|&other| other == state).unwrap();
            row[column] += Fraction::one();
            row
        })
        .collect();
    for pivot in 0..open.len() {
        let found = (pivot..open.len()).find(|&row| !rows[row][pivot].is_zero()).unwrap();
        rows.swap(pivot, found);
        let scale = rows[pivot][pivot].clone();
        rows[pivot].iter_mut().for_each(|entry| *entry = &*entry / &scale);
        for row in (0..open.len()).filter(|&row| row != pivot) {
            let factor = rows[row][pivot].clone();
            let products: Vec<Fraction> = rows[pivot].iter().map(|entry| &factor * entry).collect();
            rows[row].iter_mut().zip(products).for_each(|(entry, product)| *entry -= product);
        }
    }
    let value = |state: usize| match open.iter().position(|&other| other == state) {
        _ if infinite[state] => None,
        Some(place) => Some(rows[place][open.len()].clone()),
        None => Some(Fraction::zero()),
    };
    (0..count).map(value).collect()
}

/// The values, with no number for infinite ones: the best of A's plans against the best answer to
/// each.
fn values(game: &[[Move; 2]], misses_are_infinite: bool) -> Vec<Option<Fraction>> {
    let count = game.len();
    let larger = |one: &Option<Fraction>, other: &Option<Fraction>| match (one, other) {
        (None, _) => true,
        (_, None) => false,
        (Some(one), Some(other)) => one >= other,
    };
    let mut best: Option<Vec<Option<Fraction>>> = None;
    for plan in 0..1_usize << count {
        if (0..count).any(|state| !is_of_a(state) && plan >> state & 1 == 1) {
            continue;
        }
        let mut worst: Option<Vec<Option<Fraction>>> = None;
        for answer in (0..1_usize << count)
            .filter(|answer| (0..count).all(|state| !is_of_a(state) || answer >> state & 1 == 0))
        {
            let moves: Vec<&Move> =
                (0..count).map(|state| &game[state][(plan | answer) >> state & 1]).collect();
            let paid = paid(&moves, misses_are_infinite);
            worst = Some(match worst {
                None => paid,
                Some(worst) => worst
                    .into_iter()
                    .zip(paid)
                    .map(|(one, other)| if larger(&one, &other) { other } else { one })
                    .collect(),
            });
        }
        let worst = worst.unwrap();
        best = Some(match best {
            None => worst,
            Some(best) => best
                .into_iter()
                .zip(worst)
                .map(|(one, other)| if larger(&one, &other) { one } else { other })
                .collect(),
        });
    }
    best.unwrap()
}

/// The game as a file; with the players exchanged B collects.
fn text(game: &[[Move; 2]], kind: &str, exchanged: bool) -> String {
    let sign = if exchanged { "-" } else { "" };
    let mut lines = format!(
        "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"{kind}\",\"start\":[\"0\"]}}\n"
    );
    for (state, moves) in game.iter().enumerate() {
        let cells: Vec<String> = moves
            .iter()
            .map(|(reward, to)| {
                let to: Vec<String> =
                    to.iter().map(|(share, next)| format!("[\"{share}\",\"{next}\"]")).collect();
                format!("{{\"reward\":\"{sign}{reward}\",\"to\":[{}]}}", to.join(","))
            })
            .collect();
        let (a, b, cells) = if is_of_a(state) == exchanged {
            ("\"x\"", "\"l\",\"r\"", format!("[{}]", cells.join(",")))
        } else {
            ("\"l\",\"r\"", "\"x\"", format!("[{}],[{}]", cells[0], cells[1]))
        };
        let _ =
            writeln!(lines, "{{\"id\":\"{state}\",\"a\":[{a}],\"b\":[{b}],\"cells\":[{cells}]}}");
    }
    lines + &format!("{{\"id\":\"{}\",\"value\":\"0\"}}\n", game.len())
}

#[test]
fn games_in_turns_are_worth_what_all_plans_say_or_are_infinite_there() {
    let mut random = Random(36);
    let (mut finite, mut infinite) = (0, 0);
    for number in 0..400 {
        let (game, exchanged) = (game(&mut random), number % 2 == 1);
        let kind = ["total", "target"][number / 2 % 2];
        let values = values(&game, kind == "target");
        let text = text(&game, kind, exchanged);
        match StochasticGame::read(text.as_bytes()) {
            Err(refused) => {
                infinite += 1;
                let StochasticGameFault::Infinite { states, .. } = refused.fault() else {
                    panic!("{refused}\n{text}")
                };
                let expected: Vec<String> = values
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| value.is_none())
                    .map(|(state, _)| state.to_string())
                    .collect();
                assert_eq!(*states, expected, "{text}");
            }
            Ok(read) => {
                finite += 1;
                let solution = StochasticSolver::new(read)
                    .threads(1)
                    .solve()
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                let mut certificate = Vec::new();
                solution.write_certificate(&mut certificate).unwrap();
                let proof = StochasticProof::verify(&certificate[..])
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                for (state, value) in values.iter().enumerate() {
                    let value = value
                        .clone()
                        .unwrap_or_else(|| panic!("state {state} is infinite\n{text}"));
                    let value = if exchanged { -value } else { value };
                    let bounds = proof.enclosure(&state).unwrap();
                    assert!(bounds.contains(&value), "state {state} is worth {value}\n{text}");
                    assert!(bounds.width() < 1e-12, "state {state}: {}\n{text}", bounds.width());
                }
            }
        }
    }
    assert!(finite > 100 && infinite > 100, "{finite} and {infinite}");
}

/// B throws at A, who runs: an even mixture of both, by hand. Where a risk has to be ever smaller,
/// nothing is claimed.
#[test]
fn simultaneous_moves_are_mixed_and_what_no_stationary_strategy_decides_is_refused() {
    let game = |cells: &str| {
        format!(
            "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"target\",\"start\":[\"s\"]}}\n{{\"id\":\"e\",\"value\":\"0\"}}\n\
             {{\"id\":\"s\",\"a\":[\"l\",\"r\"],\"b\":[\"l\",\"r\"],\"cells\":[{cells}]}}\n"
        )
    };
    // A pays nothing where both choose alike, and 1 to go on: v = (0 + 1 + v) / 2.
    let stay = r#"{"reward":"1","to":[["1","s"]]}"#;
    let end = r#"{"to":[["1","e"]]}"#;
    let pennies = game(&format!("[{end},{stay}],[{stay},{end}]"));
    let solution =
        StochasticSolver::new(StochasticGame::read(pennies.as_bytes()).unwrap()).solve().unwrap();
    assert!(solution.enclosure(&0).unwrap().contains(&Fraction::zero()));
    assert!(solution.enclosure(&1).unwrap().contains(&Fraction::one()));
    // A runs with a chance of ε: 1/ε, or for ever.
    let snowball = game(&format!(r#"[{end},{stay}],[{stay},{{"to":[["1","s"]]}}]"#))
        .replace("target", "total");
    let refused = StochasticGame::read(snowball.as_bytes()).unwrap_err();
    assert!(matches!(refused.fault(), StochasticGameFault::Undecided { .. }), "{refused}");
}

/// B waits, which pays nothing and ends nothing: A gets infinitely much, and no number stands for
/// that.
#[test]
fn a_policy_that_never_ends_play_is_worth_no_number() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"target","start":["s"]}
        {"id":"e","value":"0"}
        {"id":"s","a":["x"],"b":["wait","go"],"cells":[[{"to":[["1","t"]]},{"to":[["1/2","e"],["1/2","t"]],"reward":"1"}]]}
        {"id":"t","a":["x"],"b":["wait","go"],"cells":[[{"to":[["1","s"]]},{"to":[["1","s"]],"reward":"1"}]]}"#;
    let solution =
        StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).solve().unwrap();
    let two = Fraction::from_integer(2.into());
    assert!(solution.enclosure(&1).unwrap().contains(&two));
    let judge = |choice: usize| {
        let choices = [vec![], vec![(choice, Fraction::one())], vec![(0, Fraction::one())]];
        let policy = StationaryPolicy::new(solution.game(), Player::B, &choices).unwrap();
        solution
            .judge(&policy, &mut |_| ControlFlow::Continue(()))
            .map(|judged| judged.state(1).unwrap().secured)
    };
    assert!(judge(0).unwrap_err().to_string().contains("so much can be collected"));
    assert!(judge(1).unwrap().contains(&two));
}

/// The advice names the kind that fits, and reading the game as that kind succeeds.
#[test]
fn a_wrong_kind_is_answered_with_one_that_fits() {
    let game = |kind: &str, reward: &str, back: &str| {
        format!(
            "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"{kind}\",\"start\":[\"s\"]}}\n{{\"id\":\"e\",\"value\":\"0\"}}\n\
             {{\"id\":\"s\",\"a\":[\"x\"],\"b\":[\"stay\",\"go\"],\"cells\":[[{{\"to\":[[\"1\",\"{back}\"]]}},{{\"reward\":\"{reward}\",\"to\":[[\"1/2\",\"s\"],[\"1/2\",\"e\"]]}}]]}}\n"
        )
    };
    for (kinds, reward, back, fits) in [
        (&["acyclic", "recursive", "stopping"][..], "1", "s", "total"),
        (&["acyclic", "stopping"], "0", "s", "recursive"),
        (&["acyclic", "recursive"], "1", "e", "stopping"),
    ] {
        for kind in kinds {
            let refused =
                StochasticGame::read(game(kind, reward, back).as_bytes()).unwrap_err().to_string();
            assert!(refused.contains(&format!("expected kind {fits}")), "{kind}: {refused}");
        }
        StochasticGame::read(game(fits, reward, back).as_bytes()).unwrap();
    }
}

/// B ends the game at once, for 1 and the end's 5, or lets it go on for a million turns that cost
/// as much each: the value is 6. The rewards of such a play until it is left overflow the unit of
/// the bounds.
#[test]
fn an_exit_after_a_million_turns_is_no_bound_of_the_value() {
    for (kind, sign) in [("target", ""), ("target", "-"), ("total", ""), ("total", "-")] {
        let turn = |to: &str| format!(r#"{{"to":[{to}],"reward":"{sign}1"}}"#);
        let (stop, stay) =
            (turn(r#"["1","e"]"#), turn(r#"["999999/1000000","s"],["1/1000000","e"]"#));
        // The player who pays has the choice.
        let (a, b, cells) = match sign {
            "" => (r#"["x"]"#, r#"["stop","stay"]"#, format!("[[{stop},{stay}]]")),
            _ => (r#"["stop","stay"]"#, r#"["x"]"#, format!("[[{stop}],[{stay}]]")),
        };
        let text = format!(
            r#"{{"format":"stochastic-game","version":1,"kind":"{kind}","start":["s"]}}
            {{"id":"e","value":"{sign}5"}}
            {{"id":"s","a":{a},"b":{b},"cells":{cells}}}"#
        );
        let solution =
            StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).solve().unwrap();
        let value = solution.enclosure(&solution.game().place("s").unwrap()).unwrap();
        assert!(
            value.contains(&fraction(if sign.is_empty() { 6 } else { -6 }, 1)),
            "{kind} {sign}"
        );
        assert!(value.width() < 1e-12, "{kind} {sign}: {}", value.width());
        let mut certificate = Vec::new();
        solution.write_certificate(&mut certificate).unwrap();
        StochasticProof::verify(&certificate[..]).unwrap();
    }
}

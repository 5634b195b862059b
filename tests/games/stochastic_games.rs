//! Stochastic games against truth found without the library: fractions, brute force, and answers
//! from mathematics.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_traits::{One, Zero};
use pencil_tennis::WorkError;
use pencil_tennis::stochastic_game::Error;
use pencil_tennis::stochastic_game::{Kind, StochasticGame, StochasticGameFault, StochasticSolver};

use crate::kernels::Fraction;
use crate::random_games::{Follows, Stage, acyclic, exact_values, fraction, matrix, solve, text};

#[test]
fn acyclic_games_are_worth_what_fractions_say() {
    for seed in 0..150 {
        let stages = acyclic(seed);
        for kind in ["acyclic", "stopping"] {
            let text = text(&format!("\"kind\":\"{kind}\""), "", &stages);
            let solution = solve(&text);
            for (state, value) in exact_values(&stages).iter().enumerate() {
                let enclosure = solution.enclosure(&state).unwrap();
                assert!(
                    enclosure.contains(value),
                    "game {seed}, state {state}: {value} is not in {:?}",
                    enclosure.decimal()
                );
            }
            // Twelve turns at most, each of some tens of units of at most 2^-55.
            assert!(
                solution.widest_enclosure() < 1e-14,
                "game {seed}: {}",
                solution.widest_enclosure()
            );
        }
    }
}

#[test]
fn strategies_secure_the_bounds() {
    for seed in 0..40 {
        let stages = acyclic(seed);
        let solution = solve(&text("\"kind\":\"acyclic\"", "", &stages));
        let values = exact_values(&stages);
        for (state, stage) in stages.iter().enumerate() {
            let Stage::Table(rows) = stage else { continue };
            let matrix = matrix(rows, &values, &Fraction::one());
            let [a, b] = solution.strategies(&state).unwrap();
            let expected = |row: usize, column: usize| {
                let entry = &matrix[row][column];
                // A double is exact enough for a tolerance of 1e-12.
                let [n, d] = [entry.numer(), entry.denom()]
                    .map(|part| part.to_string().parse::<f64>().unwrap());
                n / d
            };
            let secured = (0..matrix[0].len())
                .map(|j| a.iter().map(|&(i, p)| p * expected(i, j)).sum::<f64>());
            let conceded =
                (0..matrix.len()).map(|i| b.iter().map(|&(j, p)| p * expected(i, j)).sum::<f64>());
            let [n, d] = [values[state].numer(), values[state].denom()]
                .map(|part| part.to_string().parse::<f64>().unwrap());
            assert!(secured.fold(f64::INFINITY, f64::min) > n / d - 1e-12);
            assert!(conceded.fold(f64::NEG_INFINITY, f64::max) < n / d + 1e-12);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bounds() {
    let mut stages = acyclic(7);
    // One wide level, so that it is shared.
    let table = stages.pop().unwrap();
    stages.extend((0..5_000).map(|_| table.clone()));
    let text = text("\"kind\":\"acyclic\"", "", &stages);
    let solutions = [1, 2, 3].map(|threads| {
        StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap())
            .threads(threads)
            .solve()
            .unwrap()
    });
    for state in 0..stages.len() {
        let [one, two, three] = &solutions;
        for other in [two, three] {
            assert_eq!(one.enclosure(&state), other.enclosure(&state));
            assert_eq!(one.strategies(&state).unwrap(), other.strategies(&state).unwrap());
        }
    }
}

/// Goofspiel with the hands 1..=n and prizes in random order: who bids more wins the prize; worth
/// the difference of points.
fn goofspiel(cards: u32) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut places = BTreeMap::new();
    for left in 0..=cards {
        let sets = || (0..1_u32 << cards).filter(move |set: &u32| set.count_ones() == left);
        let members = |set: u32| (0..cards).filter(move |card| set >> card & 1 == 1);
        for (a, b, prizes) in
            sets().flat_map(|a| sets().flat_map(move |b| sets().map(move |prizes| (a, b, prizes))))
        {
            let stage = if left == 0 {
                Stage::End(Fraction::zero())
            } else {
                let mut upcards = Vec::new();
                for prize in members(prizes) {
                    let cell = |card_a: u32, card_b: u32| {
                        let won = i64::from(prize + 1) * (card_a.cmp(&card_b) as i64);
                        let next = places
                            [&(a & !(1 << card_a), b & !(1 << card_b), prizes & !(1 << prize))];
                        Follows { reward: fraction(won, 1), to: vec![(Fraction::one(), next)] }
                    };
                    stages.push(Stage::Table(
                        members(a)
                            .map(|card_a| members(b).map(|card_b| cell(card_a, card_b)).collect())
                            .collect(),
                    ));
                    upcards.push((fraction(1, i64::from(left)), stages.len() - 1));
                }
                Stage::Table(vec![vec![Follows { reward: Fraction::zero(), to: upcards }]])
            };
            stages.push(stage);
            places.insert((a, b, prizes), stages.len() - 1);
        }
    }
    stages
}

#[test]
fn goofspiel_is_worth_what_fractions_say() {
    let stages = goofspiel(4);
    let solution = solve(&text("\"kind\":\"acyclic\"", "", &stages));
    for (state, value) in exact_values(&stages).iter().enumerate() {
        let enclosure = solution.enclosure(&state).unwrap();
        assert!(enclosure.contains(value), "{state}: {value}");
        assert!(enclosure.width() < 1e-15, "{state}: {}", enclosure.width());
    }
    assert!(
        solution.enclosure(&(stages.len() - 1)).unwrap().contains(&Fraction::zero()),
        "the game is fair"
    );
}

const SNOWBALL: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"hit","value":"0"}
{"id":"s","a":["hide","run"],"b":["wait","throw"],"endless":"0","cells":[[{"to":[["1","s"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","s"]]}]]}
"#;

#[test]
fn games_are_read_and_written_exactly() {
    let written = |text: &str| {
        let mut bytes = Vec::new();
        StochasticGame::read(text.as_bytes()).unwrap().write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(written(SNOWBALL), SNOWBALL);
    assert_eq!(written(&SNOWBALL.replace("7/8", "0.875").replace("1/8", "125e-3")), SNOWBALL);
    assert_eq!(written(&SNOWBALL.replace('\n', "\r\n\n")), SNOWBALL);
    for seed in 0..20 {
        let text =
            text("\"kind\":\"discounted\",\"discount\":\"17/19\"", "", &acyclic(seed)) + "\n";
        assert_eq!(written(&text), text);
    }
}

/// The sentence with which a changed snowball game is refused.
fn refusal(from: &str, to: &str) -> String {
    assert!(SNOWBALL.contains(from), "{from}");
    StochasticGame::read(SNOWBALL.replacen(from, to, 1).as_bytes())
        .map(|game| game.kind())
        .unwrap_err()
        .to_string()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_is_wrong_is_said_with_line_and_state() {
    for (from, to, sentence) in [
        (
            "7/8",
            "6/8",
            "line 4: state `s`: `run` against `throw`: the probabilities sum to 7/8; expected exactly 1",
        ),
        (
            "\"7/8\"",
            "\"-7/8\"",
            "line 4: state `s`: `run` against `throw`: the probability -7/8 is negative",
        ),
        (
            "7/8",
            "7/0",
            "line 4: state `s`: `7/0` is no number; expected a fraction such as 7/8 or a decimal such as -0.25, of at most 10,000 characters and 1,000 places",
        ),
        (
            "\"7/8\"",
            "0.875",
            "line 4: state `s`: in `to`: found floating point `0.875`, expected a string (column ",
        ),
        (
            "[[\"7/8\",\"hit\"],[\"1/8\",\"s\"]]",
            "\"hit\"",
            "line 4: state `s`: in `to`: found string \"hit\", expected a list (column ",
        ),
        (
            "{\"to\":[[\"1\",\"s\"]]}",
            "[[\"1\",\"s\"]]",
            "line 4: state `s`: in `cells`: found a list, expected an object (column ",
        ),
        (
            "\"id\":\"hit\"",
            "\"id\":7",
            "line 3: in `id`: found integer `7`, expected a string (column ",
        ),
        (
            "\"value\":\"0\"",
            "\"value\":\"0\",\"picture\":[\"x\"]",
            "a picture is one string, with \\n between its lines",
        ),
        ("[\"s\"]}", "\"s\"}", "line 1: in `start`: found string \"s\", expected a list (column "),
        (
            "{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"recursive\",\"start\":[\"s\"]}\n",
            "",
            "line 1: the first line must be the header",
        ),
        ("\"7/8\"", "\"1e-999999\"", "line 4: state `s`: `1e-999999` is no number; expected"),
        (
            "[\"1/8\",\"s\"]",
            "[\"1/8\"]",
            "line 4: state `s`: invalid length 1, expected a tuple of size 2 (column ",
        ),
        (
            "{\"id\":\"win\"",
            "\u{feff}{\"id\":\"win\"",
            "line 2: state `win`: expected a JSON object in every line, in braces",
        ),
        (
            "{\"id\":\"win\",\"value\":\"1\"}",
            "null",
            "line 2: expected a JSON object in every line, in braces",
        ),
        ("\"7/8\",\"hit\"", "\"7/8\",\"miss\"", "line 4: state `s`: there is no state `miss`"),
        ("[\"s\"]}", "[\"t\"]}", "line 1: there is no state `t`"),
        ("[\"s\"]}", "[]}", "line 1: there is no start; expected the name of at least one state"),
        (
            "\"hit\",\"value\"",
            "\"win\",\"value\"",
            "line 3: state `win`: there is a state of this name already",
        ),
        (
            "[\"wait\",\"throw\"]",
            "[\"wait\",\"wait\"]",
            "line 4: state `s`: B has two actions `wait`",
        ),
        ("[\"hide\",\"run\"]", "[]", "line 4: state `s`: A has no action; expected at least one"),
        (
            "[\"hide\",\"run\"]",
            "[\"hide\"]",
            "line 4: state `s`: the number of rows of cells is 2; expected 1, one for each action of A",
        ),
        (
            "[\"wait\",\"throw\"]",
            "[\"wait\"]",
            "line 4: state `s`: the number of cells in the row of `hide` is 2; expected 1, one for each action of B",
        ),
        ("\"recursive\"", "\"acyclic\"", "line 4: state `s`: play can return to this state"),
        (
            "\"recursive\"",
            "\"stopping\"",
            "line 4: state `s`: the players can keep play among `s` for ever",
        ),
        ("\"recursive\"", "\"cyclic\"", "line 1: `cyclic` is no kind of game"),
        ("\"recursive\"", "\"discounted\"", "line 1: a discounted game has a discount"),
        (
            "\"recursive\"",
            "\"recursive\",\"discount\":\"1/2\"",
            "line 1: there is a discount; expected kind discounted",
        ),
        (
            "\"recursive\"",
            "\"discounted\",\"discount\":\"1\"",
            "line 1: a discount of 1 is out of range",
        ),
        ("stochastic-game", "chess", "line 1: the format is `chess`; expected `stochastic-game`"),
        ("stochastic-game", "st\\u001bchastic", "line 1: the format is `st chastic`; expected"),
        (
            "\"version\":1",
            "\"version\":2",
            "line 1: the format has version 2; only version 1 is known",
        ),
        (
            "\"value\":\"1\"",
            "\"value\":\"1\",\"a\":[]",
            "line 2: state `win`: expected either `value`, or `a`, `b` and `cells`",
        ),
        ("\"value\":\"1\"", "\"worth\":\"1\"", "line 2: state `win`: unknown field `worth`"),
        (
            "\"value\":\"1\"",
            "\"value\":\"1e30\"",
            "line 2: state `win`: a payoff of 1000000000000000000000000000000 is too large",
        ),
        ("\"value\":\"1\"}", "\"value\":\"1\"", "line 2: state `win`: the line ends too early"),
        (
            "{\"to\":[[\"1\",\"s\"]]}",
            "{\"reward\":\"1\",\"to\":[[\"1\",\"s\"]]}",
            "line 4: state `s`: `hide` against `wait`: there is a reward",
        ),
        (
            "[\"7/8\",\"hit\"],[\"1/8\",\"s\"]",
            "[\"1/18446744073709551557\",\"hit\"],[\"18446744073709551556/18446744073709551557\",\"s\"]",
            "line 4: state `s`: `run` against `throw`: the least common denominator of probabilities and reward has 64 bits",
        ),
    ] {
        let refused = refusal(from, to);
        assert!(refused.contains(sentence), "{from} as {to}: {refused}");
    }
    let empty = StochasticGame::read(&b""[..]).unwrap_err();
    assert!(empty.to_string().contains("the file is empty"), "{empty}");
    let unlike = SNOWBALL.replace(
        "\"hit\",\"value\":\"0\"",
        "\"hit\",\"a\":[\"x\"],\"b\":[\"y\"],\"endless\":\"1\",\"cells\":[[{\"to\":[[\"1\",\"s\"]]}]]",
    );
    let unlike = StochasticGame::read(unlike.as_bytes()).unwrap_err();
    assert_eq!(
        unlike.to_string(),
        "line 3: state `hit`: endless play pays 1 here and 0 at `s`, which lies in the same cycle; expected the same"
    );
    assert!(matches!(unlike.fault(), StochasticGameFault::UnlikeEndless { .. }));
    assert_eq!((unlike.line(), unlike.state()), (Some(3), Some("hit")));
    assert_eq!(StochasticGame::read(SNOWBALL.as_bytes()).unwrap().kind(), Kind::Recursive);
}

#[test]
fn exact_values_are_those_of_brute_force_and_stop_at_the_limit() {
    for seed in 0..40 {
        let stages = acyclic(seed);
        let solution = solve(&text("\"kind\":\"acyclic\"", "", &stages));
        let [all, few] =
            [4096, 6].map(|bits| solution.exact(bits, &mut |_| ControlFlow::Continue(())).unwrap());
        for (state, value) in exact_values(&stages).iter().enumerate() {
            assert_eq!(
                all.value(&state).unwrap().as_ref(),
                Some(value),
                "game {seed}, state {state}"
            );
            if let Some(small) = few.value(&state).unwrap() {
                assert!(small == *value && value.denom().bits() <= 6);
            }
            let Some([a, b]) = all.strategies(&state).unwrap() else { continue };
            assert!([a, b].iter().all(|strategy| {
                strategy.iter().map(|(_, share)| share).sum::<Fraction>().is_one()
            }));
        }
        assert_eq!(all.known(), stages.len());
        assert!(few.known() >= 3, "three ends with one digit");
        let stopped = solution.exact(4096, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert_eq!(stopped, WorkError::Cancelled.into());
    }
}

/// A may wait for ever, or leave for 1/d. Bounds that are next to each other are no exact value;
/// where both are the same, they are one, if the denominator is short enough.
#[test]
fn exact_values_of_cycles_are_those_on_which_both_bounds_agree() {
    let to = |next: usize| Follows { reward: Fraction::zero(), to: vec![(Fraction::one(), next)] };
    for parts in 1..40_u32 {
        let value = fraction(1, parts.into());
        let stages = [Stage::End(value.clone()), Stage::Table(vec![vec![to(1)], vec![to(0)]])];
        let solution = solve(&text("\"kind\":\"recursive\"", "", &stages));
        let exact_value = |bits| {
            solution.exact(bits, &mut |_| ControlFlow::Continue(())).unwrap().value(&1).unwrap()
        };
        let length = value.denom().bits() as usize;
        // A number without a finite binary form lies between two units.
        let expected = parts.is_power_of_two().then_some(value);
        assert_eq!(exact_value(4_096), expected, "1/{parts}");
        assert_eq!(exact_value(length), expected, "1/{parts}, {length} bits");
        assert_eq!(exact_value(length - 1), None, "1/{parts}, {length} bits");
    }
}

/// Files are parsed in batches of several megabytes, by some threads: faults are found where they
/// stand, the first one first.
#[test]
fn a_long_file_is_read_as_if_line_by_line() {
    const STATES: usize = 30_000;
    let cell = |next: usize| {
        format!(r#"[{{"reward":"0.{next}","to":[["1/3","s{next}"],["2/3","s{next}"]]}}]"#)
    };
    let line = |state: usize| {
        let cells = [1, 2].map(|step| cell((state + step).min(STATES))).join(",");
        format!(
            "{{\"id\":\"s{state}\",\"a\":[\"left\",\"ri\\u0067ht\"],\"b\":[\"go\"],\"cells\":[{cells}]}}\n\n"
        )
    };
    let mut lines: Vec<String> = (0..STATES).map(line).collect();
    lines.insert(0, "\u{feff}{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"acyclic\",\"start\":[\"s0\"]}\n".into());
    lines.push(format!("{{\"id\":\"s{STATES}\",\"value\":\"1\"}}"));
    let read = |lines: &[String]| StochasticGame::read(lines.concat().as_bytes());
    let game = read(&lines).unwrap();
    assert_eq!((game.len(), game.starts()), (STATES + 1, &[0][..]));
    assert_eq!(game.state(STATES).unwrap().name(), "s30000");
    assert_eq!(game.place("s29999").unwrap(), STATES - 1);
    assert_eq!(&*game.state(STATES - 1).unwrap().actions().unwrap()[0][1], "right");
    let mut written = Vec::new();
    game.write(&mut written).unwrap();
    let state = br#"{"id":"s1","a":["left","right"],"b":["go"],"cells":[[{"reward":"1/5","to":[["1/3","s2"],["2/3","s2"]]}],"#;
    assert!(written.split(|&byte| byte == b'\n').nth(2).unwrap().starts_with(state));
    // Each fault stands before those that were found so far.
    for (place, from, to, sentence) in [
        (STATES - 1, "{", "", "line 59998: state `s29998`: expected a JSON object"),
        (
            STATES - 2,
            "2/3",
            "1/3",
            "line 59996: state `s29997`: `left` against `go`: the probabilities sum to 2/3; expected exactly 1",
        ),
        (7, "1/3", "x", "line 14: state `s6`: `x` is no number"),
        (6, "s5\"", "s4\"", "line 12: state `s4`: there is a state of this name already"),
    ] {
        lines[place] = lines[place].replacen(from, to, 1);
        let refused = read(&lines).unwrap_err().to_string();
        assert!(refused.starts_with(sentence), "{refused}");
    }
}

/// A single state of very many actions takes more memory while it is solved than the game does.
#[test]
fn the_largest_state_counts_in_the_memory() {
    let actions: Vec<String> = (0..8_000).map(|action| format!("\"{action}\"")).collect();
    let cells = vec![r#"[{"to":[["1","e"]]}]"#; actions.len()].join(",");
    let header = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}"#;
    let state = format!(r#"{{"id":"s","a":[{}],"b":["b"],"cells":[{cells}]}}"#, actions.join(","));
    let text = format!("{header}\n{{\"id\":\"e\",\"value\":\"1\"}}\n{state}\n");
    let refused = StochasticGame::read_within(text.as_bytes(), 8 << 20).unwrap_err();
    let Error::Work(WorkError::Memory { bytes, .. }) = refused else { panic!("{refused}") };
    // 800 bytes a cell and 600 an action for the largest state, some 200 for what is kept.
    assert!((11 << 20..15 << 20).contains(&bytes), "{bytes}");
    assert_eq!(StochasticGame::read_within(text.as_bytes(), bytes).unwrap().len(), 2);
}

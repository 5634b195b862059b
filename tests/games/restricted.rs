//! Games without the states that can reach a given one: what is left, and its values, against files
//! written by hand.

use pencil_tennis::stochastic_game::{
    StateView, StochasticGame, StochasticProof, StochasticSolver,
};

use crate::random_games::{acyclic, exact_values, solve, text};

fn read(text: &str) -> StochasticGame {
    StochasticGame::read(text.as_bytes()).unwrap()
}

fn written(game: &StochasticGame) -> String {
    let mut bytes = Vec::new();
    game.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn without(text: &str, state: &str) -> Option<StochasticGame> {
    let game = read(text);
    game.without(game.place(state).unwrap()).unwrap()
}

/// Two cycles, a state before both, and one that nothing leads to.
fn game(starts: &str) -> String {
    let head = format!(
        r#"{{"format":"stochastic-game","version":1,"kind":"total","start":{starts},"title":"Two cycles"}}"#
    );
    let states = r#"
{"id":"first","a":["go"],"b":["go"],"cells":[[{"to":[["1/2","left"],["1/2","right"]]}]]}
{"id":"end","value":"7"}
{"id":"left","a":["go"],"b":["x","y"],"cells":[[{"reward":"1","to":[["1/3","back"],["2/3","end"]]},{"to":[["1","end"]]}]]}
{"id":"back","a":["go"],"b":["go"],"cells":[[{"to":[["1","left"]]}]]}
{"id":"right","a":["u","v"],"b":["go"],"picture":"->","cells":[[{"reward":"2/5","to":[["1/4","right"],["3/4","end"]]}],[{"to":[["1","end"]]}]]}
{"id":"alone","a":["go"],"b":["go"],"cells":[[{"to":[["1","end"]]}]]}
"#;
    head + states
}

/// The lines of some states, with these starts and without texts.
fn lines(starts: &str, states: &[&str]) -> String {
    let is_kept =
        |line: &&str| states.iter().any(|state| line.starts_with(&format!("{{\"id\":\"{state}\"")));
    let (game, mut text) = (game(starts), lines_head(starts));
    for line in game.lines().filter(is_kept) {
        text += &line.replace(r#""picture":"->","#, "");
        text.push('\n');
    }
    text
}

fn lines_head(starts: &str) -> String {
    format!(
        "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"total\",\"start\":{starts}}}\n"
    )
}

#[test]
fn the_states_left_are_those_that_cannot_reach_the_one_taken_out() {
    let all = game(r#"["first","left"]"#);
    for (state, starts, left) in [
        // A start is left.
        ("right", r#"["left"]"#, &["end", "left", "back", "alone"][..]),
        // A state of a cycle takes the whole cycle along.
        ("back", r#"["right"]"#, &["end", "right", "alone"]),
        ("left", r#"["right"]"#, &["end", "right", "alone"]),
        ("first", r#"["left"]"#, &["end", "left", "back", "right", "alone"]),
        ("alone", r#"["first","left"]"#, &["first", "end", "left", "back", "right"]),
    ] {
        let rest = without(&all, state).unwrap();
        assert_eq!(written(&rest), lines(starts, left), "without {state}");
        assert_eq!(rest.title(), Some("Two cycles"));
        let right = rest.place("right").and_then(|state| rest.state(state));
        let picture = right.ok().and_then(StateView::picture);
        assert_eq!(picture, left.contains(&"right").then_some("->"));
    }
    // No start is left, and nothing left follows a state taken out: the first that is no end.
    assert_eq!(
        written(&without(&game(r#"["alone"]"#), "alone").unwrap()),
        lines(r#"["first"]"#, &["first", "end", "left", "back", "right"])
    );
    // Every state leads to the end.
    assert!(without(&all, "end").is_none());
}

#[test]
fn values_and_bounds_are_those_of_the_whole_game() {
    let text = game(r#"["first"]"#);
    let whole = solve(&text);
    for state in ["first", "left", "right", "alone"] {
        let rest = StochasticSolver::new(without(&text, state).unwrap()).solve().unwrap();
        for (place, enclosure) in rest.states() {
            let name = rest.game().state(place).unwrap().name();
            let same = whole.game().place(name).unwrap();
            assert_eq!(enclosure, whole.enclosure(&same).unwrap(), "without {state}, at {name}");
        }
        let mut certificate = Vec::new();
        rest.write_certificate(&mut certificate).unwrap();
        assert!(rest.agrees_with(&StochasticProof::verify(&certificate[..]).unwrap()));
    }
}

/// Random games against fractions: the rest has the exact values of the whole game.
#[test]
fn rests_of_random_games_are_worth_what_fractions_say() {
    for seed in 0..20 {
        let stages = acyclic(seed);
        let values = exact_values(&stages);
        let game = read(&text("\"kind\":\"acyclic\"", "", &stages));
        for taken in 0..game.len() {
            let Some(rest) = game.without(taken).unwrap() else { continue };
            let names: Vec<String> = rest.states().map(|state| state.name().to_owned()).collect();
            let solution = StochasticSolver::new(rest).solve().unwrap();
            for (state, name) in names.iter().enumerate() {
                let value = &values[game.place(name).unwrap()];
                assert!(
                    solution.enclosure(&state).unwrap().contains(value),
                    "game {seed} without {taken}, state {name}"
                );
            }
        }
    }
}

/// The rewards alone say that B collects, whom play that misses its end pays infinitely much.
#[test]
fn a_rest_that_would_be_read_as_another_game_is_not_written() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"target","start":["paid"]}
{"id":"end","value":"0"}
{"id":"free","a":["stay","go"],"b":["go"],"cells":[[{"to":[["1","free"]]}],[{"to":[["1","end"]]}]]}
{"id":"paid","a":["go"],"b":["go"],"cells":[[{"reward":"-1","to":[["1","free"]]}]]}
"#;
    let rest = without(text, "paid").unwrap();
    let refused = rest.write(&mut Vec::new()).unwrap_err();
    assert!(refused.to_string().contains("B collects"), "{refused}");
    // To stay is worth −∞ to A, as in the whole game; in the file without the last state it would
    // be worth +∞.
    let solution = StochasticSolver::new(rest).solve().unwrap();
    let free = solution.game().place("free").unwrap();
    let zero = num_rational::BigRational::from_integer(0.into());
    for enclosure in [solution.enclosure(&free).unwrap(), solve(text).enclosure(&1).unwrap()] {
        assert!(
            enclosure.contains(&zero) && enclosure.width() < 1e-17,
            "{:?}",
            enclosure.decimal()
        );
    }
    let file: String =
        text.replace("[\"paid\"]", "[\"free\"]").lines().take(3).collect::<Vec<_>>().join("\n");
    let infinite = StochasticGame::read(file.as_bytes()).unwrap_err();
    assert!(infinite.to_string().contains("infinite for A"), "{infinite}");
}

/// A valid certificate is not the one to be written if it is of another game, names its states
/// otherwise, or has wider bounds.
#[test]
fn a_solution_agrees_with_its_own_certificate_alone() {
    let text = lines(r#"["right"]"#, &["end", "right"]);
    let certificate = |text: &str| {
        let mut bytes = Vec::new();
        solve(text).write_certificate(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let (solution, written) = (solve(&text), certificate(&text));
    let agrees = |certificate: &str| {
        solution.agrees_with(&StochasticProof::verify(certificate.as_bytes()).unwrap())
    };
    assert!(agrees(&written));
    for (from, to) in [
        ("right", "links"),
        (r#"["u","v"]"#, r#"["u","w"]"#),
        ("2/5", "3/5"),
        ("1/4\",\"right", "1/2\",\"right"),
    ] {
        let other = text
            .replace(from, to)
            .replace(r#"["1/2","right"],["3/4","end"]"#, r#"["1/2","right"],["1/2","end"]"#);
        assert_ne!(other, text);
        assert!(!agrees(&certificate(&other)), "{from} became {to}");
    }
    // The end's lower bound, in units, one unit lower: true and wider.
    let line = written.lines().find(|line| line.starts_with("{\"lower\":")).unwrap();
    let lower: i64 = line.split('"').nth(3).unwrap().parse().unwrap();
    let wider = written.replacen(
        &format!("\"lower\":\"{lower}\""),
        &format!("\"lower\":\"{}\"", lower - 1),
        1,
    );
    assert_ne!(wider, written);
    assert!(!agrees(&wider));
}

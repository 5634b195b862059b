//! The games of the gallery against literature, against other rules in code, and against the solver
//! of Tennis.

use std::collections::HashMap;

use pencil_tennis::report::{gallery, gallery_game};
use pencil_tennis::stochastic_game::{
    StochasticGame, StochasticProof, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{Rules, Solver, State};

use crate::kernels::Fraction;
use crate::markov_soccer::{Ball, Soccer};
use crate::random_games::{fraction, value};

fn solved(name: &str) -> StochasticSolution {
    let game = StochasticGame::read(&gallery_game(name).unwrap()[..]).unwrap();
    StochasticSolver::new(game).threads(1).solve().unwrap()
}

fn contains(solution: &StochasticSolution, state: &str, expected: &Fraction) -> bool {
    solution.enclosure(&solution.game().place(state).unwrap()).unwrap().contains(expected)
}

fn middle(solution: &StochasticSolution, state: &str) -> f64 {
    solution.value(&solution.game().place(state).unwrap()).unwrap()
}

#[test]
fn every_game_tells_what_it_is_and_fits_the_page() {
    for name in gallery() {
        let game = StochasticGame::read(&gallery_game(name).unwrap()[..]).unwrap();
        let description = game.description().unwrap();
        assert!(
            game.title().is_some()
                && description.contains("Surprising: ")
                && description.contains("19") | description.contains("20")
        );
        assert!(game.cells() <= 100_000, "{name}");
    }
    assert!(gallery_game("chess").unwrap_err().to_string().contains("@goofspiel-5, @inspections"));
}

#[test]
fn known_fractions() {
    // Uneven pennies by hand from the last round on: (ad − bc)/(a + d − b − c) of every 2 × 2
    // matrix without a saddle point.
    for (name, state, [numerator, denominator]) in [
        ("rps", "round", [0, 1]),
        ("matching-pennies-3", "0 after 0", [-527, 3665]),
        ("matching-pennies-3", "1 after 2", [0, 1]),
        // Everett 1957: as near to 1 as one likes.
        ("snowball", "hidden", [1, 1]),
        // Dresher 1962, von Stengel 2016: −C(9, 3) by the sum of C(10, i) for i to 3; −C(4, 2) by
        // 1 + 5 + 10.
        ("inspections", "10 days, 3 inspections", [-84, 176]),
        ("inspections", "5 days, 2 inspections", [-6, 16]),
        ("goofspiel-5", "12345 12345", [0, 1]),
        ("oshi-zumo", "6:6@0", [0, 1]),
    ] {
        assert!(
            contains(&solved(name), state, &fraction(numerator, denominator)),
            "{name} {state}"
        );
    }
}

/// By the rules of the example, which was written without the file.
#[test]
fn soccer_is_that_of_the_example() {
    let (soccer, rules) =
        (solved("soccer"), StochasticSolver::new(Soccer { turns: 10 }).solve().unwrap());
    // The example counts rows from the top: its row 2 is the second from below.
    for (state, ball) in [
        ("b2 d3 @c2", Ball::On((2, 2))),
        ("b2 d3 @c3", Ball::On((1, 2))),
        ("b2 d3 A", Ball::With(0)),
    ] {
        let expected = rules.value(&Soccer::start(ball)).unwrap();
        assert!((middle(&soccer, state) - expected).abs() < 1e-15, "{state}");
    }
    assert!((middle(&soccer, "b2 d3 @c2") - 0.1966).abs() < 5e-5);
}

/// Goofspiel by its definition, in fractions.
#[test]
fn goofspiel_is_what_its_definition_says() {
    fn value_of_hands(hands: [&[u8]; 2], known: &mut HashMap<String, Fraction>) -> Fraction {
        let name =
            hands.map(|hand| hand.iter().map(ToString::to_string).collect::<String>()).join(" ");
        if hands[0].is_empty() {
            return fraction(0, 1);
        }
        if let Some(value) = known.get(&name) {
            return value.clone();
        }
        let prize = hands[0].len() as i64;
        let mut cell = |a: u8, b: u8| {
            let left = [
                hands[0].iter().copied().filter(|&card| card != a).collect::<Vec<_>>(),
                hands[1].iter().copied().filter(|&card| card != b).collect(),
            ];
            fraction(prize * i64::from(a.cmp(&b) as i8), 1)
                + value_of_hands([&left[0], &left[1]], known)
        };
        let matrix: Vec<Vec<Fraction>> =
            hands[0].iter().map(|&a| hands[1].iter().map(|&b| cell(a, b)).collect()).collect();
        let subgame_value = value(&matrix);
        known.insert(name, subgame_value.clone());
        subgame_value
    }
    let (cards, mut known) = (solved("goofspiel-5"), HashMap::new());
    value_of_hands([&[1, 2, 3, 4, 5]; 2], &mut known);
    assert_eq!(cards.len(), known.len() + 1);
    for (state, expected) in &known {
        assert!(contains(&cards, state, expected), "{state}");
    }
}

/// Value iteration in doubles with `SciPy`'s linear programmes, until two sweeps differ by 1e-9 at
/// most: the error is ten times that.
#[test]
fn pursuit_is_what_value_iteration_says() {
    let pursuit = solved("pursuit");
    for (state, expected) in [("a1 e5", 0.236_217_000_18), ("b2 a1", 0.469_909_521_54)] {
        assert!((middle(&pursuit, state) - expected).abs() < 1e-8, "{state}");
    }
}

/// Tennis solves the same rules by a linear equation for repeated states.
#[test]
fn oshi_zumo_is_a_game_of_tennis() {
    let (file, rules) =
        (solved("oshi-zumo"), Rules::oshi_zumo(1).unwrap().with_min_bid(0).unwrap());
    let tennis = Solver::new(&rules).points([6, 6]).solve().unwrap();
    let mut compared = 0;
    for (state, enclosure) in file.states() {
        let Ok(position) = file.game().state(state).unwrap().name().parse::<State>() else {
            continue;
        };
        assert!((enclosure.middle() - tennis.value(position).unwrap()).abs() < 1e-14, "{position}");
        compared += 1;
    }
    assert_eq!(compared, file.len() - 3);
    assert!((middle(&file, "5:4@0") - 0.6_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn certificates_know_no_texts() {
    let text = String::from_utf8(gallery_game("snowball").unwrap()).unwrap();
    let bare: String = text
        .lines()
        .map(|line| {
            line.split(r#","title""#).next().unwrap().split(r#","picture""#).next().unwrap()
        })
        .fold(String::new(), |bare, line| {
            bare + line + if line.ends_with('}') { "\n" } else { "}\n" }
        });
    let certificate = |text: &str| {
        let game = StochasticGame::read(text.as_bytes()).unwrap();
        let mut certificate = Vec::new();
        StochasticSolver::new(game).solve().unwrap().write_certificate(&mut certificate).unwrap();
        String::from_utf8(certificate).unwrap()
    };
    assert!(!bare.contains("picture") && !bare.contains("title"), "{bare}");
    assert_eq!(certificate(&text), certificate(&bare));
    // Forged: all is proved, and the game has a title, which the other checkers refuse as an
    // unknown field.
    let forged = certificate(&bare).replace(r#","start""#, r#","title":"x","start""#);
    let refused = StochasticProof::verify(forged.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("a certificate has none"), "{refused}");
}

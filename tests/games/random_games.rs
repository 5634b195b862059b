//! Games as tests have them, apart from the library: their text, and their values in fractions.

use std::fmt::Write;

use num_traits::{One, Zero};
use pencil_tennis::Enclosure;
use pencil_tennis::stochastic_game::{
    Certainty, StochasticGame, StochasticProof, StochasticSolution, StochasticSolver,
};

use crate::kernels::{Fraction, kernels};

/// A fixed congruential sequence.
pub(crate) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut seed = seed;
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}

pub(crate) fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// Purgatory of so many floors, which are named 1, 2, …; the end `won` is worth 1, `lost` 0.
pub(crate) fn purgatory(floors: usize) -> String {
    let mut text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["1"]}
{"id":"won","value":"1"}
{"id":"lost","value":"0"}"#
        .to_owned();
    for floor in 1..=floors {
        let to = |next: &str| format!(r#"{{"to":[["1","{next}"]]}}"#);
        let up = if floor == floors { to("won") } else { to(&(floor + 1).to_string()) };
        let (bottom, lost) = (to("1"), to("lost"));
        let cells = format!("[[{up},{bottom}],[{lost},{up}]]");
        write!(
            text,
            "\n{{\"id\":\"{floor}\",\"a\":[\"0\",\"1\"],\"b\":[\"0\",\"1\"],\"cells\":{cells}}}"
        )
        .unwrap();
    }
    text
}

/// A cycle of so many states: from each one play goes on to the next, or jumps ahead, by a matching
/// of two actions whose rewards differ from state to state. With a discount near 1 value iteration
/// hardly converges, and the proof takes longer numbers.
pub(crate) fn two_ways_around(states: usize, discount: &str) -> String {
    let head = r#"{"format":"stochastic-game","version":1,"kind":"discounted","start":["0"]"#;
    let mut text = format!("{head},\"discount\":\"{discount}\"}}");
    for state in 0..states {
        let [next, ahead] = [state + 1, state * 7 + 3].map(|next| next % states);
        let cell = |reward: usize, to: usize| {
            format!(r#"{{"reward":"{}","to":[["1","{to}"]]}}"#, reward as i64 - 4)
        };
        let [a, b, c, d] = [(3, next), (5, ahead), (7, ahead), (11, next)]
            .map(|(step, to)| cell((state * step + step) % 9, to));
        write!(text, "\n{{\"id\":\"{state}\",\"a\":[\"0\",\"1\"],\"b\":[\"0\",\"1\"],\"cells\":[[{a},{b}],[{c},{d}]]}}").unwrap();
    }
    text
}

/// What follows a pair of actions.
#[derive(Clone)]
pub(crate) struct Follows {
    pub(crate) reward: Fraction,
    pub(crate) to: Vec<(Fraction, usize)>,
}

/// A game as tests have it: ends, and tables of cells.
#[derive(Clone)]
pub(crate) enum Stage {
    End(Fraction),
    Table(Vec<Vec<Follows>>),
}

/// A game in the library's text, states called by their numbers.
pub(crate) fn text(kind: &str, endless: &str, stages: &[Stage]) -> String {
    let mut text = format!(
        r#"{{"format":"stochastic-game","version":1,{kind},"start":["{}"]}}"#,
        stages.len() - 1
    );
    for (number, stage) in stages.iter().enumerate() {
        match stage {
            Stage::End(value) => {
                write!(text, "\n{{\"id\":\"{number}\",\"value\":\"{value}\"}}").unwrap();
            }
            Stage::Table(rows) => {
                let names = |prefix: &str, count: usize| -> Vec<String> {
                    (0..count).map(|action| format!("\"{prefix}{action}\"")).collect()
                };
                let cell = |cell: &Follows| {
                    let to: Vec<String> = cell
                        .to
                        .iter()
                        .map(|(share, next)| format!("[\"{share}\",\"{next}\"]"))
                        .collect();
                    let reward = if cell.reward.is_zero() {
                        String::new()
                    } else {
                        format!("\"reward\":\"{}\",", cell.reward)
                    };
                    format!("{{{reward}\"to\":[{}]}}", to.join(","))
                };
                let rows: Vec<String> = rows
                    .iter()
                    .map(|row| format!("[{}]", row.iter().map(cell).collect::<Vec<_>>().join(",")))
                    .collect();
                let columns = if let Stage::Table(rows) = stage { rows[0].len() } else { 0 };
                write!(
                    text,
                    "\n{{\"id\":\"{number}\",\"a\":[{}],\"b\":[{}]{endless},\"cells\":[{}]}}",
                    names("a", rows.len()).join(","),
                    names("b", columns).join(","),
                    rows.join(",")
                )
                .unwrap();
            }
        }
    }
    text
}

/// The bounds of a state by its name.
pub(crate) fn named(solution: &StochasticSolution, name: &str) -> Enclosure {
    solution.enclosure(&solution.game().place(name).unwrap()).unwrap()
}

/// The solution, whose certificate is checked, too.
pub(crate) fn solve(text: &str) -> StochasticSolution {
    let game =
        StochasticGame::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let solution = StochasticSolver::new(game).threads(1).solve().unwrap();
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    let proof =
        StochasticProof::verify(&certificate[..]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for state in 0..solution.game().len() {
        let best = solution
            .best_payoff(&state)
            .unwrap()
            .filter(|best| best.certainty == Certainty::LimitSure);
        if best.is_some() {
            assert_eq!(proof.best_payoff(&state).unwrap(), best);
        }
        assert_eq!(
            proof.secured(&state).unwrap().fractions(),
            solution.secured(&state).unwrap().fractions()
        );
    }
    solution
}

/// The value of a matrix game, by enumeration of its kernels.
pub(crate) fn value(matrix: &[Vec<Fraction>]) -> Fraction {
    kernels(matrix).next().expect("every matrix game has a kernel").0
}

/// What a table is worth when states are worth this.
pub(crate) fn matrix(
    rows: &[Vec<Follows>],
    values: &[Fraction],
    discount: &Fraction,
) -> Vec<Vec<Fraction>> {
    let cell = |cell: &Follows| {
        let later: Fraction = cell.to.iter().map(|(share, next)| share * &values[*next]).sum();
        &cell.reward + later * discount
    };
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// A random game whose states lead to states before them.
pub(crate) fn acyclic(seed: u64) -> Vec<Stage> {
    let mut draw = numbers(seed);
    let mut stages: Vec<Stage> =
        (0..3).map(|_| Stage::End(fraction(draw(19) as i64 - 9, 1 + draw(7) as i64))).collect();
    for number in 3..12 {
        let (rows, columns) = (1 + draw(4), 1 + draw(4));
        let mut cell = || {
            let outcomes = 1 + draw(3);
            let weights: Vec<i64> = (0..outcomes).map(|_| 1 + draw(5) as i64).collect();
            let sum = weights.iter().sum();
            let reward = if draw(3) == 0 {
                fraction(draw(9) as i64 - 4, 1 + draw(5) as i64)
            } else {
                Fraction::zero()
            };
            Follows {
                reward,
                to: weights
                    .iter()
                    .map(|&weight| (fraction(weight, sum), draw(number) as usize))
                    .collect(),
            }
        };
        stages.push(Stage::Table(
            (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect(),
        ));
    }
    stages
}

/// Exact values, from the first state to the last.
pub(crate) fn exact_values(stages: &[Stage]) -> Vec<Fraction> {
    let mut values = Vec::new();
    for stage in stages {
        let value = match stage {
            Stage::End(value) => value.clone(),
            Stage::Table(rows) => value(&matrix(rows, &values, &Fraction::one())),
        };
        values.push(value);
    }
    values
}

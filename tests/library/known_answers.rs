//! Answers known from the literature, by hand or from independent solvers hold in the 50-point
//! game.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use pencil_tennis::matrix_game::{DyadicStrategy, Payoffs, saddle_point};
use pencil_tennis::{BidStrategy, Player, Rules, Solution, State};

/// Tennis with 50 points each and two-one scoring.
static TENNIS: LazyLock<Solution> =
    LazyLock::new(|| pencil_tennis::solve(50).expect("the default game"));

fn state(text: &str) -> State {
    text.parse().expect("a state")
}

/// The lines of a data file that are not comments.
fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

/// A fraction `p/q` or a decimal, exactly, and how far from it the truth may lie.
fn number(text: &str) -> (BigRational, BigRational) {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let integer = |text: &str| text.parse::<BigInt>().expect("an integer");
        return (
            BigRational::new(integer(numerator), integer(denominator)),
            BigRational::from(BigInt::from(0)),
        );
    }
    let (whole, decimals) = text.split_once('.').expect("a decimal point");
    let scale = BigInt::from(10).pow(decimals.len() as u32);
    let digits: BigInt = format!("{whole}{decimals}").parse().expect("digits");
    (BigRational::new(digits, scale.clone()), BigRational::new(BigInt::from(1), scale * 2))
}

#[test]
fn the_tables_of_the_literature_have_the_size_it_gives() {
    let states: BTreeSet<State> = TENNIS.states().collect();
    assert_eq!(states.len(), 13_005);
    assert_eq!(TENNIS.states().len(), 13_005);
    // One player's bids over all states: 5 · 51 · (1 + … + 50) that spend something, and the bid 0
    // in the 5 · 51 states in which the account is empty; the literature says "about 330,000".
    for player in Player::BOTH {
        let bids =
            || states.iter().flat_map(|state| Rules::tennis().legal_bids(state.points(player)));
        assert_eq!(bids().filter(|&bid| bid > 0).count(), 325_125);
        assert_eq!(bids().filter(|&bid| bid == 0).count(), 255);
    }
    let games = || states.iter().map(|&state| TENNIS.stage_game(state).expect("a solved state"));
    assert_eq!(games().map(|game| game.rows()).sum::<usize>(), 325_380);
    assert_eq!(games().map(|game| game.columns()).sum::<usize>(), 325_380);
}

#[test]
fn values_are_the_known_ones() {
    for line in lines(include_str!("data/values.txt")) {
        let (text, value) = line.split_once(' ').expect("a state and its value");
        let (known, uncertainty) = number(value);
        let enclosure = TENNIS.enclosure(state(text)).expect("a solved state");
        let [lower, upper] = enclosure.fractions();
        assert!(
            lower <= &known + &uncertainty && &known - &uncertainty <= upper,
            "{text} is not {value}: {enclosure:?}"
        );
        // One unit in the last place of the value: half of it for rounding to a floating-point
        // number, and the enclosure's width of a few 2^-60 is far below the other half.
        let found = TENNIS.value(state(text)).expect("a solved state");
        let spacing =
            BigRational::from_float(found.abs().next_up() - found.abs()).expect("a finite number");
        let difference = BigRational::from_float(found).expect("a finite number") - known;
        assert!(difference.abs() <= spacing + uncertainty, "{text} is {value}, not {found}");
    }
}

#[test]
fn the_start_is_worth_nothing_to_either_player() {
    for points in 0..=50 {
        let tied = State::new(points, points, TENNIS.start().ball);
        assert_eq!(TENNIS.value(tied), Ok(0.0), "{tied}");
    }
}

/// The stage matrix of 4:3@-2 as the article prints it.
fn table_1() -> Vec<Vec<f64>> {
    let row = |line: &str| line.split(' ').map(|entry| entry.parse().expect("a payoff")).collect();
    lines(include_str!("data/table_1.txt")).map(row).collect()
}

#[test]
fn table_1_is_the_stage_game() {
    let game = TENNIS.stage_game(state("4:3@-2")).expect("a solved state");
    let found: Vec<Vec<f64>> = (0..game.rows())
        .map(|row| (0..game.columns()).map(|column| game.entry(row, column)).collect())
        .collect();
    // Every successor is decided by pure play, so that its value is an integer and no rounding
    // comes in.
    assert_eq!(found, table_1());
    // The article holds that A must consider the bids 1 and 2; but 2 is never worse than 1, nor 3
    // than 4.
    let never_worse = |this: usize, that: usize| {
        table_1()[this - 1].iter().zip(&table_1()[that - 1]).all(|(p, q)| p >= q)
    };
    assert!(never_worse(2, 1) && never_worse(3, 4));
}

#[test]
fn table_1_is_played_with_fifths() {
    let equilibrium = TENNIS.equilibrium(state("4:3@-2")).expect("a solved state");
    let fifths = |strategy: &BidStrategy, expected: [(u32, u64); 2]| {
        let weights: Vec<(u32, u64)> = strategy.weights().collect();
        assert_eq!(weights.len(), expected.len(), "{weights:?}");
        for ((bid, weight), (expected_bid, parts)) in weights.into_iter().zip(expected) {
            assert_eq!(bid, expected_bid);
            // The strategy is the only optimal one. 2^62 is no multiple of 5: the nearest weights
            // are less than one off.
            let whole = i128::from(DyadicStrategy::WHOLE);
            assert!(
                (5 * i128::from(weight) - i128::from(parts) * whole).abs() < 5,
                "bid {bid} has weight {weight}"
            );
        }
    };
    fifths(&equilibrium.a, [(2, 2), (3, 3)]);
    fifths(&equilibrium.b, [(1, 3), (3, 2)]);
}

/// The states of a part of the game in which somebody has to randomise.
fn randomised(part: impl Fn(State) -> bool) -> Vec<String> {
    let states = TENNIS.states().filter(|&state| part(state) && state.a + state.b > 0);
    let randomised = states.filter(|&state| {
        let game = TENNIS.stage_game(state).expect("a solved state");
        let equilibrium = TENNIS.equilibrium(state).expect("a solved state");
        // Where pure strategies suffice they are what is played, and the other way round.
        let randomised = Player::BOTH
            .iter()
            .any(|&player| equilibrium.strategy(player).probabilities().len() > 1);
        assert_eq!(saddle_point(&game).is_none(), randomised, "{state}");
        randomised
    });
    randomised.map(|state| state.to_string()).collect()
}

#[test]
fn pure_strategies_suffice_up_to_three_points() {
    assert!(randomised(|state| state.a.max(state.b) <= 3).is_empty());
    assert_eq!(
        randomised(|state| state.a.max(state.b) <= 4),
        ["3:4@2", "4:3@-2", "4:4@-2", "4:4@2"]
    );
}

#[test]
fn no_state_with_fewer_points_needs_randomising_than_these() {
    assert_eq!(randomised(|state| state.a + state.b <= 7), ["3:4@2", "4:3@-2"]);
    let on_inner_fields = |state: State| state.ball.position().abs() == 1;
    assert_eq!(
        randomised(|state| on_inner_fields(state) && state.a + state.b <= 13),
        ["6:7@-1", "7:6@1"]
    );
}

#[test]
fn randomised_states_are_as_many_as_an_independent_solver_found() {
    // One of every two mirrored states, and without those at which the game has ended.
    let half = |state: State| state > state.mirrored() && state.a + state.b > 0;
    let self_mirrored = |state: State| state == state.mirrored() && state.a > 0;
    assert_eq!(TENNIS.states().filter(|&state| half(state) || self_mirrored(state)).count(), 6_525);
    let halved = randomised(half).len();
    let mirrored = randomised(self_mirrored).len();
    assert_eq!(halved + mirrored, 1_849);
    assert_eq!(TENNIS.randomised_states(), 2 * halved + mirrored);
}

#[test]
fn every_value_is_known_to_sixteen_digits() {
    // Weights of 2^-62 and bounds of 2^-60 cost a few units in a turn: the widest enclosure has 9
    // units, and 64 are 5.6e-17.
    assert!(TENNIS.widest_enclosure() < 5.6e-17, "{:e}", TENNIS.widest_enclosure());
}

/// The payoff of each of A's bids against B's strategy, short of the best one.
fn shortfalls_of_a(state: State) -> Vec<(u32, f64)> {
    let game = TENNIS.stage_game(state).expect("a solved state");
    let strategy = TENNIS.equilibrium(state).expect("a solved state").b;
    let payoff = |row: usize| -> f64 {
        strategy
            .probabilities()
            .map(|(bid, probability)| probability * game.entry(row, bid as usize - 1))
            .sum()
    };
    let best = (0..game.rows()).map(payoff).fold(f64::NEG_INFINITY, f64::max);
    (0..game.rows()).map(|row| (row as u32 + 1, best - payoff(row))).collect()
}

/// Sums of 50 products of payoffs up to 2 are off by some 1e-15; what a wrong bid costs is larger
/// by far.
const ROUNDING: f64 = 1e-13;

#[test]
fn the_opening_is_a_mixture_of_nine_bids() {
    let opening = TENNIS.equilibrium(state("50:50@0")).expect("a solved state");
    // Mirror images of each other, and the same to the last bit.
    assert_eq!(opening.a, opening.b);
    let bids: Vec<u32> = opening.a.probabilities().map(|(bid, _)| bid).collect();
    assert_eq!(bids, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (bid, probability) in opening.a.probabilities() {
        let expected = if bid % 2 == 1 { 0.18..0.20 } else { 0.002..0.02 };
        assert!(expected.contains(&probability), "bid {bid} has probability {probability}");
    }
    for (bid, shortfall) in shortfalls_of_a(state("50:50@0")) {
        if bid <= 9 {
            assert!(shortfall < ROUNDING, "bid {bid} loses {shortfall}");
        } else {
            assert!(shortfall > 0.018, "bid {bid} loses only {shortfall}");
        }
    }
}

#[test]
fn supports_reach_forty_seven_bids() {
    let equilibrium = TENNIS.equilibrium(state("50:49@-2")).expect("a solved state");
    let bids: Vec<u32> = equilibrium.a.probabilities().map(|(bid, _)| bid).collect();
    let all_but: Vec<u32> = (1..=50).filter(|bid| ![1, 48, 50].contains(bid)).collect();
    assert_eq!(bids, all_but);
}

#[test]
fn with_the_ball_on_the_outer_field_almost_every_bid_is_needed() {
    let equilibrium = TENNIS.equilibrium(state("50:50@-2")).expect("a solved state");
    let bids: Vec<u32> = equilibrium.b.probabilities().map(|(bid, _)| bid).collect();
    let all_but: Vec<u32> = (1..=50).filter(|bid| ![43, 45, 46, 48, 49].contains(bid)).collect();
    assert_eq!(bids, all_but);
    for (bid, shortfall) in shortfalls_of_a(state("50:50@-2")) {
        if [1, 44].contains(&bid) {
            assert!(shortfall > 0.007, "bid {bid} loses only {shortfall}");
        } else {
            assert!(shortfall < ROUNDING, "bid {bid} loses {shortfall}");
        }
    }
    // A makes B's 45 bids equally good with 48 best replies to choose from: that can be done in
    // several ways, of which independent solvers found some with 44 to 48 bids.
    assert!((44..=48).contains(&equilibrium.a.probabilities().len()));
}

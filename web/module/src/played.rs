//! A played game, judged turn by turn.

use pencil_tennis::matrix_game::Payoffs;
use pencil_tennis::{GameRecord, Player, Solution, SolveError, State, StateEquilibrium};
use serde::Serialize;

use crate::request::RulesText;

/// A played game.
#[derive(Debug, Serialize)]
pub(crate) struct Played {
    start: String,
    turns: Vec<PlayedTurn>,
    /// The state now.
    state: String,
    /// The value of the present state to A.
    value: f64,
    /// The place of the end among the five, from A's best to B's best.
    outcome: Option<usize>,
    /// The payoff to A.
    payoff: Option<f64>,
    /// The game as `GameRecord` reads it.
    table: String,
}

/// One turn.
#[derive(Debug, Serialize)]
struct PlayedTurn {
    state: String,
    bids: [u32; 2],
    after: String,
    /// The value to A before the turn and after it.
    value: [f64; 2],
    /// The expected loss of each bid against an optimal opponent.
    cost: [f64; 2],
}

/// A written game as it was read.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    rules: RulesText,
    start: String,
    points: [u32; 2],
    bids: Vec<[u32; 2]>,
}

impl Played {
    pub(crate) fn new(solution: &Solution, game: &GameRecord) -> Result<Self, SolveError> {
        let worth = |state: State| match game.rules().payoff(state) {
            Some(payoff) => Ok(double(payoff)),
            None => solution.value(state),
        };
        let mut turns = Vec::new();
        let mut state = game.start();
        for turn in game.turns() {
            let bids = [turn.bid_a, turn.bid_b];
            turns.push(PlayedTurn {
                state: state.to_string(),
                bids,
                after: turn.after.to_string(),
                value: [worth(state)?, worth(turn.after)?],
                cost: cost(solution, state, bids)?,
            });
            state = turn.after;
        }
        Ok(Self {
            start: game.start().to_string(),
            turns,
            state: state.to_string(),
            value: worth(state)?,
            outcome: game.outcome().map(pencil_tennis::Outcome::index),
            payoff: game.payoff().map(double),
            table: game.to_table(),
        })
    }
}

impl Written {
    pub(crate) fn new(game: &GameRecord) -> Self {
        let start = game.start();
        let bids = game.turns().iter().map(|turn| [turn.bid_a, turn.bid_b]).collect();
        Self { rules: RulesText::of(game.rules()), start: start.to_string(), points: [start.a, start.b], bids }
    }
}

/// The expected loss of each of two bids against the other player's optimal strategy.
fn cost(solution: &Solution, state: State, bids: [u32; 2]) -> Result<[f64; 2], SolveError> {
    let StateEquilibrium { value, a, b, .. } = solution.equilibrium(state)?;
    let game = solution.stage_game(state)?;
    let place = |player, bid: u32| (bid - state.points(player).min(1)) as usize;
    let [row, column] = [place(Player::A, bids[0]), place(Player::B, bids[1])];
    let of_a: f64 = b.probabilities().map(|(bid, share)| share * game.entry(row, place(Player::B, bid))).sum();
    let of_b: f64 = a.probabilities().map(|(bid, share)| share * game.entry(place(Player::A, bid), column)).sum();
    Ok([loss(value, value - of_a, solution), loss(value, of_b - value, solution)])
}

/// The loss of a bid, or 0 where it is no more than rounding.
///
/// A worth is a sum of fewer than 2¹⁰ products of doubles, each rounded to a share 2⁻⁵³ of the largest payoff at most.
fn loss(value: f64, difference: f64, solution: &Solution) -> f64 {
    const ROUNDING: f64 = 1024.0 * f64::EPSILON;
    let largest = solution.rules().scoring().payoffs().iter().map(|payoff| double(*payoff).abs()).fold(value.abs(), f64::max);
    if difference > ROUNDING * largest { difference } else { 0.0 }
}

/// A payoff as the nearest double.
pub(crate) fn double(payoff: pencil_tennis::Payoff) -> f64 {
    *payoff.numer() as f64 / *payoff.denom() as f64
}

//! A played game, judged turn by turn.

use pencil_tennis::{GameRecord, Player, Solution, SolveError, State};
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
    let mut cost = [0.0; 2];
    for player in Player::BOTH {
        let own = bids[player as usize];
        let losses = solution.bid_losses(state, player)?;
        cost[player as usize] = losses.into_iter().find(|&(bid, _)| bid == own).map_or(0.0, |(_, loss)| loss);
    }
    Ok(cost)
}

/// A payoff as the nearest double.
pub(crate) fn double(payoff: pencil_tennis::Payoff) -> f64 {
    *payoff.numer() as f64 / *payoff.denom() as f64
}

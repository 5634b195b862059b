//! A played game, judged turn by turn.

use pencil_tennis::analysis::BidPayoff;
use pencil_tennis::{Error, GameRecord, Outcome, Player, Solution, State, Turn};
use serde::Serialize;

use crate::blind::BlindGame;
use crate::request::RulesText;

/// A played game.
#[derive(Debug, Serialize)]
pub(crate) struct Played {
    start: String,
    turns: Vec<PlayedTurn>,
    /// The state now.
    state: String,
    /// The value of the present state to A; nothing in a blind game.
    value: Option<f64>,
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
    #[serde(flatten)]
    judgement: TurnJudgement,
}

/// The values around a turn and the losses of its bids, as far as they are known.
#[derive(Debug, Serialize)]
struct TurnJudgement {
    /// The value to A before the turn and after it; nothing in a blind game.
    value: Option<[f64; 2]>,
    /// The expected loss of each bid: against an optimal opponent, or in a blind game against the
    /// one that is met, by what its player knew; nothing where that opponent never lets it come to
    /// this, and of the opponent's own bids.
    cost: [Option<f64>; 2],
    /// In a blind game the person's bids that were best.
    best: Vec<u32>,
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
    /// A game in which all bids are seen; if it `stands`, both bid 0 for ever from its present
    /// state on, and it is decided where the ball lies.
    pub(crate) fn new(solution: &Solution, game: &GameRecord, stands: bool) -> Result<Self, Error> {
        let state = game.state();
        let end = if stands && game.rules().min_bid() == 0 {
            State::new(0, 0, state.ball)
        } else {
            state
        };
        let value = |state: State| match game.rules().payoff(state) {
            Some(payoff) => Ok(double(payoff)),
            None => solution.value(state),
        };
        let judge = |_, state, turn: &Turn| {
            let cost = cost(solution, state, [turn.bid_a, turn.bid_b])?.map(Some);
            Ok(TurnJudgement {
                value: Some([value(state)?, value(turn.after)?]),
                cost,
                best: Vec::new(),
            })
        };
        Self::judged(game, end, Some(value(end)?), judge)
    }

    /// A game in which only the ball is announced.
    pub(crate) fn blind(blind: &BlindGame, game: &GameRecord) -> Result<Self, Error> {
        let person = blind.person();
        let judge = |index, _, turn: &Turn| {
            let person_bid = if person == Player::A { turn.bid_a } else { turn.bid_b };
            let losses = blind.losses(game, index)?.unwrap_or_default();
            let mut cost = [None; 2];
            cost[person as usize] =
                losses.iter().find(|&&(bid, _)| bid == person_bid).map(|&(_, loss)| loss);
            let best =
                losses.into_iter().filter(|&(_, loss)| loss == 0.0).map(|(bid, _)| bid).collect();
            Ok(TurnJudgement { value: None, cost, best })
        };
        Self::judged(game, game.state(), None, judge)
    }

    fn judged<E>(
        game: &GameRecord,
        end: State,
        value: Option<f64>,
        judge: impl Fn(usize, State, &Turn) -> Result<TurnJudgement, E>,
    ) -> Result<Self, E> {
        let mut turns = Vec::new();
        let mut state = game.start();
        for (index, turn) in game.turns().iter().enumerate() {
            let bids = [turn.bid_a, turn.bid_b];
            let judgement = judge(index, state, turn)?;
            turns.push(PlayedTurn {
                state: state.to_string(),
                bids,
                after: turn.after.to_string(),
                judgement,
            });
            state = turn.after;
        }
        Ok(Self {
            start: game.start().to_string(),
            turns,
            state: state.to_string(),
            value,
            outcome: game.rules().outcome(end).map(Outcome::index),
            payoff: game.rules().payoff(end).map(double),
            table: game.to_table(),
        })
    }
}

impl Written {
    pub(crate) fn new(game: &GameRecord) -> Self {
        let start = game.start();
        let bids = game.turns().iter().map(|turn| [turn.bid_a, turn.bid_b]).collect();
        Self {
            rules: RulesText::of(game.rules()),
            start: start.to_string(),
            points: [start.a, start.b],
            bids,
        }
    }
}

/// The expected loss of each of two bids against the other player's optimal strategy.
fn cost(solution: &Solution, state: State, bids: [u32; 2]) -> Result<[f64; 2], Error> {
    let payoffs = BidPayoff::all(solution, &solution.equilibrium(state)?)?;
    Ok(Player::BOTH.map(|player| {
        let played = payoffs[player].iter().find(|payoff| payoff.bid == bids[player as usize]);
        played.map_or(0.0, |payoff| payoff.loss)
    }))
}

/// A payoff as the nearest double.
pub(crate) fn double(payoff: pencil_tennis::Payoff) -> f64 {
    *payoff.numer() as f64 / *payoff.denom() as f64
}

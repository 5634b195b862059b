use serde::Serialize;

use super::StochasticStateReport;
use crate::bounds::Enclosure;
use crate::stochastic_game::{StochasticGameError, StochasticSolution};

/// A state of a solved game as a matrix: every action with its loss, and every pair of actions with its successors.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StageReport {
    pub state: String,
    /// The double nearest to the middle of the bounds.
    pub value: f64,
    #[serde(flatten)]
    pub bounds: Enclosure,
    pub over: bool,
    pub picture: Option<String>,
    pub a: Vec<ActionWorth>,
    pub b: Vec<ActionWorth>,
    /// A row for each action of A.
    pub cells: Vec<Vec<CellReport>>,
}

/// An action with its probability in the strategy found.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionWorth {
    pub action: String,
    pub probability: f64,
    /// The expected loss against the opponent's strategy.
    pub loss: f64,
}

/// A pair of actions.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CellReport {
    /// A's expected payoff from here on.
    pub value: f64,
    /// The immediate reward.
    pub reward: String,
    /// The successors with their probabilities.
    pub to: Vec<(String, String)>,
}

impl StageReport {
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, state: usize) -> Result<Self, StochasticGameError> {
        let game = solution.game();
        let StochasticStateReport { state: name, value, bounds, over, .. } = StochasticStateReport::new(solution, state)?;
        let (strategies, losses) = (solution.strategies(&state)?, solution.losses(state)?);
        let names = game.actions(state).map_or([const { Vec::new() }; 2], |names| names.map(<[_]>::to_vec));
        let actions = |player: usize| {
            let probability = |action| strategies[player].iter().find(|entry| entry.0 == action).map_or(0.0, |entry| entry.1);
            let entries = names[player].iter().zip(&losses[player]).enumerate();
            let worth = entries.map(|(action, (name, &loss))| ActionWorth {
                action: name.to_string(),
                probability: probability(action),
                loss,
            });
            worth.collect()
        };
        let cell = |a: usize, (b, value): (usize, f64)| {
            let (reward, to) = game.turn(state, a, b);
            let to = to.into_iter().map(|(share, next)| (share.to_string(), game.name(next).to_owned())).collect();
            CellReport { value, reward: reward.to_string(), to }
        };
        let rows = solution.matrix(state).into_iter().enumerate();
        let cells = rows.map(|(a, row)| row.into_iter().enumerate().map(|entry| cell(a, entry)).collect()).collect();
        let picture = game.picture(state).map(str::to_owned);
        Ok(Self { state: name, value, bounds, over, picture, a: actions(0), b: actions(1), cells })
    }
}

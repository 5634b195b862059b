//! One state, as scripts read it.

use serde::Serialize;

use crate::matrix_game::Payoffs;
use crate::{BidStrategy, Error, ForcedPlay, Solution, State};

/// One state of a solution: the JSON object `STATE` of the command line.
#[derive(Clone, Debug, Serialize)]
pub struct StateReport {
    /// The state as `POINTS_A:POINTS_B@BALL`.
    pub state: String,
    /// The value to A.
    pub value: f64,
    /// A guaranteed lower bound.
    pub lower: f64,
    /// A guaranteed upper bound.
    pub upper: f64,
    /// The exact value as a fraction, where it is known.
    pub exact: Option<String>,
    /// Whether neither player needs to randomise, neither here nor later.
    pub deterministic: bool,
    /// A's bids with positive probability.
    pub a: Vec<BidReport>,
    /// B's bids with positive probability.
    pub b: Vec<BidReport>,
    /// The stage matrix: rows are A's bids rising, columns B's, payoffs to A.
    pub matrix: Vec<Vec<f64>>,
}

/// A bid and how often it is made.
#[derive(Clone, Debug, Serialize)]
pub struct BidReport {
    /// The bid.
    pub bid: u32,
    /// Its probability.
    pub probability: f64,
    /// The probability as an exact fraction, where it is known.
    pub exact: Option<String>,
}

impl StateReport {
    /// The report of one state.
    ///
    /// # Errors
    /// As for [`Solution::check`].
    pub fn new(solution: &Solution, state: State) -> Result<Self, Error> {
        let equilibrium = solution.equilibrium(state)?;
        let game = solution.stage_game(state)?;
        let matrix = (0..game.rows()).map(|row| (0..game.columns()).map(|column| game.entry(row, column)).collect()).collect();
        Ok(Self {
            state: state.to_string(),
            value: equilibrium.value,
            lower: equilibrium.enclosure.lower(),
            upper: equilibrium.enclosure.upper(),
            exact: None,
            deterministic: ForcedPlay::new(*solution.rules(), state.a, state.b).value(state)?.is_some(),
            a: BidReport::list(&equilibrium.a),
            b: BidReport::list(&equilibrium.b),
            matrix,
        })
    }
}

impl BidReport {
    fn list(strategy: &BidStrategy) -> Vec<Self> {
        strategy.probabilities().map(|(bid, probability)| Self { bid, probability, exact: None }).collect()
    }
}

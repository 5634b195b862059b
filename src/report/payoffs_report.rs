//! The payoff of every bid of a state.

use serde::Serialize;

use super::StateReport;
use crate::game::State;

/// The payoffs of all legal bids of either player against the other's optimal strategy, bids ascending.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StatePayoffsReport {
    /// A's bids.
    pub a: Vec<BidPayoffReport>,
    /// B's bids.
    pub b: Vec<BidPayoffReport>,
}

/// A bid, whether it is part of an optimal strategy or not.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct BidPayoffReport {
    /// The bid.
    pub bid: u32,
    /// A's expected payoff when this bid meets the other's optimal strategy and both bid optimally afterwards.
    pub value: f64,
    /// The loss to the player who makes it: at least 0, and 0 for a best bid.
    pub loss: f64,
}

/// Differences below this share of the payoffs are rounding of floating point.
const ROUNDING: f64 = 1e-13;

impl StatePayoffsReport {
    /// The payoffs of the bids of a state with these strategies and this stage matrix.
    pub fn new(report: &StateReport) -> Self {
        let matrix = &report.matrix;
        let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
        // The highest bid is the whole account.
        let accounts = report.state.parse::<State>().map_or([rows as u32, columns as u32], |state| [state.a, state.b]);
        let [lowest_a, lowest_b] = [(accounts[0], rows), (accounts[1], columns)].map(|(most, bids)| most + 1 - bids as u32);
        let scale = matrix.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let payoff = |bid: u32, value: f64, sign: f64| {
            let loss = sign * (report.value - value);
            BidPayoffReport { bid, value, loss: if loss > ROUNDING * scale { loss } else { 0.0 } }
        };
        let a = (0..rows).map(|row| {
            let value = report.b.iter().map(|bid| bid.probability * matrix[row][(bid.bid - lowest_b) as usize]).sum();
            payoff(row as u32 + lowest_a, value, 1.0)
        });
        let b = (0..columns).map(|column| {
            let value = report.a.iter().map(|bid| bid.probability * matrix[(bid.bid - lowest_a) as usize][column]).sum();
            payoff(column as u32 + lowest_b, value, -1.0)
        });
        Self { a: a.collect(), b: b.collect() }
    }
}

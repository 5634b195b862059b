//! Policies of Tennis that are refused, and why numbers are no distribution of bids.

use super::TableFault;
use crate::game::{GameError, Player, State};

/// An error of a policy's numbers, of its file, or of a query.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    #[error("{player}'s policy at {state}: {reason}")]
    Distribution { player: Player, state: State, reason: BidsFault },
    #[error(
        "the policy is for a smallest bid of {min_bid}; the smallest bid of the game is {game_min_bid}"
    )]
    OtherBids { min_bid: u32, game_min_bid: u32 },
    #[error("{player}'s policy says nothing about {}: {named}", states(*missing))]
    Incomplete { player: Player, missing: usize, named: String },
    #[error("not a policy: {reason}")]
    File { reason: TableFault },
    #[error("the policy does not say how {player} bids")]
    LacksPlayer { player: Player },
    #[error(
        "the policy is for {a}:{b} points and field {field}, the game has {game_a}:{game_b} points and field {game_field}"
    )]
    OtherGame { a: u32, b: u32, field: i32, game_a: u32, game_b: u32, game_field: i32 },
    #[error(
        "a policy for {a}:{b} points has no mirror image among its own states; both players need the same points"
    )]
    Mirror { a: u32, b: u32 },
    #[error(
        "one matrix of weights serves both players, but B's bids are not the mirror image of A's"
    )]
    Lopsided,
    #[error("a precision of {precision} is not possible; expected a finite number from 0")]
    Precision { precision: String },
}

fn states(count: usize) -> String {
    if count == 1 { "a state".to_owned() } else { format!("{count} states") }
}

/// Why numbers are no distribution of a state's bids.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BidsFault {
    #[error("bid {bid} has the number {}; expected a finite one from 0", brief(*number))]
    Number { bid: u32, number: f64 },
    #[error("bid {bid} has weight {}; expected a finite number from 0", brief(*number))]
    Weight { bid: u32, number: f64 },
    #[error("bid {bid} has the number {}, but {fault}", brief(*number))]
    Illegal { bid: u32, number: f64, fault: GameError },
    #[error("bid {bid} is given twice")]
    Twice { bid: u32 },
    #[error("bid {bid} has {}, which is too small to be told from 0; expected 0, or a probability of 2^-62 at least", brief(*number))]
    TooSmall { bid: u32, number: f64 },
    #[error("no bid has a positive weight")]
    NoWeight,
    #[error("the probabilities sum to {}; expected 1 within {tolerance:e}", brief(*sum))]
    Sum { sum: f64, tolerance: f64 },
    #[error("the refined equilibria have no strategy for this state")]
    NotRefined,
    #[error("the weights are none that sum to 2^62, of rising legal bids")]
    Weights,
}

/// A number in a sentence: with an exponent where it would be long without.
pub(super) fn brief(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-9..1e16).contains(&size) || !size.is_finite() {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

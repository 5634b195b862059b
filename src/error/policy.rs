//! Errors of policies.

use crate::game::{Player, State};

/// An error of a policy: in what it says, in the file it is read from, or in what it is asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A state's entry in a policy is no distribution over the legal bids.
    #[error("{player}'s policy at {state}: {reason}")]
    Distribution {
        /// The player whose policy it is.
        player: Player,
        /// The state.
        state: State,
        /// The reason for the refusal.
        reason: String,
    },
    /// A policy is for other bids than those of the game.
    #[error("the policy is for a smallest bid of {min_bid}; the smallest bid of the game is {game_min_bid}")]
    OtherBids {
        /// The smallest bid of the policy.
        min_bid: u32,
        /// The smallest bid of the game.
        game_min_bid: u32,
    },
    /// A policy says nothing about some states.
    #[error("{player}'s policy says nothing about {}: {named}", states(*missing))]
    Incomplete {
        /// The player whose policy it is.
        player: Player,
        /// The number of missing states.
        missing: usize,
        /// The first of them, separated by commas.
        named: String,
    },
    /// A file does not have the form of a policy.
    #[error("not a policy: {reason}")]
    File {
        /// The reason for the refusal.
        reason: String,
    },
    /// A policy of one player was asked for the other's bids.
    #[error("the policy does not say how {player} bids")]
    LacksPlayer {
        /// The player.
        player: Player,
    },
    /// A policy is meant for another game.
    #[error("the policy is for {a}:{b} points and field {field}, the game has {game_a}:{game_b} points and field {game_field}")]
    OtherGame {
        /// A's points in the policy.
        a: u32,
        /// B's points in the policy.
        b: u32,
        /// The half-width of the policy's field.
        field: i32,
        /// A's points in the game.
        game_a: u32,
        /// B's points in the game.
        game_b: u32,
        /// The half-width of the game's field.
        game_field: i32,
    },
    /// A policy cannot be completed by its mirror image.
    #[error("a policy for {a}:{b} points has no mirror image among its own states; both players need the same points")]
    Mirror {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
    },
    /// A policy that bids differently in the two roles cannot be written as one matrix of weights.
    #[error("one matrix of weights serves both players, but B's bids are not the mirror image of A's")]
    Lopsided,
    /// A quantal response needs a precision.
    #[error("a precision of {precision} is not possible; expected a finite number from 0")]
    Precision {
        /// The precision asked for.
        precision: String,
    },
}

fn states(count: usize) -> String {
    if count == 1 { "a state".to_owned() } else { format!("{count} states") }
}

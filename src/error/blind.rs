//! Errors of blind Tennis.

use crate::game::Player;
use crate::work::memory;

/// An error of blind Tennis: in how it is to be solved, in what is asked, or in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BlindError {
    /// A method has an unknown name.
    #[error(
        "`{text}` is not a method for blind Tennis; expected lp, ipm, cfr or a rule of it, cfr-plus, discounted or predictive"
    )]
    MethodUnknown {
        /// The value that was given.
        text: String,
    },
    /// A rule of regret minimisation has an unknown name.
    #[error("`{text}` is not a rule of regret minimisation; expected cfr-plus, discounted or predictive")]
    RegretRuleUnknown {
        /// The value that was given.
        text: String,
    },
    /// A way of guessing has an unknown name.
    #[error("`{text}` is not a way of guessing an account; expected fewest, middle or most")]
    GuessUnknown {
        /// The value that was given.
        text: String,
    },
    /// The gap at which regret minimisation should end is not possible.
    #[error("a gap of {gap} is not possible; expected a number that is not below 0")]
    Gap {
        /// The value that was given.
        gap: f64,
    },
    /// The game would take more memory than allowed.
    #[error(
        "blind Tennis with {a}:{b} points has {} and {} information sets and would take about {} of memory, above the limit of \
         {}; that is enough for {most}:{most} points",
        counted(information_sets[0]), counted(information_sets[1]), memory(*bytes), memory(*limit)
    )]
    Memory {
        /// A's points.
        a: u32,
        /// B's points.
        b: u32,
        /// The information sets of A and B.
        information_sets: [u64; 2],
        /// The bytes it would take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
        /// The points of both players that the limit is enough for.
        most: u32,
    },
    /// The method needs a feature that this build does not have.
    #[error("the method ipm is not part of this build, which was made without the feature interior-point")]
    InteriorPointMissing,
    /// The backend of the linear programmes gave up.
    #[error("the linear programme of blind Tennis could not be solved; try the method cfr")]
    Programme,
    /// A history of a player's bids and balls is impossible.
    #[error("{player} cannot have come there: {reason}")]
    History {
        /// The player whose bids and balls they are.
        player: Player,
        /// The reason for the refusal.
        reason: String,
    },
    /// An information set's entry in a policy is no distribution over the legal bids.
    #[error("{player}'s policy for {memory}: {reason}")]
    Distribution {
        /// The player whose policy it is.
        player: Player,
        /// The bids and balls.
        memory: String,
        /// The reason for the refusal.
        reason: String,
    },
    /// Two solutions that are to be compared are of different rules.
    #[error("the blind and the open game have different rules")]
    Rules,
    /// A file does not hold a checkpoint or a policy of blind Tennis.
    #[error("the file of blind Tennis cannot be used: {reason}")]
    File {
        /// The reason for the refusal.
        reason: String,
    },
}

/// A count that was cut where 64 bits end says so.
fn counted(count: u64) -> String {
    if count == u64::MAX { "more than 10^19".to_owned() } else { count.to_string() }
}

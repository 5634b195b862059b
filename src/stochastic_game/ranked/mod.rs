//! Large games by layers: states that are known by layer and rank, so that nothing is explored, hashed or kept but the bounds of the
//! layers that are still needed.

mod asked;
mod files;
mod solution;
mod solver;
mod stages;
mod sweep;

pub use solution::RankedSolution;
pub use solver::RankedSolver;
pub use stages::Stages;

use super::model::GameRules;

/// Rules whose states are known by their layer and their rank in it: what follows a state lies in earlier layers.
///
/// A [`RankedSolver`] solves layer after layer, from the ends backward: 16 bytes a state, of the layers that are still needed. The
/// rules are asked for the state of a rank, and for the rank of what follows it; states without a rank are solved where they are
/// met. Where that is too slow, [`stages`](Self::stages) tells the matrix games of a state by the ranks themselves.
///
/// *Verified.* A rank beyond its layer, or of a layer that is not earlier, is an error with the name of the state. Of every 512
/// states one, chosen at random, and the last of every layer are asked about by [`GameRules`], too: the rank of their state has to be their rank, and what `stages`
/// makes of them has to be worth the same.
///
/// ```
/// use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, RankedRules, RankedSolver};
///
/// /// Matching pennies for some rounds: A wins a point where both show the same side. Who is ahead in the end has won.
/// struct Pennies {
///     rounds: u32,
/// }
///
/// impl GameRules for Pennies {
///     /// The rounds left, and A's points less B's.
///     type State = (u32, i64);
///
///     fn starts(&self) -> Vec<Self::State> {
///         vec![(self.rounds, 0)]
///     }
///
///     fn node(&self, &(rounds, lead): &Self::State) -> Node {
///         if rounds == 0 { Node::over(lead.signum()) } else { Node::Choose { a: 2, b: 2 } }
///     }
///
///     fn after(&self, &(rounds, lead): &Self::State, a: usize, b: usize, outcomes: &mut Outcomes<Self::State>) {
///         outcomes.to((rounds - 1, if a == b { lead + 1 } else { lead - 1 }));
///     }
/// }
///
/// impl RankedRules for Pennies {
///     type Layer = ();
///
///     fn layers(&self) -> u32 {
///         self.rounds + 1
///     }
///
///     /// With so many rounds left, the lead is at most as large as those that were played.
///     fn len(&self, rounds: u32) -> u64 {
///         u64::from(self.rounds - rounds) * 2 + 1
///     }
///
///     fn state(&self, rounds: u32, rank: u64) -> Self::State {
///         (rounds, rank as i64 - i64::from(self.rounds - rounds))
///     }
///
///     fn rank(&self, &(rounds, lead): &Self::State) -> Option<(u32, u64)> {
///         Some((rounds, (lead + i64::from(self.rounds - rounds)) as u64))
///     }
///
///     fn largest_payoff(&self) -> u64 {
///         1
///     }
///
///     fn layer(&self, _: u32) {}
/// }
///
/// let solution = RankedSolver::new(Pennies { rounds: 3 }).solve()?;
/// assert_eq!(solution.enclosure(&(2, 1))?.middle(), 0.5);
/// assert_eq!(solution.strategies(&(3, 0))?, [[(0, 0.5), (1, 0.5)], [(0, 0.5), (1, 0.5)]]);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub trait RankedRules: GameRules {
    /// What the states of a layer share, worked out once; `()` where there is nothing.
    type Layer: Send + Sync;

    /// The number of layers. What follows a state of a layer lies in layers of smaller numbers.
    fn layers(&self) -> u32;

    /// The number of states in a layer, at least 1. They need not all be reached.
    fn len(&self, layer: u32) -> u64;

    /// The state of a rank; a [canonical](GameRules::canonical) one.
    fn state(&self, layer: u32, rank: u64) -> Self::State;

    /// The layer and the rank of a canonical state; `None` where it has none and is solved wherever it is met.
    fn rank(&self, state: &Self::State) -> Option<(u32, u64)>;

    /// A whole number that what either player can win from any state, rewards and end together, does not exceed. Verified.
    fn largest_payoff(&self) -> u64;

    /// Works out what the states of a layer share.
    fn layer(&self, layer: u32) -> Self::Layer;

    /// Tells the matrix games of a state by ranks; `false` where [`GameRules`] are to be asked.
    fn stages(&self, _layer: &Self::Layer, _rank: u64, _stages: &mut Stages<'_>) -> bool {
        false
    }

    /// The earliest layer that has to be in memory while this one is solved: the one before it, unless it is said.
    fn needs(&self, layer: u32) -> u32 {
        layer.saturating_sub(1)
    }

    /// About how long a state of a layer takes, compared with those of other layers: for progress alone.
    fn work(&self, _layer: u32) -> f64 {
        1.0
    }
}

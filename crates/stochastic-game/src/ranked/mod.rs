//! Large games by layers: states that are known by layer and rank, so that nothing is explored,
//! hashed or kept but the bounds of the layers that are still needed.

#[cfg(any(test, feature = "mpi"))]
mod exchange;
mod files;
mod identity;
mod kept;
mod kept_layer;
mod lock;
mod opening;
mod proof;
mod solution;
mod solver;
mod stages;
mod sweep;

pub use files::LayerFolder;
pub use solution::RankedSolution;
pub use stages::Stages;

use super::model::GameRules;

/// Rules whose states are known by their layer and their rank in it. Successors lie in earlier
/// layers.
///
/// [`solve_ranked`](super::StochasticSolver::solve_ranked) solves layer after layer, from the ends
/// backward, and keeps 16 bytes a state of the layers that are still needed. Without
/// [`stages`](Self::stages) the rules are asked for the state of a rank and for the rank of each
/// successor; `stages` gives the matrix games of a state by ranks alone, which is much faster.
/// States without a rank are solved wherever they are met. A
/// [`payoff_bound`](GameRules::payoff_bound) is required.
///
/// *Verified.* Each start has a rank. A rank beyond its layer, or of a layer that is not earlier,
/// is an error with the name of the state. One state of every 512, the same ones in every solve,
/// and the last of every layer are solved by [`GameRules`], too: the rank of their state has to be
/// their rank, and the rules have to prove the bounds by ranks.
///
/// *Trusted.* That `stages` of all other states are those of the rules, and that the rules are
/// functions: every other state is asked for once, and a second answer that is another one is
/// noticed where there is one. [`RankedSolution::verify`] asks for all.
///
/// The page `docs/large-games.md` goes from rules to ranks to a cluster, with a program.
pub trait RankedRules: GameRules {
    /// The shared data of a layer's states, computed once; `()` without any.
    type Layer: Send + Sync;

    /// The number of layers.
    fn layers(&self) -> u32;

    /// The author's name of these rules, such as a version. A [folder](LayerFolder) of rules with
    /// another name is refused; without names it is refused where sizes differ, or answers of the
    /// rules of which a sample is compared.
    #[expect(clippy::unnecessary_literal_bound, reason = "rules may own their text")]
    fn version(&self) -> &str {
        ""
    }

    /// The number of states in a layer, at least 1. They need not all be reached.
    fn len(&self, layer: u32) -> u64;

    /// The state of a rank; a [canonical](GameRules::canonical) one.
    fn state(&self, layer: u32, rank: u64) -> Self::State;

    /// The layer and the rank of a canonical state; `None` where it has none and is solved wherever
    /// it is met.
    fn rank(&self, state: &Self::State) -> Option<(u32, u64)>;

    /// Computes the shared data of a layer's states.
    fn layer(&self, layer: u32) -> Self::Layer;

    /// Gives the matrix games of a state by ranks; returns `false` where [`GameRules`] are to be
    /// asked.
    fn stages(&self, _layer: &Self::Layer, _rank: u64, _stages: &mut Stages<'_>) -> bool {
        false
    }

    /// The earliest layer that is needed while this one is solved; the default is the one before
    /// it.
    fn needs(&self, layer: u32) -> u32 {
        layer.saturating_sub(1)
    }

    /// The time that a state of a layer takes, relative to those of other layers; for progress and
    /// pace alone.
    fn work(&self, _layer: u32) -> f64 {
        1.0
    }
}

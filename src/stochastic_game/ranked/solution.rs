//! A solved ranked game, and what it is asked.

use std::path::Path;

use super::RankedRules;
use super::asked::Chosen;
use super::files::Folder;
use super::solver::RankedSolver;
use super::sweep::RankedSweep;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError, StochasticGameFault};

/// A solved game of [`RankedRules`]: the layers that are in memory, the last ones, and those in its folder.
pub struct RankedSolution<R: RankedRules> {
    pub(super) sweep: RankedSweep<R>,
    pub(super) folder: Option<Folder>,
}

impl<R: RankedRules> std::fmt::Debug for RankedSolution<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RankedSolution").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl<R: RankedRules> RankedSolution<R> {
    /// The solution that a solver left in a folder; nothing is solved.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] for files of another game, damaged or unfinished ones.
    pub fn open(rules: R, folder: impl AsRef<Path>) -> Result<Self, Error> {
        RankedSolver::new(rules).folder(folder).finished()
    }

    /// The game.
    pub fn game(&self) -> &R {
        &self.sweep.rules
    }

    /// The number of states of all layers.
    pub fn len(&self) -> u64 {
        let rules = &self.sweep.rules;
        (0..rules.layers()).map(|layer| rules.len(layer)).sum()
    }

    /// Never: a layer has states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of matrix games that were solved.
    pub fn matrices(&self) -> u64 {
        self.sweep.tally.matrices
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        self.enclosed(Bounds::new(0, self.sweep.tally.widest)).width()
    }

    /// The SHA-256 of the bounds of all states in hexadecimal: layer by layer of the digest so far, 32 zeros at first, and of the layer's
    /// bounds, lower and upper in eight bytes each, little end first.
    #[cfg(feature = "report")]
    pub fn digest(&self) -> String {
        self.sweep.tally.chain.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Bounds of the value of a state, as they are stored; of a state without a rank as they are proved from those.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`] for a rank that no layer has, [`StochasticGameFault::Checkpoint`] for a layer that was
    /// not kept.
    pub fn enclosure(&self, state: &R::State) -> Result<Enclosure, StochasticGameError> {
        let (state, exchanged) = self.sweep.rules.canonical(state.clone());
        let bounds = match self.place(&state)? {
            Some((layer, rank)) => self.stored(layer, rank)?,
            None => self.solved(&state, u32::MAX)?.0,
        };
        Ok(self.enclosed(if exchanged { bounds.mirrored() } else { bounds }))
    }

    /// A's and B's strategy at a state: the numbers of the actions that are chosen, rising, with their probabilities; empty at an
    /// end. Actions are those of the canonical state. With them go the bounds that they prove from what is stored of earlier
    /// layers.
    ///
    /// # Errors
    /// As for [`enclosure`](Self::enclosure); a fault, where rules contradict themselves.
    pub fn proved(&self, state: &R::State) -> Result<(Enclosure, [Vec<(usize, f64)>; 2]), StochasticGameError> {
        let (state, exchanged) = self.sweep.rules.canonical(state.clone());
        let layer = self.place(&state)?.map_or(u32::MAX, |(layer, _)| layer);
        let (bounds, [a, b]) = self.solved(&state, layer)?;
        Ok(if exchanged { (self.enclosed(bounds.mirrored()), [b, a]) } else { (self.enclosed(bounds), [a, b]) })
    }

    /// A's and B's strategy at a state, as [`proved`](Self::proved) finds them.
    ///
    /// # Errors
    /// As for [`proved`](Self::proved).
    pub fn strategies(&self, state: &R::State) -> Result<[Vec<(usize, f64)>; 2], StochasticGameError> {
        self.proved(state).map(|(_, strategies)| strategies)
    }

    /// Asks the rules about so many states of every layer that is at hand with the layers it needs, evenly chosen, or all, and
    /// proves their bounds anew; the number of states that it were.
    ///
    /// # Errors
    /// The first state whose bounds are wrong.
    pub fn verify(&self, states_a_layer: u64) -> Result<u64, StochasticGameError> {
        self.sweep.check_sample(self.folder.as_ref(), states_a_layer)
    }

    fn solved(&self, state: &R::State, layer: u32) -> Result<(Bounds, Chosen), StochasticGameError> {
        self.sweep.asked(&|layer, rank| self.sweep.look_up(self.folder.as_ref(), layer, rank)).solve(state, layer)
    }

    fn stored(&self, layer: u32, rank: u64) -> Result<Bounds, StochasticGameError> {
        let not_kept =
            || StochasticGameFault::Checkpoint { reason: format!("has no layer {layer}; expected one that keeps all") };
        self.sweep.look_up(self.folder.as_ref(), layer, rank).ok_or_else(|| not_kept().into())
    }

    /// The layer and the rank of a canonical state, if it has them.
    fn place(&self, state: &R::State) -> Result<Option<(u32, u64)>, StochasticGameError> {
        let rules = &self.sweep.rules;
        match rules.rank(state) {
            Some((layer, rank)) if layer >= rules.layers() || rank >= rules.len(layer) => {
                Err(StochasticGameFault::UnknownState { name: rules.name(state) }.into())
            }
            place => Ok(place),
        }
    }

    fn enclosed(&self, bounds: Bounds) -> Enclosure {
        Enclosure::from_integers(bounds, self.sweep.limits.scale.exponent)
    }
}

//! A solved ranked game, and its queries.

use std::path::Path;

use super::RankedRules;
use super::files::LayerFolder;
use super::proof::{Sample, random_seed};
use super::stages::{Buffers, ChosenActions, Stages};
use super::sweep::RankedSweep;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::explore::CanonicalState;
use crate::model::Node;
use crate::proof::refusal;
use crate::solver::StochasticSolver;
use crate::work::Threads;

/// A solved ranked game: the last layers in memory, and those that its folder keeps.
pub struct RankedSolution<R: RankedRules> {
    pub(super) sweep: RankedSweep<R>,
    pub(super) threads: Threads,
}

impl<R: RankedRules> std::fmt::Debug for RankedSolution<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RankedSolution").field("stored", &self.sweep.stored).finish_non_exhaustive()
    }
}

impl<R: RankedRules> RankedSolution<R> {
    /// Reads the solution that a solver left in a folder, and checks it as [`LayerFolder`] says.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] for files of another game, damaged or unfinished ones,
    /// and for false bounds of a state of the sample.
    pub fn open(rules: R, folder: impl AsRef<Path>) -> Result<Self, Error> {
        let threads = Threads::start(Threads::checked(None)?)?;
        let (sweep, _) =
            StochasticSolver::new(rules).ranked(Some(LayerFolder::new(folder)), &threads)?;
        let [solved, layers] = [sweep.kept.layer_in_work(), sweep.rules.layers()];
        if solved < layers {
            return Err(refusal(format!("has {solved} of {layers} layers")).into());
        }
        Ok(Self { sweep, threads })
    }

    /// The game.
    pub const fn game(&self) -> &R {
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

    /// The number of matrix games that this process has solved: none of those of stored layers.
    pub const fn matrices(&self) -> u64 {
        self.sweep.matrices
    }

    /// The number of states whose bounds were read from a folder, or of layers that it has not
    /// kept, and that this process has not proved. 0 after a solve without interruption.
    pub const fn stored_states(&self) -> u64 {
        self.sweep.stored.states
    }

    /// The seed of the states that were proved when the folder was opened; `None` if there was
    /// nothing in it.
    pub const fn sample_seed(&self) -> Option<u64> {
        self.sweep.stored.seed
    }

    /// The largest width of the bounds of any state, rounded up; of layers that the folder has not
    /// kept, as its first file says.
    pub fn widest_enclosure(&self) -> f64 {
        self.sweep.enclosed(Bounds::new(0, self.sweep.kept.account().widest)).width()
    }

    /// The SHA-256 of the bounds of all states in hexadecimal. Layer after layer it is that of the
    /// digest so far, 32 zeros at first, and of the layer's bounds, lower and upper in eight bytes
    /// each, little end first.
    ///
    /// It is computed from the bounds that were solved or read. Of layers that the folder has not
    /// kept, the digest is the one that its first file states.
    pub fn digest(&self) -> String {
        let account = self.sweep.kept.account();
        let digits = account.digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
    }

    /// Bounds of the value of a state, as they are stored; those of a state without a rank are
    /// proved from these.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`] for a rank that no layer has,
    /// [`StochasticGameFault::Checkpoint`] for a layer that was not kept.
    pub fn enclosure(&self, state: &R::State) -> Result<Enclosure, StochasticGameError> {
        let canonical = CanonicalState::of(&self.sweep.rules, state.clone());
        let Some((layer, rank)) = self.place(&canonical.state)? else {
            return self.proved(state).map(|(enclosure, _)| enclosure);
        };
        let bounds = self
            .sweep
            .kept
            .find(layer, rank)?
            .ok_or_else(|| refusal(format!("has not kept layer {layer}")))?;
        Ok(self.sweep.enclosed(canonical.bounds_by(bounds)))
    }

    /// A's and B's strategy at a state: the numbers of the actions that are chosen, rising, with
    /// their probabilities; empty at an end. Actions are those of the canonical state. With them go
    /// the bounds that they prove from the bounds of its successors.
    ///
    /// # Errors
    /// As for [`enclosure`](Self::enclosure); a fault, where rules contradict themselves.
    pub fn proved(
        &self,
        state: &R::State,
    ) -> Result<(Enclosure, ChosenActions), StochasticGameError> {
        let sweep = &self.sweep;
        let canonical = CanonicalState::of(&sweep.rules, state.clone());
        let layer = self.place(&canonical.state)?.map_or(u32::MAX, |(layer, _)| layer);
        let mut buffers = Buffers::default();
        let mut stages = Stages::new(sweep.successors(&sweep.kept, layer), &mut buffers);
        stages.ask_rules(&sweep.rules, &canonical.state, 0)?;
        let (bounds, [a, b]) = match sweep.rules.node(&canonical.state) {
            Node::Over(_) => (stages.finish()?, ChosenActions::default()),
            Node::Choose { .. } => stages.strategies(),
        };
        let strategies = if canonical.is_exchanged { [b, a] } else { [a, b] };
        Ok((sweep.enclosed(canonical.bounds_by(bounds)), strategies))
    }

    /// A's and B's strategy at a state, as [`proved`](Self::proved) finds them.
    ///
    /// # Errors
    /// As for [`proved`](Self::proved).
    pub fn strategies(&self, state: &R::State) -> Result<ChosenActions, StochasticGameError> {
        self.proved(state).map(|(_, strategies)| strategies)
    }

    /// Proves states of every layer by the rules: one at random of each of this many equal parts,
    /// or all states of a layer with no more. Every call draws others. Returns the number of proved
    /// states; layers that are not kept, or that need such layers, are left out.
    ///
    /// The bounds of a state have to contain the values of its matrix games over the bounds of the
    /// layers before. Where all states of all layers are proved, all bounds contain the values of
    /// the game, whatever the folder was before.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the first state whose bounds are wrong.
    pub fn verify(&self, states_a_layer: u64) -> Result<u64, Error> {
        self.verify_seeded(states_a_layer, random_seed())
    }

    /// Proves states of every layer, as [`verify`](Self::verify) does, drawn with this seed.
    ///
    /// # Errors
    /// As for [`verify`](Self::verify).
    pub fn verify_seeded(&self, states_a_layer: u64, seed: u64) -> Result<u64, Error> {
        self.sweep.verify(Sample { states: states_a_layer, seed }, &self.threads)
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
}

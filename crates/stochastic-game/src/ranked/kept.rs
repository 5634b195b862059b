//! The bounds of solved layers, in memory and on disk.

use std::borrow::Cow;

use super::files::{Checksums, Folder};
use super::kept_layer::{Account, KeptLayer};
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};

/// The bounds of solved layers: some in memory, of which the last may be incomplete, others on
/// disk.
#[derive(Debug, Default)]
pub(super) struct Kept<'k> {
    /// The number of the first layer in memory.
    pub(super) first: u32,
    pub(super) layers: Vec<KeptLayer<'k>>,
    pub(super) folder: Option<Folder>,
}

impl<'k> Kept<'k> {
    /// The bounds of a layer in memory.
    #[inline]
    pub(super) fn layer(&self, layer: u32) -> Option<&[Bounds]> {
        self.layers.get(layer.wrapping_sub(self.first) as usize).map(|layer| layer.bounds.as_ref())
    }

    /// The bounds of a rank, if its layer is kept and has it.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] for a file that is not what it was when it was checked.
    pub(super) fn find(
        &self,
        layer: u32,
        rank: u64,
    ) -> Result<Option<Bounds>, StochasticGameFault> {
        if let Some(bounds) = self.layer(layer) {
            return Ok(bounds.get(rank as usize).copied());
        }
        self.folder.as_ref().map_or(Ok(None), |folder| folder.find(layer, rank))
    }

    /// The bounds of all ranks of a layer, if it is kept.
    ///
    /// # Errors
    /// As for [`Self::find`].
    pub(super) fn load(
        &self,
        layer: u32,
    ) -> Result<Option<Cow<'_, [Bounds]>>, StochasticGameError> {
        if let Some(bounds) = self.layer(layer) {
            return Ok(Some(Cow::Borrowed(bounds)));
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        Ok(folder.load(layer)?.map(Cow::Owned))
    }

    /// Takes a layer. Where it does not follow the last one in memory, those are forgotten.
    pub(super) fn push(&mut self, layer: u32, kept: KeptLayer<'k>) {
        if self.first + self.layers.len() as u32 != layer {
            self.layers.clear();
            self.first = layer;
        }
        self.layers.push(kept);
    }

    /// Forgets the layers in memory before this one.
    pub(super) fn forget_before(&mut self, layer: u32) {
        let gone = layer.saturating_sub(self.first).min(self.layers.len() as u32);
        self.layers.drain(..gone as usize);
        self.first += gone;
    }
}

/// While layers are solved, one after the other, there is always an incomplete one, the last in
/// memory.
impl Kept<'static> {
    /// No layers, of which the first is to be solved.
    pub(super) fn nothing() -> Self {
        Self { layers: vec![KeptLayer::default()], ..Self::default() }
    }

    /// Begins with this layer instead, and the account of those before it.
    pub(super) fn begin_at(&mut self, layer: u32, before: Account) {
        self.first = layer;
        self.layers = vec![KeptLayer { before, ..KeptLayer::default() }];
    }

    /// The incomplete layer.
    pub(super) fn layer_in_work(&self) -> u32 {
        self.first + self.layers.len() as u32 - 1
    }

    /// The account of the complete layers.
    pub(super) fn account(&self) -> Account {
        self.layers.last().map_or(Account::default(), |current| current.before)
    }

    /// The states of the incomplete layer that are solved.
    pub(super) fn solved(&self) -> u64 {
        self.layers.last().map_or(0, |current| current.bounds.len() as u64)
    }

    /// The bounds of the incomplete layer.
    pub(super) fn current(&mut self) -> &mut Vec<Bounds> {
        let last = self.layers.len() - 1;
        self.layers[last].bounds.to_mut()
    }

    /// Completes the incomplete layer, and begins the next one.
    pub(super) fn complete_layer(&mut self) {
        let layer = self.layer_in_work();
        let Some(current) = self.layers.last() else { return };
        let before = current.before.with_layer(&current.bounds);
        if let Some(folder) = &mut self.folder {
            folder.checked.insert(layer, Checksums::of(&current.bounds));
        }
        self.layers.push(KeptLayer { before, ..KeptLayer::default() });
    }
}

//! Opening a folder: every file is checked, and a sample of its bounds is proved.

use super::RankedRules;
use super::files::{Folder, LayerFile};
use super::proof::{Sample, random_seed};
use super::sweep::{BLOCK, RankedSweep};
use crate::error::{Error, StochasticGameFault};
use crate::work::{Threads, Watch};

/// The states of each layer that are proved when a folder is opened.
const SAMPLE: u64 = 256;

impl<R: RankedRules> RankedSweep<R> {
    /// Takes the layers of a folder, and the solved states of the incomplete layer. Returns the
    /// number of complete layers up to the last one on disk.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the file or the state that is wrong;
    /// [`WorkError::Cancelled`](crate::WorkError::Cancelled).
    pub(super) fn open(
        &mut self,
        folder: Folder,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<u32, Error> {
        let seed = folder.settings.seed.unwrap_or_else(random_seed);
        let layers = self.rules.layers();
        let present: Vec<u32> = (0..layers).filter(|&layer| folder.has(Some(layer))).collect();
        let complete = present.last().map_or(0, |last| last + 1);
        let has_part = folder.has(None);
        self.kept.folder = Some(folder);
        if complete > 0 || has_part {
            self.stored.seed = Some(seed);
        }
        for layer in present {
            // Of the layer from which a solve goes on, all states are proved.
            let states = if layer + 1 == complete && complete < layers { u64::MAX } else { SAMPLE };
            self.open_layer(layer, Sample { states, seed }, threads, watch)?;
        }
        if complete > 0 && self.kept.first > self.needed_after(complete - 1) {
            return Err(self.file_fault(Some(self.kept.first - 1), "is missing").into());
        }
        if has_part {
            self.open_part(Sample { states: SAMPLE, seed }, threads, watch)?;
        }
        Ok(complete)
    }

    /// Takes a complete layer.
    fn open_layer(
        &mut self,
        layer: u32,
        sample: Sample,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let LayerFile { before, bounds, .. } = self.read(Some(layer))?;
        let next = self.kept.layer_in_work();
        if layer != next {
            // The layers between are not there; those before them are of no use.
            self.stored.states += (next..layer).map(|missing| self.rules.len(missing)).sum::<u64>();
            self.kept.begin_at(layer, before);
        }
        if before != self.kept.account() {
            return Err(self
                .file_fault(Some(layer), "does not go on from the layers before it")
                .into());
        }
        *self.kept.current() = bounds;
        self.prove_opened(layer, sample, threads, watch)?;
        self.complete_layer();
        Ok(())
    }

    /// Takes the solved states of the incomplete layer.
    fn open_part(
        &mut self,
        sample: Sample,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let LayerFile { layer, before, bounds } = self.read(None)?;
        let next = self.kept.layer_in_work();
        if layer < next {
            // The layer was completed since.
            return Ok(());
        }
        let (solved, len) = (bounds.len() as u64, self.rules.len(layer));
        let is_whole = solved == len || solved.is_multiple_of(BLOCK);
        if layer != next || before != self.kept.account() || !is_whole {
            return Err(self
                .file_fault(None, format_args!("does not go on from layer {next}"))
                .into());
        }
        *self.kept.current() = bounds;
        self.prove_opened(layer, sample, threads, watch)?;
        if solved == len {
            self.complete_layer();
        }
        Ok(())
    }

    /// Proves a sample of the last layer that was read, if the layers are there that it needs, and
    /// counts the other states.
    fn prove_opened(
        &mut self,
        layer: u32,
        sample: Sample,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let mut unproved = self.kept.solved();
        if self.has_needed(&self.kept, layer) {
            unproved -= self.prove_sample(&self.kept, layer, sample, threads, watch)?;
        }
        self.stored.states += unproved;
        Ok(())
    }

    fn read(&self, place: Option<u32>) -> Result<LayerFile, StochasticGameFault> {
        let folder = self.kept.folder.as_ref();
        folder.map_or(
            Err(StochasticGameFault::Checkpoint { reason: "has no folder".to_owned() }),
            |folder| folder.read(place),
        )
    }

    fn file_fault(&self, place: Option<u32>, words: impl std::fmt::Display) -> StochasticGameFault {
        let folder = self.kept.folder.as_ref();
        folder.map_or(StochasticGameFault::Checkpoint { reason: words.to_string() }, |folder| {
            folder.fault(place, &words)
        })
    }
}

//! The layers of a ranked game, for the driver: blocks of ranks are its items.

use std::ops::Range;

use super::RankedRules;
use super::stages::{Buffers, Kept, Stages};
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::layers::Layered;
use crate::stochastic_game::explore::refuse_state;
use crate::stochastic_game::model::PayoffLimit;
use crate::stochastic_game::proof::refusal;
use crate::work::Clock;

/// The states of a block: some milliseconds of small matrices, so that threads share a layer evenly and a layer has few blocks.
const BLOCK: u64 = 512;

/// The states of each layer that are proved anew when a folder is read.
const SAMPLE: u64 = 256;

/// A ranked game while it is solved.
pub(super) struct RankedSweep<R: RankedRules> {
    pub(super) rules: R,
    pub(super) limit: PayoffLimit,
    pub(super) kept: Kept,
    pub(super) tally: Tally,
    /// The shared data of the incomplete layer.
    shared: Option<R::Layer>,
}

/// The account of all solved states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) matrices: u64,
    /// The largest distance of two bounds, in units.
    pub(super) widest: i64,
    /// SHA-256 of the complete layers: of the digest of the layers before, 32 zeros at first, and the layer's bounds. Zeros without
    /// the feature `report`, which has SHA-256.
    pub(super) chain: [u8; 32],
}

#[cfg(feature = "report")]
impl Tally {
    fn end_layer(&mut self, bounds: &[Bounds]) {
        use sha2::Digest as _;
        let mut digest = sha2::Sha256::new_with_prefix(self.chain);
        bounds.chunks(1 << 12).for_each(|bounds| digest.update(super::files::as_bytes(bounds)));
        self.chain = digest.finalize().into();
    }
}

/// The bounds of some blocks.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) bounds: Vec<Bounds>,
    pub(super) matrices: u64,
}

impl<R: RankedRules> RankedSweep<R> {
    pub(super) fn new(rules: R, limit: PayoffLimit) -> Self {
        let kept = Kept { layers: vec![Vec::new()], ..Kept::default() };
        Self { rules, limit, kept, tally: Tally::default(), shared: None }
    }

    /// The incomplete layer.
    pub(super) fn layer(&self) -> u32 {
        self.kept.first + self.kept.layers.len() as u32 - 1
    }

    /// The solved states of the incomplete layer.
    pub(super) fn current(&mut self) -> &mut Vec<Bounds> {
        let last = self.kept.layers.len() - 1;
        &mut self.kept.layers[last]
    }

    /// The number of items that are stored.
    pub(super) fn solved(&mut self) -> u64 {
        let before: u64 = (0..self.layer()).map(|layer| self.rules.len(layer).div_ceil(BLOCK)).sum();
        before + (self.current().len() as u64).div_ceil(BLOCK)
    }

    /// The most bytes that bounds take at a time.
    pub(super) fn bytes(&self) -> u64 {
        let states =
            |layer| (self.rules.needs(layer)..=layer).fold(0, |sum: u64, other| sum.saturating_add(self.rules.len(other)));
        (0..self.rules.layers()).map(states).max().unwrap_or(0).saturating_mul(size_of::<Bounds>() as u64)
    }

    pub(super) fn ranks(&self, (layer, block): (u32, u32)) -> Range<u64> {
        let begin = u64::from(block) * BLOCK;
        begin..(begin + BLOCK).min(self.rules.len(layer))
    }

    pub(super) fn stages<'s>(&'s self, buffers: &'s mut Buffers, layer: u32) -> Stages<'s> {
        Stages::new(&self.kept, self.limit, buffers, layer)
    }

    fn solve_state(
        &self,
        buffers: &mut Buffers,
        shared: &R::Layer,
        layer: u32,
        rank: u64,
    ) -> Result<Bounds, StochasticGameError> {
        let mut stages = self.stages(buffers, layer);
        if !self.rules.stages(shared, rank, &mut stages) {
            return stages.told(&self.rules, &self.rules.state(layer, rank), 0);
        }
        stages.finish().map_err(|fault| refuse_state(&self.rules, &self.rules.state(layer, rank), fault))
    }

    /// Checks a rank by its state, and its bounds by those that the rules give: that they overlap.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`] where they do not, or the first fault of the rules.
    fn check(&self, layer: u32, rank: u64, found: Bounds) -> Result<(), StochasticGameError> {
        let state = self.rules.state(layer, rank);
        let refuse = |reason| Err(refuse_state(&self.rules, &state, StochasticGameFault::Rank { reason }));
        if self.rules.canonical(state.clone()) != (state.clone(), false) {
            return refuse(format!("rank {rank} of layer {layer} has this state, which is not canonical"));
        }
        if self.rules.rank(&state) != Some((layer, rank)) {
            return refuse(format!("rank {rank} of layer {layer} has this state, whose rank is another"));
        }
        let mut buffers = Buffers::default();
        let told = self.stages(&mut buffers, layer).told(&self.rules, &state, 0)?;
        if told.upper < found.lower || found.upper < told.lower {
            let [found, told] = [found, told].map(|bounds| self.enclosed(bounds).decimal());
            return refuse(format!("by ranks the value lies in {found}, by the rules in {told}"));
        }
        Ok(())
    }

    /// Proves this many states of every layer anew, evenly chosen, where the layers before are known; returns their number.
    ///
    /// # Errors
    /// The first fault, with the name of the state.
    pub(super) fn verify(&self, states: u64) -> Result<u64, StochasticGameError> {
        let mut checked = 0;
        for layer in 0..self.rules.layers().min(self.layer() + 1) {
            if (self.rules.needs(layer)..layer).any(|other| self.kept.find(other, 0).is_none()) {
                continue;
            }
            let len = self.kept.layer(layer).map_or_else(|| self.rules.len(layer), |own| own.len() as u64);
            for number in 0..states.min(len) {
                let rank = (u128::from(number) * u128::from(len) / u128::from(states.min(len))) as u64;
                let Some(found) = self.kept.find(layer, rank) else { break };
                self.check(layer, rank, found)?;
                checked += 1;
            }
        }
        Ok(checked)
    }

    pub(super) fn enclosed(&self, bounds: Bounds) -> Enclosure {
        Enclosure::proved(bounds, self.limit.scale.exponent)
    }

    /// Resumes from the folder. Returns the number of its complete layers.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] with the file that is wrong; a state that the sample finds wrong.
    pub(super) fn resume(&mut self) -> Result<u32, StochasticGameError> {
        let Some(folder) = &self.kept.folder else { return Ok(0) };
        let last = (0..self.rules.layers()).rev().find(|&layer| folder.has(Some(layer)));
        let first = last.map_or(0, |last| self.needed_after(last));
        let mut layers = Vec::new();
        for layer in first..last.map_or(0, |last| last + 1) {
            let (_, tally, bounds) = folder.read(Some(layer))?;
            if bounds.len() as u64 != self.rules.len(layer) {
                return Err(refusal(format!("has not all of layer {layer}")));
            }
            layers.push(bounds);
            self.tally = tally;
        }
        let next = first + layers.len() as u32;
        layers.push(Vec::new());
        if folder.has(None) && next < self.rules.layers() {
            let (layer, tally, bounds) = folder.read(None)?;
            let (solved, len) = (bounds.len() as u64, self.rules.len(next));
            if layer == next {
                if solved > len || (solved < len && solved % BLOCK != 0) || tally.chain != self.tally.chain {
                    return Err(refusal(format!("does not go on from layer {layer}")));
                }
                layers[(next - first) as usize] = bounds;
                self.tally = tally;
            }
        }
        (self.kept.first, self.kept.layers) = (first, layers);
        self.verify(SAMPLE)?;
        if next < self.rules.layers() && self.current().len() as u64 == self.rules.len(next) {
            self.end_layer(next);
        }
        Ok(next)
    }

    /// The first layer that is needed after this one: for the next, or for strategies of the last.
    fn needed_after(&self, layer: u32) -> u32 {
        self.rules.needs((layer + 1).min(self.rules.layers() - 1)).min(layer)
    }
}

/// A number below a count, as if drawn at random.
fn drawn(layer: u32, block: u32, count: u64) -> u64 {
    let mixed = (u64::from(layer) << 32 | u64::from(block)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) % count.max(1)
}

impl<R: RankedRules> Layered for RankedSweep<R> {
    type Item = (u32, u32);
    type Worker = Buffers;
    type Batch = Solved;
    type Part = ();

    /// A state of some five matrices of 6 by 6, with the work of 7³.
    const SECONDS: f64 = 1e-8;

    fn items_a_batch(&self) -> usize {
        1
    }

    fn layers(&self) -> Range<u32> {
        0..self.rules.layers()
    }

    fn items(&self, layer: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rules.len(layer).div_ceil(BLOCK) as u32).map(move |block| (layer, block))
    }

    fn work(&self, item: (u32, u32)) -> f64 {
        let ranks = self.ranks(item);
        (ranks.end - ranks.start) as f64 * self.rules.work(item.0)
    }

    fn begin_layer(&mut self, layer: u32) {
        let len = self.rules.len(layer) as usize;
        let current = self.current();
        current.reserve_exact(len.saturating_sub(current.len()));
        self.shared = Some(self.rules.layer(layer));
    }

    fn solve(&self, buffers: &mut Buffers, items: &[(u32, u32)], batch: &mut Solved, _: Clock) -> Result<(), Error> {
        batch.bounds.clear();
        buffers.matrices = 0;
        let Some(shared) = &self.shared else { return Ok(()) };
        for &(layer, block) in items {
            let (ranks, first) = (self.ranks((layer, block)), batch.bounds.len());
            for rank in ranks.clone() {
                batch.bounds.push(self.solve_state(buffers, shared, layer, rank)?);
            }
            let last = (ranks.end == self.rules.len(layer)).then_some(ranks.end - 1);
            for rank in [ranks.start + drawn(layer, block, ranks.end - ranks.start)].into_iter().chain(last) {
                self.check(layer, rank, batch.bounds[first + (rank - ranks.start) as usize])?;
            }
        }
        batch.matrices = buffers.matrices;
        Ok(())
    }

    fn store(&mut self, _: &[(u32, u32)], batches: &mut [Solved]) -> bool {
        for Solved { bounds, matrices } in batches {
            self.tally.matrices += *matrices;
            self.tally.widest = bounds.iter().fold(self.tally.widest, |widest, bounds| widest.max(bounds.upper - bounds.lower));
            self.current().append(bounds);
        }
        true
    }

    fn end_layer(&mut self, layer: u32) -> bool {
        let needed = self.needed_after(layer);
        #[cfg(feature = "report")]
        self.tally.end_layer(self.kept.layers.last().map_or(&[], Vec::as_slice));
        let gone = needed.saturating_sub(self.kept.first);
        self.kept.layers.drain(..gone as usize);
        self.kept.first += gone;
        self.kept.layers.push(Vec::new());
        self.shared = None;
        true
    }
}

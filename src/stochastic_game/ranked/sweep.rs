//! The layers of a ranked game, for the driver: blocks of ranks are its items.

use std::ops::Range;

use super::RankedRules;
use super::asked::Asked;
use super::files::{Chain, Folder};
use super::stages::{Buffers, Kept, Limits, Stages};
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError};
use crate::layers::Layered;
use crate::work::Clock;

/// The states of a block: some milliseconds of small matrices, so that threads share a layer evenly and a layer has few blocks.
pub(super) const BLOCK: u64 = 512;

/// A ranked game while it is solved.
pub(super) struct RankedSweep<R: RankedRules> {
    pub(super) rules: R,
    pub(super) limits: Limits,
    pub(super) kept: Kept,
    /// What was found so far.
    pub(super) tally: Tally,
    /// The layer at hand, what its states share, and its bounds as far as they are known.
    pub(super) layer: u32,
    shared: Option<R::Layer>,
    pub(super) current: Vec<Bounds>,
}

/// What is known of all layers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) matrices: u64,
    /// The largest distance of two bounds, in units.
    pub(super) widest: i64,
    /// A digest of the bounds of all complete layers.
    pub(super) chain: Chain,
}

/// The bounds of a block.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) bounds: Vec<Bounds>,
    pub(super) matrices: u64,
}

impl<R: RankedRules> RankedSweep<R> {
    pub(super) fn new(rules: R, limits: Limits) -> Self {
        let kept = Kept::default();
        Self { rules, limits, kept, tally: Tally::default(), layer: 0, shared: None, current: Vec::new() }
    }

    /// The number of items that are stored.
    pub(super) fn solved(&self) -> u64 {
        let before: u64 = (0..self.layer).map(|layer| self.rules.len(layer).div_ceil(BLOCK)).sum();
        before + (self.current.len() as u64).div_ceil(BLOCK)
    }

    /// The most bytes that bounds take at a time.
    pub(super) fn bytes(&self) -> u64 {
        let states =
            |layer| (self.rules.needs(layer)..=layer).fold(0, |sum: u64, other| sum.saturating_add(self.rules.len(other)));
        (0..self.rules.layers()).map(states).max().unwrap_or(0).saturating_mul(size_of::<Bounds>() as u64)
    }

    fn ranks(&self, (layer, block): (u32, u32)) -> Range<u64> {
        let begin = u64::from(block) * BLOCK;
        begin..(begin + BLOCK).min(self.rules.len(layer))
    }

    /// Bounds of a rank by the layers that are kept.
    pub(super) fn find(
        &self,
        buffers: &mut Buffers,
        shared: &R::Layer,
        layer: u32,
        rank: u64,
    ) -> Result<Bounds, StochasticGameError> {
        let mut stages = Stages::new(&self.kept, self.limits, buffers);
        if self.rules.stages(shared, rank, &mut stages) {
            let name = |fault| StochasticGameError::from(fault).in_state(&self.rules.name(&self.rules.state(layer, rank)));
            return stages.finish().map_err(name);
        }
        let known = |layer, rank| self.kept.get(layer, rank);
        let mut asked = self.asked(&known);
        let found = asked.solve(&self.rules.state(layer, rank), layer)?.0;
        buffers.matrices += asked.matrices;
        Ok(found)
    }

    /// The first layer that is needed after this one: for the next, or for strategies of the last.
    pub(super) fn needed_after(&self, layer: u32) -> u32 {
        self.rules.needs((layer + 1).min(self.rules.layers() - 1)).min(layer)
    }

    /// Bounds of a rank, in memory or on disk.
    pub(super) fn look_up(&self, folder: Option<&Folder>, layer: u32, rank: u64) -> Option<Bounds> {
        let own = (layer == self.layer).then(|| self.current.get(rank as usize).copied()).flatten();
        let kept = own.or_else(|| self.kept.get(layer, rank));
        kept.or_else(|| folder.filter(|_| layer < self.layer && rank < self.rules.len(layer))?.look_up(layer, rank))
    }

    /// Proves so many states anew of every layer that is at hand with the layers it needs; how many it were.
    ///
    /// # Errors
    /// A fault, with the name of the state.
    pub(super) fn check_sample(&self, folder: Option<&Folder>, states: u64) -> Result<u64, StochasticGameError> {
        let known = |layer, rank| self.look_up(folder, layer, rank);
        let mut checked = 0;
        for layer in 0..self.rules.layers().min(self.layer + 1) {
            if (self.rules.needs(layer)..layer).any(|other| known(other, 0).is_none()) {
                continue;
            }
            let len = if layer == self.layer { self.current.len() as u64 } else { self.rules.len(layer) };
            for number in 0..states.min(len) {
                let rank = (u128::from(number) * u128::from(len) / u128::from(states.min(len))) as u64;
                let Some(found) = known(layer, rank) else { break };
                self.asked(&known).check(layer, rank, found)?;
                checked += 1;
            }
        }
        Ok(checked)
    }

    pub(super) fn asked<'a>(&'a self, known: &'a dyn Fn(u32, u64) -> Option<Bounds>) -> Asked<'a, R> {
        Asked { rules: &self.rules, limits: self.limits, known, matrices: 0 }
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

    /// A microsecond a matrix, and a few matrices a state.
    const SECONDS: f64 = 1e-5;

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
        if self.layer != layer {
            self.current.clear();
        }
        self.layer = layer;
        self.current.reserve_exact((self.rules.len(layer) as usize).saturating_sub(self.current.len()));
        self.shared = Some(self.rules.layer(layer));
    }

    fn solve(&self, buffers: &mut Buffers, items: &[(u32, u32)], batch: &mut Solved, _: Clock) -> Result<(), Error> {
        batch.bounds.clear();
        batch.matrices = 0;
        let Some(shared) = &self.shared else { return Ok(()) };
        for &(layer, block) in items {
            let ranks = self.ranks((layer, block));
            let (begin, end) = (ranks.start, ranks.end);
            buffers.matrices = 0;
            for rank in ranks {
                batch.bounds.push(self.find(buffers, shared, layer, rank)?);
            }
            batch.matrices += buffers.matrices;
            let known = |layer, rank| self.kept.get(layer, rank);
            let mut asked = self.asked(&known);
            let is_last = end == self.rules.len(layer);
            for rank in [begin + drawn(layer, block, end - begin)].into_iter().chain(is_last.then_some(end - 1)) {
                let place = batch.bounds.len() - (end - rank) as usize;
                asked.check(layer, rank, batch.bounds[place])?;
            }
        }
        Ok(())
    }

    fn store(&mut self, _: &[(u32, u32)], batches: &mut [Solved]) -> bool {
        for Solved { bounds, matrices } in batches {
            self.tally.matrices += *matrices;
            self.tally.widest = bounds.iter().fold(self.tally.widest, |widest, bounds| widest.max(bounds.upper - bounds.lower));
            self.current.append(bounds);
        }
        true
    }

    fn end_layer(&mut self, layer: u32) -> bool {
        self.tally.chain.add(&self.current);
        let needed = self.needed_after(layer);
        if self.kept.layers.is_empty() {
            self.kept.first = layer;
        }
        self.kept.layers.push(std::mem::take(&mut self.current));
        let gone = (needed.saturating_sub(self.kept.first) as usize).min(self.kept.layers.len());
        self.kept.layers.drain(..gone);
        self.kept.first += gone as u32;
        self.layer = layer + 1;
        self.shared = None;
        true
    }
}

#[cfg(any(test, feature = "mpi"))]
mod exchange {
    use super::super::files::as_bytes;
    use super::{RankedRules, RankedSweep, Solved};
    use crate::bounds::Bounds;
    use crate::distributed::Exchanged;
    use crate::game::codec::{Bytes, CodecError};
    use crate::layers::Layered;

    impl<R: RankedRules> Exchanged for RankedSweep<R> {
        type Kept = ();
        type History = ();

        fn has_root_records(&self) -> bool {
            false
        }

        fn expected(&self, (): &(), item: (u32, u32)) -> (f32, Option<u16>) {
            (self.work(item) as f32, None)
        }

        fn note(&self, (): &mut (), _: (u32, u32), _: u16, _: f32) {}

        fn write(&self, batch: &Solved, for_all: &mut Vec<u8>, _: &mut Vec<u8>) {
            for_all.extend(batch.matrices.to_le_bytes());
            for_all.extend(as_bytes(&batch.bounds));
        }

        fn take_kept<'b>(&self, _: &'b mut Solved) -> impl Iterator<Item = ()> + use<'b, R> {
            std::iter::empty()
        }

        fn clear(batch: &mut Solved) {
            *batch = Solved::default();
        }

        fn read(
            &self,
            item: (u32, u32),
            record: &mut Bytes<'_>,
            _: Option<&mut Bytes<'_>>,
            _: Option<&mut dyn Iterator<Item = ()>>,
            batch: &mut Solved,
        ) -> Result<f32, CodecError> {
            batch.matrices = u64::from_le_bytes(record.take()?);
            for _ in self.ranks(item) {
                batch.bounds.push(Bounds::new(i64::from_le_bytes(record.take()?), i64::from_le_bytes(record.take()?)));
            }
            Ok(0.0)
        }
    }
}
